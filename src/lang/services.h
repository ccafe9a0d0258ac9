/* SPDX-License-Identifier: GPL-3.0-or-later */
/* services: what a kernel may ask of the run it is part of: limits, random
 * numbers, files, calls of function values.  interp.c and interp_expr.c answer. */
#ifndef LANG_SERVICES_H
#define LANG_SERVICES_H

#include "core/pool.h"
#include "lang/value.h"

typedef struct Interp Interp;

/* Checks that a rows x cols matrix may be made; the error names the limit. */
Status interp_check_size(const Call *call, double rows, double cols);

/* Adds work (multiply-adds or cells) to what the run has done; fails beyond
 * InterpLimits.max_work.  Results' own cells are charged by the evaluator. */
Status interp_charge(const Call *call, double work);

/* True if whole layers run in their fast forms (core/fast_*.h), on the threads of *pool. */
bool interp_is_fast(const Call *call, Pool **pool);

/* What slower work counts as, in multiply-adds, measured and rounded: an exponential, any
 * other function that is correctly rounded, a random number, a step of an SVD, a comparison
 * in sorting. */
enum {
    WORK_EXPONENTIAL = 32,
    WORK_FUNCTION = 2048,
    WORK_DRAW = 16,
    WORK_DECOMPOSITION = 16,
    WORK_COMPARISON = 8
};

/* Calls a function value with args; *out is a new reference. */
Status interp_call(Interp *interp, const Value *function, const Expr *at, Value *const *args,
                   size_t count, Value **out, Error *error);

/* Draws the rows x cols matrix of the next random call of the run, or fails where
 * random numbers are refused. */
Status interp_draw(const Call *call, bool normal, size_t rows, size_t cols, Matrix **out);

/* Loads a file for load_csv. */
Status interp_load(const Call *call, const char *path, Matrix **out);

#endif
