/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve: linear systems and powers of a matrix, as GNU Octave defines them.
 *
 * A triangular system is solved by substitution, another square one by LU with
 * partial pivoting.  If that cannot be trusted (exactly singular, or reciprocal
 * condition below eps / 2), or A is not square, the least-squares solution of
 * least norm is taken by SVD, singular values below the largest times rows times
 * eps / 2 counting as 0. */
#ifndef CORE_SOLVE_H
#define CORE_SOLVE_H

#include "core/matrix.h"

/* X = A \ B: (m,n)(m,p) -> (n,p); A->rows == B->rows.  *singular (may be NULL) becomes true
 * for a square A that is singular to working precision.  NaN or Inf in A go where the
 * substitutions carry them; in an A that is not square they make all of X NaN. */
Matrix *solve_left(const Matrix *A, const Matrix *B, bool *singular);

/* A to the p, by repeated squaring: (n,n) -> (n,n).  p == 0 gives the identity; p < 0 powers
 * of the inverse, which is Inf everywhere, with *singular (may be NULL) true, if A is
 * exactly singular. */
Matrix *matrix_power_int(const Matrix *A, long p, bool *singular);

#endif
