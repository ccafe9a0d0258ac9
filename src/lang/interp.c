/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/interp.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/random.h"
#include "lang/index.h"
#include "lang/interp_state.h"

static double work_done; /* by runs that are over */

Interp *interp_new(const InterpHost *host, const InterpLimits *limits)
{
    Interp *in = memory_zeros(1, sizeof *in);
    in->host = *host;
    in->limits = *limits;
    in->base_bytes = value_live_bytes();
    return in;
}

void interp_free(Interp *in)
{
    if (!in)
        return;
    for (size_t i = 0; i < in->count; i++) {
        free(in->names[i].name);
        value_unref(in->names[i].value);
    }
    free(in->names);
    free(in->loops);
    free(in->reads);
    value_unref(in->last);
    work_done += in->work;
    free(in);
}

void interp_set_origins(Interp *in, bool origins)
{
    in->limits.origins = origins;
}

/* --- names ---------------------------------------------------------------------- */

static Binding *find_binding(const Interp *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(in->names[i].name, name) == 0)
            return &in->names[i];
    return NULL;
}

const Value *interp_find(const Interp *in, const char *name)
{
    const Binding *b = find_binding(in, name);
    return b ? b->value : NULL;
}

void interp_bind(Interp *in, const char *name, const Value *value)
{
    Binding *b = find_binding(in, name);
    if (!b) {
        MEMORY_GROW(in->names, in->count, in->room);
        b = &in->names[in->count++];
        *b = (Binding){memory_copy_text(name), NULL};
    }
    Value *old = b->value;
    b->value = value_ref(value);
    value_unref(old);
}

static void note_read(Interp *in, char *name, Value *value)
{
    for (size_t i = 0; i < in->read_count; i++)
        if (strcmp(in->reads[i].name, name) == 0)
            return;
    MEMORY_GROW(in->reads, in->read_count, in->read_room);
    in->reads[in->read_count++] = (Binding){name, value};
}

/* What looking at one of the names takes, as work. */
enum { NAME_WORK = 8 };

const Value *interp_lookup(Interp *in, const char *name)
{
    if (in->scope) {
        in->work += NAME_WORK * (double)in->scope->count;
        for (size_t i = 0; i < in->scope->count; i++)
            if (strcmp(in->scope->names[i].name, name) == 0)
                return in->scope->names[i].value;
        return NULL;
    }
    in->work += NAME_WORK * (double)(in->count + in->read_count);
    const Binding *b = find_binding(in, name);
    if (b) {
        note_read(in, b->name, b->value);
        return b->value;
    }
    return in->host.find ? in->host.find(in->host.context, name) : NULL;
}

/* --- limits --------------------------------------------------------------------- */

/* What a statement takes besides its operations, as work. */
enum { STATEMENT_WORK = 1024 };

Status interp_check_size(const Call *call, double rows, double cols)
{
    const Interp *in = call->interp;
    double cells = rows * cols, limit = (double)in->limits.max_cells;
    if (cells <= limit && rows <= (double)MATRIX_MAX_CELLS && cols <= (double)MATRIX_MAX_CELLS)
        return STATUS_OK;
    if (in->limits.max_cells == MATRIX_MAX_CELLS)
        return error_at(call->error, call->at->source, call->at->mark,
                        "out of memory or dimension too large for Octave's index type (a matrix "
                        "has at most %zu entries)",
                        in->limits.max_cells);
    return error_at(call->error, call->at->source, call->at->mark,
                    "a matrix of more than %zu entries (limit of a lesson)", in->limits.max_cells);
}

Status interp_charge(const Call *call, double work)
{
    Interp *in = call->interp;
    in->work += work;
    if (in->limits.max_work == 0 || in->work <= in->limits.max_work)
        return STATUS_OK;
    return error_at(call->error, call->at->source, call->at->mark,
                    "too much work: more than %.0f operations (limit)", in->limits.max_work);
}

double interp_work_done(void)
{
    return work_done;
}

Status interp_check_bytes(const Interp *in, const Call *call)
{
    size_t live = value_live_bytes();
    if (in->limits.max_bytes == 0 || live <= in->base_bytes ||
        live - in->base_bytes <= in->limits.max_bytes)
        return STATUS_OK;
    return error_at(call->error, call->at->source, call->at->mark,
                    "the run keeps more than %zu MB of values (limit)", in->limits.max_bytes >> 20);
}

Status interp_deeper(Interp *in, const Expr *at, Error *error)
{
    if (in->depth < EVAL_MAX_DEPTH) {
        in->depth++;
        return STATUS_OK;
    }
    return error_at(error, at->source, at->mark,
                    "max_recursion_depth exceeded: calls and expressions nest deeper than %d",
                    EVAL_MAX_DEPTH);
}

