/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streaming softmax attention for a block of queries; compiled once a level.
 *
 * Vectors run across queries: with Q', P' and O' in panels of TILE_COLS queries the scores
 * are P' = K Q' and the outputs O' = V' P', both in the order K and V have in memory, and
 * maxima and sums are plain vector operations.  Keys come in tiles that all groups of
 * queries share while they are in the cache; each tile rescales what came before by
 * exp(old maximum - new maximum) (Milakov and Gimelshein 2018, Dao et al. 2022). */
#include <float.h>
#include <math.h>

#include "core/fast_build.h"
#include "core/fast_tile.h"

enum {
    GROUP = TILE_COLS, /* queries in a panel */
    GROUPS = SOFTMAX_ROWS / GROUP,
    KEYS = 64 /* in a tile */
};

/* The queries first..last-1 (at most GROUP) and what they have gathered. */
typedef struct {
    size_t first, last;
    double *q;    /* (d_k, GROUP): scaled */
    double *o;    /* (d_v, GROUP) */
    double *most; /* GROUP: the largest score so far */
    double *sum;  /* GROUP: of exp(score - most) */
} Group;

size_t FAST_NAME(softmax_scratch)(size_t d_k, size_t d_v)
{
    return GROUPS * GROUP * (d_k + d_v + 2) + (KEYS + 1) * GROUP;
}

static Group begin_group(const SoftmaxJob *job, size_t first, size_t last, double *memory)
{
    Group g = {.first = first, .last = last, .q = memory};
    g.o = g.q + job->d_k * GROUP;
    g.most = g.o + job->d_v * GROUP;
    g.sum = g.most + GROUP;
    for (size_t i = 0; i < GROUP; i++) {
        const double *row = job->Q + (first + i) * job->d_k;
        bool real = first + i < last;
        for (size_t c = 0; c < job->d_k; c++)
            g.q[c * GROUP + i] = real ? row[c] * job->scale : 0;
        g.most[i] = -INFINITY;
        g.sum[i] = 0;
    }
    memset(g.o, 0, job->d_v * GROUP * sizeof *g.o);
    return g;
}

/* The keys that any query of the group sees: from..to-1. */
static void find_keys(const SoftmaxJob *job, const Group *g, size_t *from, size_t *to)
{
    *from = 0;
    *to = job->m;
    if (!job->causal)
        return;
    if (g->first + 1 > job->window)
        *from = g->first + 1 - job->window;
    if (g->last < *to)
        *to = g->last;
}

/* -Inf where a query of the group does not see key j. */
static void mask_key(const SoftmaxJob *job, const Group *g, size_t j, double *scores)
{
    for (size_t i = 0; i < GROUP; i++) {
        size_t query = g->first + i;
        if (j > query || query - j >= job->window)
            scores[i] = -INFINITY;
    }
}

static void mask_keys(const SoftmaxJob *job, const Group *g, size_t from, size_t to, double *p)
{
    if (!job->causal)
        return;
    for (size_t j = from; j < to; j++)
        if (j > g->first || g->first + GROUP - 1 - j >= job->window)
            mask_key(job, g, j, p + (j - from) * GROUP);
}

/* Scores p (keys, GROUP) to exp(score - most), with the new maxima; rescale gets the
 * factors for what was gathered under the old ones. */
static void take_exponentials(Group *g, double *p, size_t keys, double *rescale)
{
    Vec most[TILE_VECS], sum[TILE_VECS], base[TILE_VECS];
    for (size_t v = 0; v < TILE_VECS; v++)
        most[v] = vec_load(g->most + v * WIDTH);
    for (size_t j = 0; j < keys; j++)
        for (size_t v = 0; v < TILE_VECS; v++)
            most[v] = vec_max(vec_load(p + j * GROUP + v * WIDTH), most[v]);
    for (size_t v = 0; v < TILE_VECS; v++) {
        Vec old = vec_load(g->most + v * WIDTH);
        base[v] = vec_where_below(most[v], -DBL_MAX, (Vec){0}, most[v]); /* -Inf: nothing seen */
        Vec factor = vec_exp(old - base[v]);
        vec_store(rescale + v * WIDTH, factor);
        vec_store(g->most + v * WIDTH, most[v]);
        sum[v] = vec_load(g->sum + v * WIDTH) * factor;
    }
    for (size_t j = 0; j < keys; j++)
        for (size_t v = 0; v < TILE_VECS; v++) {
            Vec e = vec_exp(vec_load(p + j * GROUP + v * WIDTH) - base[v]);
            vec_store(p + j * GROUP + v * WIDTH, e);
            sum[v] += e;
        }
    for (size_t v = 0; v < TILE_VECS; v++)
        vec_store(g->sum + v * WIDTH, sum[v]);
}

static void take_keys(const SoftmaxJob *job, Group *g, size_t from, size_t to, double *p,
                      double *rescale)
{
    panel_add(to - from, job->d_k, job->K + from * job->d_k, job->d_k, 1, g->q, GROUP, p, GROUP,
              NULL);
    mask_keys(job, g, from, to, p);
    take_exponentials(g, p, to - from, rescale);
    panel_add(job->d_v, to - from, job->V + from * job->d_v, 1, job->d_v, p, GROUP, g->o, GROUP,
              rescale);
}

/* Y = O / sum; a query that sees no key gets zeros. */
static void end_group(const SoftmaxJob *job, const Group *g)
{
    for (size_t i = 0; i < g->last - g->first; i++) {
        double inverse = 1 / (g->sum[i] == 0 ? 1 : g->sum[i]); /* a sum is at least 1 */
        double *y = job->Y + (g->first + i) * job->d_v;
        for (size_t c = 0; c < job->d_v; c++)
            y[c] = g->o[c * GROUP + i] * inverse;
    }
}

void FAST_NAME(softmax)(const SoftmaxJob *job, size_t first, size_t last, double *scratch)
{
    Group groups[GROUPS];
    size_t count = 0, low = job->m, high = 0;
    double *p = scratch, *rescale = p + KEYS * GROUP;
    scratch = rescale + GROUP;
    for (; first < last; first += GROUP, scratch += GROUP * (job->d_k + job->d_v + 2)) {
        size_t from, to, end = last - first < GROUP ? last : first + GROUP;
        Group *g = &groups[count++];
        *g = begin_group(job, first, end, scratch);
        find_keys(job, g, &from, &to);
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    for (size_t tile = low; tile < high; tile += KEYS)
        for (size_t i = 0; i < count; i++) {
            size_t from, to;
            find_keys(job, &groups[i], &from, &to);
            from = from > tile ? from : tile;
            to = to < tile + KEYS ? to : tile + KEYS;
            if (from < to)
                take_keys(job, &groups[i], from, to, p, rescale);
        }
    for (size_t i = 0; i < count; i++)
        end_group(job, &groups[i]);
}
