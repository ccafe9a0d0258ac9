/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/concat.h"
#include "lang/interp_state.h"

/* --- calls ---------------------------------------------------------------------- */

/* What a call takes besides its cells, as work. */
enum { CALL_WORK = 64 };

/* What a cell of op's result counts as. */
static double cell_work(const Op *op, Value *const *args, size_t count)
{
    switch (op->id) {
    case OP_EXP:
    case OP_ELU1:
    case OP_SOFTMAX:
    case OP_FAVOR:
        return WORK_EXPONENTIAL;
    case OP_POWER:
        return count == 2 && args[1]->kind == VALUE_MATRIX && value_is_scalar(args[1]) &&
                       value_number(args[1]) == 2
                   ? 1
                   : WORK_FUNCTION;
    case OP_LOG:
    case OP_LOG2:
    case OP_SIN:
    case OP_COS:
    case OP_TANH:
    case OP_ROPE:
        return WORK_FUNCTION;
    case OP_RAND:
    case OP_RANDN:
        return WORK_DRAW;
    default:
        return 1;
    }
}

/* Runs op's kernel and gives the result its origin. */
static Status call_op(Interp *in, const Op *op, const Expr *at, Value *const *args, size_t count,
                      Value **out, Error *error)
{
    Call call = {in, op, at, args, count, out, error};
    *out = NULL;
    if (count < op->min_args || count > op->max_args)
        return error_at(error, at->source, at->mark, "Invalid call to %s", op->name);
    if (op->kernel(&call))
        return STATUS_ERROR;
    assert(*out);
    Value *v = *out;
    if (v->kind != VALUE_MATRIX)
        return STATUS_OK;
    double work = CALL_WORK + (double)v->rows.n * (double)v->cols.n * cell_work(op, args, count);
    for (size_t i = 0; i < count; i++)
        if (args[i]->kind == VALUE_MATRIX && op->cost != COST_FREE)
            work += (double)args[i]->rows.n * (double)args[i]->cols.n;
    if (v->refs > 1 || v->origin) { /* the kernel handed an argument through */
        *out = value_share(v);
        value_unref(v);
        v = *out;
    }
    if (in->limits.origins)
        value_set_origin(v, op, at, in->loop, args, count);
    if (interp_charge(&call, work) == STATUS_OK && interp_check_bytes(in, &call) == STATUS_OK)
        return STATUS_OK;
    value_unref(v);
    *out = NULL;
    return STATUS_ERROR;
}

void interp_unref_all(Value **values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value_unref(values[i]);
    free(values);
}

/* @(names) body, with args. */
static Status call_body(Interp *in, const Function *f, const Expr *at, Value *const *args,
                        size_t count, Value **out, Error *error)
{
    const Expr *e = f->expr;
    if (count > e->name_count)
        return error_at(error, at->source, at->mark,
                        "@<anonymous>: function called with too many inputs");
    Scope scope = {memory_zeros(count + f->captured_count, sizeof(Binding)), 0};
    for (size_t i = 0; i < count; i++)
        scope.names[scope.count++] = (Binding){e->names[i], args[i]};
    for (size_t i = 0; i < f->captured_count; i++)
        scope.names[scope.count++] = f->captured[i];
    const Scope *outer = in->scope;
    const EndPlace *outer_end = in->end;
    in->scope = &scope;
    in->end = NULL;
    Status status = interp_deeper(in, at, error);
    if (status == STATUS_OK) {
        Call call = {in, NULL, at, args, count, out, error};
        status = interp_charge(&call, CALL_WORK);
        if (status == STATUS_OK)
            status = interp_expr(in, e->args[0], out, error);
        in->depth--;
    }
    in->scope = outer;
    in->end = outer_end;
    free(scope.names);
    return status;
}

Status interp_call(Interp *in, const Value *function, const Expr *at, Value *const *args,
                   size_t count, Value **out, Error *error)
{
    *out = NULL;
    if (function->kind != VALUE_FUNCTION)
        return error_at(error, at->source, at->mark, "a function (such as @exp) is expected here");
    if (function->function->op)
        return call_op(in, function->function->op, at, args, count, out, error);
    return call_body(in, function->function, at, args, count, out, error);
}

/* --- expressions ---------------------------------------------------------------- */

