/* SPDX-License-Identifier: GPL-3.0-or-later */
/* norm: the kernel of norm.  Called through ops.def; see Kernel in op.h. */
#ifndef LANG_NORM_H
#define LANG_NORM_H

#include "lang/op.h"

/* norm(A[, p]): of a vector p = 2 (not given), 1, Inf, -Inf, 0 (how many are non-zero) or any
 * p > 0; of a matrix 2 (the largest singular value), 1 (largest column sum of |a|) or Inf
 * (largest row sum); 'fro' and 'inf' as texts.  Scaled, so that squares do not overflow.  An
 * empty matrix has norm 0. */
Kernel op_norm;

#endif
