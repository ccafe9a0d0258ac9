/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/rearrange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/kernel.h"

/* Stores m as the result, logical as argument 0 is; takes over the names. */
static Status give_moved(const Call *call, Matrix *m, Poly *rows, Poly *cols)
{
    Value *v = value_new(m);
    kernel_name(v, rows, cols);
    v->logical = call->args[0]->logical;
    return kernel_give(call, v);
}

/* The same with the names that argument 0 has. */
static Status give_same(const Call *call, Matrix *m)
{
    return give_moved(call, m, poly_ref(call->args[0]->rows.name),
                      poly_ref(call->args[0]->cols.name));
}

/* a times b, both taken over. */
static Poly *product(Poly *a, Poly *b)
{
    Poly *p = poly_multiply(a, b);
    poly_unref(a);
    poly_unref(b);
    return p;
}

/* --- repmat ------------------------------------------------------------------- */

/* How often: down and across, and their polynomials. */
typedef struct {
    double down, across;
    Poly *down_poly, *across_poly;
} Times;

/* Negative and NaN count as 0; a fraction is refused. */
static Status clean_times(const Call *call, double *times, Poly **poly)
{
    if (*times >= 0)
        return kernel_integer(call, *times, "int64_t");
    *times = 0;
    poly_unref(*poly);
    *poly = NULL;
    return STATUS_OK;
}

static Status repeats(const Call *call, Times *t)
{
    *t = (Times){1, 1, NULL, NULL};
    const Matrix *m;
    if (kernel_matrix(call, 1, &m) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 2 && (m->rows == 1 || m->cols == 1) && matrix_count(m) == 2) {
        t->down = m->cells[0];
        t->across = m->cells[1];
    } else {
        size_t last = call->count - 1;
        if (kernel_number(call, 1, &t->down) != STATUS_OK ||
            kernel_number(call, last, &t->across) != STATUS_OK)
            return STATUS_ERROR;
        t->down_poly = poly_ref(call->args[1]->number);
        t->across_poly = poly_ref(call->args[last]->number);
    }
    if (t->down < 0 && t->across < 0)
        return kernel_error(call, "invalid dimensions");
    return STATUS_OK;
}

static Matrix *repeat(const Matrix *a, size_t down, size_t across)
{
    Matrix *m = matrix_new(a->rows * down, a->cols * across);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->cols; j++)
            *cells++ = matrix_at(a, i % a->rows, j % a->cols);
    return m;
}

/* The name of a dimension of size n named so, repeated. */
static Poly *repeated_name(Dim dim, Poly *times, double count)
{
    return product(dim_poly(dim), times ? poly_ref(times) : poly_constant(count));
}

Status op_repmat(const Call *call)
{
    const Matrix *a;
    Times t = {0};
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    Status status = repeats(call, &t);
    if (status == STATUS_OK)
        status = clean_times(call, &t.down, &t.down_poly);
    if (status == STATUS_OK)
        status = clean_times(call, &t.across, &t.across_poly);
    if (status == STATUS_OK)
        status = interp_check_size(call, a->rows ? (double)a->rows * t.down : 0,
                                   a->cols ? (double)a->cols * t.across : 0);
    if (status == STATUS_OK) {
        const Value *v = call->args[0];
        size_t down = a->rows ? (size_t)t.down : 0, across = a->cols ? (size_t)t.across : 0;
        status =
            give_moved(call, repeat(a, down, across), repeated_name(v->rows, t.down_poly, t.down),
                       repeated_name(v->cols, t.across_poly, t.across));
    }
    poly_unref(t.down_poly);
    poly_unref(t.across_poly);
    return status;
}

/* --- reshape ------------------------------------------------------------------ */

/* Argument i as a size; *unknown if it is []. */
static Status read_size(const Call *call, size_t i, double *size, bool *unknown)
{
    const Matrix *m;
    if (kernel_matrix(call, i, &m) != STATUS_OK)
        return STATUS_ERROR;
    *unknown = matrix_count(m) == 0;
    return *unknown ? STATUS_OK : kernel_number(call, i, size);
}

