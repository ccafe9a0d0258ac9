/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer: kernels of whole layers: softmax attention, linear attention, the delta
 * rules, the selective scan.  Called through ops.def; see Kernel in op.h.
 *
 * The mathematics is core/'s (softmax.h, linear.h, delta.h, scan.h).  Results are (n,d_v),
 * named after the rows of Q and the columns of V.  A message on shapes names the two arguments
 * that do not fit and their sizes.  Where the run is fast (interp_is_fast) all but the scan take
 * core/'s fast forms, equal within 1e-12 relative. */
#ifndef LANG_LAYER_H
#define LANG_LAYER_H

#include "core/fast_map.h"
#include "lang/op.h"
#include "lang/value.h"

/* softmax_attention(Q,K,V[, 'causal' | w]): (n,d_k)(m,d_k)(m,d_v) -> (n,d_v). */
Kernel op_softmax_attention;

/* linear_attention(phi,Q,K,V[,'causal'[,gamma]]): phi is called with Q, then with K, and must
 * keep the number of rows; gamma is one number, or one a token as a row or column. */
Kernel op_linear_attention;

/* True if phi is a map that the fast forms apply themselves: *map. */
bool layer_fast_map(const Value *phi, FastMap *map);

/* delta_rule(Q,K,V,beta), gated_delta_rule(Q,K,V,alpha,beta): (n,d_k)(n,d_k)(n,d_v); alpha
 * and beta as gamma above. */
Kernel op_delta_rule, op_gated_delta_rule;

/* selective_scan(x,delta,A,B,C): (n,d)(n,d)(d,N)(n,N)(n,N) -> (n,d), Euler's step. */
Kernel op_selective_scan;

#endif
