/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The delta rules token by token (fast_block.h); compiled once a level.
 *
 * Their errors wait for what is read of S, so the pass that writes one block of tokens reads for
 * the next. */
#include "core/fast_build.h"

/* delta_pass works on 3 TOKENS PANEL_VECS vectors and a row of S; AVX-512: what was found
 * fastest, though some of them come from memory. */
enum { TOKENS = WIDTH == 8 ? 3 : 2 };

#include "core/fast_block.h"

size_t FAST_NAME(delta_scratch)(size_t d_k, size_t panels)
{
    return 3 * TOKENS * d_k + panels * TOKENS * PANEL;
}

/* The block whose errors are still to be written. */
typedef struct {
    const double *k; /* TOKENS rows */
    double forget;
} Pending;

/* One pass over the panel S (d_k, PANEL): writes the pending errors e (TOKENS, PANEL), reads
 * for block b, and leaves b's errors in e. */
static void delta_pass(const Block *b, const Pending *before, size_t d_k, double *S, double *e,
                       const double *V, double *Y, const Columns *c)
{
    Vec old[TOKENS][PANEL_VECS], pred[TOKENS][PANEL_VECS], y[TOKENS][PANEL_VECS];
    Vec err[TOKENS][PANEL_VECS];
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            old[t][v] = vec_load(e + t * PANEL + v * WIDTH);
            pred[t][v] = y[t][v] = (Vec){0};
        }
    const double *q = b->q, *k = b->k, *w = before->k, forget = before->forget;
    for (size_t i = 0; i < d_k; i++, q++, k++, w++, S += PANEL) {
        Vec s[PANEL_VECS];
        for (size_t v = 0; v < PANEL_VECS; v++)
            s[v] = vec_load(S + v * WIDTH);
        if (forget != 1)
            for (size_t v = 0; v < PANEL_VECS; v++)
                s[v] *= forget;
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                s[v] += w[t * d_k] * old[t][v];
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++) {
                pred[t][v] += k[t * d_k] * s[v];
                y[t][v] += q[t * d_k] * s[v];
            }
        for (size_t v = 0; v < PANEL_VECS; v++)
            vec_store(S + v * WIDTH, s[v]);
    }
    load_rows(err, V, c, b->count);
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            Vec sum = pred[t][v] * b->before[t];
            for (size_t j = 0; j < t; j++)
                sum += b->kk[t][j] * err[j][v];
            err[t][v] = t < b->count ? (err[t][v] - sum) * b->beta[t] : (Vec){0};
        }
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            y[t][v] *= b->before[t];
            for (size_t j = 0; j <= t; j++)
                y[t][v] += b->qk[t][j] * err[j][v];
            vec_store(e + t * PANEL + v * WIDTH, err[t][v] * b->after[t]);
        }
    store_rows(Y, y, c, b->count);
}

/* Writes what is pending in the panel S. */
static void delta_end(const Pending *before, size_t d_k, double *S, const double *e)
{
    for (size_t i = 0; i < d_k; i++, S += PANEL)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            Vec s = vec_load(S + v * WIDTH) * before->forget;
            for (size_t t = 0; t < TOKENS; t++)
                s += before->k[t * d_k + i] * vec_load(e + t * PANEL + v * WIDTH);
            vec_store(S + v * WIDTH, s);
        }
}

/* TOKENS rows at x as they are, or zero-padded in pad if there are fewer. */
static const double *whole_rows(const double *x, size_t count, size_t cols, double *pad)
{
    if (count == TOKENS)
        return x;
    memcpy(pad, x, count * cols * sizeof *x);
    memset(pad + count * cols, 0, (TOKENS - count) * cols * sizeof *x);
    return pad;
}

/* Returns the scale after the block. */
static double make_delta_block(const DeltaJob *job, Block *b, size_t row, double scale,
                               double *pad)
{
    double share[TOKENS][TOKENS];
    size_t d_k = job->d_k;
    b->count = job->n - row < TOKENS ? job->n - row : TOKENS;
    scale = make_decays(b, job->alpha ? job->alpha + row : NULL, scale, row + TOKENS >= job->n,
                        share);
    b->q = whole_rows(job->Q + row * d_k, b->count, d_k, pad);
    b->k = whole_rows(job->K + row * d_k, b->count, d_k, pad + TOKENS * d_k);
    for (size_t t = 0; t < b->count; t++)
        b->beta[t] = job->beta[row + t];
    make_products(b, d_k, share, true);
    return scale;
}

void FAST_NAME(delta)(const DeltaJob *job, size_t first, size_t last, double *scratch)
{
    size_t d_k = job->d_k;
    double *nothing = scratch, *pad = nothing + TOKENS * d_k, *errors = pad + 2 * TOKENS * d_k;
    Block blocks[BLOCKS];
    Pending begin = {nothing, 1};
    double scale = 1;
    memset(nothing, 0, TOKENS * d_k * sizeof *nothing);
    memset(errors, 0, (last - first) * TOKENS * PANEL * sizeof *errors);
    for (size_t row = 0; row < job->n; row += STRETCH) {
        size_t whole = 0;
        Pending pending = begin;
        for (size_t at = row; at < job->n && whole < BLOCKS; at += TOKENS) {
            size_t offset = at * job->d_v;
            Block *b = &blocks[whole++];
            scale = make_delta_block(job, b, at, scale, pad);
            fetch_rows(job->V + offset, job->Y + offset, job->d_v, b->count, first, last);
        }
        for (size_t panel = first; panel < last; panel++) {
            Columns c = find_columns(job->d_v, panel);
            double *e = errors + (panel - first) * TOKENS * PANEL;
            pending = begin;
            for (size_t i = 0; i < whole; i++) {
                size_t offset = (row + i * TOKENS) * job->d_v;
                delta_pass(&blocks[i], &pending, d_k, job->S + panel * d_k * PANEL, e,
                           job->V + offset, job->Y + offset, &c);
                pending = (Pending){blocks[i].k, blocks[i].forget};
            }
        }
        begin = pending;
    }
    for (size_t panel = first; panel < last; panel++)
        delta_end(&begin, d_k, job->S + panel * d_k * PANEL,
                  errors + (panel - first) * TOKENS * PANEL);
}
