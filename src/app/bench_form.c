/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/bench_form.h"

#include <math.h>

#include "core/fast_delta.h"
#include "core/fast_favor.h"
#include "core/fast_linear.h"
#include "core/fast_softmax.h"
#include "core/feature.h"
#include "core/random.h"
#include "core/softmax.h"

/* ---- inputs ---- */

/* K with each row divided by its length. */
static Matrix *unit_rows(const Matrix *K)
{
    Matrix *unit = matrix_new(K->rows, K->cols);
    double *cells = matrix_fill(unit);
    for (size_t i = 0; i < K->rows; i++) {
        const double *row = matrix_row(K, i);
        double square = 0;
        for (size_t j = 0; j < K->cols; j++)
            square += row[j] * row[j];
        for (size_t j = 0; j < K->cols; j++)
            cells[i * K->cols + j] = row[j] / sqrt(square);
    }
    return unit;
}

/* Numbers uniform in (low, 1). */
static Matrix *rates(size_t call, size_t n, double low)
{
    Matrix *m = random_uniform(1, call, n, 1);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < n; i++)
        cells[i] = low + (1 - low) * cells[i];
    return m;
}

BenchInputs bench_inputs_new(size_t n, size_t d)
{
    BenchInputs in = {.n = n,
                      .d = d,
                      .Q = random_normal(1, 1, n, d),
                      .K = random_normal(1, 2, n, d),
                      .V = random_normal(1, 3, n, d),
                      .beta = rates(4, n, 0),
                      .alpha = rates(5, n, 0.9),
                      .W = random_normal(1, 6, BENCH_FEATURES, d)};
    in.unit = unit_rows(in.K);
    return in;
}

void bench_inputs_clear(BenchInputs *in)
{
    Matrix *all[] = {in->Q, in->K, in->V, in->unit, in->beta, in->alpha, in->W};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
    *in = (BenchInputs){0};
}

/* ---- what is counted ---- */

/* Pairs of a query and a key that it sees: all before it and its own, at most w. */
static double pairs(double n, double w)
{
    return n <= w ? n * (n + 1) / 2 : w * (w + 1) / 2 + (n - w) * w;
}

/* The pairs within chunks. */
static double chunk_pairs(double n)
{
    double whole = floor(n / BENCH_CHUNK);
    return whole * pairs(BENCH_CHUNK, n) + pairs(n - whole * BENCH_CHUNK, n);
}

static double softmax_adds(double n, double d)
{
    return 2 * d * pairs(n, n);
}

static double softmax_exps(double n, double d)
{
    (void)d;
    return pairs(n, n);
}

/* Masked scores are computed and their exponentials taken all the same. */
static double table_adds(double n, double d)
{
    return 2 * n * n * d;
}

static double table_exps(double n, double d)
{
    (void)d;
    return n * n;
}

static double window_adds(double n, double d)
{
    return 2 * d * pairs(n, BENCH_WINDOW_WIDTH);
}

static double window_exps(double n, double d)
{
    (void)d;
    return pairs(n, BENCH_WINDOW_WIDTH);
}

static double linear_adds(double n, double d)
{
    return 2 * n * d * d + n * d;
}

static double linear_chunk_adds(double n, double d)
{
    return linear_adds(n, d) + 2 * d * chunk_pairs(n);
}

/* elu1 of the queries and the keys. */
static double linear_exps(double n, double d)
{
    return 2 * n * d;
}

static double favor_adds(double n, double d)
{
    return 4 * n * BENCH_FEATURES * d + n * BENCH_FEATURES;
}

static double favor_exps(double n, double d)
{
    (void)d;
    return 2 * n * BENCH_FEATURES;
}

static double delta_adds(double n, double d)
{
    return 3 * n * d * d;
}

/* K K', forward substitution, Q K' and its product with the errors, besides. */
static double delta_chunk_adds(double n, double d)
{
    return delta_adds(n, d) + 4 * d * chunk_pairs(n);
}

static double none(double n, double d)
{
    (void)n;
    (void)d;
    return 0;
}

