/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/feature.h"

#include <math.h>

#include "core/elementary.h"
#include "core/product.h"
#include "core/random.h"
#include "core/vector.h"

static double relu(double x)
{
    return x < 0 ? 0 : x;
}

Matrix *feature_elu1(const Matrix *x)
{
    Matrix *phi = matrix_new(x->rows, x->cols);
    double *y = matrix_fill(phi);
    for (size_t i = 0; i < matrix_count(x); i++)
        y[i] = x->cells[i] > 0 ? 0 : x->cells[i];
    elementary_exp_all(y, y, matrix_count(x));
    for (size_t i = 0; i < matrix_count(x); i++)
        if (x->cells[i] > 0)
            y[i] = x->cells[i] + 1;
    return phi;
}

Matrix *feature_relu(const Matrix *x)
{
    return elementary_apply(x, relu);
}

Matrix *feature_exp(const Matrix *x)
{
    return elementary_exp_matrix(x);
}

Matrix *feature_identity(const Matrix *x)
{
    return matrix_ref(x);
}

Matrix *feature_quadratic(const Matrix *x)
{
    size_t d = x->cols, f = d * (d + 1) / 2;
    Matrix *phi = matrix_new(x->rows, f);
    double *out = matrix_fill(phi);
    const double root = sqrt(2);
    for (size_t t = 0; t < x->rows; t++) {
        const double *row = matrix_row(x, t);
        for (size_t i = 0; i < d; i++)
            for (size_t j = i; j < d; j++)
                *out++ = i == j ? row[i] * row[j] : root * (row[i] * row[j]);
    }
    return phi;
}

/* w.x - |x|^2/2: (n,d)(m,d) -> (n,m) */
static Matrix *favor_exponents(const Matrix *x, const Matrix *W)
{
    assert(x->cols == W->cols);
    Matrix *turned = matrix_transpose(W);
    Matrix *exponents = matrix_multiply(x, turned);
    matrix_unref(turned);
    double *cells = matrix_fill(exponents);
    for (size_t t = 0; t < x->rows; t++) {
        const double *row = matrix_row(x, t);
        double half = vector_dot(row, row, x->cols) / 2;
        for (size_t j = 0; j < W->rows; j++)
            cells[t * W->rows + j] -= half;
    }
    return exponents;
}

/* exp(e - shift) / sqrt(m) for count exponents */
static void favor_finish(double *e, size_t count, double shift, size_t m)
{
    const double root = sqrt((double)m);
    for (size_t i = 0; i < count; i++)
        e[i] -= shift;
    elementary_exp_all(e, e, count);
    vector_divide(e, root, count);
}

static double largest(const double *x, size_t count)
{
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (x[i] > most)
            most = x[i];
    return isfinite(most) ? most : 0;
}

Matrix *feature_favor(const Matrix *x, const Matrix *W)
{
    Matrix *phi = favor_exponents(x, W);
    favor_finish(matrix_fill(phi), matrix_count(phi), 0, W->rows);
    return phi;
}

Matrix *feature_favor_stable(const Matrix *x, const Matrix *W, bool per_row)
{
    Matrix *phi = favor_exponents(x, W);
    double *cells = matrix_fill(phi);
    size_t m = W->rows, count = matrix_count(phi);
    if (!per_row) {
        favor_finish(cells, count, largest(cells, count), m);
        return phi;
    }
    for (size_t t = 0; t < x->rows; t++)
        favor_finish(cells + t * m, m, largest(cells + t * m, m), m);
    return phi;
}

Matrix *feature_quarter_scale(const Matrix *x)
{
    Matrix *scaled = matrix_from(x->rows, x->cols, x->cells);
    if (matrix_count(x))
        vector_scale(matrix_fill(scaled), elementary_pow((double)x->cols, -0.25), matrix_count(x));
    return scaled;
}

Matrix *features_gaussian(uint64_t seed, uint64_t call, size_t m, size_t d)
{
    return random_normal(seed, call, m, d);
}

/* Row i of the block of rows of width d that starts at block: what is left of it
 * without the i unit rows above, made a unit row. The second sweep removes what
 * rounding left of them. */
static void orthonormalise_row(double *block, size_t i, size_t d)
{
    double *w = block + i * d;
    for (int sweep = 0; sweep < 2; sweep++)
        for (size_t j = 0; j < i; j++)
            vector_add_scaled(w, -vector_dot(w, block + j * d, d), block + j * d, d);
    vector_divide(w, sqrt(vector_dot(w, w, d)), d);
}

Matrix *features_orthogonal(const Matrix *G, const Matrix *L)
{
    assert(G->rows == L->rows && G->cols == L->cols);
    size_t d = G->cols;
    Matrix *W = matrix_from(G->rows, d, G->cells);
    double *cells = matrix_fill(W);
    for (size_t i = 0; d > 0 && i < G->rows; i++)
        orthonormalise_row(cells + (i - i % d) * d, i % d, d);
    for (size_t i = 0; i < G->rows; i++) {
        const double *length = matrix_row(L, i);
        vector_scale(cells + i * d, sqrt(vector_dot(length, length, d)), d);
    }
    return W;
}

Matrix *feature_l2rows(const Matrix *x)
{
    Matrix *unit = matrix_from(x->rows, x->cols, x->cells);
    double *cells = matrix_fill(unit);
    for (size_t i = 0; i < x->rows; i++) {
        const double *row = matrix_row(x, i);
        double norm = sqrt(vector_dot(row, row, x->cols));
        if (norm != 0)
            vector_divide(cells + i * x->cols, norm, x->cols);
    }
    return unit;
}

Matrix *feature_l2rows_eps(const Matrix *x, double eps)
{
    Matrix *unit = matrix_from(x->rows, x->cols, x->cells);
    double *cells = matrix_fill(unit);
    for (size_t i = 0; i < x->rows; i++) {
        const double *row = matrix_row(x, i);
        vector_divide(cells + i * x->cols, sqrt(vector_dot(row, row, x->cols) + eps), x->cols);
    }
    return unit;
}