static Status check_reshape_size(const Call *call, double size)
{
    if (!(size >= 0))
        return kernel_error(call, "SIZE must be non-negative");
    return kernel_integer(call, size, "int64_t");
}

/* The size that stands for [] beside the known one. */
static Status solve_size(const Call *call, double count, double known, double *unknown)
{
    if (known == 0 && count > 0)
        return kernel_error(call, "can't reshape %zux%zu array to 0x0 array", call->args[0]->rows.n,
                            call->args[0]->cols.n);
    *unknown = known == 0 ? 0 : floor(count / known);
    if (*unknown * known != count)
        return kernel_error(
            call, "SIZE is not divisible by the product of known dimensions (= %.0f)", known);
    return STATUS_OK;
}

/* reshape(A, m, n) with [] for what follows from the other. */
static Status read_two_sizes(const Call *call, double *rows, double *cols)
{
    bool any_rows, any_cols;
    double count = (double)matrix_count(value_matrix(call->args[0]));
    if (read_size(call, 1, rows, &any_rows) != STATUS_OK ||
        read_size(call, 2, cols, &any_cols) != STATUS_OK)
        return STATUS_ERROR;
    if (any_rows && any_cols)
        return kernel_error(call, "only a single dimension can be unknown");
    if ((!any_rows && check_reshape_size(call, *rows) != STATUS_OK) ||
        (!any_cols && check_reshape_size(call, *cols) != STATUS_OK))
        return STATUS_ERROR;
    if (any_rows)
        return solve_size(call, count, *cols, rows);
    if (any_cols)
        return solve_size(call, count, *rows, cols);
    return STATUS_OK;
}

static Status read_shape(const Call *call, double *rows, double *cols)
{
    const Matrix *size;
    if (call->count == 3)
        return read_two_sizes(call, rows, cols);
    if (kernel_matrix(call, 1, &size) != STATUS_OK)
        return STATUS_ERROR;
    if (matrix_count(size) < 2)
        return kernel_error(call, "SIZE must have 2 or more dimensions");
    if (matrix_count(size) > 2 || (size->rows != 1 && size->cols != 1))
        return kernel_error(call, "SIZE must be two numbers, not a %zux%zu matrix", size->rows,
                            size->cols);
    *rows = size->cells[0];
    *cols = size->cells[1];
    if (check_reshape_size(call, *rows) != STATUS_OK)
        return STATUS_ERROR;
    return check_reshape_size(call, *cols);
}

/* Entry k of a, counted column by column. */
static double entry(const Matrix *a, size_t k)
{
    return a->cells[k % a->rows * a->cols + k / a->rows];
}

/* a's number of entries divided by known, as far as names tell; or NULL. */
static Poly *quotient_name(const Value *a, const Poly *known)
{
    double number;
    if (a->rows.name && poly_equal(known, a->rows.name))
        return dim_poly(a->cols);
    if (a->cols.name && poly_equal(known, a->cols.name))
        return dim_poly(a->rows);
    if (!poly_is_constant(known, &number) || number == 0)
        return NULL;
    Poly *all = product(dim_poly(a->rows), dim_poly(a->cols));
    Poly *share = poly_scale(all, 1 / number);
    poly_unref(all);
    return share;
}

/* What argument i calls the size; if it is [], what the other one leaves; or NULL. */
static Poly *argument_name(const Call *call, size_t i)
{
    if (call->count < 3)
        return NULL;
    if (value_is_scalar(call->args[i]))
        return poly_ref(call->args[i]->number);
    Poly *known = kernel_poly(call->args[3 - i]);
    Poly *name = quotient_name(call->args[0], known);
    poly_unref(known);
    return name;
}

