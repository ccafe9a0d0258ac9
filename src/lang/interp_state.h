/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_state: what the two halves of the interpreter share (interp.c: the
 * workspace, limits and statements; interp_expr.c: calls and expressions).
 * Private to them. */
#ifndef LANG_INTERP_STATE_H
#define LANG_INTERP_STATE_H

#include "lang/interp.h"
#include "lang/services.h"

/* Expressions and calls together may nest this deep while they run: the stack of
 * a small machine (256 kB) must hold them. */
enum { EVAL_MAX_DEPTH = 320 };

/* The names an anonymous function sees: its arguments and what it captured. */
typedef struct Scope {
    Binding *names;
    size_t count;
} Scope;

/* What 'end' means in the subscript being evaluated. */
typedef struct EndPlace {
    const Value *base;
    size_t position, total;
} EndPlace;

struct Interp {
    InterpHost host;
    InterpLimits limits;
    Binding *names; /* the workspace, in the order of first binding */
    size_t count, room;
    const Scope *scope; /* of the anonymous function being run, or NULL */
    const EndPlace *end;
    size_t depth;
    Loop *loop; /* the innermost running `for` */
    LoopCounter *loops;
    size_t loop_count, loop_room;
    Binding *reads; /* borrowed; of the statement being run */
    size_t read_count, read_room;
    size_t statements;
    double work;
    size_t base_bytes;
    size_t draws;
    Value *last;
};

/* The variable of that name where the evaluator stands, or NULL; noted as read. */
const Value *interp_lookup(Interp *in, const char *name);

/* Fails if values take more bytes than the limits allow. */
Status interp_check_bytes(const Interp *in, const Call *call);

/* One level deeper, within EVAL_MAX_DEPTH; the caller takes it back. */
Status interp_deeper(Interp *in, const Expr *at, Error *error);

/* The value of e; a new reference. */
Status interp_expr(Interp *in, const Expr *e, Value **out, Error *error);

/* Evaluates count expressions into a new array; ':' becomes a VALUE_COLON, and, if
 * texts are allowed, a string a VALUE_TEXT.  With base, 'end' refers to it. */
Status interp_list(Interp *in, Expr *const *exprs, size_t count, const Value *base, bool texts,
                   Value ***out, Error *error);

/* Gives back count values and the array that holds them. */
void interp_unref_all(Value **values, size_t count);

/* The value of e where it is the condition of an if or while: there | and & end early. */
Status interp_condition(Interp *in, const Expr *e, Value **out, Error *error);

/* A condition is a matrix without NaN. */
Status interp_need_condition(const Value *v, const Expr *e, Error *error);

#endif
