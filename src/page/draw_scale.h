/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_scale: which shade a number has, and the legend that says so.
 *
 * A scale is what the mathematics promises: 0 … 1 for a distribution, symmetric
 * about 0 for anything with a sign.  NaN and Inf have marks of their own and never
 * stretch it. */
#ifndef PAGE_DRAW_SCALE_H
#define PAGE_DRAW_SCALE_H

#include <stdbool.h>

#include "lang/value.h"
#include "lesson/lesson.h"
#include "page/draw_number.h"
#include "page/grid.h"

typedef struct {
    bool is_signed;
    double limit; /* 0 … limit, or -limit … limit; 0: there is only zero */
} HeatScale;

/* The scale of a value whose numbers are stats: as wanted, or 0 … 1 where the
 * operation behind it promises a distribution or a truth value, else symmetric; the
 * limit of an unpromised scale is the largest entry, rounded up to two digits.
 * value may be NULL. */
HeatScale heat_scale(Scale wanted, const Value *value, const NumberStats *stats);

/* The role of x on the scale. */
Role heat_role(const HeatScale *scale, double x);

/* One cell that shows the role without colour: its sign and its size. */
const char *heat_glyph(Role role, bool ascii);

bool heat_scale_same(const HeatScale *a, const HeatScale *b);

/* Cells the legend takes / draws it from row, col on: "-7 ≡=-·░▒█ 7". */
int heat_legend_width(const HeatScale *scale);
void heat_legend_draw(Grid *grid, Rect clip, int row, int col, const HeatScale *scale);

#endif
