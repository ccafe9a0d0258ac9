/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear attention token by token (fast_block.h); compiled once a level. */
#include <math.h>

#include "core/fast_build.h"

enum { TOKENS = 3 }; /* linear_pass works on 2 TOKENS PANEL_VECS vectors and a row of S */

#include "core/fast_block.h"

size_t FAST_NAME(linear_scratch)(size_t f)
{
    return 2 * STRETCH * f + f;
}

/* One pass over the panel S (f, PANEL): reads for the block, then writes it. */
static void linear_pass(const Block *b, size_t f, double *S, const double *V, double *Y,
                        const Columns *c)
{
    Vec value[TOKENS][PANEL_VECS], e[TOKENS][PANEL_VECS], y[TOKENS][PANEL_VECS];
    load_rows(value, V, c, b->count);
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t v = 0; v < PANEL_VECS; v++) {
            e[t][v] = value[t][v] * b->after[t];
            y[t][v] = (Vec){0};
        }
    const double *q = b->q, *k = b->k, forget = b->forget;
    for (size_t i = 0; i < f; i++, q++, k++, S += PANEL) {
        Vec s[PANEL_VECS];
        for (size_t v = 0; v < PANEL_VECS; v++)
            s[v] = vec_load(S + v * WIDTH);
        for (size_t t = 0; t < TOKENS; t++)
            for (size_t v = 0; v < PANEL_VECS; v++)
                y[t][v] += q[t * f] * s[v];
        if (forget != 1)
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
        Vec sum = b->forget * vec_load(z + i);
        for (size_t t = 0; t < TOKENS; t++)
            sum += b->after[t] * vec_load(b->k + t * job->f + i);
        vec_store(z + i, sum);
    }
    for (; i < job->f; i++) {
        double sum = b->forget * z[i];
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
    double scale = 1;
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
            scale = make_decays(b, job->decay ? job->decay + row + at : NULL, scale,
                                row + at + TOKENS >= job->n, share);
            make_products(b, f, share, false);
            make_denominators(job, b, row + at, z, first == 0);
            size_t offset = (row + at) * job->d_v;
            fetch_rows(job->V + offset, job->Y + offset, job->d_v, b->count, first, last);
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
