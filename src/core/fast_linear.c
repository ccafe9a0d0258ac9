/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/fast_chunk.h"
#include "core/fast_panel.h"

struct FastLinear {
    FastLinearShape shape;
    const FastKernels *kernels; /* the state's panels are theirs */
    PanelState state;
    double *z, *z_after; /* f each */
};

FastLinear *fast_linear_new(const FastLinearShape *shape, const Matrix *S, const Matrix *z)
{
    assert(!z || matrix_count(z) == shape->f);
    FastLinear *layer = memory_zeros(1, sizeof *layer);
    layer->shape = *shape;
    layer->kernels = fast_kernels();
    layer->state =
        panel_state_new(shape->f, shape->d_v, shape->chunk ? 0 : layer->kernels->panel_cols, S);
    layer->z = memory_zeros(shape->f, sizeof *layer->z);
    layer->z_after = memory_zeros(shape->f, sizeof *layer->z);
    if (z && shape->f)
        memcpy(layer->z, z->cells, shape->f * sizeof *layer->z);
    return layer;
}

void fast_linear_free(FastLinear *layer)
{
    if (!layer)
        return;
    panel_state_clear(&layer->state);
    free(layer->z);
    free(layer->z_after);
    free(layer);
}

static void run_recurrent(const void *job, size_t first, size_t last, double *scratch)
{
    fast_kernels()->linear(job, first, last, scratch);
}

void fast_linear_feed(FastLinear *layer, size_t n, const double *Q, const double *K,
                      const double *V, const double *decay, double *Y, double *den, Pool *pool)
{
    const FastLinearShape *shape = &layer->shape;
    assert(layer->kernels == fast_kernels());
    LinearJob job = {.Q = Q,
                     .K = K,
                     .V = V,
                     .decay = decay,
                     .Y = Y,
                     .den = den,
                     .n = n,
                     .f = shape->f,
                     .d_v = shape->d_v,
                     .map = shape->map,
                     .normalised = shape->normalised,
                     .S = layer->state.S,
                     .z = layer->z,
                     .z_after = layer->z_after};
    if (n == 0)
        return;
    if (shape->chunk) {
        fast_chunk_linear(&job, shape->chunk, layer->z);
        return;
    }
    double work = 2 * (double)n * (double)shape->f * (double)shape->d_v;
    size_t room = layer->kernels->linear_scratch(shape->f);
    panel_run(pool_if_worth(pool, work), layer->state.panels, run_recurrent, &job, room);
    double *before = layer->z;
    layer->z = layer->z_after;
    layer->z_after = before;
}

Matrix *fast_linear_state(const FastLinear *layer)
{
    return panel_state_matrix(&layer->state);
}

Matrix *fast_linear_normaliser(const FastLinear *layer)
{
    return matrix_from(layer->shape.f, 1, layer->z);
}

/* One number a token from a rate that may be one for all; *owned is to be freed. */
static const double *spread_rate(const Matrix *rate, size_t n, double **owned)
{
    *owned = NULL;
    if (!rate || rate->rows == n)
        return rate ? rate->cells : NULL;
    *owned = memory_alloc(n * sizeof **owned);
    for (size_t t = 0; t < n; t++)
        (*owned)[t] = rate->cells[0];
    return *owned;
}

LinearResult fast_linear_layer(const LinearInput *in, FastMap map, size_t chunk, Pool *pool)
{
    size_t n = in->phiK->rows;
    assert(in->phiQ->rows == n && in->V->rows == n && in->phiQ->cols == in->phiK->cols);
    assert(!in->keep_states && !in->keep_weights);
    FastLinearShape shape = {in->phiK->cols, in->V->cols, map, in->normalised, chunk};
    FastLinear *layer = fast_linear_new(&shape, in->S, in->z);
    LinearResult r = {.Y = matrix_new(n, shape.d_v), .den = matrix_new(n, 1)};
    double *owned;
    const double *decay = spread_rate(in->decay, n, &owned);
    fast_linear_feed(layer, n, in->phiQ->cells, in->phiK->cells, in->V->cells, decay,
                     matrix_fill(r.Y), matrix_fill(r.den), pool);
    free(owned);
    r.S = fast_linear_state(layer);
    r.z = fast_linear_normaliser(layer);
    fast_linear_free(layer);
    return r;
}

