/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workspace: a running interpreter for the tests of what reads origins.
 *
 * workspace_start, workspace_set for parameters, workspace_run for code, workspace_get for
 * values, workspace_end. */
#ifndef TESTS_LANG_WORKSPACE_H
#define TESTS_LANG_WORKSPACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "core/start.h"
#include "lang/interp.h"
#include "lang/parse.h"

enum { WORKSPACE_CODES = 16 };

typedef struct {
    Interp *interp;
    Source *sources[WORKSPACE_CODES];
    Code *codes[WORKSPACE_CODES];
    size_t count;
} Workspace;

static inline void workspace_start(Workspace *w, uint64_t seed)
{
    InterpHost host = {0};
    InterpLimits limits = {.origins = true,
                           .random = true,
                           .seed = seed,
                           .max_cells = 1u << 20,
                           .max_statements = 1000000};
    core_start();
    *w = (Workspace){.interp = interp_new(&host, &limits)};
}

/* Binds a parameter of a lesson. */
static inline void workspace_set(Workspace *w, const char *name, double x)
{
    Value *v = value_scalar(x);
    v->number = poly_name(name);
    value_set_origin(v, op_get(OP_PARAMETER), NULL, NULL, NULL, 0);
    v->origin->note = memory_copy_text(name);
    interp_bind(w->interp, name, v);
    value_unref(v);
}

static inline void workspace_run(Workspace *w, const char *text)
{
    Error error = {0};
    Span all = {0, strlen(text)};
    assert_true(w->count < WORKSPACE_CODES);
    Source *source = w->sources[w->count] = source_new("test", text, strlen(text));
    Status status = code_parse(source, all, &w->codes[w->count], &error);
    if (status == STATUS_OK) {
        w->count++;
        status = interp_run(w->interp, w->codes[w->count - 1], NULL, &error);
    }
    if (status != STATUS_OK) {
        Str message = {0};
        error_print(&error, &message);
        fail_msg("%s", str_text(&message));
    }
}

static inline const Value *workspace_get(const Workspace *w, const char *name)
{
    const Value *v = interp_find(w->interp, name);
    assert_non_null(v);
    return v;
}

static inline void workspace_end(Workspace *w)
{
    interp_free(w->interp);
    for (size_t i = 0; i < w->count; i++) {
        code_free(w->codes[i]);
        source_free(w->sources[i]);
    }
    core_end();
}

#endif