/* ---- what is run ---- */

static Matrix *run_softmax(const BenchInputs *in, Pool *pool)
{
    double scale = 1 / sqrt((double)in->d);
    return fast_softmax_attention(in->Q, in->K, in->V, SOFTMAX_CAUSAL, 0, scale, pool);
}

static Matrix *run_table(const BenchInputs *in, Pool *pool)
{
    (void)pool;
    return softmax_attention(in->Q, in->K, in->V, SOFTMAX_CAUSAL, 0);
}

static Matrix *run_window(const BenchInputs *in, Pool *pool)
{
    double scale = 1 / sqrt((double)in->d);
    return fast_softmax_attention(in->Q, in->K, in->V, SOFTMAX_WINDOW, BENCH_WINDOW_WIDTH, scale,
                                  pool);
}

static Matrix *take_output(LinearResult r)
{
    Matrix *Y = matrix_ref(r.Y);
    linear_result_clear(&r);
    return Y;
}

static Matrix *linear(const BenchInputs *in, size_t chunk, Pool *pool)
{
    LinearInput input = {.phiQ = in->Q, .phiK = in->K, .V = in->V, .normalised = true};
    return take_output(fast_linear_layer(&input, FAST_ELU1, chunk, pool));
}

static Matrix *run_linear(const BenchInputs *in, Pool *pool)
{
    return linear(in, 0, pool);
}

static Matrix *run_linear_chunks(const BenchInputs *in, Pool *pool)
{
    return linear(in, BENCH_CHUNK, pool);
}

/* The unit keys stand for scaled queries and keys: random features want short ones. */
static Matrix *run_favor(const BenchInputs *in, Pool *pool)
{
    return take_output(fast_favor_attention(in->unit, in->unit, in->V, in->W, true, true, pool));
}

static Matrix *delta(const BenchInputs *in, const Matrix *alpha, size_t chunk, Pool *pool)
{
    DeltaInput input = {
        .Q = in->Q, .K = in->unit, .V = in->V, .beta = in->beta, .alpha = alpha};
    DeltaResult r = fast_delta_layer(&input, chunk, pool);
    Matrix *Y = matrix_ref(r.Y);
    delta_result_clear(&r);
    return Y;
}

static Matrix *run_delta(const BenchInputs *in, Pool *pool)
{
    return delta(in, NULL, 0, pool);
}

static Matrix *run_delta_chunks(const BenchInputs *in, Pool *pool)
{
    return delta(in, NULL, BENCH_CHUNK, pool);
}

static Matrix *run_gated(const BenchInputs *in, Pool *pool)
{
    return delta(in, in->alpha, 0, pool);
}

static const BenchForm forms[BENCH_FORMS] = {
    [BENCH_SOFTMAX] = {"softmax", "softmax", 2, 0, softmax_adds, softmax_exps, run_softmax},
    [BENCH_TABLE] = {"softmax-table", "  with its n×n table", 2, 2048, table_adds, table_exps,
                     run_table},
    [BENCH_WINDOW] = {"softmax-window", "  in a window of 256", 1, 0, window_adds, window_exps,
                      run_window},
    [BENCH_LINEAR] = {"linear", "linear, elu1", 1, 0, linear_adds, linear_exps, run_linear},
    [BENCH_LINEAR_CHUNKS] = {"linear-chunks", "  in chunks of 32", 1, 0, linear_chunk_adds,
                             linear_exps, run_linear_chunks},
    [BENCH_FAVOR] = {"random-features", "  128 random features", 1, 0, favor_adds, favor_exps,
                     run_favor},
    [BENCH_DELTA] = {"delta", "delta rule", 1, 0, delta_adds, none, run_delta},
    [BENCH_DELTA_CHUNKS] = {"delta-chunks", "  in chunks of 32", 1, 0, delta_chunk_adds, none,
                            run_delta_chunks},
    [BENCH_GATED] = {"gated-delta", "  with decay", 1, 0, delta_adds, none, run_gated},
};

const BenchForm *bench_form(size_t id)
{
    return &forms[id];
}