static Status undefined(const Expr *e, Error *error)
{
    if (op_is_foreign(e->text))
        return error_at(error, e->source, e->mark, "'%s' is not part of this language", e->text);
    return error_at(error, e->source, e->mark, "'%s' undefined", e->text);
}

static Status eval_number(Interp *in, const Expr *e, Value **out)
{
    *out = value_scalar(e->number);
    if (in->limits.origins) {
        if (e->number == floor(e->number) && fabs(e->number) < 1e9)
            (*out)->number = poly_constant(e->number);
        value_set_origin(*out, op_get(OP_LITERAL), e, in->loop, NULL, 0);
    }
    return STATUS_OK;
}

static Status eval_name(Interp *in, const Expr *e, Value **out, Error *error)
{
    const Value *v = interp_lookup(in, e->text);
    if (v) {
        *out = value_ref(v);
        return STATUS_OK;
    }
    const Op *op = op_find(e->text);
    return op ? call_op(in, op, e, NULL, 0, out, error) : undefined(e, error);
}

static Status eval_end(Interp *in, const Expr *e, Value **out, Error *error)
{
    const EndPlace *end = in->end;
    if (!end)
        return error_at(error, e->source, e->mark,
                        "invalid use of 'end': may only be used to index existing value");
    const Value *base = end->base;
    size_t n;
    if (end->total == 1)
        n = base->rows.n * base->cols.n;
    else
        n = end->position == 0 ? base->rows.n : end->position == 1 ? base->cols.n : 1;
    *out = value_scalar((double)n);
    if (in->limits.origins) {
        if (end->total > 1 && end->position < 2)
            (*out)->number = poly_ref(end->position == 0 ? base->rows.name : base->cols.name);
        value_set_origin(*out, op_get(OP_LITERAL), e, in->loop, NULL, 0);
    }
    return STATUS_OK;
}

Status interp_list(Interp *in, Expr *const *exprs, size_t count, const Value *base, bool texts,
                   Value ***out, Error *error)
{
    Value **values = memory_zeros(count, sizeof *values);
    const EndPlace *outer = in->end;
    for (size_t i = 0; i < count; i++) {
        EndPlace place = {base, i, count};
        if (base)
            in->end = &place;
        Status status = STATUS_OK;
        if (exprs[i]->kind == EXPR_COLON)
            values[i] = value_colon();
        else if (exprs[i]->kind == EXPR_TEXT && texts)
            values[i] = value_text(exprs[i]->text);
        else
            status = interp_expr(in, exprs[i], &values[i], error);
        in->end = outer;
        if (status) {
            interp_unref_all(values, i);
            return STATUS_ERROR;
        }
    }
    *out = values;
    return STATUS_OK;
}

/* base(subscripts) */
static Status eval_subscripts(Interp *in, const Expr *e, const Value *base, Value **out,
                              Error *error)
{
    Value **subscripts;
    if (interp_list(in, e->args + 1, e->count - 1, base, true, &subscripts, error))
        return STATUS_ERROR;
    Value **args = memory_zeros(e->count, sizeof *args);
    args[0] = value_ref(base);
    memcpy(args + 1, subscripts, (e->count - 1) * sizeof *args);
    free(subscripts);
    Status status = STATUS_OK;
    if (e->count > 4)
        status = error_at(error, e->source, e->mark,
                          "arrays of more than two dimensions are not part of this language");
    else
        status = call_op(in, op_get(OP_INDEX), e, args, e->count, out, error);
    interp_unref_all(args, e->count);
    return status;
}

/* function(arguments); a ':' among them is refused. */
static Status eval_arguments(Interp *in, const Expr *e, const Op *op, const Value *function,
                             Value **out, Error *error)
{
    for (size_t i = 1; i < e->count; i++)
        if (e->args[i]->kind == EXPR_COLON)
            return error_at(error, e->args[i]->source, e->args[i]->span,
                            "':' can only index a matrix");
    Value **args;
    if (interp_list(in, e->args + 1, e->count - 1, NULL, true, &args, error))
        return STATUS_ERROR;
    Status status = op ? call_op(in, op, e, args, e->count - 1, out, error)
                       : interp_call(in, function, e, args, e->count - 1, out, error);
    interp_unref_all(args, e->count - 1);
    return status;
}

