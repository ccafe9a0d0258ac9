/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_text: running text with roles, wrapped into a grid of its own.
 *
 * A Rich collects text and the role of every byte; rich_layout wraps it (by
 * text_add_wrapped's rules, Chinese included).  Formulas and values that are short
 * are never broken.  The text of a Rich is already visible and, on an ASCII page,
 * ASCII. */
#ifndef PAGE_DRAW_TEXT_H
#define PAGE_DRAW_TEXT_H

#include "base/str.h"
#include "lesson/prose.h"
#include "lesson/trace.h"
#include "page/grid.h"

typedef struct {
    Str text;
    uint8_t *roles; /* one a byte of text */
    size_t room;
    bool ascii;
} Rich;

/* What runs are read with: values as of frame, which are kept back (their space
 * stays) while the reader has not reached it. */
typedef struct {
    const Trace *trace;
    size_t frame;
    bool reached;
} RunContext;

/* Rich r = {.ascii = …}; is empty. */
void rich_clear(Rich *rich);

void rich_add(Rich *rich, const char *text, Role role);
/* The same; blanks in it do not break unless it is long. */
void rich_add_whole(Rich *rich, const char *text, Role role);
void rich_add_runs(Rich *rich, const Runs *runs, const RunContext *context, Role role);

/* Cells of the text on one line. */
int rich_width(const Rich *rich);

/* The text wrapped to width; every line but the first begins with indent blanks.  The
 * grid is as wide as its longest line; the caller frees it. */
Grid *rich_layout(const Rich *rich, int width, int indent);

/* All paragraphs of prose, below each other; airy: a blank line between them where
 * they are not a tight list. */
Grid *prose_layout(const Prose *prose, const RunContext *context, int width, bool airy, bool ascii);

/* Grids one below the other, gap blank rows between; takes them over.  Empty ones
 * and NULLs are left out. */
Grid *grid_stack(Grid **parts, size_t count, int gap, bool ascii);

#endif
