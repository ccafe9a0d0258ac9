/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public bug reports about attention, linear attention and delta rules, each with its tiny
 * input and the right value (B01 .. B22). What the wrong program gave stands beside it. */
#include "support.h"

#include "core/delta.h"
#include "core/elementary.h"
#include "core/feature.h"
#include "core/linear.h"
#include "core/product.h"
#include "core/scan.h"
#include "core/softmax.h"

#define EXACT 0.0
#define PRINTED 5e-9 /* the report's values have eight or nine digits */

/* All inputs of one layer, given back together. */
typedef struct {
    Matrix *q, *k, *v, *rate;
} Inputs;

static void inputs_clear(Inputs *in)
{
    matrix_unref(in->q);
    matrix_unref(in->k);
    matrix_unref(in->v);
    matrix_unref(in->rate);
}

typedef enum { FULL, PARALLEL, RECURRENT, CHUNKED } Form;

/* Y of linear attention on features as they are; for CHUNKED in chunks of `chunk`. */
static LinearResult linear(const Inputs *i, bool normalised, Form form, size_t chunk)
{
    LinearInput in = {.phiQ = i->q,
                      .phiK = i->k,
                      .V = i->v,
                      .decay = i->rate,
                      .normalised = normalised,
                      .keep_weights = true};
    return form == FULL        ? linear_full(&in)
           : form == PARALLEL  ? linear_causal(&in)
           : form == RECURRENT ? linear_recurrent(&in)
                               : linear_chunked(&in, chunk);
}

/* Every causal form, and every chunk up to n + 1, gives Y. Takes Y over. */
static void expect_causal(const char *what, const Inputs *i, bool normalised, Matrix *Y,
                          double tolerance)
{
    for (Form form = PARALLEL; form <= CHUNKED; form++)
        for (size_t chunk = 1; chunk <= (form == CHUNKED ? i->v->rows + 1 : 1); chunk++) {
            LinearResult r = linear(i, normalised, form, chunk);
            expect_matrix(what, matrix_ref(Y), matrix_ref(r.Y), tolerance);
            linear_result_clear(&r);
        }
    matrix_unref(Y);
}

/* The delta rule, recurrent and in every chunk; alpha may be NULL. Takes Y over. */
static void expect_delta(const char *what, const Inputs *i, const Matrix *alpha, Matrix *Y,
                         double tolerance)
{
    DeltaInput in = {.Q = i->q, .K = i->k, .V = i->v, .beta = i->rate, .alpha = alpha};
    for (size_t chunk = 0; chunk <= i->v->rows + 1; chunk++) {
        DeltaResult r = chunk ? delta_chunked(&in, chunk) : delta_recurrent(&in);
        expect_matrix(what, matrix_ref(Y), matrix_ref(r.Y), tolerance);
        delta_result_clear(&r);
    }
    matrix_unref(Y);
}

