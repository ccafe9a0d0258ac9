/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_curves: curves in one frame, with axes, ticks and log scales.
 *
 * Lines are drawn in dots of an eighth of a cell (Braille), in ASCII in cells; the
 * points themselves carry a sign of their own for each curve, so that curves can be
 * told apart without colour.  Points that are no numbers, or not above 0 on a log
 * scale, are left out and counted.  Everything is borrowed. */
#ifndef PAGE_DRAW_CURVES_H
#define PAGE_DRAW_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "page/grid.h"

/* As many points as x and y both have. */
typedef struct {
    const char *name;
    const double *x, *y;
    size_t x_count, y_count;
} Curve;

typedef struct {
    const Curve *items;
    size_t count;
    size_t unseen; /* items behind those: not drawn, but the axes have room for them */
    const char *x_name;
    bool log_x, log_y;
} Curves;

/* The size they take of max. */
Size curves_fit(Size max);
void curves_draw(const Curves *curves, Grid *grid, Rect area);

#endif