Status op_reshape(const Call *call)
{
    const Matrix *a;
    double rows, cols;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || read_shape(call, &rows, &cols) != STATUS_OK)
        return STATUS_ERROR;
    if (rows * cols != (double)matrix_count(a)) /* so too Inf, and Inf*0 */
        return kernel_error(call, "can't reshape %zux%zu array to %.0fx%.0f array", a->rows,
                            a->cols, rows, cols);
    if (interp_check_size(call, rows, cols) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new((size_t)rows, (size_t)cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->cols; j++)
            *cells++ = entry(a, j * m->rows + i);
    return give_moved(call, m, argument_name(call, 1), argument_name(call, 2));
}

/* --- diagonals and triangles --------------------------------------------------- */

/* The number of a diagonal, argument 1, or 0. */
static Status read_diagonal(const Call *call, double *k)
{
    *k = 0;
    if (call->count < 2)
        return STATUS_OK;
    if (kernel_number(call, 1, k) != STATUS_OK)
        return STATUS_ERROR;
    return kernel_integer(call, *k, "int64_t");
}

/* A vector on the k-th diagonal. */
static Status diag_of_vector(const Call *call, const Matrix *a, double k)
{
    double size = (double)matrix_count(a) + fabs(k);
    if (interp_check_size(call, size, size) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new((size_t)size, (size_t)size);
    size_t down = k < 0 ? (size_t)-k : 0, right = k > 0 ? (size_t)k : 0;
    for (size_t i = 0; i < matrix_count(a); i++)
        matrix_fill(m)[(i + down) * m->cols + i + right] = a->cells[i];
    Poly *length = dim_poly(a->rows == 1 ? call->args[0]->cols : call->args[0]->rows);
    Poly *shift = poly_constant(fabs(k));
    Poly *name = poly_add(length, shift);
    poly_unref(length);
    poly_unref(shift);
    return give_moved(call, m, name, poly_ref(name));
}

/* The k-th diagonal of a matrix, a column. */
static Status diag_of_matrix(const Call *call, const Matrix *a, double k)
{
    double rows = (double)a->rows - fmax(-k, 0), cols = (double)a->cols - fmax(k, 0);
    double length = fmax(fmin(rows, cols), 0);
    Matrix *m = matrix_new((size_t)length, 1);
    for (size_t i = 0; i < m->rows; i++)
        matrix_fill(m)[i] = matrix_at(a, i + (k < 0 ? (size_t)-k : 0), i + (k > 0 ? (size_t)k : 0));
    const Value *v = call->args[0];
    Poly *name = k != 0 ? NULL : poly_ref(a->rows <= a->cols ? v->rows.name : v->cols.name);
    return give_moved(call, m, name, NULL);
}

Status op_diag(const Call *call)
{
    const Matrix *a;
    double k = 0;
    if (kernel_matrix(call, 0, &a) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 2) {
        const Value *v = call->args[1];
        if (!value_is_scalar(v) || value_number(v) != floor(value_number(v)))
            return kernel_error(call, "invalid argument K");
        k = value_number(v);
    }
    if (a->rows == 0 && a->cols == 0)
        return give_same(call, matrix_new(0, 0));
    return a->rows == 1 || a->cols == 1 ? diag_of_vector(call, a, k) : diag_of_matrix(call, a, k);
}

static Status triangle(const Call *call, bool lower)
{
    const Matrix *a;
    double k;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || read_diagonal(call, &k) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(a->rows, a->cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->cols; j++) {
            double diagonal = (double)j - (double)i;
            cells[i * a->cols + j] =
                (lower ? diagonal <= k : diagonal >= k) ? matrix_at(a, i, j) : 0;
        }
    return give_same(call, m);
}

Status op_tril(const Call *call)
{
    return triangle(call, true);
}

Status op_triu(const Call *call)
{
    return triangle(call, false);
}

/* --- circshift ----------------------------------------------------------------- */

/* k as a shift from 0 to n - 1. */
static size_t wrap(double k, size_t n)
{
    double rest = fmod(k, (double)n);
    return (size_t)(rest < 0 ? rest + (double)n : rest);
}

/* The shifts down and to the right. */
static Status read_shifts(const Call *call, const Matrix *a, double shifts[2])
{
    const Matrix *k;
    double dim = a->rows == 1 ? 2 : 1;
    if (kernel_refuse_logical(call, 1, "wrong type argument 'bool'") != STATUS_OK ||
        kernel_matrix(call, 1, &k) != STATUS_OK)
        return STATUS_ERROR;
    if (call->count == 3) {
        if (matrix_count(k) != 1)
            return kernel_error(call, "N must be a scalar when DIM is also specified");
        if (kernel_number(call, 2, &dim) != STATUS_OK)
            return STATUS_ERROR;
        if (dim != 1 && dim != 2)
            return kernel_error(call, "DIM must be a valid dimension, 1 or 2");
    }
    if ((k->rows != 1 && k->cols != 1) || matrix_count(k) < 1 || matrix_count(k) > 2)
        return kernel_error(call,
                            "N must be a vector, no longer than the number of dimensions in X");
    for (size_t i = 0; i < matrix_count(k); i++)
        if (k->cells[i] != floor(k->cells[i]) || isinf(k->cells[i]))
            return kernel_error(call, "all values of N must be integers");
    bool both = matrix_count(k) == 2;
    shifts[0] = both || dim == 1 ? k->cells[0] : 0;
    shifts[1] = both ? k->cells[1] : dim == 2 ? k->cells[0] : 0;
    return STATUS_OK;
}

Status op_circshift(const Call *call)
{
    const Matrix *a;
    double shifts[2] = {0, 0};
    if (kernel_matrix(call, 0, &a) != STATUS_OK || read_shifts(call, a, shifts) != STATUS_OK)
        return STATUS_ERROR;
    if (matrix_count(a) == 0)
        return give_same(call, matrix_ref(a));
    Matrix *m = matrix_new(a->rows, a->cols);
    double *cells = matrix_fill(m);
    size_t down = wrap(shifts[0], a->rows), right = wrap(shifts[1], a->cols);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->cols; j++)
            cells[(i + down) % a->rows * a->cols + (j + right) % a->cols] = matrix_at(a, i, j);
    return give_same(call, m);
}

