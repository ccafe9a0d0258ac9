/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product: matrix products with one fixed order of summation.
 *
 * Every entry of a product is summed over the inner index in order, starting
 * from 0, each product rounded before it is added: the same bits on every
 * x86-64 machine, whatever its vector extensions, and the same bits as
 * gsl_blas_dgemm over GSL's own CBLAS on finite numbers.  Nothing is skipped:
 * 0*NaN and 0*Inf are NaN in the sum. */
#ifndef CORE_PRODUCT_H
#define CORE_PRODUCT_H

#include "core/matrix.h"

/* a b: (m,k)(k,n) -> (m,n). a->cols == b->rows; k == 0 gives zeros. */
Matrix *matrix_multiply(const Matrix *a, const Matrix *b);

/* a': (m,n) -> (n,m). */
Matrix *matrix_transpose(const Matrix *a);

/* The sum of a(i) b(i) over all entries in row-major order, from 0; both have
 * the same number of entries (shapes may differ: row times column). */
double matrix_dot(const Matrix *a, const Matrix *b);

#endif
