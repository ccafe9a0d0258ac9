/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/make.h"

#include <float.h>
#include <math.h>

#include "lang/kernel.h"

/* Octave's names for the integer types it converts sizes to, part of its messages:
 * the functions that fill a matrix use the first when they have one argument. */
static const char *size_type(const Call *call)
{
    return call->count == 1 ? "octave_idx_type" : "int64_t";
}

/* A value of m with the names in size, which is cleared. */
static Value *sized_value(Matrix *m, KernelSize *size)
{
    Value *v = value_new(m);
    kernel_name(v, size->row_name, size->col_name);
    *size = (KernelSize){0};
    return v;
}

static Status fill(const Call *call, double x, bool logical)
{
    KernelSize size;
    if (kernel_size(call, 0, size_type(call), &size) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(size.rows, size.cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < matrix_count(m); i++)
        cells[i] = x;
    Value *v = sized_value(m, &size);
    v->logical = logical;
    return kernel_give(call, v);
}

Status op_zeros(const Call *call)
{
    return fill(call, 0, false);
}

Status op_ones(const Call *call)
{
    return fill(call, 1, false);
}

Status op_inf(const Call *call)
{
    return fill(call, INFINITY, false);
}

Status op_nan(const Call *call)
{
    return fill(call, NAN, false);
}

Status op_true(const Call *call)
{
    return fill(call, 1, true);
}

Status op_false(const Call *call)
{
    return fill(call, 0, true);
}

Status op_eye(const Call *call)
{
    KernelSize size;
    if (kernel_size(call, 0, "int64_t", &size) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(size.rows, size.cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < m->rows && i < m->cols; i++)
        cells[i * m->cols + i] = 1;
    return kernel_give(call, sized_value(m, &size));
}

static Status draw(const Call *call, bool normal)
{
    KernelSize size;
    Matrix *m;
    if (call->count > 0 && call->args[0]->kind == VALUE_TEXT)
        return kernel_error(call, "unrecognized string argument");
    if (kernel_size(call, 0, "int64_t", &size) != STATUS_OK)
        return STATUS_ERROR;
    if (interp_draw(call, normal, size.rows, size.cols, &m) != STATUS_OK) {
        kernel_size_clear(&size);
        return STATUS_ERROR;
    }
    return kernel_give(call, sized_value(m, &size));
}

Status op_rand(const Call *call)
{
    return draw(call, false);
}

Status op_randn(const Call *call)
{
    return draw(call, true);
}

/* n numbers from a to b at row, computed from both ends towards the middle: the
 * ends are exact and the row mirrors when a and b change places. */
static void fill_linspace(double *row, double a, double b, size_t n)
{
    if (n == 0)
        return;
    if (n == 1 || a == b) {
        for (size_t i = 0; i < n; i++)
            row[i] = b;
        return;
    }
    double delta = (b - a) / (double)(n - 1);
    row[0] = a;
    row[n - 1] = b;
    for (size_t i = 1; i < (n + 1) / 2; i++) {
        row[i] = a + (double)i * delta;
        row[n - 1 - i] = b - (double)i * delta;
    }
    if (n % 2 == 1)
        row[n / 2] = a == -b ? 0 : (a + b) / 2;
}

/* The same for one of several rows: Octave computes those from the left. */
static void fill_linspace_row(double *row, double a, double b, size_t n)
{
    double delta = n > 1 && a != b ? (b - a) / (double)(n - 1) : 0;
    for (size_t i = 0; i < n; i++)
        row[i] = i == n - 1 ? b : i == 0 ? a : a + (double)i * delta;
}

/* The third argument: [] counts as 1, NaN and what is below 1 as 0; fractions are cut off. */
static Status linspace_count(const Call *call, double *n)
{
    const Matrix *m;
    *n = 100;
    if (call->count < 3)
        return STATUS_OK;
    if (kernel_matrix(call, 2, &m) != STATUS_OK)
        return STATUS_ERROR;
    if (matrix_count(m) > 1 || (matrix_count(m) == 0 && call->args[2]->logical))
        return kernel_error(call, "N must be a scalar");
    *n = matrix_count(m) == 0 ? 1 : m->cells[0];
    *n = *n >= 1 ? floor(*n) : 0;
    return STATUS_OK;
}

Status op_linspace(const Call *call)
{
    const Matrix *a, *b;
    double n;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || kernel_matrix(call, 1, &b) != STATUS_OK ||
        linspace_count(call, &n) != STATUS_OK)
        return STATUS_ERROR;
    if ((a->rows != 1 && a->cols != 1) || (b->rows != 1 && b->cols != 1))
        return kernel_error(call, "START, END must be scalars or vectors");
    size_t from = matrix_count(a), to = matrix_count(b);
    if (from != to && from != 1 && to != 1)
        return kernel_error(call, "vectors must be of equal length");
    size_t rows = from == 1 ? to : from;
    if (interp_check_size(call, (double)rows, n) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(rows, (size_t)n);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < rows; i++)
        (from == 1 && to == 1 ? fill_linspace : fill_linspace_row)(
            cells + i * m->cols, a->cells[from == 1 ? 0 : i], b->cells[to == 1 ? 0 : i], m->cols);
    Value *v = value_new(m);
    if (call->count == 3 && call->args[2]->number)
        kernel_name(v, NULL, poly_ref(call->args[2]->number));
    return kernel_give(call, v);
}

Status op_pi(const Call *call)
{
    return kernel_give(call, value_scalar(3.14159265358979323846));
}

Status op_e(const Call *call)
{
    return kernel_give(call, value_scalar(2.71828182845904523536));
}

/* The distance from |x| to the next larger double. */
static double spacing(double x)
{
    if (!isfinite(x))
        return NAN;
    if (fabs(x) < DBL_MIN)
        return DBL_TRUE_MIN;
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - DBL_MANT_DIG);
}

