/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce: kernels of sums and what is like them.  Called through ops.def; see
 * Kernel in op.h.
 *
 * f(A) works down the columns, along the row if A is a row; f(A, d) over dimension d; over a
 * dimension beyond 2 every entry is alone.  Entries are taken in the order of their
 * index.  The dimension that stays keeps its name. */
#ifndef LANG_REDUCE_H
#define LANG_REDUCE_H

#include "lang/op.h"

/* (m,n) -> (1,n) or (m,1); of nothing 0, 1, 0/0.  sum(zeros(0,0)) is 0.  mean works over the
 * first dimension longer than 1. */
Kernel op_sum, op_prod, op_mean;

/* The same, logical; NaN counts neither as zero nor, for any, as non-zero. */
Kernel op_any, op_all;

/* max(A), max(A, [], d): NaN is skipped unless there is nothing else, of equals the first is
 * taken, a length of 0 stays 0.  max(A, B): entry by entry as kernel_pairs. */
Kernel op_max, op_min;

/* dot(a, b): of two vectors of as many entries; of two matrices of one size column by
 * column, (m,n)(m,n) -> (1,n); dot(A, B, d) over dimension d. */
Kernel op_dot;

/* The sum of the diagonal; the first entry of a vector. */
Kernel op_trace;

/* Running sums and products: (m,n) -> (m,n). */
Kernel op_cumsum, op_cumprod;

#endif
