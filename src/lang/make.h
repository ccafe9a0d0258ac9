/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make: kernels that make a matrix from sizes and numbers, and those that ask
 * for a size.  Called through ops.def; see Kernel in op.h.
 *
 * Sizes come as kernel_size reads them; the dimensions of a result are named by the
 * polynomials of the arguments, and what asks for a size gives a number that knows
 * its polynomial. */
#ifndef LANG_MAKE_H
#define LANG_MAKE_H

#include "lang/op.h"

/* (), (n), (m,n), ([m n]): a matrix of one number; true and false are logical. */
Kernel op_zeros, op_ones, op_inf, op_nan, op_true, op_false;

/* The same sizes: 1 on the diagonal, 0 elsewhere. */
Kernel op_eye;

/* The same sizes: the next random call of the run; errors of interp_draw. */
Kernel op_rand, op_randn;

/* linspace(a, b[, n = 100]): a row of n numbers from a to b, both exact, built from both ends
 * as Octave does; columns or rows a and b of m numbers give (m,n), computed from the left. */
Kernel op_linspace;

/* The constants. */
Kernel op_pi, op_e;

/* eps: 2^-52; eps(X): the distance of every |x| from the next larger double. */
Kernel op_eps;

/* size(A): 1x2; size(A, d): one number for each entry of d; 1 beyond 2. */
Kernel op_size;

/* One number: of rows, of columns, of entries; isempty is logical. */
Kernel op_rows, op_columns, op_numel, op_isempty;

#endif
