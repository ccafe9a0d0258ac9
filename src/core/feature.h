/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feature: feature maps; rows are tokens.
 *
 * A feature map phi turns a query or key of width d into a row of width f; the
 * similarity of two tokens is then phi(q).phi(k).  NaN in gives NaN out.  The
 * caller sees to it that the result has at most MATRIX_MAX_CELLS entries. */
#ifndef CORE_FEATURE_H
#define CORE_FEATURE_H

#include <stdint.h>

#include "core/matrix.h"

/* elu(x) + 1: x + 1 where x > 0, else exp(x).  (n,d) -> (n,d).  Katharopoulos et al. 2020. */
Matrix *feature_elu1(const Matrix *x);

/* max(x, 0), with NaN kept.  (n,d) -> (n,d). */
Matrix *feature_relu(const Matrix *x);

/* exp(x), entry by entry.  (n,d) -> (n,d). */
Matrix *feature_exp(const Matrix *x);

/* x itself (one more reference). */
Matrix *feature_identity(const Matrix *x);

/* All products x_i x_j, i <= j, in the order (1,1) (1,2) .. (1,d) (2,2) .. (d,d), those
 * with i < j times sqrt(2), so that phi(q).phi(k) = (q.k)^2.  (n,d) -> (n, d(d+1)/2). */
Matrix *feature_quadratic(const Matrix *x);

/* Positive random features exp(w.x - |x|^2/2) / sqrt(m) for the m rows w of W, an unbiased
 * estimate of exp(q.k).  (n,d)(m,d) -> (n,m).  Choromanski et al. 2021.  For the scaled
 * kernel exp(q.k/sqrt(d)) the caller multiplies q and k by d^(-1/4) first. */
Matrix *feature_favor(const Matrix *x, const Matrix *W);

/* As feature_favor with constants taken out of the exponent that cancel in a normalised
 * layer, so that nothing underflows: per_row subtracts each row's largest exponent (right
 * for queries), otherwise the largest of the whole matrix is subtracted (the one constant
 * that keys may share). */
Matrix *feature_favor_stable(const Matrix *x, const Matrix *W, bool per_row);

/* x times cols^(-1/4): what queries and keys are multiplied by for the scaled kernel. */
Matrix *feature_quarter_scale(const Matrix *x);

/* m independent normal directions of width d: random_normal(seed, call, m, d). */
Matrix *features_gaussian(uint64_t seed, uint64_t call, size_t m, size_t d);

/* Orthogonal directions (m,d) from two normal draws G and L of that shape: each block of d
 * rows of G (the last may be shorter) is orthonormalised in row order by modified
 * Gram-Schmidt, done twice; then row i is multiplied by the norm of row i of L, so that each
 * row alone is distributed as a normal one.  A row that is a combination of those before it has
 * no direction left and becomes NaN (0/0). */
Matrix *features_orthogonal(const Matrix *G, const Matrix *L);

/* Each row divided by its Euclidean norm; a row of zeros stays zero.  (n,d) -> (n,d). */
Matrix *feature_l2rows(const Matrix *x);

/* Each row divided by sqrt(|row|^2 + eps), as deep-learning libraries do. */
Matrix *feature_l2rows_eps(const Matrix *x, double eps);

#endif
