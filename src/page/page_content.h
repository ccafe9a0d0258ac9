/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_content: all that is to be seen of a step, in a grid of its own height.
 *
 * page.c frames and scrolls it.  The caller clears the Content. */
#ifndef PAGE_PAGE_CONTENT_H
#define PAGE_PAGE_CONTENT_H

#include "page/page_options.h"

typedef struct {
    Grid *grid;
    HitList hits;
    PlacedAnswers answers;
    int focus, focus_rows; /* rows that should be visible: a question that waits */
} Content;

/* Lays the step out in size.cols columns and, if that can be, size.rows rows. */
void content_draw(const Trace *trace, Position position, const PageOptions *options, Size size,
                  Content *out);
void content_clear(Content *content);

#endif
