/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify: what `attnwalk check` does with one lesson.
 *
 * The lesson is run at its defaults, and at each end of each parameter's range and
 * at every choice, the other parameters at their defaults (open ends are not
 * tried).  In every run all checks, inline values, views, predictions are
 * evaluated; at the defaults every trap must differ from the truth by more than
 * the tolerance. */
#ifndef LESSON_VERIFY_H
#define LESSON_VERIFY_H

#include "base/error.h"
#include "lesson/eval.h"
#include "lesson/lesson.h"

typedef struct {
    size_t steps, checks, predictions, questions; /* in the lesson */
    size_t settings;                              /* runs tried */
    size_t held, failed, skipped;                 /* checks, over all runs */
    size_t errors;                                /* reports made */
} VerifyCounts;

/* What is called with every failure; setting is "" at the defaults, else such as
 * "n=1". The Error is borrowed; its message ends with the setting. */
typedef struct {
    void *context;
    void (*failed)(void *context, const char *setting, const Error *error);
    /* Called with every check evaluated; may be NULL. */
    void (*checked)(void *context, const char *setting, const Step *step, const Check *check,
                    const CheckResult *result);
} VerifyReport;

/* The work of all runs and checks of a lesson, in operations (InterpLimits.max_work). */
#define VERIFY_MAX_WORK 2e10

/* Verifies lesson; STATUS_OK if nothing failed. counts may be NULL.  Beyond
 * VERIFY_MAX_WORK it stops with an error. */
Status lesson_verify(const Lesson *lesson, const VerifyReport *report, VerifyCounts *counts);

#endif
