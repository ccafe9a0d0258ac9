/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_content: all that is to be seen of a step, in a grid of its own height.
 *
 * page.c frames and scrolls it.  The caller clears the Content. */
#ifndef PAGE_PAGE_CONTENT_H
#define PAGE_PAGE_CONTENT_H

#include "page/page_options.h"

/* What is done to save rows where a page is longer than the screen. */
typedef enum {
    TIGHT_NOT,
    TIGHT_SHARED, /* short checks share rows, views stand side by side, and what code reads
                     and writes stands on a line of the code */
    TIGHT_DENSE   /* … and there are no blank lines between views */
} Tightness;

typedef struct {
    Grid *grid;
    HitList hits;
    PlacedAnswers answers;
    bool cut;              /* of a matrix, or the code, only a window is shown */
    int focus, focus_rows; /* rows that should be visible: a question that waits */
} Content;

/* Lays the step out in size.cols columns and, if that can be, size.rows rows. */
void content_draw(const Trace *trace, Position position, const PageOptions *options, Size size,
                  Tightness tight, Content *out);
void content_clear(Content *content);

#endif
