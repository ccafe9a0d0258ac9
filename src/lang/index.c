/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/op.h"
#include "lang/services.h"

/* --- messages ------------------------------------------------------------------ */

/* "A(_,3): " or "index (_,3): " */
static void add_place(Str *out, const IndexPlace *place, const char *subscript)
{
    str_add(out, place->name ? place->name : "index ");
    str_add_char(out, '(');
    for (size_t i = 0; i < place->total; i++) {
        if (i > 0)
            str_add_char(out, ',');
        str_add(out, i == place->position ? subscript : "_");
    }
    str_add(out, "): ");
}

static Status bad_subscript(const IndexPlace *place, double x)
{
    Str text = {0}, subscript = {0};
    if (isnan(x))
        str_add(&subscript, "nan");
    else if (isinf(x))
        str_add(&subscript, x < 0 ? "-inf" : "inf");
    else
        number_add_format(&subscript, x, 'g', -1);
    add_place(&text, place, str_text(&subscript));
    const Call *call = place->call;
    error_at(call->error, call->at->source, call->at->mark,
             "%ssubscripts must be either integers 1 to (2^63)-1 or logicals", str_text(&text));
    str_clear(&text);
    str_clear(&subscript);
    return STATUS_ERROR;
}

Status index_check(const IndexPlace *place, const Index *index, size_t size, const Value *base)
{
    if (index->extent <= size)
        return STATUS_OK;
    Str text = {0}, subscript = {0}, dims = {0};
    str_addf(&subscript, "%zu", index->extent);
    add_place(&text, place, str_text(&subscript));
    value_add_size(&dims, base);
    const Call *call = place->call;
    error_at(call->error, call->at->source, call->at->mark,
             "%sout of bound %zu (dimensions are %s)", str_text(&text), size, str_text(&dims));
    str_clear(&text);
    str_clear(&subscript);
    str_clear(&dims);
    return STATUS_ERROR;
}

static Status kind_error(const Call *call, const char *what)
{
    return error_at(call->error, call->at->source, call->at->mark, "%s", what);
}

/* --- resolving ----------------------------------------------------------------- */

void index_clear(Index *index)
{
    free(index->items);
    *index = (Index){0};
}

/* Entry k, counted column by column. */
static double column_major(const Matrix *m, size_t k)
{
    return m->rows == 1 || m->cols == 1 ? m->cells[k] : matrix_at(m, k % m->rows, k / m->rows);
}

static void resolve_mask(const Matrix *mask, Index *out)
{
    size_t cells = matrix_count(mask), count = 0;
    for (size_t k = 0; k < cells; k++)
        count += mask->cells[k] != 0;
    out->items = memory_zeros(count, sizeof *out->items);
    for (size_t k = 0; k < cells; k++)
        if (column_major(mask, k) != 0) {
            out->items[out->count++] = k;
            out->extent = k + 1;
        }
    out->rows = mask->rows == 1 && cells != 1 ? 1 : count; /* a single false gives 0x0 */
    out->cols = mask->rows == 1 ? count : 1;
}

Status index_resolve(const IndexPlace *place, const Value *arg, Dim extent, Index *out)
{
    *out = (Index){0};
    if (arg->kind == VALUE_COLON) {
        *out = (Index){.colon = true,
                       .count = extent.n,
                       .extent = extent.n,
                       .rows = extent.n,
                       .cols = 1,
                       .name = extent.name};
        return STATUS_OK;
    }
    if (arg->kind != VALUE_MATRIX)
        return kind_error(place->call,
                          "subscripts must be numbers: text and functions cannot index");
    const Matrix *m = value_matrix(arg);
    if (arg->logical) {
        resolve_mask(m, out);
        return STATUS_OK;
    }
    size_t cells = matrix_count(m);
    out->items = memory_zeros(cells, sizeof *out->items);
    for (size_t k = 0; k < cells; k++) {
        double x = column_major(m, k);
        if (!(x >= 1 && x <= 9007199254740992.0) || x != floor(x)) {
            index_clear(out);
            return bad_subscript(place, x);
        }
        out->items[k] = (size_t)x - 1;
        if (out->items[k] >= out->extent)
            out->extent = out->items[k] + 1;
    }
    out->count = cells;
    out->rows = m->rows;
    out->cols = m->cols;
    out->name = m->rows == 1 ? arg->cols.name : m->cols == 1 ? arg->rows.name : NULL;
    return STATUS_OK;
}

