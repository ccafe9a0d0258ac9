/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/heap.h"

static size_t live_bytes; /* of all but matrices and polynomials, which count themselves */
static uint64_t last_serial;

/* --- dimensions, loops ------------------------------------------------------- */

Poly *dim_poly(Dim dim)
{
    return dim.name ? poly_ref(dim.name) : poly_constant((double)dim.n);
}

Loop *loop_new(const Stmt *stmt, const Value *range, Loop *parent)
{
    Loop *loop = memory_zeros(1, sizeof *loop);
    loop->refs = 1;
    loop->stmt = stmt;
    loop->trips = (Dim){range->cols.n, poly_ref(range->cols.name)};
    loop->parent = loop_ref(parent);
    live_bytes += heap_bytes(sizeof *loop);
    return loop;
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
        live_bytes -= heap_bytes(sizeof *loop);
        free(loop);
        loop = parent;
    }
}

/* --- making ------------------------------------------------------------------ */

/* The bytes of v and its text, and what its matrix does not count: the heap's share in it. */
static size_t value_bytes(const Value *v)
{
    return heap_bytes(sizeof *v) + (v->matrix ? HEAP_SHARE : 0) +
           (v->text ? heap_text_bytes(v->text) : 0);
}

static Value *new_value(const Value *content)
{
    Value *v = memory_alloc(sizeof *v);
    *v = *content;
    v->refs = 1;
    live_bytes += value_bytes(v);
    return v;
}

Value *value_new(Matrix *m)
{
    return new_value(&(Value){.kind = VALUE_MATRIX,
                              .matrix = m,
                              .rows = {m->rows, NULL},
                              .cols = {m->cols, NULL}});
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
    return new_value(&(Value){.kind = VALUE_TEXT, .text = memory_copy_text(text)});
}

Value *value_colon(void)
{
    return new_value(&(Value){.kind = VALUE_COLON});
}

static size_t function_bytes(const Function *f)
{
    size_t bytes = heap_bytes(sizeof *f);
    if (f->captured)
        bytes += heap_bytes(f->captured_count * sizeof *f->captured);
    for (size_t i = 0; i < f->captured_count; i++)
        bytes += heap_text_bytes(f->captured[i].name);
    return bytes;
}

static Value *new_function(const Function *content)
{
    Function *f = memory_alloc(sizeof *f);
    *f = *content;
    f->refs = 1;
    live_bytes += function_bytes(f);
    return new_value(&(Value){.kind = VALUE_FUNCTION, .function = f});
}

Value *value_function_op(const Op *op)
{
    return new_function(&(Function){.op = op});
}

Value *value_function_expr(const Expr *expr, Binding *captured, size_t count)
{
    if (captured) /* it has grown by doubling, and may be kept for long */
        captured = memory_resize(captured, count, sizeof *captured);
    return new_function(&(Function){.expr = expr, .captured = captured, .captured_count = count});
}

Value *value_share(const Value *v)
{
    if (v->function)
        v->function->refs++;
    return new_value(&(Value){.kind = v->kind,
                              .logical = v->logical,
                              .rows = {v->rows.n, poly_ref(v->rows.name)},
                              .cols = {v->cols.n, poly_ref(v->cols.name)},
                              .matrix = v->matrix ? matrix_ref(v->matrix) : NULL,
                              .number = poly_ref(v->number),
                              .text = v->text ? memory_copy_text(v->text) : NULL,
                              .function = v->function});
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
    return heap_bytes(sizeof *origin + origin->count * sizeof(Value *));
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
    live_bytes -= function_bytes(f);
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
        live_bytes -= value_bytes(dead);
        matrix_unref(dead->matrix);
        poly_unref(dead->rows.name);
        poly_unref(dead->cols.name);
        poly_unref(dead->number);
        free(dead->text);
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
    return live_bytes + matrix_live_bytes() + poly_live_bytes();
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