/* --- sort and find ------------------------------------------------------------- */

/* An entry and where it stood: equals keep their order. */
typedef struct {
    double x;
    size_t place;
} Entry;

static int by_place(const Entry *a, const Entry *b)
{
    return a->place < b->place ? -1 : 1;
}

/* Below, above or equal; NaN is above everything. */
static int order(double x, double y)
{
    if (isnan(x) || isnan(y))
        return (isnan(x) != 0) - (isnan(y) != 0);
    return (x > y) - (x < y);
}

static int ascending(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    int sign = order(x->x, y->x);
    return sign ? sign : by_place(x, y);
}

static int descending(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    int sign = order(y->x, x->x);
    return sign ? sign : by_place(x, y);
}

/* sort(A), (A, d), (A, mode), (A, d, mode): dim is 1, 2, or 3 beyond. */
static Status read_sort(const Call *call, const Matrix *a, double *dim, bool *down)
{
    size_t mode = call->count - 1;
    *dim = a->rows == 1 ? 2 : 1;
    *down = false;
    if (call->count == 1)
        return STATUS_OK;
    if (call->args[1]->kind != VALUE_TEXT) {
        if (kernel_number(call, 1, dim) != STATUS_OK)
            return STATUS_ERROR;
        if (!(*dim >= 1) || *dim != floor(*dim))
            return kernel_error(call, "DIM must be a valid dimension");
        if (call->count == 2)
            return STATUS_OK;
    } else if (call->count == 3) {
        return kernel_error(call, "DIM must be a valid dimension");
    }
    if (call->args[mode]->kind != VALUE_TEXT)
        return kernel_error(call, "MODE must be a string");
    const char *text = call->args[mode]->text;
    *down = strcmp(text, "descend") == 0;
    if (!*down && strcmp(text, "ascend") != 0)
        return kernel_error(call, "MODE must be either \"ascend\" or \"descend\"");
    return STATUS_OK;
}