/* --- every query, every key ------------------------------------------------------ */

enum { ROWS = 128 }; /* that are mapped and multiplied at once */

typedef struct {
    const LinearInput *in;
    FastMap map;
    const PanelState *state;
    const double *z;
    double *Y, *den, *scratch;
    size_t room; /* of each worker's scratch */
} Full;

/* The rows first.. of x mapped; how many there are (at most ROWS). */
static size_t map_rows(const Matrix *x, FastMap map, size_t first, double *rows)
{
    size_t count = x->rows - first < ROWS ? x->rows - first : ROWS;
    fast_kernels()->map(rows, matrix_row(x, first), count * x->cols, map);
    return count;
}

/* S += phi(K)' V and z += the sum of phi(K)'s rows, ROWS of them. */
static void write_rows(const Full *full, PanelState *state, double *z, size_t first)
{
    size_t f = state->f, d_v = state->d_v, step = state->panel_cols;
    double *k = full->scratch, *v = k + fast_round_up(ROWS * f);
    size_t count = map_rows(full->in->phiK, full->map, first, k);
    for (size_t t = 0; t < count; t++) {
        memcpy(v + t * step, matrix_row(full->in->V, first + t), d_v * sizeof *v);
        for (size_t i = 0; i < f; i++)
            z[i] += k[t * f + i];
    }
    TileJob tiles = {.rows = f,
                     .inner = count,
                     .cols = d_v,
                     .a = k,
                     .row_step = 1,
                     .col_step = f,
                     .b = v,
                     .b_step = step,
                     .c = state->S,
                     .c_step = step,
                     .accumulate = true};
    fast_kernels()->tiles(&tiles);
}

static void read_rows(void *argument, size_t index, size_t worker)
{
    const Full *full = argument;
    const PanelState *state = full->state;
    size_t f = state->f, d_v = state->d_v, step = state->panel_cols, first = index * ROWS;
    double *q = full->scratch + worker * full->room, *y = q + fast_round_up(ROWS * f);
    size_t count = map_rows(full->in->phiQ, full->map, first, q);
    TileJob tiles = {.rows = count,
                     .inner = f,
                     .cols = d_v,
                     .a = q,
                     .row_step = f,
                     .col_step = 1,
                     .b = state->S,
                     .b_step = step,
                     .c = y,
                     .c_step = step};
    fast_kernels()->tiles(&tiles);
    for (size_t t = 0; t < count; t++) {
        double den = fast_kernels()->dot(q + t * f, full->z, f);
        full->den[first + t] = den;
        for (size_t c = 0; c < d_v; c++)
            full->Y[(first + t) * d_v + c] =
                full->in->normalised ? y[t * step + c] / den : y[t * step + c];
    }
}

LinearResult fast_linear_full(const LinearInput *in, FastMap map, Pool *pool)
{
    size_t n = in->phiQ->rows, f = in->phiK->cols, d_v = in->V->cols;
    assert(in->phiQ->cols == f && in->V->rows == in->phiK->rows);
    assert(!in->decay && !in->S && !in->z && !in->keep_states && !in->keep_weights);
    pool = pool_if_worth(pool, (double)n * (double)f * (double)d_v);
    PanelState state = panel_state_new(f, d_v, 0, NULL);
    LinearResult r = {.Y = matrix_new(n, d_v), .den = matrix_new(n, 1), .z = matrix_new(f, 1)};
    Full full = {.in = in, .map = map, .state = &state, .z = r.z->cells};
    full.room = fast_round_up(ROWS * f) + ROWS * fast_round_up(d_v);
    double *memory = memory_zeros(pool_threads(pool) * full.room + 8, sizeof *memory);
    full.scratch = fast_align(memory);
    full.Y = matrix_fill(r.Y);
    full.den = matrix_fill(r.den);
    for (size_t first = 0; first < in->phiK->rows; first += ROWS)
        write_rows(&full, &state, matrix_fill(r.z), first);
    pool_run(pool, (n + ROWS - 1) / ROWS, read_rows, &full);
    r.S = panel_state_matrix(&state);
    panel_state_clear(&state);
    free(memory);
    return r;
}
