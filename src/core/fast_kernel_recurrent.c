/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear attention and the delta rules token by token; compiled once a level.
 *
 * S is passed over once for TOKENS tokens, a panel of PANEL columns at a time, which stays in
 * the first-level cache.  For tokens 1..T after S_0, with the decays multiplied out,
 *
 *     S_t' x = (g_1..g_t) S_0' x + sum over j <= t of (g_(j+1)..g_t) (k_j.x) e_j
 *     S_T    = (g_1..g_T) S_0 + sum over j of (g_(j+1)..g_T) k_j e_j'
 *
 * where e_j is v_j (linear) or beta_j err_j (delta).  So a pass reads S_0 for all T tokens and
 * writes S_T; for the delta rules, whose e_j wait for what is read, the pass that writes one
 * block of tokens reads for the next. */
#include <math.h>

#include "core/fast_build.h"

enum {
    TOKENS = WIDTH == 8 ? 3 : WIDTH == 4 ? 4 : 2, /* in a block: what was found fastest */
    BLOCKS = 12,                 /* between two changes of panel */
    STRETCH = TOKENS * BLOCKS
};

/* The decays of a block, and the scalar products of its tokens with these factors in. */
typedef struct {
    size_t count;              /* tokens; the rest up to TOKENS write and read nothing */
    double before[TOKENS];     /* g_1..g_t */
    double after[TOKENS];      /* g_(t+1)..g_T */
    double qk[TOKENS][TOKENS]; /* q_t.k_j g_(j+1)..g_t for j <= t, else 0 */
    double kk[TOKENS][TOKENS]; /* k_t.k_j g_(j+1)..g_t for j < t, else 0 */
    double beta[TOKENS];
    double den[TOKENS];     /* what y_t is divided by */
    double inverse[TOKENS]; /* 1 / den, or 0 where y_t has to be divided after all */
    const double *q, *k;    /* TOKENS rows */
} Block;

/* g: the decays, or NULL. */
static void make_decays(Block *b, const double *g, double share[TOKENS][TOKENS])
{
    double product = 1;
    for (size_t t = 0; t < TOKENS; t++) {
        double gamma = g && t < b->count ? g[t] : 1;
        for (size_t j = 0; j < t; j++)
            share[t][j] = share[t - 1][j] * gamma;
        share[t][t] = 1;
        b->before[t] = product *= gamma;
    }
    for (size_t j = 0; j < TOKENS; j++)
        b->after[j] = share[TOKENS - 1][j];
}

static void make_products(Block *b, size_t f, double share[TOKENS][TOKENS], bool keys)
{
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t j = 0; j <= t; j++) {
            b->qk[t][j] = share[t][j] * vec_dot(b->q + t * f, b->k + j * f, f);
            if (keys && j < t)
                b->kk[t][j] = share[t][j] * vec_dot(b->k + t * f, b->k + j * f, f);
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

/* The panel's columns of TOKENS rows, zero-padded in pad if some are missing. */
typedef struct {
    size_t d_v, col, cols; /* of V and Y; the panel begins at col and has cols real ones */
} Columns;

static Columns find_columns(size_t d_v, size_t panel)
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

/* --- linear attention ------------------------------------------------------- */

size_t FAST_NAME(linear_scratch)(size_t f)
{
    return 2 * STRETCH * f + f;
}

/* One pass over the panel S (f, PANEL): reads for the block, then writes it. */
static void linear_pass(const Block *b, size_t f, double *S, const double *V, double *Y,
                        const Columns *c)
{
    Vec value[TOKENS][PANEL_VECS], e[TOKENS][PANEL_VECS], y[TOKENS][PANEL_VECS] = {{{0}}};
    load_rows(value, V, c, b->count);
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++)
            e[t][v] = value[t][v] * b->after[t];
    const double *q = b->q, *k = b->k, forget = b->before[TOKENS - 1];
    for (size_t i = 0; i < f; i++, q++, k++, S += PANEL) {
        Vec s[PANEL_VECS];
        for (size_t v = 0; v < PANEL_VECS; v++)
            s[v] = vec_load(S + v * WIDTH);
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                y[t][v] += q[t * f] * s[v];
        for (size_t v = 0; v < PANEL_VECS; v++)
            s[v] *= forget;
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                s[v] += k[t * f] * e[t][v];
        for (size_t v = 0; v < PANEL_VECS; v++)
            vec_store(S + v * WIDTH, s[v]);
    }
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            Vec sum = y[t][v] * b->before[t];
            for (size_t j = 0; j <= t; j++)
                sum += b->qk[t][j] * value[j][v];
            y[t][v] = b->inverse[t] != 0 ? sum * b->inverse[t] : sum / b->den[t];
        }
    store_rows(Y, y, c, b->count);
}

