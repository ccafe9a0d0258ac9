/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/reduce.h"

#include <math.h>
#include <string.h>

#include "core/product.h"
#include "core/vector.h"
#include "io/number.h"
#include "lang/kernel.h"

/* --- over which dimension ---------------------------------------------------- */

/* What a function says of a dimension it does not have: its own words, as in Octave;
 * those that end in '=' are followed by the number. */
static const char *const DIM_SUM = "invalid dimension DIM =";
static const char *const DIM_ANY = "invalid dimension argument =";
static const char *const DIM_MEAN = "DIM must be an integer and a valid dimension";
static const char *const DIM_MAX = "DIM must be a valid dimension";

/* 1 or 2 for rows or columns, 3 for any beyond. */
static Status read_dim(const Call *call, size_t i, const char *words, int *dim)
{
    double d;
    if (kernel_number(call, i, &d) != STATUS_OK)
        return STATUS_ERROR;
    if (d >= 1 && d == floor(d)) {
        *dim = d > 2 ? 3 : (int)d;
        return STATUS_OK;
    }
    if (words[strlen(words) - 1] != '=')
        return kernel_error(call, "%s", words);
    Str number = {0};
    number_add(&number, d);
    Status status = kernel_error(call, "%s %s", words, str_text(&number));
    str_clear(&number);
    return status;
}

/* The matrix in argument 0 and the dimension in argument at, or by default the first
 * that is not 1. */
static Status read_arguments(const Call *call, size_t at, const char *words, const Matrix **a,
                             int *dim)
{
    if (kernel_matrix(call, 0, a) != STATUS_OK)
        return STATUS_ERROR;
    *dim = (*a)->rows == 1 ? 2 : 1;
    if (interp_charge(call, (double)matrix_count(*a)) != STATUS_OK)
        return STATUS_ERROR;
    return call->count > at ? read_dim(call, at, words, dim) : STATUS_OK;
}

/* --- reductions -------------------------------------------------------------- */

/* A number from the n entries at x, stride apart. */
typedef double Fold(const double *x, size_t n, size_t stride);

/* f over dimension dim of a, whose sizes count as rows x cols. */
static Matrix *fold(const Matrix *a, size_t rows, size_t cols, int dim, Fold *f)
{
    Matrix *m = matrix_new(dim == 1 ? 1 : rows, dim == 2 ? 1 : cols);
    double *cells = matrix_fill(m);
    size_t n = dim == 1 ? rows : dim == 2 ? cols : 1;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->cols; j++)
            *cells++ = f(a->cells + i * a->cols + j, n, dim == 1 ? a->cols : 1);
    return m;
}

static double fold_sum(const double *x, size_t n, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i * stride];
    return sum;
}

/* fold with fold_sum.  Down the columns it goes row by row, so that many columns are added to
 * at once; each is still summed in order. */
static Matrix *fold_sums(const Matrix *a, size_t rows, size_t cols, int dim)
{
    if (dim != 1)
        return fold(a, rows, cols, dim, fold_sum);
    Matrix *sums = matrix_new(1, cols);
    for (size_t i = 0; i < rows; i++)
        vector_add_scaled(matrix_fill(sums), 1, matrix_row(a, i), cols);
    return sums;
}

/* Octave counts a 0x0 matrix as 0x1 in these, so that sum([]) is a number. */
static size_t columns_of(const Matrix *a)
{
    return a->rows == 0 && a->cols == 0 ? 1 : a->cols;
}

static Status give_fold(const Call *call, Matrix *m, int dim)
{
    const Value *a = call->args[0];
    return kernel_give_matrix(call, m, dim == 1 ? NULL : a, dim == 2 ? NULL : a);
}

/* A function that has a value for no entries. */
static Status reduce(const Call *call, const char *words, Fold *f)
{
    const Matrix *a;
    int dim;
    if (read_arguments(call, 1, words, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    return give_fold(call, fold(a, a->rows, columns_of(a), dim, f), dim);
}

static double fold_product(const double *x, size_t n, size_t stride)
{
    double product = 1;
    for (size_t i = 0; i < n; i++)
        product *= x[i * stride];
    return product;
}

static double fold_any(const double *x, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++)
        if (x[i * stride] != 0 && !isnan(x[i * stride]))
            return 1;
    return 0;
}

static double fold_all(const double *x, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i++)
        if (x[i * stride] == 0)
            return 0;
    return 1;
}