Status op_sort(const Call *call)
{
    const Matrix *a;
    double dim;
    bool down;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || read_sort(call, a, &dim, &down) != STATUS_OK)
        return STATUS_ERROR;
    if (dim > 2)
        return give_same(call, matrix_ref(a));
    double work = (double)matrix_count(a);
    if (interp_charge(call, WORK_COMPARISON * work * log2(work + 1)) != STATUS_OK)
        return STATUS_ERROR;
    size_t length = dim == 1 ? a->rows : a->cols, lines = dim == 1 ? a->cols : a->rows;
    size_t step = dim == 1 ? a->cols : 1, line_step = dim == 1 ? 1 : a->cols;
    Matrix *m = matrix_new(a->rows, a->cols);
    Entry *entries = memory_zeros(length, sizeof *entries);
    for (size_t l = 0; l < lines; l++) {
        for (size_t i = 0; i < length; i++)
            entries[i] = (Entry){a->cells[l * line_step + i * step], i};
        qsort(entries, length, sizeof *entries, down ? descending : ascending);
        for (size_t i = 0; i < length; i++)
            matrix_fill(m)[l * line_step + i * step] = entries[i].x;
    }
    free(entries);
    return give_same(call, m);
}

/* How many indices find is to return. */
static Status read_find_count(const Call *call, double *n)
{
    *n = INFINITY;
    if (call->count < 2)
        return STATUS_OK;
    if (!value_is_scalar(call->args[1]))
        return kernel_error(call, "N must be an integer");
    *n = value_number(call->args[1]);
    if (!(*n >= 0) || *n != floor(*n))
        return kernel_error(call, "N must be a non-negative integer");
    return STATUS_OK;
}

Status op_find_nonzero(const Call *call)
{
    const Matrix *a;
    double n;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || read_find_count(call, &n) != STATUS_OK ||
        interp_charge(call, (double)matrix_count(a)) != STATUS_OK)
        return STATUS_ERROR;
    size_t count = 0, found = 0;
    for (size_t k = 0; k < matrix_count(a); k++)
        count += a->cells[k] != 0;
    if ((double)count > n)
        count = (size_t)n;
    bool nothing = (matrix_count(a) == 1 && count == 0) || (a->rows == 0 && a->cols == 0);
    bool row = a->rows == 1 && !nothing;
    Matrix *m = matrix_new(row ? 1 : count, row ? count : nothing ? 0 : 1);
    for (size_t k = 0; found < count; k++)
        if (entry(a, k) != 0)
            matrix_fill(m)[found++] = (double)(k + 1);
    return kernel_give(call, value_new(m));
}

/* --- kron ----------------------------------------------------------------------- */

Status op_kron(const Call *call)
{
    const Matrix *a, *b;
    if (kernel_matrix(call, 0, &a) != STATUS_OK || kernel_matrix(call, 1, &b) != STATUS_OK)
        return STATUS_ERROR;
    if (interp_check_size(call, (double)a->rows * (double)b->rows,
                          (double)a->cols * (double)b->cols) != STATUS_OK)
        return STATUS_ERROR;
    Matrix *m = matrix_new(a->rows * b->rows, a->cols * b->cols);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->cols; j++)
            *cells++ =
                matrix_at(a, i / b->rows, j / b->cols) * matrix_at(b, i % b->rows, j % b->cols);
    const Value *x = call->args[0], *y = call->args[1];
    Value *v = value_new(m);
    kernel_name(v, product(dim_poly(x->rows), dim_poly(y->rows)),
                product(dim_poly(x->cols), dim_poly(y->cols)));
    return kernel_give(call, v);
}
