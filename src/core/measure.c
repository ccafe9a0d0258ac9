/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/measure.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

#include "base/memory.h"
#include "core/elementary.h"
#include "core/product.h"
#include "core/vector.h"

/* -sum p ln p of n numbers */
static double entropy(const double *p, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (p[j] != 0)
            sum += p[j] * elementary_log(p[j]);
    return 0 - sum; /* not -0 for a distribution on one place */
}

Matrix *entropy_rows(const Matrix *P)
{
    Matrix *H = matrix_new(P->rows, 1);
    double *cells = matrix_fill(H);
    for (size_t i = 0; i < P->rows; i++)
        cells[i] = entropy(matrix_row(P, i), P->cols);
    return H;
}

static bool all_finite(const Matrix *A)
{
    for (size_t i = 0; i < matrix_count(A); i++)
        if (!isfinite(A->cells[i]))
            return false;
    return true;
}

/* A power of two near the largest magnitude in A, 1 for a matrix of zeros: dividing by it is
 * exact (but for subnormals) and keeps squares from overflowing. */
static double scale_of(const Matrix *A)
{
    double most = 0;
    for (size_t i = 0; i < matrix_count(A); i++)
        if (fabs(A->cells[i]) > most)
            most = fabs(A->cells[i]);
    int exponent = 0;
    frexp(most, &exponent);
    return most > 0 ? ldexp(1, exponent - 1) : 1;
}

Matrix *singular_values(const Matrix *A)
{
    assert(all_finite(A));
    /* GSL wants at least as many rows as columns; A' has the same values. */
    Matrix *turned = A->rows < A->cols ? matrix_transpose(A) : matrix_ref(A);
    Matrix *work = matrix_from(turned->rows, turned->cols, turned->cells);
    matrix_unref(turned);
    size_t n = work->cols;
    Matrix *sigma = matrix_new(n, 1);
    if (n == 0) {
        matrix_unref(work);
        return sigma;
    }
    double scale = scale_of(work), *cells = matrix_fill(work), *values = matrix_fill(sigma);
    vector_divide(cells, scale, matrix_count(work));
    Matrix *V = matrix_new(n, n);
    gsl_matrix_view a = gsl_matrix_view_array(cells, work->rows, n);
    gsl_matrix_view v = gsl_matrix_view_array(matrix_fill(V), n, n);
    gsl_vector_view s = gsl_vector_view_array(values, n);
    if (gsl_linalg_SV_decomp_jacobi(&a.matrix, &v.matrix, &s.vector) == GSL_ENOMEM)
        memory_exhausted();
    vector_scale(values, scale, n);
    matrix_unref(V);
    matrix_unref(work);
    return sigma;
}

double effective_rank(const Matrix *A)
{
    if (!all_finite(A))
        return NAN;
    Matrix *sigma = singular_values(A);
    double sum = 0, *share = matrix_fill(sigma);
    for (size_t i = 0; i < sigma->rows; i++)
        sum += share[i];
    vector_divide(share, sum, sigma->rows);
    double rank = elementary_exp(entropy(share, sigma->rows));
    matrix_unref(sigma);
    return rank;
}

double numeric_rank(const Matrix *A)
{
    if (!all_finite(A))
        return NAN;
    Matrix *sigma = singular_values(A);
    double longer = (double)(A->rows > A->cols ? A->rows : A->cols), rank = 0;
    for (size_t i = 0; i < sigma->rows; i++)
        rank += sigma->cells[i] > sigma->cells[0] * longer * DBL_EPSILON;
    matrix_unref(sigma);
    return rank;
}

double relative_error(const Matrix *A, const Matrix *B)
{
    assert(A->rows == B->rows && A->cols == B->cols);
    double apart = 0;
    for (size_t i = 0; i < matrix_count(A); i++) {
        double d = A->cells[i] - B->cells[i];
        apart += d * d;
    }
    return sqrt(apart) / sqrt(matrix_dot(B, B));
}

static double squared_distance(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static double minus_cosine(const double *a, const double *b, size_t n)
{
    return -vector_dot(a, b, n) / (sqrt(vector_dot(a, a, n)) * sqrt(vector_dot(b, b, n)));
}

/* The share of rows i of got to which row i of values is the first with the least
 * distance; a NaN distance is not less than any. */
static double recall(const Matrix *got, const Matrix *values,
                     double (*distance)(const double *, const double *, size_t))
{
    assert(got->cols == values->cols);
    double hits = 0;
    for (size_t i = 0; i < got->rows; i++) {
        double best = INFINITY;
        size_t nearest = values->rows;
        for (size_t j = 0; j < values->rows; j++) {
            double apart = distance(matrix_row(got, i), matrix_row(values, j), got->cols);
            bool first = nearest == values->rows && !isnan(apart);
            if (first || apart < best) {
                best = apart;
                nearest = j;
            }
        }
        hits += nearest == i && i < values->rows;
    }
    return hits / (double)got->rows;
}

double recall_rate(const Matrix *got, const Matrix *values)
{
    return recall(got, values, squared_distance);
}

double recall_rate_direction(const Matrix *got, const Matrix *values)
{
    return recall(got, values, minus_cosine);
}

double measure_difference(const Matrix *a, const Matrix *b, double *largest, bool *same_places)
{
    assert(a->rows == b->rows && a->cols == b->cols);
    double apart = 0, most = 0;
    bool same = true;
    for (size_t i = 0; i < matrix_count(a); i++) {
        double x = a->cells[i], y = b->cells[i];
        if (isfinite(x) && fabs(x) > most)
            most = fabs(x);
        if (isfinite(y) && fabs(y) > most)
            most = fabs(y);
        if (!isfinite(x) || !isfinite(y))
            same = same && (isnan(x) ? isnan(y) : x == y);
        else if (fabs(x - y) > apart)
            apart = fabs(x - y);
    }
    if (largest)
        *largest = most;
    if (same_places)
        *same_places = same;
    return apart;
}
