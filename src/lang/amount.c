/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/amount.h"

CostFigure amount_of(double count, Poly *formula)
{
    return (CostFigure){count, formula != NULL ? formula : poly_constant(count)};
}

CostFigure amount_number(double count)
{
    return amount_of(count, NULL);
}

CostFigure amount_dim(Dim dim)
{
    return amount_of((double)dim.n, dim_poly(dim));
}

void amount_clear(CostFigure *a)
{
    poly_unref(a->formula);
    a->formula = NULL;
}

CostFigure amount_times(CostFigure a, CostFigure b)
{
    CostFigure product = amount_of(a.count * b.count, poly_multiply(a.formula, b.formula));
    amount_clear(&a);
    amount_clear(&b);
    return product;
}

void amount_add(CostFigure *sum, CostFigure a)
{
    CostFigure total = amount_of(sum->count + a.count, poly_add(sum->formula, a.formula));
    amount_clear(&a);
    amount_clear(sum);
    *sum = total;
}

CostFigure amount_scale(CostFigure a, double factor)
{
    CostFigure scaled = amount_of(factor * a.count, poly_scale(a.formula, factor));
    amount_clear(&a);
    return scaled;
}

CostFigure amount_cells(const Value *v)
{
    return amount_times(amount_dim(v->rows), amount_dim(v->cols));
}

void amount_set(CostFigure *to, CostFigure amount)
{
    amount_clear(to);
    *to = amount;
}