static Matrix *constant(size_t rows, size_t cols, double x)
{
    Matrix *m = matrix_new(rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        matrix_fill(m)[i] = x;
    return m;
}

static Inputs ones(size_t n, Matrix *v, Matrix *rate)
{
    return (Inputs){constant(n, 1, 1), constant(n, 1, 1), v, rate};
}

static void b01_zero_denominator(void **state)
{
    (void)state;
    Matrix *Q = MATRIX(2, 2, -1, -2, 1, 0), *K = MATRIX(2, 2, 1, 1, 2, 0);
    Inputs in = {feature_relu(Q), feature_relu(K), COLUMN(1, 3), NULL};
    LinearResult r = linear(&in, true, FULL, 0);
    expect_matrix("denominators", COLUMN(0, 3), matrix_ref(r.den), EXACT);
    expect_matrix("Y", COLUMN(NAN, 7.0 / 3), matrix_ref(r.Y), 1e-15);
    expect_matrix("S", COLUMN(7, 1), matrix_ref(r.S), EXACT);
    linear_result_clear(&r);
    /* whoever wants an epsilon adds it to the denominator, in the open */
    r = linear(&in, false, FULL, 0);
    expect_matrix(
        "with eps", COLUMN(0, 2.33333256),
        COLUMN(r.Y->cells[0] / (r.den->cells[0] + 1e-6), r.Y->cells[1] / (r.den->cells[1] + 1e-6)),
        PRINTED);
    linear_result_clear(&r);
    inputs_clear(&in);
    matrix_unref(Q);
    matrix_unref(K);

    Inputs signs = {COLUMN(1), COLUMN(1, -1), COLUMN(1, 3), NULL};
    r = linear(&signs, true, FULL, 0);
    expect_matrix("-2/0", COLUMN(-INFINITY), matrix_ref(r.Y), EXACT);
    linear_result_clear(&r);
    inputs_clear(&signs);
}

static void b02_mask_keeps_the_diagonal(void **state)
{
    (void)state;
    Matrix *x = COLUMN(1, 2, 3);
    /* masked from offset 0: NaN, 1, 1.95257413 */
    expect_matrix("Y", COLUMN(1, 1.88079708, 2.94797458),
                  softmax_attention(x, x, x, SOFTMAX_CAUSAL, 0), PRINTED);
    matrix_unref(x);
}

static void b03_nothing_to_see(void **state)
{
    (void)state;
    Matrix *S = MATRIX(2, 2, -INFINITY, -INFINITY, 0, -INFINITY), *V = COLUMN(5, 7);
    Matrix *P = softmax_rows(S);
    expect_matrix("weights", MATRIX(2, 2, 0, 0, 1, 0), matrix_ref(P), EXACT);
    expect_matrix("output", COLUMN(0, 5), matrix_multiply(P, V), EXACT);
    matrix_unref(P);
    matrix_unref(S);
    matrix_unref(V);
    /* scores (2, masked) times v = (1, 0): 2, where -Inf as mask gave NaN */
    Inputs in = {COLUMN(2, 0), COLUMN(1, 1), COLUMN(1, 0), NULL};
    expect_causal("linear", &in, false, COLUMN(2, 0), EXACT);
    inputs_clear(&in);
}

static void b04_softmax_subtracts_the_maximum(void **state)
{
    (void)state;
    Matrix *S = MATRIX(1, 2, 1000, 1001);
    expect_matrix("P", MATRIX(1, 2, .26894142, .73105858), softmax_rows(S), PRINTED);
    matrix_unref(S);
}

static void b05_normaliser_divides_once(void **state)
{
    (void)state;
    Inputs in = {MATRIX(2, 2, 1, 2, 2, 1), MATRIX(2, 2, 1, 1, 3, 1), COLUMN(1, 2), NULL};
    /* multiplied by the denominator: 9, 170; divided by z entry by entry: 3, 5 */
    expect_causal("Y", &in, true, COLUMN(1, 1.7), 1e-15);
    inputs_clear(&in);
}

static void b06_normaliser_sums_over_time(void **state)
{
    (void)state;
    Inputs in = {MATRIX(2, 2, 1, 2, 2, 1), MATRIX(2, 2, 1, 1, 3, 1), COLUMN(1, 1), NULL};
    /* summed along features: .6, 1; over all keys: .375, 1 */
    expect_causal("Y", &in, true, COLUMN(1, 1), EXACT);
    LinearResult r = linear(&in, true, RECURRENT, 0);
    expect_matrix("denominators", COLUMN(3, 10), matrix_ref(r.den), EXACT);
    linear_result_clear(&r);
    inputs_clear(&in);
}

static void b07_decay_before_prediction(void **state)
{
    (void)state;
    Inputs in = {MATRIX(2, 2, 1, 0, 1, 0), MATRIX(2, 2, 1, 0, 1, 0), MATRIX(2, 2, 1, 0, 0, 1),
                 COLUMN(1)};
    Matrix *alpha = COLUMN(1, .5), *one = COLUMN(1, 1);
    /* decayed after the prediction: (-.5, 1) */
    expect_delta("alpha .5", &in, alpha, MATRIX(2, 2, 1, 0, 0, 1), EXACT);
    expect_delta("alpha 1", &in, one, MATRIX(2, 2, 1, 0, 0, 1), EXACT);
    matrix_unref(alpha);
    matrix_unref(one);
    inputs_clear(&in);
}

static void b08_long_keys_diverge(void **state)
{
    (void)state;
    Inputs in = {constant(4, 1, 2), constant(4, 1, 2), constant(4, 1, 1), COLUMN(1)};
    expect_delta("k = 2", &in, NULL, COLUMN(4, -8, 28, -80), EXACT);
    Inputs unit = {constant(4, 1, 1), feature_l2rows(in.k), constant(4, 1, 1), COLUMN(1)};
    expect_delta("k = 1", &unit, NULL, COLUMN(1, 1, 1, 1), EXACT);
    inputs_clear(&in);
    inputs_clear(&unit);
}

/* (I + L)^-1 reaches 1e25 here; a solver that pivots is wrong by 100 %. */
static void b08_forward_substitution_holds(void **state)
{
    (void)state;
    Inputs in = {random_normal(8, 1, 64, 64), random_normal(8, 2, 64, 64),
                 random_normal(8, 3, 64, 64), COLUMN(.5)};
    DeltaInput delta = {.Q = in.q, .K = in.k, .V = in.v, .beta = in.rate};
    DeltaResult r = delta_recurrent(&delta), c = delta_chunked(&delta, 64);
    assert_true(fabs(r.Y->cells[63 * 64]) > 1e6); /* it does diverge */
    expect_matrix("Y", matrix_ref(r.Y), matrix_ref(c.Y), 1e-12);
    expect_matrix("S", matrix_ref(r.S), matrix_ref(c.S), 1e-12);
    delta_result_clear(&r);
    delta_result_clear(&c);
    Matrix *unit = feature_l2rows(in.k);
    delta.K = unit;
    r = delta_recurrent(&delta), c = delta_chunked(&delta, 64);
    expect_matrix("Y of unit keys", matrix_ref(r.Y), matrix_ref(c.Y), 1e-14);
    delta_result_clear(&r);
    delta_result_clear(&c);
    matrix_unref(unit);
    inputs_clear(&in);
}

static void b09_scaled_once(void **state)
{
    (void)state;
    Matrix *Q = MATRIX(1, 4, 2, 0, 0, 0), *K = MATRIX(2, 4, 2, 0, 0, 0, 0, 2, 0, 0);
    Matrix *I = MATRIX(2, 2, 1, 0, 0, 1), *scores = softmax_scores(Q, K);
    expect_matrix("scores", MATRIX(1, 2, 2, 0), matrix_ref(scores), EXACT);
    expect_matrix("scaled", MATRIX(1, 2, .88079708, .11920292),
                  softmax_attention(Q, K, I, SOFTMAX_FULL, 0), PRINTED);
    Matrix *turned = matrix_transpose(K), *raw = matrix_multiply(Q, turned);
    expect_matrix("unscaled", MATRIX(1, 2, .98201379, .01798621), softmax_rows(raw), PRINTED);
    /* a scale of 1/2 cancels in a normalised layer and shows in the other: 2, not 4 */
    for (int normalised = 0; normalised < 2; normalised++) {
        Inputs whole = {COLUMN(4), COLUMN(1), COLUMN(1), NULL};
        Inputs half = {COLUMN(2), COLUMN(1), COLUMN(1), NULL};
        expect_causal("whole", &whole, normalised, COLUMN(normalised ? 1 : 4), EXACT);
        expect_causal("half", &half, normalised, COLUMN(normalised ? 1 : 2), EXACT);
        inputs_clear(&whole);
        inputs_clear(&half);
    }
    matrix_unref(raw);
    matrix_unref(turned);
    matrix_unref(scores);
    matrix_unref(I);
    matrix_unref(K);
    matrix_unref(Q);
}

static void b10_powers_of_decay_in_chunks(void **state)
{
    (void)state;
    Inputs in = ones(4, constant(4, 1, 1), COLUMN(.5));
    /* carried by gamma^i: y_2 = 2.5; keys not weighted: y_2 = 2 */
    expect_causal("Y", &in, false, COLUMN(1, 1.5, 1.75, 1.875), EXACT);
    inputs_clear(&in);
}

static void b11_hard_reset(void **state)
{
    (void)state;
    Inputs in = ones(4, constant(4, 1, 1), COLUMN(.9, 0, .9, .8));
    /* differences of logarithms: 1, NaN, NaN, NaN or 1, 1, 2, 3 */
    expect_causal("Y", &in, false, COLUMN(1, 1, 1.9, 2.52), 1e-15);
    Inputs delta = ones(4, COLUMN(1, 2, 3, 4), COLUMN(1));
    Matrix *alpha = COLUMN(.9, 0, .9, .8);
    expect_delta("gated delta", &delta, alpha, COLUMN(1, 2, 3, 4), 1e-15);
    matrix_unref(alpha);
    inputs_clear(&delta);
    inputs_clear(&in);
}

static void b12_no_quotients_of_products(void **state)
{
    (void)state;
    Inputs tiny = ones(3, constant(3, 1, 1), constant(3, 1, 1e-200));
    expect_causal("gamma 1e-200", &tiny, false, COLUMN(1, 1, 1), EXACT);
    inputs_clear(&tiny);
    Inputs half = ones(1100, constant(1100, 1, 1), COLUMN(.5)); /* 2^-1100 is 0 */
    for (Form form = PARALLEL; form <= CHUNKED; form++) {
        LinearResult r = linear(&half, false, form, 1024);
        for (size_t t = 60; t < 1100; t++)
            assert_true(r.Y->cells[t] == 2);
        linear_result_clear(&r);
    }
    inputs_clear(&half);
    Matrix *x = constant(3, 1, 1), *delta = constant(3, 1, 1), *A = COLUMN(-460.517018598809);
    ScanInput scan = {.x = x, .delta = delta, .A = A, .B = x, .C = x};
    ScanResult r = scan_selective(&scan);
    expect_matrix("scan", COLUMN(1, 1, 1), matrix_ref(r.Y), EXACT);
    scan_result_clear(&r);
    matrix_unref(x);
    matrix_unref(delta);
    matrix_unref(A);
}

static void b13_running_sums(void **state)
{
    (void)state;
    const size_t n = 5000000;
    Inputs in = ones(n, constant(n, 1, 5e-4), NULL);
    LinearResult r = linear(&in, false, RECURRENT, 0); /* in float32: 2448.70 */
    expect_matrix("sum", COLUMN(2500), matrix_ref(r.S), 1e-9);
    expect_matrix("count", COLUMN((double)n), matrix_ref(r.z), EXACT); /* float16: 2048 */
    linear_result_clear(&r);
    inputs_clear(&in);
}

/* |Y - Y_softmax| / |Y_softmax| of random features, q and k times size. */
static double favor_error(double size)
{
    const size_t n = 24, d = 128, m = 1024;
    Matrix *x[2], *phi[2], *W = features_gaussian(14, 4, m, d);
    for (int i = 0; i < 2; i++) {
        x[i] = random_normal(14, (uint64_t)i + 1, n, d);
        for (size_t c = 0; c < n * d; c++)
            matrix_fill(x[i])[c] *= size;
        Matrix *scaled = feature_quarter_scale(x[i]);
        phi[i] = feature_favor_stable(scaled, W, i == 0);
        matrix_unref(scaled);
    }
    Inputs in = {phi[0], phi[1], random_normal(14, 3, n, d), NULL};
    LinearResult r = linear(&in, true, FULL, 0);
    Matrix *Y = softmax_attention(x[0], x[1], in.v, SOFTMAX_FULL, 0);
    double apart = 0, whole = 0;
    for (size_t i = 0; i < n * d; i++) {
        apart += pow(r.Y->cells[i] - Y->cells[i], 2);
        whole += pow(Y->cells[i], 2);
    }
    matrix_unref(Y);
    linear_result_clear(&r);
    inputs_clear(&in);
    matrix_unref(x[0]);
    matrix_unref(x[1]);
    matrix_unref(W);
    return sqrt(apart / whole);
}

/* The variance of the estimate grows as exp(|q + k|^2): 141 % reported, then 3.2 %. */
static void b14_performer_has_variance(void **state)
{
    (void)state;
    double large = favor_error(1), small = favor_error(0.25);
    assert_true(large > 0.7 && large < 3);
    assert_true(small > 0.01 && small < 0.1);
}

static void b15_constants_that_cancel(void **state)
{
    (void)state;
    const size_t n = 16, d = 8, m = 16;
    Matrix *Q = random_normal(15, 1, n, d), *K = random_normal(15, 2, n, d);
    Matrix *V = random_normal(15, 3, n, 1), *W = features_gaussian(15, 4, m, d);
    Inputs plain = {feature_favor(Q, W), feature_favor(K, W), matrix_ref(V), NULL};
    Inputs stable = {feature_favor_stable(Q, W, true), feature_favor_stable(K, W, false),
                     matrix_ref(V), NULL};
    Inputs per_key = {feature_favor_stable(Q, W, true), feature_favor_stable(K, W, true),
                      matrix_ref(V), NULL};
    Inputs eps = {feature_favor(Q, W), feature_favor(K, W), matrix_ref(V), NULL};
    for (size_t i = 0; i < n * m; i++) {
        matrix_fill(eps.q)[i] += 1e-4;
        matrix_fill(eps.k)[i] += 1e-4;
    }
    LinearResult right = linear(&plain, true, FULL, 0), same = linear(&stable, true, FULL, 0);
    LinearResult wrong = linear(&per_key, true, FULL, 0), added = linear(&eps, true, FULL, 0);
    expect_matrix("stable", matrix_ref(right.Y), matrix_ref(same.Y), 1e-13);
    assert_false(support_agrees("meant to differ", right.Y, wrong.Y, 0.05));
    assert_false(support_agrees("meant to differ", right.Y, added.Y, 1e-5));
    linear_result_clear(&right);
    linear_result_clear(&same);
    linear_result_clear(&wrong);
    linear_result_clear(&added);
    inputs_clear(&plain);
    inputs_clear(&stable);
    inputs_clear(&per_key);
    inputs_clear(&eps);
    matrix_unref(Q);
    matrix_unref(K);
    matrix_unref(V);
    matrix_unref(W);
}

static void b16_window_counts_the_token(void **state)
{
    (void)state;
    Matrix *S = matrix_new(4, 4), *masked = mask_window(S, 2);
    const double no = -INFINITY;
    expect_matrix("mask", MATRIX(4, 4, 0, no, no, no, 0, 0, no, no, no, 0, 0, no, no, no, 0, 0),
                  matrix_ref(masked), EXACT);
    expect_matrix("weights", MATRIX(4, 4, 1, 0, 0, 0, .5, .5, 0, 0, 0, .5, .5, 0, 0, 0, .5, .5),
                  softmax_rows(masked), EXACT);
    matrix_unref(masked);
    matrix_unref(S);
}

static void b17_write_then_read(void **state)
{
    (void)state;
    Inputs in = ones(3, COLUMN(1, 2, 3), NULL); /* read first: NaN, 1, 1.5 */
    expect_causal("Y", &in, true, COLUMN(1, 1.5, 2), EXACT);
    inputs_clear(&in);
}

/* Chunked equals recurrent for n tokens in chunks of `chunk`, for every rule. */
static void compare_chunks(size_t n, size_t chunk, size_t d)
{
    Matrix *K = random_normal(18, 2, n, d), *gamma = random_uniform(18, 5, n, 1);
    Inputs in = {random_normal(18, 1, n, d), feature_l2rows(K), random_normal(18, 3, n, 2),
                 random_uniform(18, 4, n, 1)};
    LinearInput linear_in = {.phiQ = in.q, .phiK = in.k, .V = in.v, .decay = gamma};
    LinearResult r = linear_recurrent(&linear_in), c = linear_chunked(&linear_in, chunk);
    expect_matrix("linear Y", matrix_ref(r.Y), matrix_ref(c.Y), 1e-14);
    expect_matrix("linear S", matrix_ref(r.S), matrix_ref(c.S), 1e-14);
    linear_result_clear(&r);
    linear_result_clear(&c);
    DeltaInput delta = {.Q = in.q, .K = in.k, .V = in.v, .beta = in.rate, .alpha = gamma};
    for (int gated = 1; gated >= 0; gated--) {
        delta.alpha = gated ? gamma : NULL;
        DeltaResult dr = delta_recurrent(&delta), dc = delta_chunked(&delta, chunk);
        expect_matrix("delta Y", matrix_ref(dr.Y), matrix_ref(dc.Y), 1e-13);
        expect_matrix("delta S", matrix_ref(dr.S), matrix_ref(dc.S), 1e-13);
        delta_result_clear(&dr);
        delta_result_clear(&dc);
    }
    inputs_clear(&in);
    matrix_unref(K);
    matrix_unref(gamma);
}

static void b18_chunk_does_not_divide(void **state)
{
    (void)state;
    compare_chunks(1, 3, 4);
    compare_chunks(7, 3, 4);
    compare_chunks(8, 16, 4);
    compare_chunks(1334, 83, 8);
    compare_chunks(0, 3, 4); /* no tokens: no outputs, a state of zeros */
    Inputs none = {matrix_new(0, 4), matrix_new(0, 4), matrix_new(0, 3), NULL};
    LinearResult r = linear(&none, true, CHUNKED, 2);
    expect_matrix("no output", matrix_new(0, 3), matrix_ref(r.Y), EXACT);
    expect_matrix("zero state", matrix_new(4, 3), matrix_ref(r.S), EXACT);
    linear_result_clear(&r);
    inputs_clear(&none);
}

static void b19_state_layout(void **state)
{
    (void)state;
    Inputs in = {MATRIX(1, 2, 1, 0), MATRIX(1, 2, 1, 0), MATRIX(1, 2, 0, 1), NULL};
    expect_causal("Y", &in, false, MATRIX(1, 2, 0, 1), EXACT); /* transposed: (0, 0) */
    in.rate = COLUMN(1);
    expect_delta("delta", &in, NULL, MATRIX(1, 2, 0, 1), EXACT);
    inputs_clear(&in);
}

static void b20_square_is_outer_product(void **state)
{
    (void)state;
    Matrix *q = MATRIX(1, 2, 1, 2), *k = MATRIX(1, 2, 3, -1);
    Matrix *phi_q = feature_quadratic(q), *phi_k = feature_quadratic(k);
    expect_matrix("phi(q)", MATRIX(1, 3, 1, 2 * sqrt(2), 4), matrix_ref(phi_q), 1e-15);
    expect_number("(q.k)^2", 1, matrix_dot(phi_q, phi_k), 1e-14); /* without sqrt(2): 7 */
    matrix_unref(q);
    matrix_unref(k);
    matrix_unref(phi_q);
    matrix_unref(phi_k);
}

static void b21_beta_above_one(void **state)
{
    (void)state;
    Inputs in = ones(3, matrix_new(3, 1), COLUMN(2));
    Matrix *S = COLUMN(1);
    DeltaInput delta = {.Q = in.q, .K = in.k, .V = in.v, .beta = in.rate, .S = S};
    for (size_t chunk = 0; chunk <= 4; chunk++) { /* clamped: 0, 0, 0 */
        DeltaResult r = chunk ? delta_chunked(&delta, chunk) : delta_recurrent(&delta);
        expect_matrix("Y", COLUMN(-1, 1, -1), matrix_ref(r.Y), EXACT);
        delta_result_clear(&r);
    }
    matrix_unref(S);
    inputs_clear(&in);
}

static void b22_resume_from_a_state(void **state)
{
    (void)state;
    Inputs in = ones(4, COLUMN(1, 2, 3, 4), NULL), tail = ones(2, COLUMN(3, 4), NULL);
    expect_causal("whole", &in, false, COLUMN(1, 3, 6, 10), EXACT);
    Matrix *S = COLUMN(3), *z = COLUMN(2);
    LinearInput from = {.phiQ = tail.q, .phiK = tail.k, .V = tail.v, .S = S, .z = z};
    for (Form form = PARALLEL; form <= CHUNKED; form++) {
        LinearResult r = form == PARALLEL    ? linear_causal(&from)
                         : form == RECURRENT ? linear_recurrent(&from)
                                             : linear_chunked(&from, 3);
        expect_matrix("rest", COLUMN(6, 10), matrix_ref(r.Y), EXACT);
        expect_matrix("count", COLUMN(3, 4), matrix_ref(r.den), EXACT);
        linear_result_clear(&r);
    }
    expect_matrix("the saved copy is as it was", COLUMN(3), matrix_ref(S), EXACT);
    matrix_unref(S);
    matrix_unref(z);
    inputs_clear(&in);
    inputs_clear(&tail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b01_zero_denominator),
        cmocka_unit_test(b02_mask_keeps_the_diagonal),
        cmocka_unit_test(b03_nothing_to_see),
        cmocka_unit_test(b04_softmax_subtracts_the_maximum),
        cmocka_unit_test(b05_normaliser_divides_once),
        cmocka_unit_test(b06_normaliser_sums_over_time),
        cmocka_unit_test(b07_decay_before_prediction),
        cmocka_unit_test(b08_long_keys_diverge),
        cmocka_unit_test(b08_forward_substitution_holds),
        cmocka_unit_test(b09_scaled_once),
        cmocka_unit_test(b10_powers_of_decay_in_chunks),
        cmocka_unit_test(b11_hard_reset),
        cmocka_unit_test(b12_no_quotients_of_products),
        cmocka_unit_test(b13_running_sums),
        cmocka_unit_test(b14_performer_has_variance),
        cmocka_unit_test(b15_constants_that_cancel),
        cmocka_unit_test(b16_window_counts_the_token),
        cmocka_unit_test(b17_write_then_read),
        cmocka_unit_test(b18_chunk_does_not_divide),
        cmocka_unit_test(b19_state_layout),
        cmocka_unit_test(b20_square_is_outer_product),
        cmocka_unit_test(b21_beta_above_one),
        cmocka_unit_test(b22_resume_from_a_state),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
