/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_delta: the delta rule and the gated delta rule near the machine's limit, whole or fed
 * block by block.
 *
 * The whole-layer forms for `bench`, `eval --fast` and `--stream`: equal to delta.h within
 * rounding (1e-12 relative) on finite input, not bit for bit.  A FastDelta carries the state
 * from one feed to the next, so that a layer of any length runs in the memory of one feed. */
#ifndef CORE_FAST_DELTA_H
#define CORE_FAST_DELTA_H

#include "core/delta.h"
#include "core/pool.h"

/* What stays the same for a layer; chunk == 0: token by token, else the WY form by chunks. */
typedef struct {
    size_t d_k, d_v, chunk;
} FastDeltaShape;

typedef struct FastDelta FastDelta;

/* A layer before its first token; S (d_k,d_v) is what went before, or NULL: zeros.  To be
 * given back with fast_delta_free (NULL is allowed). */
FastDelta *fast_delta_new(const FastDeltaShape *shape, const Matrix *S);
void fast_delta_free(FastDelta *layer);

/* The next n tokens: Q and K (n,d_k), V (n,d_v), beta n numbers, alpha n numbers or NULL (the
 * plain rule); Y (n,d_v) gets the outputs.  Row major, dense; Y may not overlap the inputs.
 * The chunked form begins a chunk with each feed. */
void fast_delta_feed(FastDelta *layer, size_t n, const double *Q, const double *K, const double *V,
                     const double *beta, const double *alpha, double *Y, Pool *pool);

/* The state after the tokens fed so far: (d_k,d_v), a new reference. */
Matrix *fast_delta_state(const FastDelta *layer);

/* The whole of delta_recurrent (chunk == 0) or delta_chunked by one feed: Y and S; the rest
 * of the result is NULL.  in->keep_states must be false. */
DeltaResult fast_delta_layer(const DeltaInput *in, size_t chunk, Pool *pool);

#endif
