/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run: executes a lesson's code once, into a Trace. */
#ifndef LESSON_RUN_H
#define LESSON_RUN_H

#include "base/error.h"
#include "lesson/lesson.h"
#include "lesson/place.h"
#include "lesson/trace.h"

/* What a lesson may use; less while fuzzing, so that many lessons are tried. */
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { RUN_MAX_CELLS = 1 << 20, RUN_MAX_STATEMENTS = 1000000, RUN_MAX_BYTES = 256 << 20 };
#define RUN_MAX_WORK 4e9
#else
enum { RUN_MAX_CELLS = 1 << 12, RUN_MAX_STATEMENTS = 1000, RUN_MAX_BYTES = 16 << 20 };
#define RUN_MAX_WORK 1e6
#endif

/* The bytes it may keep if a matrix may have max_cells entries: more than RUN_MAX_BYTES only
 * where one larger than RUN_MAX_CELLS was loaded, since a copy of that must be possible. */
size_t run_max_bytes(size_t max_cells);

/* Called with every random matrix drawn, in order (call counts from 1; function is
 * "randn" or "rand"). */
typedef struct {
    void *context;
    Status (*drawn)(void *context, size_t call, const char *function, const Matrix *m,
                    Error *error);
} RunHooks;

/* Runs lesson with settings (NULL: defaults).  hooks may be NULL.  Errors: a setting
 * that names no parameter or no input, lies outside the range or does not fit; an
 * error of the code, at its place; a limit, which is named. */
Status lesson_run(const Lesson *lesson, const Settings *settings, const RunHooks *hooks,
                  Trace **out, Error *error);

#endif
