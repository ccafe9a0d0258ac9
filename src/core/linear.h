/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear: linear attention in its four forms, on rows already mapped to features.
 *
 *     S_t = gamma_t S_(t-1) + phi(k_t) v_t'     state,      (f,d_v)
 *     z_t = gamma_t z_(t-1) + phi(k_t)          normaliser, (f,1)
 *     y_t = S_t' phi(q_t) / (z_t . phi(q_t))    unnormalised: without the division
 *
 * Write, then read.  Products of decays are multiplied out, never quotients of
 * cumulative products or differences of logarithms, so a decay of 0 (a hard
 * reset) or 1e-200 is exact.  Nothing is added to a denominator: 0/0 is NaN.
 *
 * A LinearInput borrows its matrices; a LinearResult owns one reference to each
 * of its own and is given back with linear_result_clear. */
#ifndef CORE_LINEAR_H
#define CORE_LINEAR_H

#include "core/matrix.h"

typedef struct {
    const Matrix *phiQ, *phiK; /* (n,f) */
    const Matrix *V;           /* (n,d_v) */
    const Matrix *decay;       /* gamma: (n,1), one a token; (1,1), fixed; NULL, none */
    bool normalised;
    const Matrix *S, *z; /* what went before: (f,d_v) and (f,1), or NULL: zeros */
    bool keep_states;    /* also return S and z after every token or chunk */
    bool keep_weights;   /* also return A and W, where the form has them */
} LinearInput;

typedef struct {
    Matrix *Y;     /* outputs (n,d_v) */
    Matrix *den;   /* denominators (n,1), whether or not they are divided by */
    Matrix *S, *z; /* after the last token: (f,d_v) and (f,1) */
    Matrix *S_all; /* block below block, one (f,d_v) a token or chunk, or NULL */
    Matrix *z_all; /* one row of f a token or chunk, or NULL */
    Matrix *A, *W; /* scores and weights (n,n) of the parallel forms, or NULL */
} LinearResult;

/* Every query reads every key: S = phiK' V, z = the sum of the rows of phiK, Y = phiQ S / den;
 * no decay and no earlier state (asserted).  phiQ may have other rows than phiK.  A = phiQ
 * phiK', W = A / den by rows (A itself if not normalised). */
LinearResult linear_full(const LinearInput *in);

/* Causal, by the (n,n) scores: A = (phiQ phiK') .* D with D from linear_decay_mask, W as above,
 * Y = A V / den where row i sums over the tokens j <= i alone, so that a NaN stays with the
 * tokens that may see it; an earlier state is added by its decayed share (A and W do not
 * show it).  Each of S_all and z_all is NULL. */
LinearResult linear_causal(const LinearInput *in);

/* Causal, token by token, in the formulas above.  keep_states keeps one state a token. */
LinearResult linear_recurrent(const LinearInput *in);

/* Causal, chunk by chunk (chunk > 0 tokens, the last may be shorter): parallel inside a
 * chunk, recurrent from one to the next.  keep_states keeps one state a chunk. */
LinearResult linear_chunked(const LinearInput *in, size_t chunk);

/* D (n,n): D(i,j) = gamma_(j+1) ... gamma_i for j <= i (1 on the diagonal), else 0.
 * decay as in LinearInput (NULL: all ones). */
Matrix *linear_decay_mask(const Matrix *decay, size_t n);

/* Gives every matrix of r back and sets r to zero. */
void linear_result_clear(LinearResult *r);

#endif
