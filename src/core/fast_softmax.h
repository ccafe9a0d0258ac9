/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_softmax: softmax attention without the matrix of scores.
 *
 * The whole-layer form for `bench` and `eval --fast`: equal to softmax_attention (softmax.h)
 * within rounding (1e-12 relative) on finite input, not bit for bit, in O(d) memory a thread
 * above its input and output. */
#ifndef CORE_FAST_SOFTMAX_H
#define CORE_FAST_SOFTMAX_H

#include "core/pool.h"
#include "core/softmax.h"

/* softmax(mask(scale Q K')) V.  (n,d_k)(m,d_k)(m,d_v) -> (n,d_v); w is read for
 * SOFTMAX_WINDOW only, and w == 0 gives zeros.  softmax_attention's scale is 1/sqrt(d_k). */
Matrix *fast_softmax_attention(const Matrix *Q, const Matrix *K, const Matrix *V, SoftmaxMask mask,
                               size_t w, double scale, Pool *pool);

#endif
