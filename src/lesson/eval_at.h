/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_at: the one way from an expression to its value in a trace; for eval.c and
 * shown.c. */
#ifndef LESSON_EVAL_AT_H
#define LESSON_EVAL_AT_H

#include "lesson/trace.h"

/* Where an expression is evaluated. */
typedef struct {
    const Trace *trace;
    size_t frame;
    size_t stop;          /* which before() refers to */
    const char *name;     /* a name that stands for something else here, or NULL … */
    const Value *instead; /* … namely this */
} EvalPlace;

/* The value of expr at place; a new reference. */
Status eval_at(const EvalPlace *place, const Expr *expr, unsigned flags, Value **out, Error *error);

/* The stop that frame belongs to (frame 0: the first). */
size_t eval_stop_of(const Trace *trace, size_t frame);

/* True if a and b have the same size, non-finite entries in the same places, and every
 * other |a - b| <= tolerance * max(1, largest finite |a|, |b|); *difference (if not NULL)
 * becomes the largest |a - b|, NaN where sizes or non-finite entries differ. */
bool eval_approx(const Matrix *a, const Matrix *b, double tolerance, double *difference);

#endif