Status op_sum(const Call *call)
{
    const Matrix *a;
    int dim;
    if (read_arguments(call, 1, DIM_SUM, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    return give_fold(call, fold_sums(a, a->rows, columns_of(a), dim), dim);
}

Status op_prod(const Call *call)
{
    return reduce(call, DIM_SUM, fold_product);
}

Status op_mean(const Call *call)
{
    const Matrix *a;
    int dim;
    if (call->count > 1 && kernel_refuse_logical(call, 1, DIM_MEAN) != STATUS_OK)
        return STATUS_ERROR;
    if (read_arguments(call, 1, DIM_MEAN, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 1) /* the first longer than 1 */
        dim = a->rows <= 1 && a->cols > 1 ? 2 : 1;
    size_t cols = columns_of(a), n = dim == 1 ? a->rows : dim == 2 ? cols : 1;
    Matrix *means = fold_sums(a, a->rows, cols, dim);
    vector_divide(matrix_fill(means), (double)n, matrix_count(means));
    return give_fold(call, means, dim);
}

static Status reduce_logical(const Call *call, Fold *f)
{
    if (reduce(call, DIM_ANY, f) != STATUS_OK)
        return STATUS_ERROR;
    (*call->out)->logical = true;
    return STATUS_OK;
}

Status op_any(const Call *call)
{
    return reduce_logical(call, fold_any);
}

/* Octave takes a NaN for true, but for false along the rows of more than one. */
static bool octave_disagrees(const Matrix *a, int dim)
{
    bool nan = false;
    for (size_t i = 0; i < matrix_count(a); i++)
        nan = nan || isnan(a->cells[i]);
    return nan && dim == 2 && a->rows > 1;
}

Status op_all(const Call *call)
{
    const Matrix *a;
    int dim;
    if (read_arguments(call, 1, DIM_ANY, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    if (octave_disagrees(a, dim))
        return kernel_error(call, "a NaN in a row is neither true nor false");
    return reduce_logical(call, fold_all);
}

/* --- max and min ------------------------------------------------------------- */

static double fold_max(const double *x, size_t n, size_t stride)
{
    double best = x[0];
    for (size_t i = 1; i < n; i++)
        if (x[i * stride] > best || isnan(best))
            best = x[i * stride];
    return best;
}

static double fold_min(const double *x, size_t n, size_t stride)
{
    double best = x[0];
    for (size_t i = 1; i < n; i++)
        if (x[i * stride] < best || isnan(best))
            best = x[i * stride];
    return best;
}

/* Of 0 and -0 the first is taken … */
static double max_first(double x, double y)
{
    return isnan(y) || x >= y ? x : y;
}

static double min_first(double x, double y)
{
    return isnan(y) || x <= y ? x : y;
}

/* … but the second where the first is repeated down the columns. */
static double max_second(double x, double y)
{
    return max_first(y, x);
}

static double min_second(double x, double y)
{
    return min_first(y, x);
}

/* f(A, B) of two entries: with the logical flag if both have it. */
static Status extreme_of_pairs(const Call *call, double (*first)(double, double),
                               double (*second)(double, double))
{
    Value *v;
    const Value *x = call->args[0], *y = call->args[1];
    bool repeated = value_is_scalar(x) || (x->rows.n == 1 && y->rows.n != 1);
    if (kernel_pairs(call, repeated ? second : first, &v) != STATUS_OK)
        return STATUS_ERROR;
    v->logical = x->logical && y->logical;
    return kernel_give(call, v);
}

/* f(A), f(A, [], dim). */
static Status extreme(const Call *call, Fold *f)
{
    const Matrix *a, *empty;
    int dim;
    if (read_arguments(call, 2, DIM_MAX, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 3) {
        if (kernel_matrix(call, 1, &empty) != STATUS_OK)
            return STATUS_ERROR;
        if (matrix_count(empty) != 0)
            return kernel_error(call, "the second argument must be [] where DIM is given");
    }
    if (call->args[0]->logical && matrix_count(a) == 0) /* as Octave: it stays as it is */
        return kernel_give(call, value_share(call->args[0]));
    Matrix *m = NULL;
    if (dim == 1 && a->rows == 0)
        m = matrix_new(0, a->cols);
    else if (dim == 2 && a->cols == 0)
        m = matrix_new(a->rows, 0);
    else
        m = fold(a, a->rows, a->cols, dim, f);
    give_fold(call, m, dim);
    (*call->out)->logical = call->args[0]->logical;
    return STATUS_OK;
}

Status op_max(const Call *call)
{
    return call->count == 2 ? extreme_of_pairs(call, max_first, max_second)
                            : extreme(call, fold_max);
}

Status op_min(const Call *call)
{
    return call->count == 2 ? extreme_of_pairs(call, min_first, min_second)
                            : extreme(call, fold_min);
}

/* --- running sums and products ------------------------------------------------ */

/* Like fold; f is given what was accumulated and the next entry. */
static Status run(const Call *call, double (*f)(double, double))
{
    const Matrix *a;
    int dim;
    if (read_arguments(call, 1, DIM_ANY, &a, &dim) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_from(a->rows, a->cols, a->cells);
    double *cells = matrix_fill(m);
    for (size_t i = dim == 1 ? 1 : 0; dim <= 2 && i < m->rows; i++)
        for (size_t j = dim == 2 ? 1 : 0; j < m->cols; j++) {
            double *cell = cells + i * m->cols + j;
            *cell = f(dim == 1 ? *(cell - m->cols) : *(cell - 1), *cell);
        }
    return kernel_give_matrix(call, m, call->args[0], call->args[0]);
}

static double plus(double x, double y)
{
    return x + y;
}

static double times(double x, double y)
{
    return x * y;
}

Status op_cumsum(const Call *call)
{
    return run(call, plus);
}

Status op_cumprod(const Call *call)
{
    return run(call, times);
}

/* --- dot and trace ------------------------------------------------------------ */

static bool is_vector(const Matrix *a)
{
    return a->rows == 1 || a->cols == 1;
}

Status op_dot(const Call *call)
{
    const Matrix *x[2];
    for (size_t i = 0; i < 2; i++)
        if (kernel_refuse_logical(call, i, "X and Y must be numeric") != STATUS_OK ||
            kernel_matrix(call, i, &x[i]) != STATUS_OK)
            return STATUS_ERROR;
    const Matrix *a = x[0], *b = x[1];
    if (interp_charge(call, (double)matrix_count(a)) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 2 && is_vector(a) && is_vector(b) && matrix_count(a) == matrix_count(b))
        return kernel_give(call, value_scalar(matrix_dot(a, b)));
    if (a->rows != b->rows || a->cols != b->cols)
        return kernel_error(call, "sizes of X and Y must match (%zux%zu and %zux%zu)", a->rows,
                            a->cols, b->rows, b->cols);
    int dim = a->rows == 1 ? 2 : 1;
    if (call->count > 2 && read_dim(call, 2, DIM_MAX, &dim) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *products = matrix_new(a->rows, a->cols);
    for (size_t i = 0; i < matrix_count(a); i++)
        matrix_fill(products)[i] = a->cells[i] * b->cells[i];
    Matrix *m = fold(products, a->rows, a->cols, dim, fold_sum);
    matrix_unref(products);
    return give_fold(call, m, dim);
}

Status op_trace(const Call *call)
{
    const Matrix *a;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    if (is_vector(a) && matrix_count(a) > 0) { /* the entry itself */
        Value *v = value_scalar(a->cells[0]);
        v->logical = call->args[0]->logical;
        return kernel_give(call, v);
    }
    double sum = 0;
    for (size_t i = 0; i < a->rows && i < a->cols; i++)
        sum += matrix_at(a, i, i);
    return kernel_give(call, value_scalar(sum));
}
