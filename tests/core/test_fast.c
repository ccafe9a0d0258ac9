/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every build of the kernels against the step-by-step forms: products to the bit, the fast
 * whole-layer forms within 1e-12. */
#include "support.h"

#include <gsl/gsl_blas.h>

#include "core/elementary.h"
#include "core/fast_delta.h"
#include "core/fast_favor.h"
#include "core/fast_kernels.h"
#include "core/fast_level.h"
#include "core/fast_linear.h"
#include "core/fast_softmax.h"
#include "core/feature.h"
#include "core/product.h"
#include "sparse.h"

static const double TOLERANCE = 1e-12;

/* Calls check once for each build that this processor runs. */
static void for_each_level(void (*check)(void))
{
    FastLevel best = fast_level();
    for (FastLevel level = 0; level < FAST_LEVELS; level++)
        if (fast_level_supported(level)) {
            fast_level_set(level);
            check();
        }
    fast_level_set(best);
}

static void expect_near(const char *what, const Matrix *expected, const Matrix *got)
{
    if (!support_agrees(what, expected, got, TOLERANCE))
        fail_msg("%s differs in the build %s", what, fast_level_name(fast_level()));
}

/* --- exact products ----------------------------------------------------------- */

/* Numbers far apart, zeros of either sign. */
static Matrix *awkward(uint64_t seed, size_t rows, size_t cols)
{
    Matrix *m = random_normal(seed, 1, rows, cols), *kind = random_uniform(seed, 2, rows, cols);
    for (size_t i = 0; i < rows * cols; i++) {
        double u = kind->cells[i], x = m->cells[i];
        matrix_fill(m)[i] = u < .1    ? 0
                            : u < .15 ? -0.0
                            : u < .2  ? x * 1e150
                            : u < .25 ? x * 1e-160
                                      : x;
    }
    matrix_unref(kind);
    return m;
}

static Matrix *by_gsl(const Matrix *a, const Matrix *b)
{
    Matrix *c = matrix_new(a->rows, b->cols);
    gsl_matrix_const_view x = gsl_matrix_const_view_array(a->cells, a->rows, a->cols);
    gsl_matrix_const_view y = gsl_matrix_const_view_array(b->cells, b->rows, b->cols);
    gsl_matrix_view z = gsl_matrix_view_array(matrix_fill(c), c->rows, c->cols);
    assert_int_equal(
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &x.matrix, &y.matrix, 0, &z.matrix), 0);
    return c;
}

static void check_product(size_t m, size_t k, size_t n)
{
    Matrix *a = awkward(m * 31 + k, m, k), *b = awkward(n * 17 + k + 1, k, n);
    Matrix *expected = by_gsl(a, b), *got = matrix_multiply(a, b);
    if (!matrix_same(expected, got))
        fail_msg("(%zu,%zu)(%zu,%zu) by %s differs from gsl_blas_dgemm", m, k, k, n,
                 fast_level_name(fast_level()));
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(expected);
    matrix_unref(got);
}

static void check_products(void)
{
    for (uint64_t trial = 0; trial < sparse_part(60, 10); trial++)
        check_product(random_size(trial, 1, 40), random_size(trial, 2, 40),
                      random_size(trial, 3, 100));
    check_product(7, 256, 32);
    check_product(6, 257, 33);
    check_product(13, 700, 70);
    check_product(128, 64, 128);
}

static void products_have_the_bits_of_gsl_in_every_build(void **state)
{
    (void)state;
    assert_true(fast_level_supported(FAST_PORTABLE));
    for_each_level(check_products);
}

/* --- exp ------------------------------------------------------------------------- */

