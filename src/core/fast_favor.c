/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_favor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/fast_kernels.h"
#include "core/fast_linear.h"

enum { ROWS = 64 }; /* in a task */

typedef struct {
    const Matrix *X;
    size_t m, step;       /* columns of the result, and of a padded row */
    const double *turned; /* W': (d, step) */
    FastFavorShift shift;
    double largest;  /* of all exponents, for FAST_FAVOR_SHARED */
    double *phi;     /* (n, m) */
    double *scratch; /* (ROWS, step) a worker */
} Favor;

static double largest_of(const double *x, size_t count)
{
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (x[i] > most)
            most = x[i];
    return most;
}

/* w.x - |x|^2/2 for ROWS rows (fewer at the end) from index * ROWS on, into phi. */
static void make_exponents(void *argument, size_t index, size_t worker)
{
    const Favor *favor = argument;
    size_t first = index * ROWS, d = favor->X->cols, left = favor->X->rows - first;
    size_t count = left < ROWS ? left : ROWS;
    double *rows = favor->scratch + worker * ROWS * favor->step;
    const double *x = matrix_row(favor->X, first);
    TileJob tiles = {.rows = count,
                     .inner = d,
                     .cols = favor->m,
                     .a = x,
                     .row_step = d,
                     .col_step = 1,
                     .b = favor->turned,
                     .b_step = favor->step,
                     .c = rows,
                     .c_step = favor->step};
    fast_kernels()->tiles(&tiles);
    for (size_t t = 0; t < count; t++) {
        double half = fast_kernels()->dot(x + t * d, x + t * d, d) / 2;
        for (size_t j = 0; j < favor->m; j++)
            favor->phi[(first + t) * favor->m + j] = rows[t * favor->step + j] - half;
    }
}

/* exp of those rows of phi, shifted, over sqrt(m). */
static void take_exponentials(void *argument, size_t index, size_t worker)
{
    const Favor *favor = argument;
    size_t first = index * ROWS, m = favor->m, left = favor->X->rows - first;
    (void)worker;
    const double root = sqrt((double)m);
    for (size_t t = 0; t < (left < ROWS ? left : ROWS); t++) {
        double *row = favor->phi + (first + t) * m;
        double shift = favor->shift == FAST_FAVOR_PLAIN    ? 0
                       : favor->shift == FAST_FAVOR_SHARED ? favor->largest
                                                           : largest_of(row, m);
        for (size_t j = 0; j < m; j++)
            row[j] -= isfinite(shift) ? shift : 0;
        fast_kernels()->map(row, row, m, FAST_EXP);
        for (size_t j = 0; j < m; j++)
            row[j] /= root;
    }
}

/* W' with rows padded to whole vectors, on a boundary of 64 bytes from *memory. */
static const double *turn_directions(const Matrix *W, size_t step, double **memory)
{
    *memory = memory_zeros(W->cols * step + 8, sizeof **memory);
    double *turned = fast_align(*memory);
    for (size_t j = 0; j < W->rows; j++)
        for (size_t c = 0; c < W->cols; c++)
            turned[c * step + j] = matrix_at(W, j, c);
    return turned;
}

Matrix *fast_favor_features(const Matrix *X, const Matrix *W, FastFavorShift shift, Pool *pool)
{
    assert(X->cols == W->cols);
    size_t n = X->rows, m = W->rows, blocks = (n + ROWS - 1) / ROWS;
    Matrix *phi = matrix_new(n, m);
    if (matrix_count(phi) == 0)
        return phi;
    double *turned, *scratch;
    Favor favor = {.X = X, .m = m, .step = fast_round_up(m), .shift = shift};
    pool = pool_if_worth(pool, (double)n * (double)m * (double)(X->cols + 16));
    favor.turned = turn_directions(W, favor.step, &turned);
    scratch = memory_zeros(pool_threads(pool) * ROWS * favor.step + 8, sizeof *scratch);
    favor.scratch = fast_align(scratch);
    favor.phi = matrix_fill(phi);
    pool_run(pool, blocks, make_exponents, &favor);
    if (shift == FAST_FAVOR_SHARED)
        favor.largest = largest_of(favor.phi, n * m);
    pool_run(pool, blocks, take_exponentials, &favor);
    free(turned);
    free(scratch);
    return phi;
}

LinearResult fast_favor_attention(const Matrix *Q, const Matrix *K, const Matrix *V,
                                  const Matrix *W, bool causal, bool stable, Pool *pool)
{
    Matrix *phiQ = fast_favor_features(Q, W, stable ? FAST_FAVOR_PER_ROW : FAST_FAVOR_PLAIN, pool);
    Matrix *phiK = fast_favor_features(K, W, stable ? FAST_FAVOR_SHARED : FAST_FAVOR_PLAIN, pool);
    LinearInput in = {.phiQ = phiQ, .phiK = phiK, .V = V, .normalised = true};
    LinearResult r = causal ? fast_linear_layer(&in, FAST_IDENTITY, 0, pool)
                            : fast_linear_full(&in, FAST_IDENTITY, pool);
    matrix_unref(phiQ);
    matrix_unref(phiK);
    return r;
}