/* True if exactly one dimension differs from 1. */
static bool is_vector(size_t rows, size_t cols)
{
    return (rows == 1) != (cols == 1);
}

/* --- reading ------------------------------------------------------------------- */

/* A(k): shape by Octave's rule for vectors indexed by vectors. */
static Status index_linear(const Call *call, const char *name, const Value *base, Value **out)
{
    const Matrix *m = value_matrix(base);
    size_t cells = matrix_count(m);
    IndexPlace place = {call, name, 0, 1};
    Index index;
    if (index_resolve(&place, call->args[1], (Dim){cells, NULL}, &index))
        return STATUS_ERROR;
    if (index_check(&place, &index, cells, base)) {
        index_clear(&index);
        return STATUS_ERROR;
    }
    size_t rows = index.rows, cols = index.cols;
    const Poly *rows_name = call->args[1]->kind == VALUE_MATRIX ? call->args[1]->rows.name : NULL;
    const Poly *cols_name = call->args[1]->kind == VALUE_MATRIX ? call->args[1]->cols.name : NULL;
    if (index.colon) {
        rows_name = m->cols == 1 ? base->rows.name : m->rows == 1 ? base->cols.name : NULL;
    } else if (cells != 1 && is_vector(m->rows, m->cols) && index.count != 1 &&
               is_vector(rows, cols)) {
        rows = m->rows == 1 ? 1 : index.count;
        cols = m->rows == 1 ? index.count : 1;
        rows_name = m->rows == 1 ? NULL : index.name;
        cols_name = m->rows == 1 ? index.name : NULL;
    }
    if (interp_check_size(call, (double)rows, (double)cols)) {
        index_clear(&index);
        return STATUS_ERROR;
    }
    Matrix *result = matrix_new(rows, cols);
    double *cell = matrix_fill(result);
    for (size_t k = 0; k < index.count; k++) /* k counts column by column */
        cell[rows == 1 || cols == 1 ? k : (k % rows) * cols + k / rows] =
            column_major(m, index_item(&index, k));
    *out = value_new(result);
    (*out)->logical = base->logical;
    value_name_rows(*out, rows_name);
    value_name_cols(*out, cols_name);
    index_clear(&index);
    return STATUS_OK;
}

/* Resolves and checks the row and column subscripts (and a third that must be 1). */
static Status resolve_pair(const Call *call, const char *name, const Value *base, Index *i,
                           Index *j)
{
    size_t total = call->count - 1;
    const Matrix *m = value_matrix(base);
    IndexPlace rows = {call, name, 0, total}, cols = {call, name, 1, total};
    *j = (Index){0};
    if (index_resolve(&rows, call->args[1], base->rows, i))
        return STATUS_ERROR;
    if (index_check(&rows, i, m->rows, base) == STATUS_OK &&
        index_resolve(&cols, call->args[2], base->cols, j) == STATUS_OK &&
        index_check(&cols, j, m->cols, base) == STATUS_OK) {
        if (total == 2)
            return STATUS_OK;
        IndexPlace pages = {call, name, 2, total};
        Index page;
        if (index_resolve(&pages, call->args[3], (Dim){1, NULL}, &page) == STATUS_OK) {
            Status status = index_check(&pages, &page, 1, base);
            if (status == STATUS_OK && page.count != 1)
                status = kind_error(
                    call, "arrays of more than two dimensions are not part of this language");
            index_clear(&page);
            if (status == STATUS_OK)
                return STATUS_OK;
        }
    }
    index_clear(i);
    index_clear(j);
    return STATUS_ERROR;
}

/* The name of what is indexed, for messages. */
static const char *base_name(const Call *call)
{
    const Expr *at = call->at;
    while (at && at->kind == EXPR_INDEX) /* a(1:2)(3) goes by a */
        at = at->args[0];
    if (!at || at->kind != EXPR_NAME)
        return NULL;
    bool is_call = op_find(at->text) && !call->args[0]->bound; /* zeros(2)(3) */
    return is_call ? NULL : at->text;
}

