/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_delta.h"

#include <stdlib.h>

#include "base/memory.h"
#include "core/fast_chunk.h"
#include "core/fast_panel.h"

struct FastDelta {
    FastDeltaShape shape;
    const FastKernels *kernels; /* the state's panels are theirs */
    PanelState state;
};

FastDelta *fast_delta_new(const FastDeltaShape *shape, const Matrix *S)
{
    FastDelta *layer = memory_zeros(1, sizeof *layer);
    layer->shape = *shape;
    layer->kernels = fast_kernels();
    layer->state =
        panel_state_new(shape->d_k, shape->d_v, shape->chunk ? 0 : layer->kernels->panel_cols, S);
    return layer;
}

void fast_delta_free(FastDelta *layer)
{
    if (!layer)
        return;
    panel_state_clear(&layer->state);
    free(layer);
}

static void run_recurrent(const void *job, size_t first, size_t last, double *scratch)
{
    fast_kernels()->delta(job, first, last, scratch);
}

void fast_delta_feed(FastDelta *layer, size_t n, const double *Q, const double *K, const double *V,
                     const double *beta, const double *alpha, double *Y, Pool *pool)
{
    const FastDeltaShape *shape = &layer->shape;
    assert(layer->kernels == fast_kernels());
    DeltaJob job = {.Q = Q,
                    .K = K,
                    .V = V,
                    .beta = beta,
                    .alpha = alpha,
                    .Y = Y,
                    .n = n,
                    .d_k = shape->d_k,
                    .d_v = shape->d_v,
                    .S = layer->state.S};
    if (n == 0)
        return;
    if (shape->chunk) {
        fast_chunk_delta(&job, shape->chunk);
        return;
    }
    double work = 3 * (double)n * (double)shape->d_k * (double)shape->d_v;
    size_t room = layer->kernels->delta_scratch(shape->d_k, layer->state.panels);
    panel_run(pool_if_worth(pool, work), layer->state.panels, run_recurrent, &job, room);
}

Matrix *fast_delta_state(const FastDelta *layer)
{
    return panel_state_matrix(&layer->state);
}

/* One number a token from a rate that may be one for all. */
static Matrix *spread_rate(const Matrix *rate, size_t n)
{
    if (rate->rows == n)
        return matrix_ref(rate);
    assert(rate->rows == 1);
    Matrix *each = matrix_new(n, 1);
    for (size_t t = 0; t < n; t++)
        matrix_fill(each)[t] = rate->cells[0];
    return each;
}

DeltaResult fast_delta_layer(const DeltaInput *in, size_t chunk, Pool *pool)
{
    size_t n = in->K->rows;
    assert(in->Q->rows == n && in->V->rows == n && in->Q->cols == in->K->cols);
    assert(!in->keep_states);
    FastDeltaShape shape = {in->K->cols, in->V->cols, chunk};
    FastDelta *layer = fast_delta_new(&shape, in->S);
    Matrix *beta = spread_rate(in->beta, n), *alpha = in->alpha ? spread_rate(in->alpha, n) : NULL;
    DeltaResult r = {.Y = matrix_new(n, shape.d_v)};
    fast_delta_feed(layer, n, in->Q->cells, in->K->cells, in->V->cells, beta->cells,
                    alpha ? alpha->cells : NULL, matrix_fill(r.Y), pool);
    r.S = fast_delta_state(layer);
    matrix_unref(beta);
    matrix_unref(alpha);
    fast_delta_free(layer);
    return r;
}
