/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_favor: attention by positive random features near the machine's limit.
 *
 * Equal to feature_favor and feature_favor_stable (feature.h) and the forms of linear.h on
 * them within rounding (1e-12 relative) on finite input, not bit for bit.  A stream maps each
 * block of rows by fast_favor_features with FAST_FAVOR_PLAIN and feeds it to a FastLinear. */
#ifndef CORE_FAST_FAVOR_H
#define CORE_FAST_FAVOR_H

#include "core/linear.h"
#include "core/pool.h"

/* What is subtracted from the exponents before exp. */
typedef enum {
    FAST_FAVOR_PLAIN,   /* nothing: feature_favor */
    FAST_FAVOR_PER_ROW, /* each row's largest: feature_favor_stable for queries */
    FAST_FAVOR_SHARED   /* the largest of all: feature_favor_stable for keys */
} FastFavorShift;

/* exp(w.x - |x|^2/2 - shift) / sqrt(m) for the m rows w of W.  (n,d)(m,d) -> (n,m). */
Matrix *fast_favor_features(const Matrix *X, const Matrix *W, FastFavorShift shift, Pool *pool);

/* The normalised linear layer on the features of Q and K: causal, token by token, or full.
 * stable: shifts as for queries and keys above, else plain.  Q and K come scaled
 * (feature_quarter_scale).  (n,d)(n,d)(n,d_v)(m,d) -> Y (n,d_v), den, S (m,d_v), z. */
LinearResult fast_favor_attention(const Matrix *Q, const Matrix *K, const Matrix *V,
                                  const Matrix *W, bool causal, bool stable, Pool *pool);

#endif
