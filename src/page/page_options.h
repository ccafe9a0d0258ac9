/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_options: what a page is drawn with besides the trace and the position. */
#ifndef PAGE_PAGE_OPTIONS_H
#define PAGE_PAGE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/trace.h"
#include "page/draw_matrix.h"
#include "page/draw_step.h"
#include "page/grid.h"
#include "page/hit.h"

enum {
    PAGE_WIDE = 120,      /* columns from which on there are two columns */
    PAGE_LEFT = 44,       /* the width of the left one */
    PAGE_NARROW = 60,     /* below it formulas stand above the prose */
    PAGE_SCROLL_AUTO = -1 /* follow the cursor, or the question that waits */
};

/* A value and what it is called. */
typedef struct {
    const Value *value;
    const char *name;
} NamedValue;

/* PageOptions o = {.size = {24, 80}, .scroll = PAGE_SCROLL_AUTO}; is an ordinary page. */
typedef struct {
    Size size;
    bool ascii;
    bool projector;        /* formula, matrices, mark and place, in large cells */
    bool show_code;        /* in projector mode too */
    int digits;            /* significant digits; 0: 3 */
    int scroll;            /* first row of the content, or PAGE_SCROLL_AUTO */
    const PageAnswer *answers;
    size_t answer_count;
    const CellMark *marks; /* the cursor and the operands of what is explained */
    size_t mark_count;
    const NamedValue *extra; /* values to be shown as matrices below the step's views */
    size_t extra_count;
    bool show_notes;       /* the instructor's notes; not in projector mode */
    const char *explanation; /* lines to be shown above the bottom line, or NULL */
    const char *trail;     /* a line below it: where one came from, and keys; or NULL */
    const Trace *old;      /* the run before the last change, or NULL */
    const char *term;      /* the \term of the formula that is meant, or NULL */
    const char *keys;      /* keys that matter now, or NULL */
    const Inset *inset;    /* what a `bench` view shows, or NULL */
    const char *message;   /* instead of the place: an error, a prompt; or NULL */
} PageOptions;

/* Where an answer stands: number `answer` of a block's question, rows row … on. */
typedef struct {
    size_t block, answer;
    int row, rows;
} PlacedAnswer;

typedef struct {
    PlacedAnswer *items;
    size_t count, room;
} PlacedAnswers;

#endif
