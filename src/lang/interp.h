/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp: runs Code in a workspace, within limits.
 *
 * An Interp owns its workspace (names and values).  What happens around it is
 * the host's business, through InterpHost: where names come from that are not in
 * the workspace, what load_csv reads, what is done with every executed
 * assignment.  lesson/ records a trace through it; `eval` prints a result. */
#ifndef LANG_INTERP_H
#define LANG_INTERP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "core/pool.h"
#include "lang/expr.h"
#include "lang/value.h"

typedef struct Interp Interp;

/* The counters of one running `for`, outermost first in FrameEvent. */
typedef struct {
    const Stmt *stmt;
    size_t iteration; /* from 1 */
    const Value *value; /* what its variable stands at */
} LoopCounter;

/* One executed assignment. */
typedef struct {
    const Stmt *stmt;
    const LoopCounter *loops;
    size_t loop_count;
    const Binding *reads; /* workspace names the statement read, each once, with their values */
    size_t read_count;
    const char *name; /* what was bound … */
    const Value *value; /* … to what: the whole new value also for an indexed assignment */
} FrameEvent;

typedef struct {
    void *context;
    /* A name that is not in the workspace: borrowed, or NULL.  May be NULL. */
    const Value *(*find)(void *context, const char *name);
    /* before(X) in a view: X before the current stop, a new reference in *out.
     * NULL: before() is refused. */
    Status (*before)(void *context, const Expr *at, const char *name, Value **out, Error *error);
    /* What load_csv('path') reads; NULL: load_csv is refused. */
    Status (*load)(void *context, const char *path, Matrix **out, Error *error);
    /* Called before name is bound to *value by a whole assignment (not an indexed
     * one); may replace *value (taking over its reference).  May be NULL. */
    Status (*binding)(void *context, const Stmt *stmt, const char *name, Value **value, Error *error);
    /* Called after every executed assignment.  May be NULL. */
    Status (*frame)(void *context, const FrameEvent *event, Error *error);
    /* Called with every random matrix drawn, in order: call counts from 1, function
     * is "randn" or "rand".  May be NULL. */
    Status (*drawn)(void *context, size_t call, const char *function, const Matrix *m, Error *error);
} InterpHost;

typedef struct {
    bool fast;             /* whole layers run in their fast forms, not step by step */
    Pool *pool;            /* the threads of those; borrowed, or NULL: the caller's alone */
    bool origins;          /* values remember where they came from */
    bool random;           /* random calls are allowed */
    uint64_t seed;         /* of random calls */
    size_t max_cells;      /* elements of one matrix */
    size_t max_statements; /* executed, in all */
    double max_work;       /* multiply-adds and cells computed, in all; 0: no limit */
    size_t max_bytes;      /* of values alive beyond those when interp_new was called; 0: no limit */
} InterpLimits;

Interp *interp_new(const InterpHost *host, const InterpLimits *limits);
void interp_free(Interp *interp);

/* Switches origins on or off from here on (fold blocks). */
void interp_set_origins(Interp *interp, bool origins);

/* Binds name to value (a new reference is taken). */
void interp_bind(Interp *interp, const char *name, const Value *value);

/* The work that all runs of this process that are over have done. */
double interp_work_done(void);

/* The value of a name in the workspace (not the host's), borrowed, or NULL. */
const Value *interp_find(const Interp *interp, const char *name);

/* Runs all statements of code.  *last, if not NULL, becomes a new reference to
 * the value of the last expression statement or assignment executed, or NULL. */
Status interp_run(Interp *interp, const Code *code, Value **last, Error *error);

/* Runs one statement of a Code, e.g. to know which one a frame belongs to. */
Status interp_run_stmt(Interp *interp, const Stmt *stmt, Error *error);

/* The value of one expression; a new reference. */
Status interp_eval(Interp *interp, const Expr *expr, Value **out, Error *error);

/* True if v holds as Octave's `if` holds: not empty and all entries non-zero. */
bool value_holds(const Value *v);

#endif
