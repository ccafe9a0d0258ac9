/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval_run: the statements of an eval and the workspace they run in.
 *
 * cmd_eval runs them and writes the last value, stream feeds a layer from files.  The EvalRun
 * owns what it made; it borrows the options. */
#ifndef APP_EVAL_RUN_H
#define APP_EVAL_RUN_H

#include <stdbool.h>

#include "app/meter.h"
#include "app/options.h"
#include "core/pool.h"
#include "lang/interp.h"

typedef struct {
    const Options *options;
    double seed, threads; /* threads 0: one for each processor */
    bool fast;
    Source *source;
    Code *code;
    Interp *interp;
    Pool *pool; /* of the fast forms, or NULL */
    double assignments; /* executed */
} EvalRun;

/* Reads --seed, --fast and --threads; false (and a line on stderr) if they are wrong. */
bool eval_run_options(EvalRun *run, const Options *options);

/* Parses the statements (from standard input if they are "-") and makes an empty workspace. */
Status eval_run_begin(EvalRun *run, Error *error);

/* Binds what --set and --load give; not the names that are left out (NULL: none is). */
Status eval_run_bind(EvalRun *run, bool (*is_left_out)(void *context, const char *name),
                     void *context, Error *error);

/* Runs the statements, with a meter where they take long; *last as interp_run's. */
Status eval_run_statements(EvalRun *run, Value **last, Error *error);

/* The file that --load gives for the name, or NULL; borrowed. */
const char *eval_run_file(const EvalRun *run, const char *name);

/* True if the length bytes at text are a name of the language. */
bool eval_run_is_name(const char *text, size_t length);

/* Values of the run must be given back before. */
void eval_run_clear(EvalRun *run);

#endif
