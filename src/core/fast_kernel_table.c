/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of one build, and its small kernels; compiled once a level. */
#include <math.h>

#include "core/fast_build.h"
#include "core/fast_tile.h"

const FastKernels FAST_NAME(fast_kernels) = {
    .exact_multiply = FAST_NAME(exact_multiply),
    .exact_cols = EXACT_COLS,
    .exact_exp = FAST_NAME(exact_exp),
    .softmax = FAST_NAME(softmax),
    .softmax_rows = SOFTMAX_ROWS,
    .softmax_scratch = FAST_NAME(softmax_scratch),
    .linear = FAST_NAME(linear),
    .linear_scratch = FAST_NAME(linear_scratch),
    .delta = FAST_NAME(delta),
    .delta_scratch = FAST_NAME(delta_scratch),
    .panel_cols = PANEL,
    .tiles = FAST_NAME(tiles),
    .map = FAST_NAME(map),
    .dot = FAST_NAME(dot),
    .spin = FAST_NAME(spin),
    .spin_adds = SPIN_CHAINS * WIDTH,
};

/* Columns of C as wide as vecs vectors. */
ALWAYS_INLINE void tile_columns(const TileJob *job, size_t col, const size_t vecs)
{
    double ones[TILE_COLS];
    for (size_t i = 0; i < TILE_COLS; i++)
        ones[i] = 1;
    size_t r = 0;
    for (; r + TILE_ROWS <= job->rows; r += TILE_ROWS)
        tile_add(TILE_ROWS, vecs, job->inner, job->a + r * job->row_step, job->row_step,
                 job->col_step, job->b + col, job->b_step, job->c + r * job->c_step + col,
                 job->c_step, job->accumulate ? ones : NULL);
    for (; r < job->rows; r++)
        tile_add(1, vecs, job->inner, job->a + r * job->row_step, job->row_step, job->col_step,
                 job->b + col, job->b_step, job->c + r * job->c_step + col, job->c_step,
                 job->accumulate ? ones : NULL);
}

void FAST_NAME(tiles)(const TileJob *job)
{
    size_t cols = fast_round_up(job->cols), col = 0;
    for (; col + TILE_COLS <= cols; col += TILE_COLS)
        tile_columns(job, col, TILE_VECS);
    for (; col < cols; col += WIDTH)
        tile_columns(job, col, 1);
}

/* exp with nothing cut off, for the few arguments that vec_exp is not made for. */
static void exp_far(double *y, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= 708))
            y[i] = exp(x[i]);
}

ALWAYS_INLINE Vec map_vector(Vec x, const FastMap map)
{
    switch (map) {
    case FAST_ELU1:
        return vec_where_above(x, 0, x + 1, vec_exp(vec_min((Vec){0}, x)));
    case FAST_RELU:
        return vec_where_below(x, 0, (Vec){0}, x);
    case FAST_EXP:
        return vec_exp(x);
    case FAST_IDENTITY:
        break;
    }
    return x;
}

/* map is known where this is inlined. */
ALWAYS_INLINE void map_all(double *y, const double *x, size_t n, const FastMap map)
{
    size_t i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        Vec in = vec_load(x + i);
        vec_store(y + i, map_vector(in, map));
        if (map == FAST_EXP) {
            double far[WIDTH];
            vec_store(far, in);
            exp_far(y + i, far, WIDTH);
        }
    }
    if (i == n)
        return;
    double rest[WIDTH] = {0}, mapped[WIDTH];
    memcpy(rest, x + i, (n - i) * sizeof *x);
    vec_store(mapped, map_vector(vec_load(rest), map));
    if (map == FAST_EXP)
        exp_far(mapped, rest, WIDTH);
    memcpy(y + i, mapped, (n - i) * sizeof *y);
}

void FAST_NAME(map)(double *y, const double *x, size_t n, FastMap map)
{
    switch (map) {
    case FAST_IDENTITY:
        memmove(y, x, n * sizeof *y);
        break;
    case FAST_ELU1:
        map_all(y, x, n, FAST_ELU1);
        break;
    case FAST_RELU:
        map_all(y, x, n, FAST_RELU);
        break;
    case FAST_EXP:
        map_all(y, x, n, FAST_EXP);
        break;
    }
}

double FAST_NAME(dot)(const double *a, const double *b, size_t n)
{
    return vec_dot(a, b, n);
}

/* Chains that do not wait for each other; they tend to 2. */
double FAST_NAME(spin)(size_t rounds)
{
    Vec chain[SPIN_CHAINS], all = {0};
    for (size_t c = 0; c < SPIN_CHAINS; c++)
        chain[c] = vec_splat((double)c);
    for (size_t r = 0; r < rounds; r++)
        for (size_t c = 0; c < SPIN_CHAINS; c++)
            chain[c] = chain[c] * 0.5 + 1.0;
    for (size_t c = 0; c < SPIN_CHAINS; c++)
        all += chain[c];
    return vec_sum(all);
}
