/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_chunk.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The working memory of a chunk of up to C tokens; rows are padded to whole vectors. */
typedef struct {
    const FastKernels *kernels;
    size_t f, d_v;
    size_t C, C_step, v_step;
    double *memory;
    double *q, *k;  /* (C, f): mapped; k is scaled once it has been read */
    double *turned; /* (f, C_step): k' */
    double *A, *L;  /* (C, C_step): q k' and, for the delta rules, -L */
    double *share;  /* (C, C_step): g_(j+1)..g_i for j <= i, else 0 */
    double *before; /* C: g_first..g_i */
    double *E, *Y;  /* (C, v_step): what is written at each token; outputs */
    double *S;      /* (f, v_step): the job's */
} Chunk;

static Chunk begin(size_t n, size_t f, size_t d_v, size_t chunk, double *S)
{
    Chunk c = {.kernels = fast_kernels(), .f = f, .d_v = d_v, .S = S};
    c.C = chunk < n ? chunk : n;
    c.C_step = fast_round_up(c.C);
    c.v_step = fast_round_up(d_v ? d_v : 1);
    size_t rows = fast_round_up(c.C * f), turned = f * c.C_step;
    size_t square = c.C * c.C_step, values = c.C * c.v_step;
    size_t room = 2 * rows + turned + 3 * square + c.C_step + 2 * values;
    c.memory = memory_zeros(room + 8, sizeof *c.memory);
    c.q = fast_align(c.memory);
    c.k = c.q + rows;
    c.turned = c.k + rows;
    c.A = c.turned + turned;
    c.L = c.A + square;
    c.share = c.L + square;
    c.before = c.share + square;
    c.E = c.before + c.C_step;
    c.Y = c.E + values;
    return c;
}

static void make_decays(Chunk *c, const double *g, size_t count)
{
    double product = 1;
    for (size_t i = 0; i < count; i++) {
        double gamma = g ? g[i] : 1;
        double *row = c->share + i * c->C_step;
        for (size_t j = 0; j < i; j++)
            row[j] = gamma * c->share[(i - 1) * c->C_step + j];
        row[i] = 1;
        for (size_t j = i + 1; j < c->C_step; j++)
            row[j] = 0;
        c->before[i] = product *= gamma;
    }
}

static void turn_keys(Chunk *c, size_t count)
{
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < c->f; i++)
            c->turned[i * c->C_step + t] = c->k[t * c->f + i];
}

/* out (count,count) = rows (count,f) k' times the decays between the two tokens; the
 * upper triangle is zero. */
static void make_scores(const Chunk *c, const double *rows, size_t count, double *out)
{
    TileJob tiles = {.rows = count,
                     .inner = c->f,
                     .cols = count,
                     .a = rows,
                     .row_step = c->f,
                     .col_step = 1,
                     .b = c->turned,
                     .b_step = c->C_step,
                     .c = out,
                     .c_step = c->C_step};
    c->kernels->tiles(&tiles);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++)
            out[i * c->C_step + j] *= c->share[i * c->C_step + j];
        for (size_t j = i + 1; j < count; j++)
            out[i * c->C_step + j] = 0;
    }
}

/* out (count,d_v) = diag(before) rows (count,f) S */
static void read_state(const Chunk *c, const double *rows, size_t count, double *out)
{
    TileJob tiles = {.rows = count,
                     .inner = c->f,
                     .cols = c->d_v,
                     .a = rows,
                     .row_step = c->f,
                     .col_step = 1,
                     .b = c->S,
                     .b_step = c->v_step,
                     .c = out,
                     .c_step = c->v_step};
    c->kernels->tiles(&tiles);
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; l < c->d_v; l++)
            out[i * c->v_step + l] *= c->before[i];
}

/* out (rows from..to-1, d_v) += square (count,count) E's rows below `inner`. */
static void add_values(const Chunk *c, const double *square, size_t from, size_t to, size_t inner,
                       double *out)
{
    TileJob tiles = {.rows = to - from,
                     .inner = inner,
                     .cols = c->d_v,
                     .a = square + from * c->C_step,
                     .row_step = c->C_step,
                     .col_step = 1,
                     .b = c->E,
                     .b_step = c->v_step,
                     .c = out + from * c->v_step,
                     .c_step = c->v_step,
                     .accumulate = true};
    c->kernels->tiles(&tiles);
}

enum { STRIP = 16 }; /* rows of a triangle that are multiplied as if it were full */

/* out += A E for the lower triangle A. */
static void read_chunk(const Chunk *c, size_t count, double *out)
{
    for (size_t from = 0; from < count; from += STRIP) {
        size_t to = count - from < STRIP ? count : from + STRIP;
        add_values(c, c->A, from, to, to, out);
    }
}