Status op_index(const Call *call)
{
    const Value *base = call->args[0];
    const char *name = base_name(call);
    if (base->kind != VALUE_MATRIX)
        return kind_error(call, "text cannot be indexed in this language");
    if (call->count == 1)
        return kind_error(call, "an index is missing between ( and )");
    if (call->count == 2)
        return index_linear(call, name, base, call->out);
    Index i, j;
    if (resolve_pair(call, name, base, &i, &j))
        return STATUS_ERROR;
    Status status = interp_check_size(call, (double)i.count, (double)j.count);
    if (status == STATUS_OK) {
        const Matrix *m = value_matrix(base);
        Matrix *result = matrix_new(i.count, j.count);
        double *cell = matrix_fill(result);
        for (size_t r = 0; r < i.count; r++) {
            const double *row = m->cells + index_item(&i, r) * m->cols;
            for (size_t c = 0; c < j.count; c++)
                *cell++ = row[index_item(&j, c)];
        }
        *call->out = value_new(result);
        (*call->out)->logical = base->logical;
        value_name_rows(*call->out, i.name);
        value_name_cols(*call->out, j.name);
    }
    index_clear(&i);
    index_clear(&j);
    return status;
}

/* --- assigning ----------------------------------------------------------------- */

static Status nonconformant(const Call *call, Span equals, size_t rows, size_t cols,
                            const Value *rhs)
{
    Str size = {0};
    value_add_size(&size, rhs);
    error_at(call->error, call->at->source, equals,
             "=: nonconformant arguments (op1 is %zux%zu, op2 is %s)", rows, cols, str_text(&size));
    str_clear(&size);
    return STATUS_ERROR;
}

/* A copy of old in a rows x cols matrix, new cells zero. */
static Matrix *grown(const Value *old, size_t rows, size_t cols)
{
    Matrix *m = matrix_new(rows, cols);
    if (!old)
        return m;
    const Matrix *from = value_matrix(old);
    double *cell = matrix_fill(m);
    for (size_t i = 0; i < from->rows && from->cols; i++)
        memcpy(cell + i * cols, matrix_row(from, i), from->cols * sizeof *cell);
    return m;
}

/* The new value of an assignment; names of dimensions that did not change stay. */
static Value *assigned(Matrix *m, const Value *old, const Value *rhs)
{
    for (size_t k = 0; old && old->logical && k < matrix_count(m); k++)
        matrix_fill(m)[k] = m->cells[k] != 0; /* a logical matrix stays one */
    Value *v = value_new(m);
    v->logical = old ? old->logical : rhs->logical;
    if (old && old->rows.n == m->rows)
        value_name_rows(v, old->rows.name);
    if (old && old->cols.n == m->cols)
        value_name_cols(v, old->cols.name);
    return v;
}

