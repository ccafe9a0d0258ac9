/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rearrange: kernels that move entries about.  Called through ops.def; see
 * Kernel in op.h.  A logical argument gives a logical result, but for find and kron. */
#ifndef LANG_REARRANGE_H
#define LANG_REARRANGE_H

#include "lang/op.h"

/* repmat(A, m), repmat(A, m, n), repmat(A, [m n]): (r,c) -> (mr,nc); negative and NaN count as
 * 0. */
Kernel op_repmat;

/* reshape(A, m, n), reshape(A, [m n]): the entries column by column; one of m and n may be []. */
Kernel op_reshape;

/* diag(v, k): a vector on the k-th diagonal of a square matrix; diag(A, k): the k-th diagonal
 * of a matrix as a column (0x1 if there is none). */
Kernel op_diag;

/* Zeros above (tril) or below (triu) the k-th diagonal. */
Kernel op_tril, op_triu;

/* circshift(A, k[, d]): moved by k along dimension d, by default the first that is not 1;
 * circshift(A, [k l]): by k rows and l columns. */
Kernel op_circshift;

/* sort(A[, d][, 'ascend' | 'descend']): stable; NaN last ascending, first descending. */
Kernel op_sort;

/* find(A[, n]): the indices (from 1, column by column) of non-zero entries, the first n of
 * them; a row if A is one, else a column. */
Kernel op_find_nonzero;

/* (m,n)(p,q) -> (mp,nq). */
Kernel op_kron;

#endif