/* S = (the chunk's decay) S + k' diag(after) E */
static void write_chunk(Chunk *c, size_t count)
{
    const double *after = c->share + (count - 1) * c->C_step;
    double forget = c->before[count - 1];
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < c->f; i++)
            c->k[t * c->f + i] *= after[t];
    if (forget != 1)
        for (size_t i = 0; i < c->f * c->v_step; i++)
            c->S[i] *= forget;
    TileJob tiles = {.rows = c->f,
                     .inner = count,
                     .cols = c->d_v,
                     .a = c->k,
                     .row_step = 1,
                     .col_step = c->f,
                     .b = c->E,
                     .b_step = c->v_step,
                     .c = c->S,
                     .c_step = c->v_step,
                     .accumulate = true};
    c->kernels->tiles(&tiles);
}

static void copy_values(const Chunk *c, const double *V, size_t count)
{
    for (size_t t = 0; t < count; t++)
        memcpy(c->E + t * c->v_step, V + t * c->d_v, c->d_v * sizeof *V);
}

/* --- linear attention -------------------------------------------------------- */

/* Rows first.. of Y and den, divided if the layer is normalised. */
static void give_outputs(const LinearJob *job, const Chunk *c, const double *z, size_t first,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double den = c->before[i] * c->kernels->dot(c->q + i * c->f, z, c->f);
        for (size_t j = 0; j <= i; j++)
            den += c->A[i * c->C_step + j];
        if (job->den)
            job->den[first + i] = den;
        double *y = job->Y + (first + i) * c->d_v, divisor = job->normalised ? den : 1;
        for (size_t l = 0; l < c->d_v; l++)
            y[l] = c->Y[i * c->v_step + l] / divisor;
    }
}

static void linear_chunk(const LinearJob *job, Chunk *c, double *z, size_t first, size_t count)
{
    size_t f = c->f;
    c->kernels->map(c->q, job->Q + first * f, count * f, job->map);
    c->kernels->map(c->k, job->K + first * f, count * f, job->map);
    copy_values(c, job->V + first * c->d_v, count);
    make_decays(c, job->decay ? job->decay + first : NULL, count);
    turn_keys(c, count);
    make_scores(c, c->q, count, c->A);
    read_state(c, c->q, count, c->Y);
    read_chunk(c, count, c->Y);
    give_outputs(job, c, z, first, count);
    write_chunk(c, count);
    for (size_t i = 0; i < f; i++) {
        double sum = c->before[count - 1] * z[i];
        for (size_t t = 0; t < count; t++)
            sum += c->k[t * f + i];
        z[i] = sum;
    }
}

void fast_chunk_linear(const LinearJob *job, size_t chunk, double *z)
{
    Chunk c = begin(job->n, job->f, job->d_v, chunk, job->S);
    for (size_t first = 0; first < job->n; first += c.C)
        linear_chunk(job, &c, z, first, job->n - first < c.C ? job->n - first : c.C);
    free(c.memory);
}

/* --- delta rules ------------------------------------------------------------------ */

/* -L (count,count) from the keys' scalar products in L. */
static void scale_rows(const Chunk *c, const double *beta, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            c->L[i * c->C_step + j] *= -beta[i];
}

/* E = diag(beta) (V - E): E held the predictions from the state before the chunk. */
static void make_right_side(const Chunk *c, const double *V, const double *beta, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; l < c->d_v; l++) {
            double *e = &c->E[i * c->v_step + l];
            *e = beta[i] * (V[i * c->d_v + l] - *e);
        }
}

/* E = (I + L)^-1 E: strip by strip, the rows before a strip taken off at once. */
static void substitute(const Chunk *c, size_t count)
{
    for (size_t from = 0; from < count; from += STRIP) {
        size_t to = count - from < STRIP ? count : from + STRIP;
        if (from > 0)
            add_values(c, c->L, from, to, from, c->E);
        for (size_t i = from + 1; i < to; i++)
            for (size_t j = from; j < i; j++) {
                double factor = c->L[i * c->C_step + j];
                for (size_t l = 0; l < c->v_step; l++)
                    c->E[i * c->v_step + l] += factor * c->E[j * c->v_step + l];
            }
    }
}

static void delta_chunk(const DeltaJob *job, Chunk *c, size_t first, size_t count)
{
    size_t f = c->f, d_v = c->d_v;
    if (f)
        memcpy(c->k, job->K + first * f, count * f * sizeof *c->k);
    make_decays(c, job->alpha ? job->alpha + first : NULL, count);
    turn_keys(c, count);
    make_scores(c, job->Q + first * f, count, c->A);
    make_scores(c, c->k, count, c->L);
    scale_rows(c, job->beta + first, count);
    read_state(c, c->k, count, c->E);
    make_right_side(c, job->V + first * d_v, job->beta + first, count);
    substitute(c, count);
    read_state(c, job->Q + first * f, count, c->Y);
    read_chunk(c, count, c->Y);
    for (size_t t = 0; t < count; t++)
        memcpy(job->Y + (first + t) * d_v, c->Y + t * c->v_step, d_v * sizeof *job->Y);
    write_chunk(c, count);
}

void fast_chunk_delta(const DeltaJob *job, size_t chunk)
{
    Chunk c = begin(job->n, job->d_k, job->d_v, chunk, job->S);
    for (size_t first = 0; first < job->n; first += c.C)
        delta_chunk(job, &c, first, job->n - first < c.C ? job->n - first : c.C);
    free(c.memory);
}
