/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static size_t live_bytes; /* of Values, origins and texts; matrices count themselves */
static uint64_t last_serial;

/* --- dimensions, loops ------------------------------------------------------- */

Poly *dim_poly(Dim dim)
{
    return dim.name ? poly_ref(dim.name) : poly_constant((double)dim.n);
}

Loop *loop_ref(Loop *loop)
{
    if (loop)
        loop->refs++;
    return loop;
}

void loop_unref(Loop *loop)
{
    while (loop && --loop->refs == 0) {
        Loop *parent = loop->parent;
        poly_unref(loop->trips.name);
        free(loop);
        loop = parent;
    }
}

/* --- making ------------------------------------------------------------------ */

static Value *new_value(ValueKind kind)
{
    Value *v = memory_zeros(1, sizeof *v);
    v->refs = 1;
    v->kind = kind;
    live_bytes += sizeof *v;
    return v;
}

Value *value_new(Matrix *m)
{
    Value *v = new_value(VALUE_MATRIX);
    v->matrix = m;
    v->rows.n = m->rows;
    v->cols.n = m->cols;
    return v;
}

Value *value_scalar(double x)
{
    return value_new(matrix_scalar(x));
}

Value *value_logical(Matrix *m)
{
    Value *v = value_new(m);
    v->logical = true;
    return v;
}

Value *value_text(const char *text)
{
    Value *v = new_value(VALUE_TEXT);
    v->text = memory_copy_text(text);
    return v;
}

Value *value_colon(void)
{
    return new_value(VALUE_COLON);
}

static Value *new_function(void)
{
    Value *v = new_value(VALUE_FUNCTION);
    v->function = memory_zeros(1, sizeof *v->function);
    v->function->refs = 1;
    return v;
}

Value *value_function_op(const Op *op)
{
    Value *v = new_function();
    v->function->op = op;
    return v;
}

Value *value_function_expr(const Expr *expr, Binding *captured, size_t count)
{
    Value *v = new_function();
    v->function->expr = expr;
    v->function->captured = captured;
    v->function->captured_count = count;
    return v;
}

Value *value_share(const Value *v)
{
    Value *copy = new_value(v->kind);
    copy->logical = v->logical;
    copy->rows = (Dim){v->rows.n, poly_ref(v->rows.name)};
    copy->cols = (Dim){v->cols.n, poly_ref(v->cols.name)};
    copy->matrix = v->matrix ? matrix_ref(v->matrix) : NULL;
    copy->number = poly_ref(v->number);
    copy->text = v->text ? memory_copy_text(v->text) : NULL;
    copy->function = v->function;
    if (copy->function)
        copy->function->refs++;
    return copy;
}

/* --- references -------------------------------------------------------------- */

/* What is to be released, so that long chains of origins need no recursion. */
typedef struct {
    const Value **items;
    size_t count, room;
} Work;

static void push(Work *work, const Value *v)
{
    MEMORY_GROW(work->items, work->count, work->room);
    work->items[work->count++] = v;
}

static size_t origin_bytes(const Origin *origin)
{
    return sizeof *origin + origin->count * sizeof(Value *);
}

static void free_origin(Origin *origin, Work *work)
{
    for (size_t i = 0; i < origin->count; i++)
        push(work, origin->operands[i]);
    live_bytes -= origin_bytes(origin);
    loop_unref(origin->loop);
    free(origin->note);
    free(origin);
}

static void free_function(Function *f, Work *work)
{
    if (--f->refs > 0)
        return;
    for (size_t i = 0; i < f->captured_count; i++) {
        free(f->captured[i].name);
        push(work, f->captured[i].value);
    }
    free(f->captured);
    free(f);
}

Value *value_ref(const Value *v)
{
    Value *shared = (Value *)v; /* only the count changes: the value stays const */
    shared->refs++;
    return shared;
}

void value_unref(const Value *v)
{
    if (!v)
        return;
    assert(v->refs > 0);
    if (v->refs > 1) {
        ((Value *)v)->refs--;
        return;
    }
    Work work = {0};
    push(&work, v);
    while (work.count > 0) {
        Value *dead = (Value *)work.items[--work.count];
        if (--dead->refs > 0)
            continue;
        if (dead->origin)
            free_origin(dead->origin, &work);
        if (dead->function)
            free_function(dead->function, &work);
        matrix_unref(dead->matrix);
        poly_unref(dead->rows.name);
        poly_unref(dead->cols.name);
        poly_unref(dead->number);
        free(dead->text);
        live_bytes -= sizeof *dead;
        free(dead);
    }
    free(work.items);
}

/* --- reading ----------------------------------------------------------------- */

const Matrix *value_matrix(const Value *v)
{
    assert(v->kind == VALUE_MATRIX);
    return v->matrix;
}

bool value_is_scalar(const Value *v)
{
    return v->kind == VALUE_MATRIX && v->rows.n == 1 && v->cols.n == 1;
}

double value_number(const Value *v)
{
    assert(value_is_scalar(v));
    return v->matrix->cells[0];
}

bool value_is_input(const Value *v)
{
    if (v->kind != VALUE_MATRIX)
        return true;
    return !v->origin || v->origin->op->explain == EXPLAIN_INPUT;
}

size_t value_live_bytes(void)
{
    return live_bytes + matrix_live_bytes();
}

void value_add_size(Str *out, const Value *v)
{
    switch (v->kind) {
    case VALUE_TEXT:
        str_addf(out, "1x%zu", strlen(v->text));
        break;
    case VALUE_FUNCTION:
    case VALUE_COLON:
        str_add(out, "1x1");
        break;
    case VALUE_MATRIX:
        str_addf(out, "%zux%zu", v->rows.n, v->cols.n);
        break;
    }
}

/* --- completing a new value -------------------------------------------------- */

static void name_dim(Dim *dim, const Poly *name)
{
    poly_unref(dim->name);
    dim->name = name && !poly_is_constant(name, NULL) ? poly_ref(name) : NULL;
}

void value_name_rows(Value *v, const Poly *name)
{
    assert(v->refs == 1);
    name_dim(&v->rows, name);
}

void value_name_cols(Value *v, const Poly *name)
{
    assert(v->refs == 1);
    name_dim(&v->cols, name);
}

void value_set_origin(Value *v, const Op *op, const Expr *at, Loop *loop, Value *const *operands,
                      size_t count)
{
    assert(v->refs == 1 && !v->origin);
    Origin *origin = memory_zeros(1, sizeof *origin + count * sizeof *operands);
    origin->op = op;
    origin->at = at;
    origin->loop = loop_ref(loop);
    origin->serial = ++last_serial;
    origin->count = count;
    for (size_t i = 0; i < count; i++)
        origin->operands[i] = value_ref(operands[i]);
    live_bytes += origin_bytes(origin);
    v->origin = origin;
}