/* The denominators of the block from z before it; z after it. */
static void make_denominators(const LinearJob *job, Block *b, size_t row, double *z, bool keep)
{
    for (size_t t = 0; t < TOKENS; t++) {
        double den = b->before[t] * vec_dot(b->q + t * job->f, z, job->f);
        for (size_t j = 0; j <= t; j++)
            den += b->qk[t][j];
        b->den[t] = job->normalised && t < b->count ? den : 1;
        b->inverse[t] = isnormal(b->den[t]) && isnormal(1 / b->den[t]) ? 1 / b->den[t] : 0;
        if (keep && job->den && t < b->count)
            job->den[row + t] = den;
    }
    size_t i = 0;
    for (; i + WIDTH <= job->f; i += WIDTH) {
        Vec sum = b->before[TOKENS - 1] * vec_load(z + i);
        for (size_t t = 0; t < TOKENS; t++)
            sum += b->after[t] * vec_load(b->k + t * job->f + i);
        vec_store(z + i, sum);
    }
    for (; i < job->f; i++) {
        double sum = b->before[TOKENS - 1] * z[i];
        for (size_t t = 0; t < TOKENS; t++)
            sum += b->after[t] * b->k[t * job->f + i];
        z[i] = sum;
    }
}

/* Mapped rows of x: count of them, and zeros up to whole blocks. */
static void map_rows(const LinearJob *job, const double *x, size_t row, size_t count, double *rows)
{
    size_t f = job->f, whole = (count + TOKENS - 1) / TOKENS * TOKENS;
    FAST_NAME(map)(rows, x + row * f, count * f, job->map);
    memset(rows + count * f, 0, (whole - count) * f * sizeof *rows);
}

void FAST_NAME(linear)(const LinearJob *job, size_t first, size_t last, double *scratch)
{
    size_t f = job->f;
    double *q = scratch, *k = q + STRETCH * f, *z = k + STRETCH * f;
    Block blocks[BLOCKS];
    memcpy(z, job->z, f * sizeof *z);
    for (size_t row = 0; row < job->n; row += STRETCH) {
        size_t count = job->n - row < STRETCH ? job->n - row : STRETCH;
        size_t whole = (count + TOKENS - 1) / TOKENS;
        map_rows(job, job->Q, row, count, q);
        map_rows(job, job->K, row, count, k);
        for (size_t i = 0; i < whole; i++) {
            double share[TOKENS][TOKENS];
            size_t at = i * TOKENS;
            Block *b = &blocks[i];
            b->count = count - at < TOKENS ? count - at : TOKENS;
            b->q = q + at * f;
            b->k = k + at * f;
            make_decays(b, job->decay ? job->decay + row + at : NULL, share);
            make_products(b, f, share, false);
            make_denominators(job, b, row + at, z, first == 0);
        }
        for (size_t panel = first; panel < last; panel++) {
            Columns c = find_columns(job->d_v, panel);
            for (size_t i = 0; i < whole; i++) {
                size_t offset = (row + i * TOKENS) * job->d_v;
                linear_pass(&blocks[i], f, job->S + panel * f * PANEL, job->V + offset,
                            job->Y + offset, &c);
            }
        }
    }
    if (first == 0)
        memcpy(job->z_after, z, f * sizeof *z);
}