/* before(X) in a view */
static Status eval_before(Interp *in, const Expr *e, Value **out, Error *error)
{
    if (e->count != 2 || e->args[1]->kind != EXPR_NAME)
        return error_at(error, e->source, e->mark, "before(X) takes the name of a matrix");
    return in->host.before(in->host.context, e, e->args[1]->text, out, error);
}

static Status eval_index(Interp *in, const Expr *e, Value **out, Error *error)
{
    const Expr *callee = e->args[0];
    if (callee->kind == EXPR_NAME) {
        const Value *v = interp_lookup(in, callee->text);
        if (!v && in->host.before && strcmp(callee->text, "before") == 0)
            return eval_before(in, e, out, error);
        if (v && v->kind == VALUE_FUNCTION)
            return eval_arguments(in, e, NULL, v, out, error);
        if (v)
            return eval_subscripts(in, e, v, out, error);
        const Op *op = op_find(callee->text);
        return op ? eval_arguments(in, e, op, NULL, out, error) : undefined(callee, error);
    }
    Value *base;
    if (interp_expr(in, callee, &base, error))
        return STATUS_ERROR;
    Status status = base->kind == VALUE_FUNCTION ? eval_arguments(in, e, NULL, base, out, error)
                                                 : eval_subscripts(in, e, base, out, error);
    value_unref(base);
    return status;
}

static Status eval_operator(Interp *in, const Expr *e, Value **out, Error *error)
{
    Value **args;
    if (interp_list(in, e->args, e->count, NULL, false, &args, error))
        return STATUS_ERROR;
    Status status = call_op(in, op_get(e->op), e, args, e->count, out, error);
    interp_unref_all(args, e->count);
    return status;
}

bool value_holds(const Value *v)
{
    if (v->kind != VALUE_MATRIX)
        return false;
    const Matrix *m = value_matrix(v);
    for (size_t i = 0; i < matrix_count(m); i++)
        if (m->cells[i] == 0)
            return false;
    return matrix_count(m) > 0;
}

Status interp_need_condition(const Value *v, const Expr *e, Error *error)
{
    if (v->kind != VALUE_MATRIX)
        return error_at(error, e->source, e->span, "a condition must be a matrix of numbers");
    const Matrix *m = value_matrix(v);
    for (size_t i = 0; i < matrix_count(m); i++)
        if (isnan(m->cells[i]))
            return error_at(error, e->source, e->span, "invalid conversion from NaN to logical");
    return STATUS_OK;
}

/* One side of && or ||. */
static Status eval_side(Interp *in, const Expr *side, bool *holds, Error *error)
{
    Value *v;
    if (interp_expr(in, side, &v, error))
        return STATUS_ERROR;
    Status status = interp_need_condition(v, side, error);
    if (status == STATUS_OK)
        *holds = value_holds(v);
    value_unref(v);
    return status;
}

static Status eval_short_circuit(Interp *in, const Expr *e, Value **out, Error *error)
{
    bool holds = false;
    if (eval_side(in, e->args[0], &holds, error))
        return STATUS_ERROR;
    bool decided = e->kind == EXPR_AND ? !holds : holds;
    if (!decided && eval_side(in, e->args[1], &holds, error))
        return STATUS_ERROR;
    *out = value_logical(matrix_scalar(holds));
    if (in->limits.origins)
        value_set_origin(*out, op_get(OP_LITERAL), e, in->loop, NULL, 0);
    return STATUS_OK;
}

/* As Octave: in a condition a | b and a & b are a || b and a && b if a is a single number, which
 * differs where b is empty or cannot be evaluated.  Recursion is bounded by CODE_MAX_HEIGHT. */
Status interp_condition(Interp *in, const Expr *e, Value **out, Error *error)
{
    if (e->kind != EXPR_OPERATOR || (e->op != OP_OR && e->op != OP_AND))
        return interp_expr(in, e, out, error);
    Value *sides[2] = {NULL, NULL};
    Status status = interp_condition(in, e->args[0], &sides[0], error);
    bool single = status == STATUS_OK && sides[0]->kind == VALUE_MATRIX &&
                  value_is_scalar(sides[0]);
    if (single)
        status = interp_need_condition(sides[0], e->args[0], error);
    bool holds = status == STATUS_OK && value_holds(sides[0]);
    if (status == STATUS_OK && !(single && holds == (e->op == OP_OR)))
        status = interp_condition(in, e->args[1], &sides[1], error);
    if (status == STATUS_OK && single && sides[1]) {
        status = interp_need_condition(sides[1], e->args[1], error);
        holds = value_holds(sides[1]);
    }
    if (status == STATUS_OK && single)
        *out = value_logical(matrix_scalar(holds));
    else if (status == STATUS_OK)
        status = call_op(in, op_get(e->op), e, sides, 2, out, error);
    value_unref(sides[0]);
    value_unref(sides[1]);
    return status;
}

