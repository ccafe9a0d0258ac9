/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval: expressions on the values of a frame.
 *
 * Random numbers are refused here.  Values that keep origins point into the Code
 * they came from, which must outlive them. */
#ifndef LESSON_EVAL_H
#define LESSON_EVAL_H

#include "base/error.h"
#include "lesson/lesson.h"
#include "lesson/trace.h"

typedef enum {
    EVAL_PLAIN = 0,
    EVAL_ORIGINS = 1, /* the result knows where it came from */
    EVAL_BEFORE = 2   /* before(X) is allowed: X before the stop of the frame */
} EvalFlags;

/* The value of code->expr as of frame; a new reference. */
Status lesson_eval(const Trace *trace, size_t frame, const Code *code, unsigned flags, Value **out,
                   Error *error);

/* The same for a part of an expression. */
Status lesson_eval_expr(const Trace *trace, size_t frame, const Expr *expr, unsigned flags,
                        Value **out, Error *error);

/* Appends the inline value of run (a RUN_VALUE) as of frame: formatted as it asks,
 * integers and other numbers else by number_add in at most 6 digits; a matrix as
 * [1 2; 3 4] (its first 64 numbers and an ellipsis), a logical as 0 or 1. */
Status lesson_eval_run(const Trace *trace, size_t frame, const Run *run, Str *out, Error *error);

typedef enum { CHECK_HELD, CHECK_FAILED, CHECK_SKIPPED } CheckState;

typedef struct {
    CheckState state;
    bool has_measure;
    double measured; /* approx: the largest difference; a comparison: its left side */
    char *reason;    /* CHECK_FAILED for another reason than its value, or NULL */
} CheckResult;

/* Evaluates check as of frame.  A check that cannot be evaluated is an error. */
Status lesson_check(const Trace *trace, size_t frame, const Check *check, CheckResult *out,
                    Error *error);
void check_result_clear(CheckResult *result);

/* What one argument of a view shows. */
typedef enum {
    SHOWN_ABSENT, /* a name in it is not bound yet: its space stays empty */
    SHOWN_PRESENT,
    SHOWN_STALE /* left over from an earlier iteration */
} ShownState;

typedef enum {
    SHOWN_ARGUMENT,
    SHOWN_LEFT,
    SHOWN_RIGHT,
    SHOWN_RESULT, /* product */
    SHOWN_OLD,
    SHOWN_ADDED,
    SHOWN_NEW /* update */
} ShownRole;

typedef struct {
    ShownRole role;
    ShownState state;
    const Expr *expr;
    Value *value; /* NULL if absent; with origins */
} Shown;

typedef struct {
    Shown *items;
    size_t count;
} ShownList;

/* Evaluates view as of frame, seen from stop (which before() refers to).  In an update,
 * the written matrix on the right of '=' means its value before the stop.  Fails for
 * wrong shapes, for a product or update whose right side is not the result (approx
 * 1e-9), for values outside the scale by more than 1e-9. */
Status lesson_view(const Trace *trace, Position position, const View *view, ShownList *out,
                   Error *error);
void shown_list_clear(ShownList *list);

/* The truth of a prediction, at the end of the step: one number, not NaN, or an error. */
Status lesson_predict(const Trace *trace, size_t step, const Prediction *prediction, double *truth,
                      Error *error);
/* The value of one trap, at the end of the step. */
Status lesson_trap(const Trace *trace, size_t step, const Trap *trap, double *value, Error *error);

#endif