/* --- delta rules ------------------------------------------------------------- */

size_t FAST_NAME(delta_scratch)(size_t d_k, size_t panels)
{
    return 3 * TOKENS * d_k + panels * TOKENS * PANEL;
}

/* The block whose errors are still to be written. */
typedef struct {
    const double *k; /* TOKENS rows */
    double forget;   /* its decays' product */
} Pending;

/* One pass over the panel S (d_k, PANEL): writes the pending errors e (TOKENS, PANEL), reads
 * for block b, and leaves b's errors in e. */
static void delta_pass(const Block *b, const Pending *before, size_t d_k, double *S, double *e,
                       const double *V, double *Y, const Columns *c)
{
    Vec old[TOKENS][PANEL_VECS], pred[TOKENS][PANEL_VECS] = {{{0}}};
    Vec y[TOKENS][PANEL_VECS] = {{{0}}}, err[TOKENS][PANEL_VECS];
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++)
            old[t][v] = vec_load(e + t * PANEL + v * WIDTH);
    const double *q = b->q, *k = b->k, *w = before->k, forget = before->forget;
    for (size_t i = 0; i < d_k; i++, q++, k++, w++, S += PANEL) {
        Vec s[PANEL_VECS];
        for (size_t v = 0; v < PANEL_VECS; v++)
            s[v] = vec_load(S + v * WIDTH) * forget;
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

static void make_delta_block(const DeltaJob *job, Block *b, size_t row, double *pad)
{
    double share[TOKENS][TOKENS];
    size_t d_k = job->d_k;
    b->count = job->n - row < TOKENS ? job->n - row : TOKENS;
    b->q = whole_rows(job->Q + row * d_k, b->count, d_k, pad);
    b->k = whole_rows(job->K + row * d_k, b->count, d_k, pad + TOKENS * d_k);
    for (size_t t = 0; t < b->count; t++)
        b->beta[t] = job->beta[row + t];
    make_decays(b, job->alpha ? job->alpha + row : NULL, share);
    make_products(b, d_k, share, true);
}

void FAST_NAME(delta)(const DeltaJob *job, size_t first, size_t last, double *scratch)
{
    size_t d_k = job->d_k;
    double *nothing = scratch, *pad = nothing + TOKENS * d_k, *errors = pad + 2 * TOKENS * d_k;
    Block blocks[BLOCKS];
    Pending begin = {nothing, 1};
    memset(nothing, 0, TOKENS * d_k * sizeof *nothing);
    memset(errors, 0, (last - first) * TOKENS * PANEL * sizeof *errors);
    for (size_t row = 0; row < job->n; row += STRETCH) {
        size_t whole = 0;
        Pending pending = begin;
        for (size_t at = row; at < job->n && whole < BLOCKS; at += TOKENS)
            make_delta_block(job, &blocks[whole++], at, pad);
        for (size_t panel = first; panel < last; panel++) {
            Columns c = find_columns(job->d_v, panel);
            double *e = errors + (panel - first) * TOKENS * PANEL;
            pending = begin;
            for (size_t i = 0; i < whole; i++) {
                size_t offset = (row + i * TOKENS) * job->d_v;
                delta_pass(&blocks[i], &pending, d_k, job->S + panel * d_k * PANEL, e,
                           job->V + offset, job->Y + offset, &c);
                pending = (Pending){blocks[i].k, blocks[i].before[TOKENS - 1]};
            }
        }
        begin = pending;
    }
    for (size_t panel = first; panel < last; panel++)
        delta_end(&begin, d_k, job->S + panel * d_k * PANEL,
                  errors + (panel - first) * TOKENS * PANEL);
}
