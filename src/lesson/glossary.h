/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glossary: which symbols and terms a lesson defines, read off the lesson itself.
 *
 * A lesson defines its symbols and terms in the list items of its first screens: the
 * steps whose id is symbols, words, letters, shapes or names.  Such an item, or a part of
 * it, that has a colon defines what stands before the colon:
 *
 *     - $A = QK^{\top}$ ($n \times n$): *scores*, row $i$ for query $i$.
 *     - *Mask*: what hides tokens from a query. *Causal*: it hides all that come later.
 *
 * A part begins with the item, or behind a semicolon or full stop that a formula, code or
 * stressed words follow; a part without a colon continues the definition before it.  The
 * names of an entry, under which it is found, are what is stressed, the formulas (left of
 * their =) and the code before the colon, formulas in parentheses apart, and what is
 * stressed in the definition.  Items that hold inline values define nothing.
 *
 * A Glossary owns its entries and copies of all they say, so lessons may be freed. */
#ifndef LESSON_GLOSSARY_H
#define LESSON_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"

typedef struct {
    char *text;   /* "dot product"; of a symbol its TeX: "\phi" */
    bool symbol;  /* from a formula or code */
    bool in_term; /* stands before the colon */
} GlossaryName;

typedef struct {
    char *lesson, *step; /* ids */
    Runs term, definition;
    GlossaryName *names;
    size_t name_count, name_room;
} GlossaryEntry;

typedef struct {
    GlossaryEntry *items; /* in the order of the lessons added */
    size_t count, room;
} Glossary;

/* Appends what lesson defines; Glossary g = {0}; is empty. */
void glossary_add(Glossary *glossary, const Lesson *lesson);
void glossary_clear(Glossary *glossary);

/* True if text names the entry.  Words are compared without regard to case and a final s;
 * symbols as they are, without backslashes and braces ("phi", "d_k"), and also without
 * their scripts and arguments: "S" finds S_t, "phi" finds \phi(x). */
bool glossary_entry_is(const GlossaryEntry *entry, const char *text);

#endif