static Status assign_linear(const Call *call, const char *name, Span equals, const Value *old,
                            const Value *rhs, Value **out)
{
    size_t rows = old ? old->rows.n : 0, cols = old ? old->cols.n : 0;
    const Matrix *from = value_matrix(rhs);
    IndexPlace place = {call, name, 0, 1};
    Index index;
    if (index_resolve(&place, call->args[0], (Dim){rows * cols, NULL}, &index))
        return STATUS_ERROR;
    size_t given = matrix_count(from);
    Status status = STATUS_OK;
    if (given != 1 && given != index.count) {
        status = nonconformant(call, equals, index.count, 1, rhs);
    } else if (index.extent > rows * cols) {
        if (rows <= 1)
            rows = 1, cols = index.extent;
        else if (cols == 1)
            rows = index.extent;
        else
            status = kind_error(call, "Invalid resizing operation or ambiguous assignment to an "
                                      "out-of-bounds array element");
    }
    if (status == STATUS_OK)
        status = interp_check_size(call, (double)rows, (double)cols);
    if (status == STATUS_OK) {
        Matrix *m = grown(old, rows, cols);
        double *cell = matrix_fill(m);
        for (size_t k = 0; k < index.count; k++) {
            size_t at = index_item(&index, k);
            cell[rows == 1 || cols == 1 ? at : (at % rows) * cols + at / rows] =
                given == 1 ? from->cells[0] : column_major(from, k);
        }
        *out = assigned(m, old, rhs);
    }
    index_clear(&index);
    return status;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* rhs has the il x jl cells wanted, whatever the orientation of a vector. */
static bool matches(const Matrix *rhs, size_t il, size_t jl)
{
    size_t first = rhs->rows, second = rhs->cols;
    if (first == 1) { /* as Octave: dimensions of 1 do not count */
        first = second;
        second = 1;
    }
    return (il == first && jl == second) || (il == 1 && jl == first && second == 1);
}

/* What ':' in one subscript means where nothing is there yet: as Octave that dimension of rhs,
 * or, beside a single index, the first that is not 1. */
static Dim fresh_dim(const Value *other, const Value *rhs, Dim same)
{
    bool single = other->kind == VALUE_MATRIX && value_is_scalar(other);
    return !single ? same : rhs->rows.n == 1 ? rhs->cols : rhs->rows;
}

static Status assign_pair(const Call *call, const char *name, Span equals, const Value *old,
                          const Value *rhs, Value **out)
{
    size_t rows = old ? old->rows.n : 0, cols = old ? old->cols.n : 0;
    const Matrix *from = value_matrix(rhs);
    bool empty = rows == 0 && cols == 0;
    Dim rows_dim = empty ? fresh_dim(call->args[1], rhs, rhs->rows) : old->rows;
    Dim cols_dim = empty ? fresh_dim(call->args[0], rhs, rhs->cols) : old->cols;
    IndexPlace rows_place = {call, name, 0, 2}, cols_place = {call, name, 1, 2};
    Index i, j;
    if (index_resolve(&rows_place, call->args[0], rows_dim, &i))
        return STATUS_ERROR;
    if (index_resolve(&cols_place, call->args[1], cols_dim, &j)) {
        index_clear(&i);
        return STATUS_ERROR;
    }
    bool fill = matrix_count(from) == 1, fits = fill || matches(from, i.count, j.count);
    Status status = STATUS_OK;
    if (!fits && ((i.count && j.count) || matrix_count(from)))
        status = nonconformant(call, equals, i.count, j.count, rhs);
    rows = larger(rows, fits && i.count ? i.extent : 0);
    cols = larger(cols, fits && j.count ? j.extent : 0); /* nothing in no cells changes nothing */
    if (status == STATUS_OK)
        status = interp_check_size(call, (double)rows, (double)cols);
    if (status == STATUS_OK) {
        Matrix *m = grown(old, rows, cols);
        double *cell = matrix_fill(m);
        size_t k = 0; /* along rhs, column by column */
        for (size_t c = 0; c < j.count; c++)
            for (size_t r = 0; r < i.count; r++, k++)
                cell[index_item(&i, r) * cols + index_item(&j, c)] =
                    fill ? from->cells[0] : column_major(from, k);
        *out = assigned(m, old, rhs);
        if (empty && i.colon)
            value_name_rows(*out, rows_dim.name);
        if (empty && j.colon)
            value_name_cols(*out, cols_dim.name);
    }
    index_clear(&i);
    index_clear(&j);
    return status;
}

Status index_assign(const Call *call, const char *name, Span equals, const Value *old,
                    const Value *rhs, Value **out)
{
    if (rhs->kind != VALUE_MATRIX || (old && old->kind != VALUE_MATRIX))
        return kind_error(call, "only matrices have elements that can be assigned");
    for (size_t k = 0; old && old->logical && k < matrix_count(rhs->matrix); k++)
        if (isnan(rhs->matrix->cells[k])) /* a logical matrix stays one */
            return kind_error(call, "invalid conversion from NaN to logical");
    if (call->count == 1)
        return assign_linear(call, name, equals, old, rhs, out);
    if (call->count == 2)
        return assign_pair(call, name, equals, old, rhs, out);
    return kind_error(call, call->count == 0 ? "an index is missing between ( and )"
                                             : "arrays of more than two dimensions are not part of "
                                               "this language");
}
