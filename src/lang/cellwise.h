/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cellwise: kernels of functions of one entry at a time.  Called through
 * ops.def; see Kernel in op.h.  (m,n) -> (m,n), the names of the dimensions kept. */
#ifndef LANG_CELLWISE_H
#define LANG_CELLWISE_H

#include "lang/op.h"

/* Exact in double arithmetic; sign of NaN is NaN, round takes halves away from 0. */
Kernel op_abs, op_sign, op_floor, op_ceil, op_round;

/* Correctly rounded (core/elementary.h); sqrt, log and log2 of a negative number are an
 * error, "complex result", that names the first such entry. */
Kernel op_sqrt, op_exp, op_log, op_log2, op_sin, op_cos, op_tanh;

/* Logical. */
Kernel op_isnan, op_isinf, op_isfinite;

/* mod(x, y) = x - y floor(x/y) with y's sign, x where y is 0; 0 where y is no integer and x/y
 * is one within eps (Octave's rule).  Two matrices as kernel_pairs takes them. */
Kernel op_mod;

#endif
