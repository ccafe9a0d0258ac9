/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delta: the delta rule and the gated delta rule, recurrent and chunked.
 *
 *     S      <- alpha_t S_(t-1)          forget (gated only)
 *     pred_t  = S' k_t                   predict
 *     err_t   = v_t - pred_t             correct
 *     S_t     = S + beta_t k_t err_t'    write
 *     y_t     = S_t' q_t                 read
 *
 * S is (d_k,d_v).  Keys are used as they are (feature_l2rows makes them unit),
 * beta is not clamped, q is not scaled.  Yang et al. 2024 and 2025.
 *
 * A DeltaInput borrows its matrices; a DeltaResult owns one reference to each of
 * its own and is given back with delta_result_clear. */
#ifndef CORE_DELTA_H
#define CORE_DELTA_H

#include "core/matrix.h"

typedef struct {
    const Matrix *Q, *K; /* (n,d_k) */
    const Matrix *V;     /* (n,d_v) */
    const Matrix *beta;  /* (n,1), or (1,1): the same for all */
    const Matrix *alpha; /* (n,1), or (1,1), or NULL: 1 */
    const Matrix *S;     /* what went before: (d_k,d_v), or NULL: zeros */
    bool keep_states;    /* also return S_all (and pred, err in the recurrent form) */
} DeltaInput;

typedef struct {
    Matrix *Y;          /* outputs (n,d_v) */
    Matrix *S;          /* after the last token (d_k,d_v) */
    Matrix *S_all;      /* one (d_k,d_v) a token or chunk, block below block, or NULL */
    Matrix *pred, *err; /* recurrent form with keep_states: (n,d_v), else NULL */
    Matrix *U, *W;      /* chunked form: T diag(beta) V (n,d_v), T diag(beta b) K (n,d_k) */
} DeltaResult;

/* Token by token, in the formulas above. */
DeltaResult delta_recurrent(const DeltaInput *in);

/* Chunk by chunk (chunk > 0 tokens, the last may be shorter) by the WY form: in each chunk
 * T = (I + L)^-1 with L(i,j) = beta_i (k_i.k_j) alpha_(j+1)..alpha_i below the diagonal and
 * b_i = alpha_s..alpha_i from the chunk's first token s, by forward substitution without
 * pivoting.  beta .* err is U - W S.  U and W of all chunks stand below each other. */
DeltaResult delta_chunked(const DeltaInput *in, size_t chunk);

/* Gives every matrix of r back and sets r to zero. */
void delta_result_clear(DeltaResult *r);

#endif
