/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/kernel.h"

#include <math.h>
#include <stdarg.h>

#include "io/number.h"

static Status set_error(const Call *call, Str *text)
{
    error_at(call->error, call->at->source, call->at->mark, "%s", str_text(text));
    str_clear(text);
    return STATUS_ERROR;
}

Status kernel_error(const Call *call, const char *format, ...)
{
    Str text = {0};
    str_addf(&text, "%s: ", call->op->name);
    va_list list;
    va_start(list, format);
    str_add_list(&text, format, list);
    va_end(list);
    return set_error(call, &text);
}

Status kernel_error_plain(const Call *call, const char *format, ...)
{
    Str text = {0};
    va_list list;
    va_start(list, format);
    str_add_list(&text, format, list);
    va_end(list);
    return set_error(call, &text);
}

static const char *kind_name(const Value *v)
{
    switch (v->kind) {
    case VALUE_MATRIX:
        return "a matrix";
    case VALUE_TEXT:
        return "a text";
    case VALUE_FUNCTION:
        return "a function";
    case VALUE_COLON:
        break;
    }
    return "':'";
}

Status kernel_matrix(const Call *call, size_t i, const Matrix **out)
{
    const Value *v = call->args[i];
    if (v->kind != VALUE_MATRIX)
        return kernel_error(call, "argument %zu must be a matrix, not %s", i + 1, kind_name(v));
    *out = value_matrix(v);
    return STATUS_OK;
}

