/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for any input, on seeded random sizes: trial 0 is n = d = 1. */
#include "support.h"

#include "core/delta.h"
#include "core/feature.h"
#include "core/linear.h"
#include "core/product.h"
#include "core/scan.h"
#include "core/softmax.h"

enum { TRIALS = 60 };

typedef struct {
    size_t n, d_k, d_v, chunk, cut; /* cut: tokens before a pause, 0 .. n */
    Matrix *Q, *K, *V, *phiQ, *phiK, *gamma, *beta, *ones;
} Sample;

static Matrix *filled(size_t rows, size_t cols, double x)
{
    Matrix *m = matrix_new(rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        matrix_fill(m)[i] = x;
    return m;
}

/* Queries, unit keys, values, positive features, rates in (0,1) with a decay of exactly 0
 * somewhere in every third trial. */
static Sample sample(uint64_t trial)
{
    Sample s = {random_size(trial, 1, 40),
                random_size(trial, 2, 9),
                random_size(trial, 3, 7),
                random_size(trial, 4, 45),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0};
    s.cut = random_size(trial, 5, s.n + 1) - 1;
    s.Q = random_normal(trial, 11, s.n, s.d_k);
    Matrix *K = random_normal(trial, 12, s.n, s.d_k);
    s.K = feature_l2rows(K);
    s.V = random_normal(trial, 13, s.n, s.d_v);
    s.phiQ = feature_elu1(s.Q);
    s.phiK = feature_elu1(K);
    s.gamma = random_uniform(trial, 14, s.n, 1);
    if (trial % 3 == 2)
        matrix_fill(s.gamma)[s.n / 2] = 0;
    s.beta = random_uniform(trial, 15, s.n, 1);
    s.ones = filled(s.n, 1, 1);
    matrix_unref(K);
    return s;
}

static void sample_clear(Sample *s)
{
    Matrix *all[] = {s->Q, s->K, s->V, s->phiQ, s->phiK, s->gamma, s->beta, s->ones};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
}

static Matrix *rows_of(const Matrix *m, size_t from, size_t to)
{
    return matrix_from(to - from, m->cols, m->cells + from * m->cols);
}

static void expect_linear(const char *what, const LinearResult *a, LinearResult b)
{
    expect_matrix(what, matrix_ref(a->Y), matrix_ref(b.Y), 1e-12);
    expect_matrix(what, matrix_ref(a->den), matrix_ref(b.den), 1e-12);
    expect_matrix(what, matrix_ref(a->S), matrix_ref(b.S), 1e-12);
    expect_matrix(what, matrix_ref(a->z), matrix_ref(b.z), 1e-12);
    linear_result_clear(&b);
}

static void parallel_recurrent_and_chunked_agree(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        Matrix *fixed = matrix_scalar(0.9);
        const Matrix *decays[] = {NULL, fixed, s.gamma};
        LinearInput in = {.phiQ = s.phiQ, .phiK = s.phiK, .V = s.V};
        in.decay = decays[trial / 2 % 3];
        in.normalised = trial % 2;
        in.keep_weights = true;
        LinearResult r = linear_recurrent(&in), parallel = linear_causal(&in);
        Matrix *WV = matrix_multiply(parallel.W, s.V);
        expect_matrix("W V", matrix_ref(r.Y), WV, 1e-12);
        expect_linear("parallel", &r, parallel);
        expect_linear("chunked", &r, linear_chunked(&in, s.chunk));
        expect_linear("chunks of 1", &r, linear_chunked(&in, 1));
        expect_linear("one chunk", &r, linear_chunked(&in, s.n));
        linear_result_clear(&r);
        matrix_unref(fixed);
        sample_clear(&s);
    }
}