Status op_eps(const Call *call)
{
    const Matrix *x;
    if (call->count == 0)
        return kernel_give(call, value_scalar(DBL_EPSILON));
    if (kernel_refuse_logical(call, 0, "X must be of a floating point type") != STATUS_OK ||
        kernel_matrix(call, 0, &x) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(x->rows, x->cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < matrix_count(x); i++)
        cells[i] = spacing(x->cells[i]);
    return kernel_give_matrix(call, m, call->args[0], call->args[0]);
}

/* A number that is a size and knows its polynomial, which is taken over. */
static Status give_size(const Call *call, size_t n, Poly *poly)
{
    Value *v = value_scalar((double)n);
    v->number = poly;
    return kernel_give(call, v);
}

/* The size along dimension d (from 1; 1 beyond 2). */
static double size_along(const Matrix *a, double d)
{
    return d == 1 ? (double)a->rows : d == 2 ? (double)a->cols : 1;
}

Status op_size(const Call *call)
{
    const Matrix *a, *dims;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 1) {
        double both[] = {(double)a->rows, (double)a->cols};
        return kernel_give(call, value_new(matrix_from(1, 2, both)));
    }
    if (kernel_matrix(call, 1, &dims) != STATUS_OK)
        return STATUS_ERROR;
    for (size_t i = 0; i < matrix_count(dims); i++) {
        if (kernel_integer(call, dims->cells[i], "octave_idx_type") != STATUS_OK)
            return STATUS_ERROR;
        if (dims->cells[i] < 1 || isinf(dims->cells[i]))
            return kernel_error(call, "requested dimension DIM (= %.0f) out of range",
                                dims->cells[i]);
    }
    if (matrix_count(dims) == 1) {
        double d = dims->cells[0];
        Poly *poly = d == 1   ? dim_poly(call->args[0]->rows)
                     : d == 2 ? dim_poly(call->args[0]->cols)
                              : poly_constant(1);
        return give_size(call, (size_t)size_along(a, d), poly);
    }
    Matrix *m = matrix_new(1, matrix_count(dims));
    for (size_t j = 0; j < dims->cols; j++) /* column by column, as A(:) would */
        for (size_t i = 0; i < dims->rows; i++)
            matrix_fill(m)[j * dims->rows + i] = size_along(a, matrix_at(dims, i, j));
    return kernel_give(call, value_new(m));
}

Status op_rows(const Call *call)
{
    const Matrix *a;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    return give_size(call, a->rows, dim_poly(call->args[0]->rows));
}

Status op_columns(const Call *call)
{
    const Matrix *a;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    return give_size(call, a->cols, dim_poly(call->args[0]->cols));
}

Status op_numel(const Call *call)
{
    const Matrix *a;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    Poly *rows = dim_poly(call->args[0]->rows), *cols = dim_poly(call->args[0]->cols);
    Poly *all = poly_multiply(rows, cols);
    poly_unref(rows);
    poly_unref(cols);
    return give_size(call, matrix_count(a), all);
}

Status op_isempty(const Call *call)
{
    const Matrix *a;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_give(call, value_logical(matrix_scalar(matrix_count(a) == 0)));
}