static void check_exp(void)
{
    enum { COUNT = 4001 };
    Matrix *u = random_uniform(1, 1, 1, COUNT);
    double x[COUNT], y[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        x[i] = i % 2 ? u->cells[i] * 1453 - 744 : u->cells[i] * 8 - 4;
    fast_kernels()->map(y, x, COUNT, FAST_EXP);
    for (size_t i = 0; i < COUNT; i++) {
        double expected = elementary_exp(x[i]);
        if (!(fabs(y[i] - expected) <= 1e-15 * expected + 5e-324))
            fail_msg("exp(%.17g) is %.17g by %s", x[i], y[i], fast_level_name(fast_level()));
    }
    matrix_unref(u);
    const double edge[] = {0, -0.0, INFINITY, -INFINITY, -800, 709.7, 1e308, -1e308, 710, -740};
    double value[10], nan = NAN;
    fast_kernels()->map(value, edge, 10, FAST_EXP);
    for (size_t i = 0; i < 10; i++) {
        double expected = elementary_exp(edge[i]);
        assert_true(value[i] == expected || fabs(value[i] - expected) <= 1e-15 * expected);
    }
    for (FastMap map = FAST_IDENTITY; map <= FAST_EXP; map++) {
        fast_kernels()->map(value, &nan, 1, map);
        assert_true(isnan(value[0]));
    }
}

static void exp_is_near_the_exact_one(void **state)
{
    (void)state;
    for_each_level(check_exp);
}

/* --- softmax attention ------------------------------------------------------------ */

/* Normal numbers times scale. */
static Matrix *normal(uint64_t seed, uint64_t call, size_t rows, size_t cols, double scale)
{
    Matrix *m = random_normal(seed, call, rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        matrix_fill(m)[i] *= scale;
    return m;
}

static void check_softmax(uint64_t trial, SoftmaxMask mask, size_t most)
{
    size_t n = random_size(trial, 1, most),
           m = mask == SOFTMAX_FULL ? random_size(trial, 2, most) : n;
    size_t d_k = random_size(trial, 3, 70), d_v = random_size(trial, 4, 70);
    size_t w = random_size(trial, 5, n + 2) - 1;
    if (trial % 3 == 2)
        m = random_size(trial, 6, most);
    Matrix *Q = normal(trial, 7, n, d_k, trial % 4 == 3 ? 40 : 1), *K = normal(trial, 8, m, d_k, 1);
    Matrix *V = normal(trial, 9, m, d_v, 1);
    Matrix *expected = softmax_attention(Q, K, V, mask, w);
    Matrix *got = fast_softmax_attention(Q, K, V, mask, w, 1 / sqrt((double)d_k), NULL);
    expect_near("softmax attention", expected, got);
    matrix_unref(expected);
    matrix_unref(got);
    matrix_unref(Q);
    matrix_unref(K);
    matrix_unref(V);
}

static void check_softmax_layers(void)
{
    for (uint64_t trial = 0; trial < sparse_part(25, 10); trial++)
        for (SoftmaxMask mask = SOFTMAX_FULL; mask <= SOFTMAX_WINDOW; mask++)
            check_softmax(trial, mask, trial < 20 ? 90 : 400);
}

static void softmax_agrees(void **state)
{
    (void)state;
    for_each_level(check_softmax_layers);
}

/* Scores of -Inf alone give zeros, one NaN or +Inf gives NaN: as softmax_rows. */
static void check_special_scores(void)
{
    Matrix *Q = MATRIX(3, 1, 1, 2, 3), *V = MATRIX(3, 2, 1, 2, 3, 4, 5, 6);
    Matrix *hidden = MATRIX(3, 1, -INFINITY, -INFINITY, -INFINITY);
    expect_matrix("nothing to see", matrix_new(3, 2),
                  fast_softmax_attention(Q, hidden, V, SOFTMAX_CAUSAL, 0, 1, NULL), 0);
    Matrix *partly = MATRIX(3, 1, -INFINITY, 0, INFINITY);
    expect_matrix("first two, then +Inf", MATRIX(3, 2, 0, 0, 3, 4, NAN, NAN),
                  fast_softmax_attention(Q, partly, V, SOFTMAX_CAUSAL, 0, 1, NULL), 0);
    Matrix *unknown = MATRIX(3, 1, 0, NAN, 0);
    expect_matrix("NaN is seen from its token on", MATRIX(3, 2, 1, 2, NAN, NAN, NAN, NAN),
                  fast_softmax_attention(Q, unknown, V, SOFTMAX_CAUSAL, 0, 1, NULL), 0);
    matrix_unref(Q);
    matrix_unref(V);
    matrix_unref(hidden);
    matrix_unref(partly);
    matrix_unref(unknown);
}

static void special_scores(void **state)
{
    (void)state;
    for_each_level(check_special_scores);
}

/* Row i of a long layer against the exact form on what it sees. */
static void expect_row(const Matrix *Q, const Matrix *K, const Matrix *V, const Matrix *Y, size_t i,
                       size_t w)
{
    size_t from = i + 1 > w ? i + 1 - w : 0, count = i + 1 - from;
    Matrix *q = matrix_from(1, Q->cols, matrix_row(Q, i));
    Matrix *k = matrix_from(count, K->cols, matrix_row(K, from));
    Matrix *v = matrix_from(count, V->cols, matrix_row(V, from));
    Matrix *y = matrix_from(1, Y->cols, matrix_row(Y, i));
    Matrix *expected = softmax_attention(q, k, v, SOFTMAX_FULL, 0);
    expect_near("a row of a long layer", expected, y);
    matrix_unref(q);
    matrix_unref(k);
    matrix_unref(v);
    matrix_unref(y);
    matrix_unref(expected);
}

static void long_softmax_layers(void **state)
{
    (void)state;
    const size_t n = sparse(65536), m = sparse_part(3000, 10), d = 3, w = 50;
    Matrix *Q = normal(1, 1, n, d, 1), *K = normal(1, 2, n, d, 1), *V = normal(1, 3, n, d, 1);
    Matrix *Y = fast_softmax_attention(Q, K, V, SOFTMAX_WINDOW, w, 1 / sqrt(3), NULL);
    for (size_t i = 0; i < n; i += 997)
        expect_row(Q, K, V, Y, i, w);
    expect_row(Q, K, V, Y, n - 1, w);
    matrix_unref(Y);
    Matrix *start[3] = {matrix_from(m, d, Q->cells), matrix_from(m, d, K->cells),
                        matrix_from(m, d, V->cells)};
    Y = fast_softmax_attention(start[0], start[1], start[2], SOFTMAX_CAUSAL, 0, 1 / sqrt(3), NULL);
    for (size_t i = 0; i < m; i += 271)
        expect_row(Q, K, V, Y, i, n);
    for (size_t i = 0; i < 3; i++)
        matrix_unref(start[i]);
    matrix_unref(Y);
    matrix_unref(Q);
    matrix_unref(K);
    matrix_unref(V);
}

/* --- linear attention ---------------------------------------------------------------- */

/* Decays of trial: none, one for all, or one a token with 0 and 1e-9 among them. */
static Matrix *decays(uint64_t trial, size_t n)
{
    static const double all[] = {0.9, 0.5, 2, 1e-9};
    if (trial % 3 == 0)
        return NULL;
    if (trial % 3 == 1)
        return matrix_scalar(all[trial / 3 % 4]);
    Matrix *g = random_uniform(trial, 40, n, 1);
    for (size_t t = 0; t < n; t++) {
        double u = g->cells[t];
        matrix_fill(g)[t] = u < .1 ? 0 : u < .2 ? 1e-9 : u < .3 ? 1 : u;
    }
    return g;
}

static void expect_linear(const char *what, LinearResult *expected, LinearResult *got)
{
    expect_near(what, expected->Y, got->Y);
    expect_near("its denominators", expected->den, got->den);
    expect_near("its state", expected->S, got->S);
    expect_near("its normaliser", expected->z, got->z);
    linear_result_clear(expected);
    linear_result_clear(got);
}

/* phi of trial by name and by the exact function. */
static Matrix *map_exactly(FastMap map, const Matrix *x)
{
    Matrix *(*const maps[])(const Matrix *) = {feature_identity, feature_elu1, feature_relu,
                                               feature_exp};
    return maps[map](x);
}

static void check_linear(uint64_t trial, size_t most)
{
    size_t n = random_size(trial, 1, most), f = random_size(trial, 2, 70);
    size_t d_v = random_size(trial, 3, 70), chunk = random_size(trial, 4, n + 3);
    FastMap map = trial % 4;
    bool earlier = trial % 5 == 1, normalised = map != FAST_IDENTITY && trial % 7 != 2;
    Matrix *Q = normal(trial, 5, n, f, 1), *K = normal(trial, 6, n, f, 1);
    Matrix *V = normal(trial, 7, n, d_v, 1), *gamma = decays(trial / 2, n);
    Matrix *S = earlier ? random_normal(trial, 8, f, d_v) : NULL;
    Matrix *z = earlier ? random_uniform(trial, 9, f, 1) : NULL;
    Matrix *phiQ = map_exactly(map, Q), *phiK = map_exactly(map, K);
    LinearInput exact = {phiQ, phiK, V, gamma, normalised, S, z, false, false};
    LinearInput in = {Q, K, V, gamma, normalised, S, z, false, false};
    size_t chunks[] = {0, chunk, 1, 16, 64};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        LinearResult expected = linear_recurrent(&exact);
        LinearResult got = fast_linear_layer(&in, map, chunks[i], NULL);
        expect_linear(chunks[i] ? "linear attention by chunks" : "linear attention", &expected,
                      &got);
    }
    if (!gamma && !earlier) {
        LinearResult expected = linear_full(&exact), got = fast_linear_full(&in, map, NULL);
        expect_linear("linear attention of all tokens", &expected, &got);
    }
    Matrix *all[] = {Q, K, V, gamma, S, z, phiQ, phiK};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static void check_linear_layers(void)
{
    for (uint64_t trial = 0; trial < sparse_part(60, 10); trial++)
        check_linear(trial, trial < 50 ? 40 : 300);
}

static void linear_agrees(void **state)
{
    (void)state;
    for_each_level(check_linear_layers);
}

/* The same layer in blocks of 1, 2, 3, ... rows. */
static void check_linear_stream(size_t chunk)
{
    const size_t n = 150, f = 9, d_v = 21;
    Matrix *Q = normal(3, 1, n, f, 1), *K = normal(3, 2, n, f, 1), *V = normal(3, 3, n, d_v, 1);
    Matrix *gamma = decays(2, n);
    LinearInput in = {.phiQ = Q, .phiK = K, .V = V, .decay = gamma, .normalised = true};
    LinearResult whole = fast_linear_layer(&in, FAST_ELU1, chunk, NULL), fed = {0};
    FastLinearShape shape = {f, d_v, FAST_ELU1, true, chunk};
    FastLinear *layer = fast_linear_new(&shape, NULL, NULL);
    fed.Y = matrix_new(n, d_v);
    fed.den = matrix_new(n, 1);
    for (size_t row = 0, count = 0; row < n; row += count) {
        count = n - row < count + 1 ? n - row : count + 1;
        fast_linear_feed(layer, count, matrix_row(Q, row), matrix_row(K, row), matrix_row(V, row),
                         gamma->cells + row, matrix_fill(fed.Y) + row * d_v,
                         matrix_fill(fed.den) + row, NULL);
    }
    fed.S = fast_linear_state(layer);
    fed.z = fast_linear_normaliser(layer);
    fast_linear_free(layer);
    expect_linear("linear attention, streamed", &whole, &fed);
    matrix_unref(Q);
    matrix_unref(K);
    matrix_unref(V);
    matrix_unref(gamma);
}

/* --- delta rules ------------------------------------------------------------------------ */

static void expect_delta(const char *what, DeltaResult *expected, DeltaResult *got)
{
    expect_near(what, expected->Y, got->Y);
    expect_near("its state", expected->S, got->S);
    delta_result_clear(expected);
    delta_result_clear(got);
}

static void check_delta(uint64_t trial, size_t most)
{
    size_t n = random_size(trial, 1, most), d_k = random_size(trial, 2, 70);
    size_t d_v = random_size(trial, 3, 70), chunk = random_size(trial, 4, n + 3);
    /* Every other trial with keys whose length is not 1, about sqrt(1.4). */
    Matrix *long_keys = normal(trial, 6, n, d_k, sqrt(1.4 / (double)d_k));
    Matrix *K = trial % 2 ? matrix_ref(long_keys) : feature_l2rows(long_keys);
    Matrix *Q = normal(trial, 5, n, d_k, 1), *V = normal(trial, 7, n, d_v, 1);
    Matrix *beta = trial % 4 == 3 ? matrix_scalar(0.7) : random_uniform(trial, 9, n, 1);
    Matrix *alpha = decays(trial, n);
    Matrix *S = trial % 5 == 1 ? random_normal(trial, 8, d_k, d_v) : NULL;
    DeltaInput in = {Q, K, V, beta, alpha, S, false};
    size_t chunks[] = {0, chunk, 1, 16, 64};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        DeltaResult expected = delta_recurrent(&in);
        DeltaResult got = fast_delta_layer(&in, chunks[i], NULL);
        expect_delta(chunks[i] ? "delta rule by chunks" : "delta rule", &expected, &got);
    }
    Matrix *all[] = {long_keys, Q, K, V, beta, alpha, S};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static void check_delta_layers(void)
{
    for (uint64_t trial = 0; trial < sparse_part(60, 10); trial++)
        check_delta(trial, trial < 50 ? 40 : 300);
}

static void delta_agrees(void **state)
{
    (void)state;
    for_each_level(check_delta_layers);
}

static void check_delta_stream(size_t chunk)
{
    const size_t n = 150, d_k = 9, d_v = 21;
    Matrix *Q = normal(4, 1, n, d_k, 1), *raw = normal(4, 2, n, d_k, 1), *K = feature_l2rows(raw);
    Matrix *V = normal(4, 3, n, d_v, 1), *alpha = decays(2, n), *beta = random_uniform(4, 4, n, 1);
    DeltaInput in = {.Q = Q, .K = K, .V = V, .beta = beta, .alpha = alpha};
    DeltaResult whole = fast_delta_layer(&in, chunk, NULL), fed = {.Y = matrix_new(n, d_v)};
    FastDeltaShape shape = {d_k, d_v, chunk};
    FastDelta *layer = fast_delta_new(&shape, NULL);
    for (size_t row = 0, count = 0; row < n; row += count) {
        count = n - row < count + 1 ? n - row : count + 1;
        fast_delta_feed(layer, count, matrix_row(Q, row), matrix_row(K, row), matrix_row(V, row),
                        beta->cells + row, alpha->cells + row, matrix_fill(fed.Y) + row * d_v,
                        NULL);
    }
    fed.S = fast_delta_state(layer);
    fast_delta_free(layer);
    expect_delta("delta rule, streamed", &whole, &fed);
    Matrix *all[] = {Q, raw, K, V, alpha, beta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static void check_streams(void)
{
    check_linear_stream(0);
    check_linear_stream(16);
    check_delta_stream(0);
    check_delta_stream(16);
}

static void streams_carry_their_state(void **state)
{
    (void)state;
    for_each_level(check_streams);
}

/* --- long layers, threads ------------------------------------------------------------------ */

static void check_long_layer(size_t n, size_t d)
{
    Matrix *Q = normal(n, 1, n, d, 1), *raw = normal(n, 2, n, d, 1), *K = feature_l2rows(raw);
    Matrix *V = normal(n, 3, n, d + 1, 1), *g = decays(2, n), *beta = random_uniform(n, 4, n, 1);
    Matrix *phiQ = feature_elu1(Q), *phiK = feature_elu1(K);
    LinearInput exact = {.phiQ = phiQ, .phiK = phiK, .V = V, .normalised = true};
    LinearInput linear = {.phiQ = Q, .phiK = K, .V = V, .normalised = true};
    DeltaInput delta = {.Q = Q, .K = K, .V = V, .beta = beta};
    for (int gated = 0; gated < 2; gated++) {
        exact.decay = linear.decay = delta.alpha = gated ? g : NULL;
        for (size_t chunk = 0; chunk <= 32; chunk += 32) {
            LinearResult r = linear_recurrent(&exact);
            LinearResult fast = fast_linear_layer(&linear, FAST_ELU1, chunk, NULL);
            expect_linear("long linear attention", &r, &fast);
            DeltaResult s = delta_recurrent(&delta), quick = fast_delta_layer(&delta, chunk, NULL);
            expect_delta("long delta rule", &s, &quick);
        }
    }
    Matrix *all[] = {Q, raw, K, V, g, beta, phiQ, phiK};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static void long_layers_agree(void **state)
{
    (void)state;
    check_long_layer(sparse_part(1024, 10), 64);
    check_long_layer(sparse_part(4097, 10), 16);
    check_long_layer(sparse(65536), 4);
}

static void expect_same(const char *what, Matrix *one, Matrix *many)
{
    if (!matrix_same(one, many))
        fail_msg("%s: threads change the bits", what);
    matrix_unref(one);
    matrix_unref(many);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    const size_t n = 6200, d = 64;
    Pool *pool = pool_new(3), *pools[] = {NULL, pool};
    Matrix *Q = normal(6, 1, n, d, .1), *beta = random_uniform(6, 2, n, 1);
    Matrix *K = matrix_from(900, d, Q->cells), *W = matrix_from(128, d, Q->cells), *Y[5][2];
    for (size_t i = 0; i < 2; i++) {
        LinearInput linear = {.phiQ = Q, .phiK = Q, .V = Q, .normalised = true};
        DeltaInput delta = {.Q = Q, .K = Q, .V = Q, .beta = beta};
        LinearResult r = fast_linear_layer(&linear, FAST_ELU1, 0, pools[i]);
        DeltaResult s = fast_delta_layer(&delta, 0, pools[i]);
        LinearResult full = fast_linear_full(&linear, FAST_ELU1, pools[i]);
        Y[0][i] = matrix_ref(r.Y);
        Y[1][i] = matrix_ref(s.Y);
        Y[2][i] = fast_softmax_attention(K, K, K, SOFTMAX_CAUSAL, 0, .125, pools[i]);
        Y[3][i] = fast_favor_features(Q, W, FAST_FAVOR_SHARED, pools[i]);
        Y[4][i] = matrix_ref(full.Y);
        linear_result_clear(&r);
        delta_result_clear(&s);
        linear_result_clear(&full);
    }
    const char *names[] = {"linear", "delta", "softmax", "favor", "full"};
    for (size_t i = 0; i < 5; i++)
        expect_same(names[i], Y[i][0], Y[i][1]);
    Matrix *all[] = {Q, beta, K, W};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
    pool_free(pool);
}

/* --- random features ---------------------------------------------------------------------- */

static void check_favor(uint64_t trial)
{
    size_t n = random_size(trial, 1, 150), d = random_size(trial, 2, 40);
    size_t m = random_size(trial, 3, 90), d_v = random_size(trial, 4, 40);
    bool stable = trial % 2;
    Matrix *Q = normal(trial, 5, n, d, .5), *K = normal(trial, 6, n, d, .5);
    Matrix *V = normal(trial, 7, n, d_v, 1), *W = normal(trial, 8, m, d, 1);
    Matrix *phiQ = stable ? feature_favor_stable(Q, W, true) : feature_favor(Q, W);
    Matrix *phiK = stable ? feature_favor_stable(K, W, false) : feature_favor(K, W);
    LinearInput in = {.phiQ = phiQ, .phiK = phiK, .V = V, .normalised = true};
    for (int causal = 0; causal < 2; causal++) {
        LinearResult expected = causal ? linear_recurrent(&in) : linear_full(&in);
        LinearResult got = fast_favor_attention(Q, K, V, W, causal, stable, NULL);
        expect_linear("attention by random features", &expected, &got);
    }
    Matrix *all[] = {Q, K, V, W, phiQ, phiK};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static void check_favor_layers(void)
{
    for (uint64_t trial = 0; trial < sparse_part(20, 10); trial++)
        check_favor(trial);
}

static void favor_agrees(void **state)
{
    (void)state;
    for_each_level(check_favor_layers);
}

/* --- sizes of zero --------------------------------------------------------------------------- */

static void check_empty(size_t n, size_t f, size_t d_v)
{
    Matrix *Q = matrix_new(n, f), *V = matrix_new(n, d_v), *one = matrix_scalar(1);
    LinearInput linear = {.phiQ = Q, .phiK = Q, .V = V, .normalised = false};
    DeltaInput delta = {.Q = Q, .K = Q, .V = V, .beta = one};
    for (size_t chunk = 0; chunk <= 4; chunk += 4) {
        LinearResult r = linear_recurrent(&linear);
        LinearResult fast = fast_linear_layer(&linear, FAST_ELU1, chunk, NULL);
        assert_int_equal(fast.Y->rows, n);
        assert_int_equal(fast.S->rows, f);
        assert_int_equal(fast.z->rows, f);
        linear_result_clear(&r);
        linear_result_clear(&fast);
        DeltaResult s = delta_recurrent(&delta), quick = fast_delta_layer(&delta, chunk, NULL);
        expect_delta("delta rule of nothing", &s, &quick);
    }
    Matrix *Y = fast_softmax_attention(Q, Q, V, SOFTMAX_CAUSAL, 0, 1, NULL);
    assert_int_equal(Y->cols, d_v);
    matrix_unref(Y);
    LinearResult full = fast_linear_full(&linear, FAST_IDENTITY, NULL);
    assert_int_equal(full.Y->cols, d_v);
    linear_result_clear(&full);
    matrix_unref(Q);
    matrix_unref(V);
    matrix_unref(one);
}

static void check_nothing(void)
{
    check_empty(0, 3, 2);
    check_empty(3, 0, 2);
    check_empty(3, 2, 0);
    check_empty(0, 0, 0);
}

static void layers_of_nothing(void **state)
{
    (void)state;
    for_each_level(check_nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_the_bits_of_gsl_in_every_build),
        cmocka_unit_test(exp_is_near_the_exact_one),
        cmocka_unit_test(softmax_agrees),
        cmocka_unit_test(special_scores),
        cmocka_unit_test(long_softmax_layers),
        cmocka_unit_test(linear_agrees),
        cmocka_unit_test(streams_carry_their_state),
        cmocka_unit_test(delta_agrees),
        cmocka_unit_test(long_layers_agree),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(favor_agrees),
        cmocka_unit_test(layers_of_nothing),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