/* With no decay the last row of the causal form has seen what every row of the full one has. */
static void full_and_causal_meet_in_the_last_row(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        LinearInput in = {.phiQ = s.phiQ, .phiK = s.phiK, .V = s.V, .normalised = true};
        LinearResult full = linear_full(&in), causal = linear_recurrent(&in);
        expect_matrix("S", matrix_ref(full.S), matrix_ref(causal.S), 0);
        expect_matrix("last row", rows_of(full.Y, s.n - 1, s.n), rows_of(causal.Y, s.n - 1, s.n),
                      0);
        linear_result_clear(&full);
        linear_result_clear(&causal);
        sample_clear(&s);
    }
}

static void ones_come_back_as_ones(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        LinearInput in = {.phiQ = s.phiQ, .phiK = s.phiK, .V = s.ones, .normalised = true};
        LinearResult full = linear_full(&in);
        in.decay = s.gamma;
        LinearResult r[] = {full, linear_recurrent(&in), linear_causal(&in),
                            linear_chunked(&in, s.chunk)};
        for (size_t i = 0; i < sizeof r / sizeof *r; i++) {
            expect_matrix("ones", matrix_ref(s.ones), matrix_ref(r[i].Y), 1e-14);
            linear_result_clear(&r[i]);
        }
        expect_matrix("softmax of ones", matrix_ref(s.ones),
                      softmax_attention(s.Q, s.K, s.ones, SOFTMAX_CAUSAL, 0), 1e-14);
        sample_clear(&s);
    }
}

static void resuming_equals_the_whole_run(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        LinearInput in = {
            .phiQ = s.phiQ, .phiK = s.phiK, .V = s.V, .decay = s.gamma, .normalised = true};
        LinearResult whole = linear_recurrent(&in);
        Matrix *parts[2][4];
        for (size_t i = 0; i < 2; i++) {
            size_t from = i ? s.cut : 0, to = i ? s.n : s.cut;
            const Matrix *all[] = {s.phiQ, s.phiK, s.V, s.gamma};
            for (size_t j = 0; j < 4; j++)
                parts[i][j] = rows_of(all[j], from, to);
        }
        LinearInput head = {.phiQ = parts[0][0],
                            .phiK = parts[0][1],
                            .V = parts[0][2],
                            .decay = parts[0][3],
                            .normalised = true};
        LinearInput rest = {.phiQ = parts[1][0],
                            .phiK = parts[1][1],
                            .V = parts[1][2],
                            .decay = parts[1][3],
                            .normalised = true};
        LinearResult before = linear_chunked(&head, s.chunk);
        rest.S = before.S;
        rest.z = before.z;
        LinearResult after[] = {linear_recurrent(&rest), linear_causal(&rest),
                                linear_chunked(&rest, s.chunk)};
        for (size_t i = 0; i < 3; i++) {
            expect_matrix("Y", rows_of(whole.Y, s.cut, s.n), matrix_ref(after[i].Y), 1e-12);
            expect_matrix("S", matrix_ref(whole.S), matrix_ref(after[i].S), 1e-12);
            expect_matrix("z", matrix_ref(whole.z), matrix_ref(after[i].z), 1e-12);
            linear_result_clear(&after[i]);
        }
        linear_result_clear(&before);
        linear_result_clear(&whole);
        for (size_t j = 0; j < 8; j++)
            matrix_unref(parts[j / 4][j % 4]);
        sample_clear(&s);
    }
}

/* Addition forgets the order of its terms: S of shuffled tokens is S. */
static void reordering_leaves_the_state(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        Matrix *K = matrix_new(s.n, s.d_k), *V = matrix_new(s.n, s.d_v);
        size_t step = random_size(trial, 6, s.n); /* a rotation and a reversal */
        for (size_t t = 0; t < s.n; t++) {
            size_t from = (s.n - 1 - t + step) % s.n;
            memcpy(matrix_fill(K) + t * s.d_k, matrix_row(s.phiK, from), s.d_k * sizeof(double));
            memcpy(matrix_fill(V) + t * s.d_v, matrix_row(s.V, from), s.d_v * sizeof(double));
        }
        LinearInput in = {.phiQ = s.phiQ, .phiK = s.phiK, .V = s.V, .normalised = true};
        LinearInput shuffled = {.phiQ = s.phiQ, .phiK = K, .V = V, .normalised = true};
        LinearResult a = linear_full(&in), b = linear_full(&shuffled);
        expect_linear("shuffled", &a, b);
        linear_result_clear(&a);
        matrix_unref(K);
        matrix_unref(V);
        sample_clear(&s);
    }
}

