/* SPDX-License-Identifier: GPL-3.0-or-later */
/* softmax: masks, softmax by rows, softmax attention.
 *
 * A masked score is -Inf.  The row's maximum is subtracted before exp, so large
 * scores do not overflow.  A row of -Inf alone (nothing to see) gives zeros, a
 * row that holds NaN or +Inf gives NaN. */
#ifndef CORE_SOFTMAX_H
#define CORE_SOFTMAX_H

#include "core/matrix.h"

typedef enum {
    SOFTMAX_FULL,   /* every query sees every key */
    SOFTMAX_CAUSAL, /* query i sees keys j <= i */
    SOFTMAX_WINDOW  /* query i sees the w keys i-w+1 .. i */
} SoftmaxMask;

/* exp(S - max) / sum by rows.  (m,n) -> (m,n). */
Matrix *softmax_rows(const Matrix *S);

/* S with -Inf where j > i.  (m,n) -> (m,n). */
Matrix *mask_causal(const Matrix *S);

/* S with -Inf where j > i or j <= i - w: w counts the token itself, w == 0 masks all.
 * (m,n) -> (m,n). */
Matrix *mask_window(const Matrix *S, size_t w);

/* Q K' / sqrt(d_k).  (n,d_k)(m,d_k) -> (n,m). */
Matrix *softmax_scores(const Matrix *Q, const Matrix *K);

/* softmax(mask(Q K' / sqrt(d_k))) V.  (n,d_k)(m,d_k)(m,d_v) -> (n,d_v); w is read for
 * SOFTMAX_WINDOW only. */
Matrix *softmax_attention(const Matrix *Q, const Matrix *K, const Matrix *V, SoftmaxMask mask,
                          size_t w);

#endif
