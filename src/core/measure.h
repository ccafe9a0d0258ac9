/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure: numbers that say something about a matrix, or about two. */
#ifndef CORE_MEASURE_H
#define CORE_MEASURE_H

#include "core/matrix.h"

/* -sum p ln p of each row, in nats, with 0 ln 0 = 0.  (m,n) -> (m,1). */
Matrix *entropy_rows(const Matrix *P);

/* exp of the entropy of sigma / sum sigma, sigma the singular values of A (Roy and Vetterli
 * 2007).  A matrix of zeros has NaN (0/0), an empty one 1; one with NaN or Inf has NaN. */
double effective_rank(const Matrix *A);

/* The number of singular values above the largest times max(rows, cols) times eps; NaN if
 * an entry is not finite. */
double numeric_rank(const Matrix *A);

/* The singular values of A, largest first: (m,n) -> (min(m,n),1).  Entries are finite. */
Matrix *singular_values(const Matrix *A);

/* |A - B| / |B|, Frobenius norms.  Same shapes. */
double relative_error(const Matrix *A, const Matrix *B);

/* The share of rows of got whose nearest row of values (Euclidean; the first of equals) is
 * the row of the same number.  Both (n,d); n == 0 gives NaN. */
double recall_rate(const Matrix *got, const Matrix *values);

/* The same by direction: the row with the largest cosine. */
double recall_rate_direction(const Matrix *got, const Matrix *values);

/* The largest |a - b| over the places where both are finite.  *largest is the largest finite
 * magnitude in either; *same_places tells whether NaN, +Inf and -Inf stand in the same
 * places of both.  Same shapes; either pointer may be NULL. */
double measure_difference(const Matrix *a, const Matrix *b, double *largest, bool *same_places);

#endif
