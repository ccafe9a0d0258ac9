/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost: what a result took to compute, read off its origins.
 *
 * Every operation behind a value is counted once; inputs are free, and so is
 * moving numbers (transpose, index, reshape).  Each figure comes as a number and as a polynomial
 * in the names of the dimensions; where a name is unknown the number stands.  What a loop
 * repeats is one term times the loop's named trip count. */
#ifndef LANG_COST_H
#define LANG_COST_H

#include "lang/poly.h"
#include "lang/value.h"

typedef struct {
    double count;
    Poly *formula; /* evaluates to count where all names are known; never NULL */
} CostFigure;

typedef struct {
    CostFigure multiply_adds; /* one multiplication with its addition */
    CostFigure exponentials;
    CostFigure largest; /* entries of the largest intermediate: not an input, not the result */
    CostFigure kept;    /* most numbers alive at once: intermediates and result, no inputs */
    bool opaque;        /* something behind it is not counted (a decomposition) */
} Cost;

/* The cost of value (made with origins). */
void cost_of(const Value *value, Cost *out);
void cost_clear(Cost *cost);

#endif
