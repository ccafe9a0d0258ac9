/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_block: the tokens that fast_kernel_linear.c and fast_kernel_delta.c take at a time.
 *
 * A pass over S serves a block of tokens; it takes a panel of PANEL columns, which stays in the
 * first-level cache.  For the tokens 1..T after S_0, with the decays multiplied out,
 *
 *     S_t' x = (g_1..g_t) S_0' x + sum over j <= t of (g_(j+1)..g_t) (k_j.x) e_j
 *     S_T    = (g_1..g_T) S_0 + sum over j of (g_(j+1)..g_T) k_j e_j'
 *
 * where e_j is v_j (linear) or beta_j err_j (delta): a pass reads S_0 for all T tokens and
 * writes S_T.  The panels hold S over a scale, the product of the decays so far, so that a pass
 * need not multiply S by them.  It does when the scale has become small or large, which makes
 * the scale 1 again, and at the end.
 *
 * The file that includes this sets TOKENS, the T of a whole block: as many as leave what its
 * pass works on in registers. */
#ifndef CORE_FAST_BLOCK_H
#define CORE_FAST_BLOCK_H

#include "core/fast_build.h"

enum {
    BLOCKS = 12, /* between two changes of panel */
    STRETCH = TOKENS * BLOCKS,
    LINE = 8 /* doubles in a line of the caches */
};

/* The decays of a block, and the scalar products of its tokens with these factors in. */
typedef struct {
    size_t count;              /* tokens; the rest up to TOKENS write and read nothing */
    double before[TOKENS];     /* g_1..g_t, times the scale before the block */
    double after[TOKENS];      /* g_(t+1)..g_T, over the scale after the block */
    double forget;             /* what the panels are multiplied by: mostly 1 */
    double qk[TOKENS][TOKENS]; /* q_t.k_j g_(j+1)..g_t for j <= t, else 0 */
    double kk[TOKENS][TOKENS]; /* k_t.k_j g_(j+1)..g_t for j < t, else 0 */
    double beta[TOKENS];
    double den[TOKENS];     /* what y_t is divided by */
    double inverse[TOKENS]; /* 1 / den, or 0 where y_t has to be divided after all */
    const double *q, *k;    /* TOKENS rows */
} Block;

/* g: the block's decays, or NULL.  Returns the scale after it: 1 after the last. */
static inline double make_decays(Block *b, const double *g, double scale, bool last,
                                 double share[TOKENS][TOKENS])
{
    for (size_t t = 0; t < TOKENS; t++) {
        double gamma = g && t < b->count ? g[t] : 1;
        for (size_t j = 0; j < t; j++)
            share[t][j] = share[t - 1][j] * gamma;
        share[t][t] = 1;
        b->before[t] = scale *= gamma;
    }
    bool stays = !last && scale > 1e-9 && scale < 1e9;
    for (size_t j = 0; j < TOKENS; j++)
        b->after[j] = share[TOKENS - 1][j] / (stays ? scale : 1);
    b->forget = stays ? 1 : scale;
    return stays ? scale : 1;
}

static inline void make_products(Block *b, size_t f, double share[TOKENS][TOKENS], bool keys)
{
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t j = 0; j <= t; j++) {
            b->qk[t][j] = share[t][j] * vec_dot(b->q + t * f, b->k + j * f, f);
            if (keys && j < t)
                b->kk[t][j] = share[t][j] * vec_dot(b->k + t * f, b->k + j * f, f);
        }
}

/* The panel's columns of TOKENS rows, zero-padded in pad if some are missing. */
typedef struct {
    size_t d_v, col, cols; /* of V and Y; the panel begins at col and has cols real ones */
} Columns;

static inline Columns find_columns(size_t d_v, size_t panel)
{
    size_t col = panel * PANEL;
    return (Columns){d_v, col, d_v - col < PANEL ? d_v - col : PANEL};
}

ALWAYS_INLINE void load_rows(Vec rows[TOKENS][PANEL_VECS], const double *x, const Columns *c,
                             size_t count)
{
    x += c->col;
    if (count == TOKENS && c->cols == PANEL) {
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                rows[t][v] = vec_load(x + t * c->d_v + v * WIDTH);
        return;
    }
    double pad[TOKENS][PANEL] = {{0}};
    for (size_t t = 0; t < count; t++)
        memcpy(pad[t], x + t * c->d_v, c->cols * sizeof *x);
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++)
            rows[t][v] = vec_load(pad[t] + v * WIDTH);
}

ALWAYS_INLINE void store_rows(double *x, Vec rows[TOKENS][PANEL_VECS], const Columns *c,
                              size_t count)
{
    x += c->col;
    if (count == TOKENS && c->cols == PANEL) {
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                vec_store(x + t * c->d_v + v * WIDTH, rows[t][v]);
        return;
    }
    double pad[TOKENS][PANEL];
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++)
            vec_store(pad[t] + v * WIDTH, rows[t][v]);
    for (size_t t = 0; t < count; t++)
        memcpy(x + t * c->d_v, pad[t], c->cols * sizeof *x);
}

/* Asks for the panels' columns of rows of V and Y: a pass takes a few columns of each row, in
 * jumps that no processor foresees. */
static inline void fetch_rows(const double *V, const double *Y, size_t d_v, size_t count,
                              size_t first, size_t last)
{
    size_t end = last * PANEL < d_v ? last * PANEL : d_v;
    for (size_t t = 0; t < count; t++, V += d_v, Y += d_v)
        for (size_t col = first * PANEL; col < end; col += LINE) {
            __builtin_prefetch(V + col, 0, 2);
            __builtin_prefetch(Y + col, 1, 2);
        }
}

#endif
