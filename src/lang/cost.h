/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost: what a result took to compute, read off its origins.
 *
 * Every operation behind a value is counted once; inputs are free, and so is
 * moving numbers (transpose, index, reshape) and arithmetic on single numbers that come
 * from parameters, counters and literals alone, such as 1/sqrt(d).  Each figure comes as a
 * number and as a polynomial in the names of the dimensions; where a name is unknown the
 * number stands.  What a loop repeats is one term times the loop's named trip count; where the
 * iterations differ, or only some of them lie behind the value, they are added one by one. */
#ifndef LANG_COST_H
#define LANG_COST_H

#include <stdbool.h>

#include "lang/amount.h"

typedef struct {
    CostFigure multiply_adds; /* multiplications, each with its addition, and divisions */
    CostFigure exponentials;  /* and other elementary functions, one a cell */
    CostFigure largest; /* entries of the largest intermediate: not an input, not the result */
    /* Most numbers alive at once, intermediates and result, no inputs.  A value lives from when it
     * is made until its last use is made, both included; a view (transpose, index) is no value of
     * its own but a use of what it views, and A(i,j) = B writes in place if A is not used again. */
    CostFigure kept;
    bool opaque; /* something behind it is not counted (a decomposition) */
} Cost;

/* The cost of value (made with origins). */
void cost_of(const Value *value, Cost *out);
void cost_clear(Cost *cost);

#endif