/* --- statements ----------------------------------------------------------------- */

static Status run_body(Interp *in, const Body *body, Error *error);

static void set_last(Interp *in, const Value *v)
{
    Value *old = in->last;
    in->last = v ? value_ref(v) : NULL;
    value_unref(old);
}

/* The new value of name(index…) = rhs. */
static Status assign_element(Interp *in, const Stmt *s, Value *rhs, Value **out, Error *error)
{
    const Value *old = interp_lookup(in, s->name);
    Value *before = old ? value_ref(old) : value_new(matrix_new(0, 0));
    size_t count = s->target->count - 1;
    Value **subscripts = NULL;
    Status status = interp_list(in, s->target->args + 1, count, old, true, &subscripts, error);
    if (status == STATUS_OK) {
        Call call = {in, op_get(OP_SET_INDEX), s->target, subscripts, count, out, error};
        status = index_assign(&call, s->name, s->equals, old, rhs, out);
        if (status == STATUS_OK && in->limits.origins) {
            Value *operands[5] = {before, rhs};
            memcpy(operands + 2, subscripts, count * sizeof *operands);
            value_set_origin(*out, call.op, s->target, in->loop, operands, count + 2);
        }
        if (status == STATUS_OK)
            status = interp_charge(&call, (double)(*out)->rows.n * (double)(*out)->cols.n);
        if (status == STATUS_OK)
            status = interp_check_bytes(in, &call);
        interp_unref_all(subscripts, count);
    }
    value_unref(before);
    return status;
}

static Status report_frame(Interp *in, const Stmt *s, const Value *value, Error *error)
{
    if (!in->host.frame)
        return STATUS_OK;
    FrameEvent event = {s, in->loops, in->loop_count, in->reads, in->read_count, s->name, value};
    return in->host.frame(in->host.context, &event, error);
}

static Status run_assign(Interp *in, const Stmt *s, Error *error)
{
    Value *value = NULL;
    Status status = interp_expr(in, s->value, &value, error);
    if (status == STATUS_OK && s->target) {
        Value *whole = NULL;
        status = assign_element(in, s, value, &whole, error);
        value_unref(value);
        value = whole;
    } else if (status == STATUS_OK && in->host.binding) {
        status = in->host.binding(in->host.context, s, s->name, &value, error);
    }
    if (status == STATUS_OK) {
        if (!value->bound)
            value->bound = s;
        /* the frame is told first: what it read may be what is bound now */
        status = report_frame(in, s, value, error);
        interp_bind(in, s->name, value);
        set_last(in, value);
    }
    value_unref(value);
    return status;
}

/* Column k of the range of a `for`, as its variable. */
static Value *loop_value(Interp *in, const Stmt *s, Value *range, size_t k)
{
    const Matrix *m = value_matrix(range);
    Matrix *column = matrix_new(m->rows, 1);
    for (size_t i = 0; i < m->rows; i++)
        matrix_fill(column)[i] = matrix_at(m, i, k);
    Value *v = value_new(column);
    v->logical = range->logical;
    if (in->limits.origins)
        value_set_origin(v, op_get(OP_COUNTER), s->value, in->loop, &range, 1);
    return v;
}

static Status count_statement(Interp *in, const Stmt *s, Error *error)
{
    in->work += STATEMENT_WORK;
    if (in->statements++ < in->limits.max_statements)
        return STATUS_OK;
    return error_at(error, s->source, s->span, "more than %zu statements executed (limit)",
                    in->limits.max_statements);
}

/* An iteration counts as a statement, so that an empty body cannot run for ever. */
static Status run_iteration(Interp *in, const Stmt *s, Value *range, size_t k, Error *error)
{
    if (s->bodies[0].count == 0 && count_statement(in, s, error))
        return STATUS_ERROR;
    Value *v = loop_value(in, s, range, k);
    interp_bind(in, s->name, v);
    in->loops[in->loop_count - 1] = (LoopCounter){s, k + 1, interp_find(in, s->name)};
    value_unref(v);
    return run_body(in, &s->bodies[0], error);
}

