/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prose: running text as paragraphs of runs.
 *
 * A Run is a piece of text in one style, a formula, or a value computed where it
 * stands.  Prose is flat: a list item is a paragraph with a depth and a marker, so
 * that whoever lays it out needs no recursion. */
#ifndef LESSON_PROSE_H
#define LESSON_PROSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/source.h"
#include "base/str.h"
#include "lang/expr.h"

typedef enum {
    RUN_TEXT,
    RUN_CODE,  /* `text` */
    RUN_MATH,  /* $text$: TeX */
    RUN_VALUE, /* `=expr|%.3f`: code, format, precision */
    RUN_BREAK  /* a hard line break */
} RunKind;

typedef struct {
    RunKind kind;
    bool emphasis, strong;
    char *text;    /* RUN_VALUE: the expression as written; RUN_BREAK: "" */
    char *link;    /* the address a link leads to, or NULL */
    Code *code;    /* RUN_VALUE */
    char format;   /* RUN_VALUE: 'f', 'e', 'g', or 0: shortest digits */
    int precision; /* below 0: not given */
    Span span;     /* where it stands, delimiters included */
} Run;

typedef struct {
    Run *items;
    size_t count, room;
} Runs;

typedef enum { PARAGRAPH_TEXT, PARAGRAPH_ITEM, PARAGRAPH_HEADING, PARAGRAPH_RULE } ParagraphKind;

typedef struct {
    ParagraphKind kind;
    size_t depth;  /* list items and quotes around it: 0 outside */
    size_t number; /* PARAGRAPH_ITEM, first of its item: the number, 0 for a bullet */
    bool first;    /* PARAGRAPH_ITEM: begins its item (else it continues one) */
    bool quote;    /* inside a block quotation */
    bool tight;    /* no blank line before it: the next item of a tight list */
    Runs runs;
} Paragraph;

typedef struct {
    Paragraph *items;
    size_t count, room;
} Prose;

void runs_clear(Runs *runs);
void prose_clear(Prose *prose);

/* Appends the runs as plain text: formulas as TeX source in $, values as the
 * expression in `=…`; for messages. */
void runs_add_source(Str *out, const Runs *runs);

#endif
