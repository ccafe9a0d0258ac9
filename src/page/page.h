/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page: a whole screen of a lesson, drawn into a Grid.
 *
 * A page is a pure function of what page_draw is given: the trace, the reader's
 * position, the size and the options; the same input gives the same cells.  From
 * PAGE_WIDE columns on, prose, formula, code and checks stand in a column of their
 * own and matrices beside it; below that everything is in one column.  What does not
 * fit scrolls, and the bottom line says how much more there is.
 *
 * The caller owns the Page, its grid and its hits, and clears it before the trace. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/explain.h"
#include "page/page_options.h"

typedef struct {
    Grid *grid;
    HitList hits;          /* in reading order, in cells of the grid */
    PlacedAnswers answers; /* the answers of questions that are visible */
    int content_rows;      /* of all there is to see */
    int visible_rows;      /* of the part of the screen it is seen in */
    int scroll;            /* first content row that is visible */
} Page;

/* Draws the page of position.  Sizes below 1x1 count as 1x1. */
void page_draw(const Trace *trace, Position position, const PageOptions *options, Page *out);
void page_clear(Page *page);

/* The marks of an explanation: its parts as operands, the number itself as cursor;
 * for PageOptions.marks.  Returns how many were written to marks, of which there must
 * be room for 1 + explanation->count. */
size_t page_marks(const Value *value, size_t i, size_t j, const Explanation *explanation,
                  CellMark *marks);

#endif
