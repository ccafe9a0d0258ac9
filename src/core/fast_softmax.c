/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_softmax.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "core/fast_kernels.h"

typedef struct {
    const FastKernels *kernels;
    SoftmaxJob job;
    size_t blocks;
    double **scratch; /* one a worker */
} Layer;

/* The blocks from the last to the first: the last ones of a causal layer take longest. */
static void run_block(void *argument, size_t index, size_t worker)
{
    const Layer *layer = argument;
    size_t rows = layer->kernels->softmax_rows, first = (layer->blocks - 1 - index) * rows;
    size_t last = layer->job.n - first < rows ? layer->job.n : first + rows;
    layer->kernels->softmax(&layer->job, first, last, fast_align(layer->scratch[worker]));
}

/* The pairs of a query and a key that it sees, at most. */
static double count_pairs(const SoftmaxJob *job)
{
    double n = (double)job->n, m = (double)job->m;
    if (!job->causal)
        return n * m;
    return (double)job->window < n / 2 ? n * (double)job->window : n * n / 2;
}

static void run_layer(Layer *layer, Pool *pool)
{
    const SoftmaxJob *job = &layer->job;
    size_t room = layer->kernels->softmax_scratch(job->d_k, job->d_v) + 8;
    pool = pool_if_worth(pool, count_pairs(job) * (double)(job->d_k + job->d_v));
    size_t threads = pool_threads(pool);
    layer->blocks = (job->n + layer->kernels->softmax_rows - 1) / layer->kernels->softmax_rows;
    layer->scratch = memory_zeros(threads, sizeof *layer->scratch);
    for (size_t i = 0; i < threads; i++)
        layer->scratch[i] = memory_zeros(room, sizeof **layer->scratch);
    pool_run(pool, layer->blocks, run_block, layer);
    for (size_t i = 0; i < threads; i++)
        free(layer->scratch[i]);
    free(layer->scratch);
}

Matrix *fast_softmax_attention(const Matrix *Q, const Matrix *K, const Matrix *V, SoftmaxMask mask,
                               size_t w, double scale, Pool *pool)
{
    assert(Q->cols == K->cols && K->rows == V->rows);
    Matrix *Y = matrix_new(Q->rows, V->cols);
    if (matrix_count(Y) == 0 || (mask == SOFTMAX_WINDOW && w == 0))
        return Y;
    Layer layer = {.kernels = fast_kernels(),
                   .job = {.Q = Q->cells,
                           .K = K->cells,
                           .V = V->cells,
                           .Y = matrix_fill(Y),
                           .n = Q->rows,
                           .m = K->rows,
                           .d_k = Q->cols,
                           .d_v = V->cols,
                           .causal = mask != SOFTMAX_FULL,
                           .window = mask == SOFTMAX_WINDOW ? w : SIZE_MAX,
                           .scale = scale}};
    run_layer(&layer, pool);
    return Y;
}