static void expect_delta(const char *what, const DeltaResult *a, DeltaResult b, double tolerance)
{
    expect_matrix(what, matrix_ref(a->Y), matrix_ref(b.Y), tolerance);
    expect_matrix(what, matrix_ref(a->S), matrix_ref(b.S), tolerance);
    delta_result_clear(&b);
}

static void delta_chunked_equals_recurrent(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        DeltaInput in = {.Q = s.Q, .K = s.K, .V = s.V, .beta = s.beta};
        in.alpha = trial % 2 ? s.gamma : NULL;
        DeltaResult r = delta_recurrent(&in);
        expect_delta("chunked", &r, delta_chunked(&in, s.chunk), 1e-12);
        expect_delta("chunks of 1", &r, delta_chunked(&in, 1), 1e-12);
        expect_delta("one chunk", &r, delta_chunked(&in, s.n), 1e-12);
        delta_result_clear(&r);
        sample_clear(&s);
    }
}

static void gated_with_alpha_1_is_delta(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        DeltaInput in = {.Q = s.Q, .K = s.K, .V = s.V, .beta = s.beta}, gated = in;
        gated.alpha = s.ones;
        DeltaResult plain = delta_recurrent(&in);
        expect_delta("recurrent", &plain, delta_recurrent(&gated), 0);
        expect_delta("chunked", &plain, delta_chunked(&gated, s.chunk), 1e-12);
        delta_result_clear(&plain);
        sample_clear(&s);
    }
}

static void beta_0_leaves_the_state(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        Matrix *S = random_normal(trial, 16, s.d_k, s.d_v), *zero = matrix_scalar(0);
        DeltaInput in = {.Q = s.Q, .K = s.K, .V = s.V, .beta = zero, .S = S};
        DeltaResult r = delta_recurrent(&in), c = delta_chunked(&in, s.chunk);
        expect_matrix("S, recurrent", matrix_ref(S), matrix_ref(r.S), 0);
        expect_matrix("S, chunked", matrix_ref(S), matrix_ref(c.S), 0);
        expect_matrix("Y = Q S", matrix_multiply(s.Q, S), matrix_ref(r.Y), 0);
        delta_result_clear(&r);
        delta_result_clear(&c);
        matrix_unref(zero);
        matrix_unref(S);
        sample_clear(&s);
    }
}

static void delta_resumes(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        DeltaInput in = {.Q = s.Q, .K = s.K, .V = s.V, .beta = s.beta, .alpha = s.gamma};
        DeltaResult whole = delta_recurrent(&in);
        const Matrix *all[] = {s.Q, s.K, s.V, s.beta, s.gamma};
        Matrix *head[5], *rest[5];
        for (size_t j = 0; j < 5; j++) {
            head[j] = rows_of(all[j], 0, s.cut);
            rest[j] = rows_of(all[j], s.cut, s.n);
        }
        DeltaInput first = {head[0], head[1], head[2], head[3], head[4], NULL, false};
        DeltaResult before = delta_recurrent(&first);
        DeltaInput then = {rest[0], rest[1], rest[2], rest[3], rest[4], before.S, false};
        DeltaResult r = delta_recurrent(&then), c = delta_chunked(&then, s.chunk);
        expect_matrix("Y", rows_of(whole.Y, s.cut, s.n), matrix_ref(r.Y), 0);
        expect_matrix("S", matrix_ref(whole.S), matrix_ref(r.S), 0);
        expect_delta("chunked", &r, c, 1e-12);
        delta_result_clear(&r);
        delta_result_clear(&before);
        delta_result_clear(&whole);
        for (size_t j = 0; j < 5; j++) {
            matrix_unref(head[j]);
            matrix_unref(rest[j]);
        }
        sample_clear(&s);
    }
}

