/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/solve.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/product.h"
#include "core/vector.h"

/* A = P L U of a square matrix. */
typedef struct {
    Matrix *cells; /* L below the diagonal, U on and above it */
    gsl_permutation *order;
    bool singular; /* a pivot is exactly 0 */
} Factors;

static gsl_matrix_view view_of(Matrix *m)
{
    return gsl_matrix_view_array(matrix_fill(m), m->rows, m->cols);
}

static Factors factor(const Matrix *A)
{
    Factors f = {matrix_from(A->rows, A->cols, A->cells), gsl_permutation_alloc(A->rows), false};
    if (!f.order)
        memory_exhausted();
    int sign;
    gsl_matrix_view a = view_of(f.cells);
    gsl_linalg_LU_decomp(&a.matrix, f.order, &sign);
    for (size_t i = 0; i < A->rows; i++)
        f.singular = f.singular || matrix_at(f.cells, i, i) == 0;
    return f;
}

static void factors_clear(Factors *f)
{
    matrix_unref(f->cells);
    gsl_permutation_free(f->order);
}

/* X with A X = B, column by column; f is not singular. */
static Matrix *solve_factored(const Factors *f, const Matrix *B)
{
    Matrix *X = matrix_from(B->rows, B->cols, B->cells);
    gsl_matrix_view a = view_of(f->cells);
    for (size_t j = 0; j < B->cols; j++) {
        gsl_vector_view x = gsl_vector_view_array_with_stride(matrix_fill(X) + j, B->cols, B->rows);
        gsl_linalg_LU_svx(&a.matrix, f->order, &x.vector);
    }
    return X;
}

static Matrix *identity(size_t n)
{
    Matrix *I = matrix_new(n, n);
    for (size_t i = 0; i < n; i++)
        matrix_fill(I)[i * n + i] = 1;
    return I;
}

/* The largest sum of magnitudes of a column. */
static double norm_1(const Matrix *A)
{
    double norm = 0;
    for (size_t j = 0; j < A->cols; j++) {
        double sum = 0;
        for (size_t i = 0; i < A->rows; i++)
            sum += fabs(matrix_at(A, i, j));
        if (!(sum <= norm))
            norm = sum;
    }
    return norm;
}

/* True if 1 / (|A| |A^-1|) is too small to be told from 0, as Octave asks it. */
static bool ill_conditioned(const Matrix *A, const Factors *f)
{
    if (f->singular)
        return true;
    Matrix *I = identity(A->rows), *inverse = solve_factored(f, I);
    volatile double shifted = 1 + 1 / (norm_1(A) * norm_1(inverse));
    matrix_unref(inverse);
    matrix_unref(I);
    return !(shifted > 1);
}

/* X = V diag(1/sigma) U' B over the singular values that count. U (m,k), V (n,k). */
static Matrix *apply_inverse(const Matrix *U, const Matrix *sigma, const Matrix *V, const Matrix *B,
                             double cut)
{
    Matrix *turned = matrix_transpose(U), *coefficients = matrix_multiply(turned, B);
    for (size_t i = 0; i < sigma->rows; i++) {
        double *row = matrix_fill(coefficients) + i * B->cols;
        if (sigma->cells[i] > cut)
            vector_divide(row, sigma->cells[i], B->cols);
        else
            memset(row, 0, B->cols * sizeof *row);
    }
    Matrix *X = matrix_multiply(V, coefficients);
    matrix_unref(turned);
    matrix_unref(coefficients);
    return X;
}

/* The least-squares solution of least norm. */
static Matrix *solve_by_svd(const Matrix *A, const Matrix *B)
{
    bool wide = A->rows < A->cols; /* GSL takes tall matrices: A' = U S V' gives A = V S U' */
    Matrix *tall = wide ? matrix_transpose(A) : matrix_ref(A);
    Matrix *U = matrix_from(tall->rows, tall->cols, tall->cells);
    Matrix *V = matrix_new(U->cols, U->cols), *sigma = matrix_new(U->cols, 1);
    matrix_unref(tall);
    gsl_matrix_view u = view_of(U), v = view_of(V);
    gsl_vector_view s = gsl_vector_view_array(matrix_fill(sigma), sigma->rows);
    Matrix *work = matrix_new(U->cols, 1);
    gsl_vector_view w = gsl_vector_view_array(matrix_fill(work), work->rows);
    if (gsl_linalg_SV_decomp(&u.matrix, &v.matrix, &s.vector, &w.vector) == GSL_ENOMEM)
        memory_exhausted();
    double cut = sigma->cells[0] * (double)U->rows * (DBL_EPSILON / 2);
    Matrix *X = apply_inverse(wide ? V : U, sigma, wide ? U : V, B, cut);
    matrix_unref(work);
    matrix_unref(sigma);
    matrix_unref(V);
    matrix_unref(U);
    return X;
}