static Status eval_matrix(Interp *in, const Expr *e, Value **out, Error *error)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->args[i]->kind == EXPR_TEXT)
            return error_at(error, e->source, e->args[i]->span,
                            "a string cannot be an element of a matrix");
    Value **args;
    if (interp_list(in, e->args, e->count, NULL, false, &args, error))
        return STATUS_ERROR;
    Call call = {in, op_get(OP_CONCAT), e, args, e->count, out, error};
    Status status = concat_values(&call);
    if (status == STATUS_OK && in->limits.origins)
        value_set_origin(*out, call.op, e, in->loop, args, e->count);
    interp_unref_all(args, e->count);
    return status;
}

static Status eval_handle(const Expr *e, Value **out, Error *error)
{
    const Op *op = op_find(e->text);
    if (!op)
        return undefined(e, error);
    *out = value_function_op(op);
    return STATUS_OK;
}

/* Collects what body, a function's, captures: names that are not its parameters.
 * Recursion is bounded by CODE_MAX_HEIGHT. */
static void capture(Interp *in, const Expr *function, const Expr *e, Binding **list, size_t *count,
                    size_t *room)
{
    for (size_t i = 0; i < e->count; i++)
        capture(in, function, e->args[i], list, count, room);
    if (e->kind != EXPR_NAME)
        return;
    for (size_t i = 0; i < function->name_count; i++)
        if (strcmp(function->names[i], e->text) == 0)
            return;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].name, e->text) == 0)
            return;
    const Value *v = interp_lookup(in, e->text);
    if (!v)
        return;
    MEMORY_GROW(*list, *count, *room);
    (*list)[(*count)++] = (Binding){memory_copy_text(e->text), value_ref(v)};
}

static Status eval_function(Interp *in, const Expr *e, Value **out, Error *error)
{
    Binding *list = NULL;
    size_t count = 0, room = 0;
    capture(in, e, e->args[0], &list, &count, &room);
    *out = value_function_expr(e, list, count);
    Call call = {in, NULL, e, NULL, 0, out, error};
    Status status = interp_check_bytes(in, &call);
    if (status) {
        value_unref(*out);
        *out = NULL;
    }
    return status;
}

static Status eval_kind(Interp *in, const Expr *e, Value **out, Error *error)
{
    switch (e->kind) {
    case EXPR_NUMBER:
        return eval_number(in, e, out);
    case EXPR_TEXT:
        return error_at(error, e->source, e->span,
                        "a string can only be an argument of a function");
    case EXPR_NAME:
        return eval_name(in, e, out, error);
    case EXPR_END:
        return eval_end(in, e, out, error);
    case EXPR_OPERATOR:
        return eval_operator(in, e, out, error);
    case EXPR_AND:
    case EXPR_OR:
        return eval_short_circuit(in, e, out, error);
    case EXPR_INDEX:
        return eval_index(in, e, out, error);
    case EXPR_MATRIX:
        return eval_matrix(in, e, out, error);
    case EXPR_HANDLE:
        return eval_handle(e, out, error);
    case EXPR_FUNCTION:
        return eval_function(in, e, out, error);
    case EXPR_COLON:
        break;
    }
    return error_at(error, e->source, e->span, "':' can only index a matrix");
}

Status interp_expr(Interp *in, const Expr *e, Value **out, Error *error)
{
    *out = NULL;
    if (interp_deeper(in, e, error))
        return STATUS_ERROR;
    Status status = eval_kind(in, e, out, error);
    in->depth--;
    return status;
}

Status interp_eval(Interp *in, const Expr *expr, Value **out, Error *error)
{
    in->read_count = 0;
    return interp_expr(in, expr, out, error);
}