/* After a write with beta 1 of a unit key, the state answers that key with its value. */
static void what_was_written_is_read(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        DeltaInput in = {.Q = s.K, .K = s.K, .V = s.V, .beta = s.ones, .alpha = s.gamma};
        DeltaResult r = delta_recurrent(&in);
        expect_matrix("Y = V", matrix_ref(s.V), matrix_ref(r.Y), 1e-12);
        delta_result_clear(&r);
        sample_clear(&s);
    }
}

static void softmax_rows_sum_to_1(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        Matrix *scores = softmax_scores(s.Q, s.K), *window = mask_window(scores, s.chunk);
        Matrix *P[] = {softmax_rows(scores), softmax_rows(window)};
        for (size_t i = 0; i < 2; i++) {
            expect_matrix("sums", matrix_ref(s.ones), matrix_multiply(P[i], s.ones), 1e-14);
            matrix_unref(P[i]);
        }
        matrix_unref(scores);
        matrix_unref(window);
        sample_clear(&s);
    }
}

/* (Q K') V = Q (K' V) */
static void brackets_may_be_swapped(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        Matrix *turned = matrix_transpose(s.K);
        Matrix *A = matrix_multiply(s.Q, turned), *S = matrix_multiply(turned, s.V);
        expect_matrix("Y", matrix_multiply(A, s.V), matrix_multiply(s.Q, S), 1e-12);
        matrix_unref(turned);
        matrix_unref(A);
        matrix_unref(S);
        sample_clear(&s);
    }
}

static void ssd_forms_agree(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        ScanResult r = scan_ssd(s.V, s.gamma, s.K, s.Q, false);
        ScanResult m = scan_ssd_matrix(s.V, s.gamma, s.K, s.Q);
        expect_matrix("Y", matrix_ref(r.Y), matrix_ref(m.Y), 1e-12);
        expect_matrix("M X", matrix_ref(r.Y), matrix_multiply(m.M, s.V), 1e-12);
        expect_matrix("S", matrix_ref(r.h), matrix_ref(m.h), 1e-12);
        scan_result_clear(&r);
        scan_result_clear(&m);
        sample_clear(&s);
    }
}

/* A NaN in token t is seen by tokens from t on and by no other. */
static void a_nan_stays_causal(void **state)
{
    (void)state;
    for (uint64_t trial = 1; trial < TRIALS; trial++) {
        Sample s = sample(trial);
        matrix_fill(s.V)[s.cut % s.n * s.d_v] = NAN;
        LinearInput in = {.phiQ = s.phiQ, .phiK = s.phiK, .V = s.V, .normalised = true};
        LinearResult r[] = {linear_recurrent(&in), linear_causal(&in),
                            linear_chunked(&in, s.chunk)};
        for (size_t i = 0; i < 3; i++) {
            for (size_t t = 0; t < s.n; t++)
                assert_int_equal(!!isnan(matrix_at(r[i].Y, t, 0)), t >= s.cut % s.n);
            linear_result_clear(&r[i]);
        }
        sample_clear(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_recurrent_and_chunked_agree),
        cmocka_unit_test(full_and_causal_meet_in_the_last_row),
        cmocka_unit_test(ones_come_back_as_ones),
        cmocka_unit_test(resuming_equals_the_whole_run),
        cmocka_unit_test(reordering_leaves_the_state),
        cmocka_unit_test(delta_chunked_equals_recurrent),
        cmocka_unit_test(gated_with_alpha_1_is_delta),
        cmocka_unit_test(beta_0_leaves_the_state),
        cmocka_unit_test(delta_resumes),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(softmax_rows_sum_to_1),
        cmocka_unit_test(brackets_may_be_swapped),
        cmocka_unit_test(ssd_forms_agree),
        cmocka_unit_test(a_nan_stays_causal),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