Status kernel_matrices(const Call *call, const Matrix **out)
{
    for (size_t i = 0; i < call->count; i++)
        if (kernel_matrix(call, i, &out[i]) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

Status kernel_number(const Call *call, size_t i, double *out)
{
    const Value *v = call->args[i];
    if (v->kind != VALUE_MATRIX)
        return kernel_error(call, "argument %zu must be a number, not %s", i + 1, kind_name(v));
    if (!value_is_scalar(v))
        return kernel_error(call, "argument %zu must be a number, not a %zux%zu matrix", i + 1,
                            v->rows.n, v->cols.n);
    *out = value_number(v);
    return STATUS_OK;
}

Status kernel_text(const Call *call, size_t i, const char **out)
{
    const Value *v = call->args[i];
    if (v->kind != VALUE_TEXT)
        return kernel_error(call, "argument %zu must be a text, not %s", i + 1, kind_name(v));
    *out = v->text;
    return STATUS_OK;
}

Status kernel_refuse_logical(const Call *call, size_t i, const char *message)
{
    if (call->args[i]->kind == VALUE_MATRIX && call->args[i]->logical)
        return kernel_error(call, "%s", message);
    return STATUS_OK;
}

Status kernel_width(const Call *call, size_t i, size_t n, size_t *w)
{
    double x;
    if (kernel_number(call, i, &x) != STATUS_OK)
        return STATUS_ERROR;
    if (!(x >= 0) || x != floor(x))
        return kernel_error(call, "the width of the window must be a whole number from 0");
    *w = x < (double)n ? (size_t)x : n;
    return STATUS_OK;
}

Status kernel_refuse_negative(const Call *call, const Matrix *x)
{
    size_t i = 0;
    while (i < matrix_count(x) && !(x->cells[i] < 0))
        i++;
    if (i == matrix_count(x))
        return STATUS_OK;
    Str number = {0};
    number_add(&number, x->cells[i]);
    Status status = kernel_error_plain(
        call, "complex result: %s of a negative number (%s in row %zu, column %zu)", call->op->name,
        str_text(&number), i / x->cols + 1, i % x->cols + 1);
    str_clear(&number);
    return status;
}

Status kernel_integer(const Call *call, double x, const char *type)
{
    if (x == floor(x)) /* infinities too; not NaN */
        return STATUS_OK;
    Str text = {0};
    if (isnan(x))
        str_add(&text, "nan");
    else
        number_add_format(&text, x, 'g', 6);
    Status status =
        kernel_error_plain(call, "conversion of %s to %s value failed", str_text(&text), type);
    str_clear(&text);
    return status;
}

Poly *kernel_poly(const Value *v)
{
    return v->number ? poly_ref(v->number) : poly_constant(value_number(v));
}

void kernel_name(Value *v, Poly *rows, Poly *cols)
{
    if (rows && !poly_is_constant(rows, NULL))
        value_name_rows(v, rows);
    if (cols && !poly_is_constant(cols, NULL))
        value_name_cols(v, cols);
    poly_unref(rows);
    poly_unref(cols);
}

/* The name of a dimension of size x that comes from v, or NULL. */
static Poly *size_name(const Value *v, double x)
{
    return x >= 0 ? poly_ref(v->number) : NULL;
}

/* f([m n]): the names are known if the argument is size(A) itself. */
static Status size_from_vector(const Call *call, const Value *v, double *rows, double *cols,
                               KernelSize *out)
{
    const Matrix *m = value_matrix(v);
    if (matrix_count(m) == 0)
        return kernel_error(call, "the size must not be empty: use %s (size (A))", call->op->name);
    if (m->rows != 1 && m->cols != 1)
        return kernel_error(call, "the size must be a vector, not a %zux%zu matrix", m->rows,
                            m->cols);
    if (matrix_count(m) != 2)
        return kernel_error(call, "more than two dimensions");
    *rows = m->cells[0];
    *cols = m->cells[1];
    const Origin *origin = v->origin;
    if (origin && origin->op->id == OP_SIZE && origin->count == 1) {
        out->row_name = poly_ref(origin->operands[0]->rows.name);
        out->col_name = poly_ref(origin->operands[0]->cols.name);
    }
    return STATUS_OK;
}

/* rows and cols stay as they are, 1, without arguments. */
static Status size_from_arguments(const Call *call, size_t first, double *rows, double *cols,
                                  KernelSize *out)
{
    const Matrix *m;
    if (call->count == first)
        return STATUS_OK;
    if (kernel_matrix(call, first, &m) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == first + 1 && matrix_count(m) != 1)
        return size_from_vector(call, call->args[first], rows, cols, out);
    if (call->count > first + 2)
        return kernel_error(call, "more than two dimensions");
    size_t last = call->count - 1;
    if (kernel_number(call, first, rows) != STATUS_OK ||
        kernel_number(call, last, cols) != STATUS_OK)
        return STATUS_ERROR;
    out->row_name = size_name(call->args[first], *rows);
    out->col_name = size_name(call->args[last], *cols);
    return STATUS_OK;
}

/* One of the numbers of a size: a whole one, or Inf, which interp_check_size refuses. */
static Status check_whole(const Call *call, double x, const char *type)
{
    if (x == -INFINITY)
        return kernel_error_plain(call, "conversion of -inf to %s value failed", type);
    return kernel_integer(call, x, type);
}

Status kernel_size(const Call *call, size_t first, const char *type, KernelSize *out)
{
    double rows = 1, cols = 1;
    *out = (KernelSize){0};
    if (size_from_arguments(call, first, &rows, &cols, out) != STATUS_OK ||
        check_whole(call, rows, type) != STATUS_OK || check_whole(call, cols, type) != STATUS_OK ||
        interp_check_size(call, fmax(rows, 0), fmax(cols, 0)) != STATUS_OK) {
        kernel_size_clear(out);
        return STATUS_ERROR;
    }
    out->rows = rows > 0 ? (size_t)rows : 0;
    out->cols = cols > 0 ? (size_t)cols : 0;
    return STATUS_OK;
}

void kernel_size_clear(KernelSize *size)
{
    poly_unref(size->row_name);
    poly_unref(size->col_name);
    *size = (KernelSize){0};
}

Status kernel_give(const Call *call, Value *v)
{
    *call->out = v;
    return STATUS_OK;
}

Status kernel_give_matrix(const Call *call, Matrix *m, const Value *rows, const Value *cols)
{
    Value *v = value_new(m);
    kernel_name(v, rows ? poly_ref(rows->rows.name) : NULL,
                cols ? poly_ref(cols->cols.name) : NULL);
    return kernel_give(call, v);
}

/* Of two sizes along one dimension: the result's, if one of them is 1 or both agree. */
static bool broadcast_size(size_t a, size_t b, size_t *n)
{
    *n = a == 1 ? b : a;
    return a == b || a == 1 || b == 1;
}

/* The name of the result's dimension: of the side that was not repeated. */
static Poly *broadcast_name(const Dim *a, const Dim *b)
{
    if (a->n != b->n)
        return poly_ref(a->n == 1 ? b->name : a->name);
    return poly_ref(a->name ? a->name : b->name);
}

Status kernel_pairs(const Call *call, double (*f)(double, double), Value **out)
{
    const Matrix *a, *b;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || kernel_matrix(call, 1, &b) != STATUS_OK)
        return STATUS_ERROR;
    size_t rows, cols;
    if (!broadcast_size(a->rows, b->rows, &rows) || !broadcast_size(a->cols, b->cols, &cols))
        return kernel_error(call, "nonconformant arguments (op1 is %zux%zu, op2 is %zux%zu)",
                            a->rows, a->cols, b->rows, b->cols);
    if (interp_check_size(call, (double)rows, (double)cols) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(rows, cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            *cells++ = f(matrix_at(a, a->rows == 1 ? 0 : i, a->cols == 1 ? 0 : j),
                         matrix_at(b, b->rows == 1 ? 0 : i, b->cols == 1 ? 0 : j));
    const Value *x = call->args[0], *y = call->args[1];
    *out = value_new(m);
    kernel_name(*out, broadcast_name(&x->rows, &y->rows), broadcast_name(&x->cols, &y->cols));
    return STATUS_OK;
}