static Matrix *filled(size_t rows, size_t cols, double x)
{
    Matrix *m = matrix_new(rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        matrix_fill(m)[i] = x;
    return m;
}

static bool all_finite(const Matrix *A)
{
    for (size_t i = 0; i < matrix_count(A); i++)
        if (!isfinite(A->cells[i]))
            return false;
    return true;
}

/* True if A is lower (or upper) triangular without a zero on its diagonal. */
static bool is_triangular(const Matrix *A, bool lower)
{
    for (size_t i = 0; i < A->rows; i++) {
        if (matrix_at(A, i, i) == 0)
            return false;
        for (size_t j = lower ? i + 1 : 0; j < (lower ? A->cols : i); j++)
            if (matrix_at(A, i, j) != 0)
                return false;
    }
    return true;
}

static Matrix *solve_triangular(const Matrix *A, const Matrix *B, CBLAS_UPLO_t side)
{
    Matrix *X = matrix_from(B->rows, B->cols, B->cells);
    gsl_matrix_const_view a = gsl_matrix_const_view_array(A->cells, A->rows, A->cols);
    gsl_matrix_view x = view_of(X);
    gsl_blas_dtrsm(CblasLeft, side, CblasNoTrans, CblasNonUnit, 1, &a.matrix, &x.matrix);
    return X;
}

static Matrix *solve_square(const Matrix *A, const Matrix *B, bool *singular)
{
    Factors f = factor(A);
    bool finite = all_finite(A);
    Matrix *X;
    *singular = finite && ill_conditioned(A, &f);
    if (is_triangular(A, false))
        X = solve_triangular(A, B, CblasUpper);
    else if (is_triangular(A, true))
        X = solve_triangular(A, B, CblasLower);
    else if (*singular)
        X = solve_by_svd(A, B);
    else
        X = f.singular ? filled(A->cols, B->cols, NAN) : solve_factored(&f, B);
    factors_clear(&f);
    return X;
}

Matrix *solve_left(const Matrix *A, const Matrix *B, bool *singular)
{
    assert(A->rows == B->rows);
    bool bad = false;
    Matrix *X;
    if (matrix_count(A) == 0 || B->cols == 0)
        X = matrix_new(A->cols, B->cols);
    else if (A->rows == A->cols)
        X = solve_square(A, B, &bad);
    else
        X = all_finite(A) ? solve_by_svd(A, B) : filled(A->cols, B->cols, NAN);
    if (singular)
        *singular = bad;
    return X;
}

/* A^-1, Inf everywhere if A is exactly singular; *bad as solve_left's flag. */
static Matrix *inverse_of(const Matrix *A, bool *bad)
{
    Factors f = factor(A);
    *bad = ill_conditioned(A, &f);
    Matrix *I = identity(A->rows);
    Matrix *inverse = f.singular ? filled(A->rows, A->rows, INFINITY) : solve_factored(&f, I);
    matrix_unref(I);
    factors_clear(&f);
    return inverse;
}

/* base to the p >= 1; takes over the reference to base. */
static Matrix *power(Matrix *base, unsigned long p)
{
    Matrix *result = NULL;
    for (;; p >>= 1) {
        if (p & 1) {
            Matrix *product = result ? matrix_multiply(result, base) : matrix_ref(base);
            matrix_unref(result);
            result = product;
        }
        if (p <= 1)
            break;
        Matrix *square = matrix_multiply(base, base);
        matrix_unref(base);
        base = square;
    }
    matrix_unref(base);
    return result;
}

Matrix *matrix_power_int(const Matrix *A, long p, bool *singular)
{
    assert(A->rows == A->cols);
    bool bad = false;
    Matrix *result;
    if (p == 0 || A->rows == 0)
        result = identity(A->rows);
    else if (p > 0)
        result = power(matrix_ref(A), (unsigned long)p);
    else
        result = power(inverse_of(A, &bad), 0UL - (unsigned long)p);
    if (singular)
        *singular = bad;
    return result;
}
