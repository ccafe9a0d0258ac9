/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amount: arithmetic with a number and its polynomial side by side, for cost.
 *
 * A CostFigure owns its formula.  Functions that take a CostFigure by value take the formula
 * over.  Where the polynomial would exceed its limits, the plain number takes its place. */
#ifndef LANG_AMOUNT_H
#define LANG_AMOUNT_H

#include "lang/poly.h"
#include "lang/value.h"

typedef struct {
    double count;
    Poly *formula; /* evaluates to count where all names are known; never NULL */
} CostFigure;

/* count, called formula (taken over), or by its number where formula is NULL. */
CostFigure amount_of(double count, Poly *formula);
CostFigure amount_number(double count);
CostFigure amount_dim(Dim dim);

/* Rows times columns of v. */
CostFigure amount_cells(const Value *v);

/* a b / factor a. */
CostFigure amount_times(CostFigure a, CostFigure b);
CostFigure amount_scale(CostFigure a, double factor);

/* *sum += a / *to = amount, whose old formula is released. */
void amount_add(CostFigure *sum, CostFigure a);
void amount_set(CostFigure *to, CostFigure amount);
void amount_clear(CostFigure *a);

#endif