static Status run_for(Interp *in, const Stmt *s, Error *error)
{
    Value *range = NULL;
    in->read_count = 0;
    if (interp_expr(in, s->value, &range, error))
        return STATUS_ERROR;
    Status status = STATUS_OK;
    if (range->kind != VALUE_MATRIX) {
        status = error_at(error, s->value->source, s->value->span,
                          "a for loop runs over the columns of a matrix");
        value_unref(range);
        return status;
    }
    Loop *loop = loop_new(s, range, in->loop);
    in->loop = loop;
    MEMORY_GROW(in->loops, in->loop_count, in->loop_room);
    in->loop_count++;
    if (range->rows.n == 0 || range->cols.n == 0)
        interp_bind(in, s->name, range); /* as Octave: no iteration, but a variable */
    for (size_t k = 0; status == STATUS_OK && range->rows.n > 0 && k < range->cols.n; k++)
        status = run_iteration(in, s, range, k, error);
    in->loop_count--;
    in->loop = loop->parent;
    loop_unref(loop);
    value_unref(range);
    return status;
}

static Status eval_condition(Interp *in, const Expr *e, bool *holds, Error *error)
{
    Value *v;
    in->read_count = 0;
    if (interp_condition(in, e, &v, error))
        return STATUS_ERROR;
    Status status = interp_need_condition(v, e, error);
    if (status == STATUS_OK)
        *holds = value_holds(v);
    value_unref(v);
    return status;
}

static Status run_while(Interp *in, const Stmt *s, Error *error)
{
    bool holds = true;
    while (holds) {
        if (count_statement(in, s, error) || eval_condition(in, s->conditions[0], &holds, error))
            return STATUS_ERROR;
        if (holds && run_body(in, &s->bodies[0], error))
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

static Status run_if(Interp *in, const Stmt *s, Error *error)
{
    for (size_t i = 0; i < s->body_count; i++) {
        bool holds = true;
        if (i < s->condition_count && eval_condition(in, s->conditions[i], &holds, error))
            return STATUS_ERROR;
        if (holds)
            return run_body(in, &s->bodies[i], error);
    }
    return STATUS_OK;
}

static Status run_expression(Interp *in, const Stmt *s, Error *error)
{
    Value *v = NULL;
    if (interp_expr(in, s->value, &v, error))
        return STATUS_ERROR;
    set_last(in, v);
    value_unref(v);
    return STATUS_OK;
}

Status interp_run_stmt(Interp *in, const Stmt *s, Error *error)
{
    if (count_statement(in, s, error))
        return STATUS_ERROR;
    in->read_count = 0;
    switch (s->kind) {
    case STMT_EXPR:
        return run_expression(in, s, error);
    case STMT_ASSIGN:
        return run_assign(in, s, error);
    case STMT_FOR:
        return run_for(in, s, error);
    case STMT_WHILE:
        return run_while(in, s, error);
    case STMT_IF:
        return run_if(in, s, error);
    }
    return STATUS_OK;
}

/* Statements nest at most CODE_MAX_NESTING deep. */
static Status run_body(Interp *in, const Body *body, Error *error)
{
    for (size_t i = 0; i < body->count; i++)
        if (interp_run_stmt(in, body->items[i], error))
            return STATUS_ERROR;
    return STATUS_OK;
}

Status interp_run(Interp *in, const Code *code, Value **last, Error *error)
{
    set_last(in, NULL);
    Status status = run_body(in, &code->body, error);
    if (last)
        *last = status == STATUS_OK && in->last ? value_ref(in->last) : NULL;
    return status;
}

/* --- for kernels ---------------------------------------------------------------- */

bool interp_is_fast(const Call *call, Pool **pool)
{
    *pool = call->interp->limits.pool;
    return call->interp->limits.fast;
}

Status interp_draw(const Call *call, bool normal, size_t rows, size_t cols, Matrix **out)
{
    Interp *in = call->interp;
    if (!in->limits.random)
        return error_at(call->error, call->at->source, call->at->mark,
                        "%s: random numbers are refused in views, checks and inline values",
                        call->op->name);
    size_t k = ++in->draws;
    *out = normal ? random_normal(in->limits.seed, k, rows, cols)
                  : random_uniform(in->limits.seed, k, rows, cols);
    if (!in->host.drawn || in->host.drawn(in->host.context, k, normal ? "randn" : "rand", *out,
                                          call->error) == STATUS_OK)
        return STATUS_OK;
    matrix_unref(*out);
    *out = NULL;
    return STATUS_ERROR;
}

Status interp_load(const Call *call, const char *path, Matrix **out)
{
    const Interp *in = call->interp;
    if (!in->host.load)
        return error_at(call->error, call->at->source, call->at->mark,
                        "load_csv: files cannot be read here");
    Status status = in->host.load(in->host.context, path, out, call->error);
    if (status)
        error_locate(call->error, call->at->source, call->at->mark);
    return status;
}
