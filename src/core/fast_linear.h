/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_linear: linear attention near the machine's limit, whole or fed block by block.
 *
 * The whole-layer forms for `bench`, `eval --fast` and `--stream`: equal to linear.h within
 * rounding (1e-12 relative) on finite input, not bit for bit.  A FastLinear carries the state
 * from one feed to the next, so that a layer of any length runs in the memory of one feed. */
#ifndef CORE_FAST_LINEAR_H
#define CORE_FAST_LINEAR_H

#include "core/fast_map.h"
#include "core/linear.h"
#include "core/pool.h"

/* What stays the same for a layer. */
typedef struct {
    size_t f, d_v;
    FastMap map; /* applied to the rows of Q and K; they are (n,f) */
    bool normalised;
    size_t chunk; /* 0: token by token; else chunk by chunk of so many tokens */
} FastLinearShape;

typedef struct FastLinear FastLinear;

/* A layer before its first token; S (f,d_v) and z (f,1) are what went before, or NULL: zeros.
 * To be given back with fast_linear_free (NULL is allowed). */
FastLinear *fast_linear_new(const FastLinearShape *shape, const Matrix *S, const Matrix *z);
void fast_linear_free(FastLinear *layer);

/* The next n tokens: Q and K (n,f), V (n,d_v), decay n numbers or NULL (no decay); Y (n,d_v)
 * gets the outputs, den (n, or NULL) the denominators.  Row major, dense; Y may not overlap
 * the inputs.  The chunked form begins a chunk with each feed. */
void fast_linear_feed(FastLinear *layer, size_t n, const double *Q, const double *K,
                      const double *V, const double *decay, double *Y, double *den, Pool *pool);

/* The state after the tokens fed so far: (f,d_v) and (f,1), new references. */
Matrix *fast_linear_state(const FastLinear *layer);
Matrix *fast_linear_normaliser(const FastLinear *layer);

/* The whole of linear_recurrent (chunk == 0) or linear_chunked by one feed.  in->phiQ and
 * in->phiK are mapped by map first (FAST_IDENTITY: they are mapped already);
 * in->keep_states and in->keep_weights must be false. */
LinearResult fast_linear_layer(const LinearInput *in, FastMap map, size_t chunk, Pool *pool);

/* linear_full: every query reads every key.  phiQ may have other rows than phiK. */
LinearResult fast_linear_full(const LinearInput *in, FastMap map, Pool *pool);

#endif
