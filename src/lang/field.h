/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field: kernels of this field's functions but for whole layers (layer.h): masks,
 * softmax, feature maps, measures.  Called through ops.def; see Kernel in op.h.
 *
 * The mathematics is core/'s (softmax.h, feature.h, rope.h, measure.h); here shapes
 * are checked and dimensions named.  A row is a token. */
#ifndef LANG_FIELD_H
#define LANG_FIELD_H

#include "lang/op.h"

/* (m,n) -> (m,n), the names kept; window's w is a whole number from 0 or Inf. */
Kernel op_softmax, op_causal, op_window;

/* (n,d) -> (n,d), the names kept; rope needs an even d. */
Kernel op_elu1, op_relu, op_identity, op_l2rows, op_rope;

/* (n,d) -> (n,d(d+1)/2). */
Kernel op_quadratic;

/* gaussian_features(m,d): one random call; orthogonal_features(m,d): two, directions then
 * lengths; (m,d) each.  Errors of interp_draw. */
Kernel op_gaussian_features, op_orthogonal_features;

/* favor(X,W): (n,d)(m,d) -> (n,m). */
Kernel op_favor;

/* (m,n) -> (m,1); a negative entry is an error ("complex result"). */
Kernel op_entropy;

/* One number: of one matrix, of two of the same size. */
Kernel op_effective_rank, op_relative_error, op_recall_rate;

/* approx(A,B,tol), logical: sizes equal, NaN and Inf in the same places, and every other
 * |a - b| <= tol max(1, the largest finite |a|, |b|). */
Kernel op_approx;

/* The matrix in a file; errors of interp_load. */
Kernel op_load_csv;

/* dims(A, 'n', 'd'): A with its dimensions called so; the names are identifiers. */
Kernel op_dims;

#endif
