/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_overview: the whole of a matrix at one glance, beside the window over it.
 *
 * Every cell stands for a block of entries and has the shade of its peak (digest.h), with
 * a NaN or an infinity in it the mark of those; a block in which there is nothing but
 * zeros is blank, so that a causal mask is seen without colour too.  Pointers above and
 * left of it say where the window is, marks are where they are in the window, and what is
 * kept back is kept back here.  A click goes to the peak of a block. */
#ifndef PAGE_DRAW_OVERVIEW_H
#define PAGE_DRAW_OVERVIEW_H

#include "page/draw_matrix.h"

/* The layout of a window of numbers with an overview on its right, in max.  Its overview
 * has no rows if there is no room for one, or no need: where a quarter of the matrix or
 * more is visible anyway. */
PanelLayout overview_fit(const Panel *panel, const DrawContext *context, Size max);

/* Draws it, if there is one, for a panel that is drawn from row, col on. */
void overview_draw(const Panel *panel, const PanelLayout *layout, const DrawContext *context,
                   Grid *grid, Rect clip, int row, int col);

#endif
