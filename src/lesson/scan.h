/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan: cuts a lesson file into front matter, headings, fences, $$ blocks and the
 * text between them, line by line.
 *
 * What a Markdown parser would get wrong or lose the place of is settled here: '---'
 * under text, blank lines in a formula, a fence inside a list.  Line ends are LF. */
#ifndef LESSON_SCAN_H
#define LESSON_SCAN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/source.h"

typedef enum {
    PIECE_TEXT,    /* lines of prose and lists; span == inner */
    PIECE_MATH,    /* $$ inner $$ */
    PIECE_FENCE,   /* ```info, inner, ``` */
    PIECE_HEADING, /* ## inner {#info} */
    PIECE_END
} PieceKind;

typedef struct {
    PieceKind kind;
    Span span, inner;
    Span info; /* empty (start == end) if there is none */
} Piece;

typedef struct {
    const Source *source;
    size_t at; /* the beginning of a line */
} Scanner;

/* Reads the front matter at the start: calls line for every `key: value`, and leaves
 * the scanner behind it.  Fails if there is none, or it is not closed. */
Status scan_front_matter(Scanner *scanner,
                         Status (*line)(void *context, Span key, Span value, Error *error),
                         void *context, Error *error);

/* The next piece; PIECE_END at the end of the file. */
Status scan_next(Scanner *scanner, Piece *out, Error *error);

/* True if nothing but blank lines follows. */
bool scan_is_blank(const Scanner *scanner);

#endif
