/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feature maps, random features, rotations and unit rows. */
#include "support.h"

#include "core/elementary.h"
#include "core/feature.h"
#include "core/product.h"
#include "core/rope.h"

static void maps_entry_by_entry(void **state)
{
    (void)state;
    Matrix *x = MATRIX(1, 5, -1, 0, 2, NAN, -INFINITY);
    double e = 1 / 2.718281828459045;
    expect_matrix("elu1", MATRIX(1, 5, e, 1, 3, NAN, 0), feature_elu1(x), 1e-15);
    expect_matrix("relu", MATRIX(1, 5, 0, 0, 2, NAN, 0), feature_relu(x), 0);
    expect_matrix("exp", MATRIX(1, 5, e, 1, 7.38905609893065, NAN, 0), feature_exp(x), 1e-15);
    Matrix *same = feature_identity(x);
    assert_ptr_equal(same, x);
    matrix_unref(same);
    matrix_unref(x);
}

static void quadratic_is_the_square(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 40; trial++) {
        size_t n = random_size(trial, 1, 8), d = random_size(trial, 2, 8);
        Matrix *q = random_normal(trial, 3, n, d), *k = random_normal(trial, 4, n, d);
        Matrix *phi_q = feature_quadratic(q), *phi_k = feature_quadratic(k);
        assert_int_equal(phi_q->cols, d * (d + 1) / 2);
        Matrix *turned = matrix_transpose(k), *scores = matrix_multiply(q, turned);
        Matrix *phi_turned = matrix_transpose(phi_k);
        for (size_t i = 0; i < matrix_count(scores); i++)
            matrix_fill(scores)[i] *= scores->cells[i];
        expect_matrix("(q.k)^2", scores, matrix_multiply(phi_q, phi_turned), 1e-13);
        matrix_unref(phi_turned);
        matrix_unref(turned);
        matrix_unref(phi_q);
        matrix_unref(phi_k);
        matrix_unref(q);
        matrix_unref(k);
    }
}

/* The mean of phi(q).phi(k) over many draws of directions, less exp(q.k), in units of it. */
static double favor_bias(bool orthogonal)
{
    const size_t d = 4, m = 4, draws = 40000;
    Matrix *q = MATRIX(1, 4, .3, -.2, .5, .1), *k = MATRIX(1, 4, .4, .1, .2, -.3);
    double mean = 0, truth = elementary_exp(matrix_dot(q, k));
    for (uint64_t i = 0; i < draws; i++) {
        Matrix *G = features_gaussian(9, 2 * i, m, d), *L = features_gaussian(9, 2 * i + 1, m, d);
        Matrix *W = orthogonal ? features_orthogonal(G, L) : matrix_ref(G);
        Matrix *phi_q = feature_favor(q, W), *phi_k = feature_favor(k, W);
        mean += matrix_dot(phi_q, phi_k) / (double)draws;
        matrix_unref(phi_q);
        matrix_unref(phi_k);
        matrix_unref(W);
        matrix_unref(G);
        matrix_unref(L);
    }
    matrix_unref(q);
    matrix_unref(k);
    return mean / truth - 1;
}

static void random_features_are_unbiased(void **state)
{
    (void)state;
    assert_true(fabs(favor_bias(false)) < 0.02);
    assert_true(fabs(favor_bias(true)) < 0.02);
}

static void orthogonal_blocks(void **state)
{
    (void)state;
    const size_t m = 11, d = 4;
    Matrix *G = random_normal(1, 1, m, d), *L = random_normal(1, 2, m, d);
    Matrix *W = features_orthogonal(G, L);
    for (size_t i = 0; i < m; i++) {
        const double *w = matrix_row(W, i), *l = matrix_row(L, i), *g = matrix_row(G, i);
        double ww = 0, ll = 0, wg = 0;
        for (size_t c = 0; c < d; c++) {
            ww += w[c] * w[c];
            ll += l[c] * l[c];
            wg += w[c] * g[c];
        }
        assert_true(fabs(sqrt(ww) - sqrt(ll)) < 1e-14);
        assert_true(wg > 0); /* what is left of the row, not its opposite */
        for (size_t j = i - i % d; j < i; j++) {
            double dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += w[c] * matrix_at(W, j, c);
            assert_true(fabs(dot) < 1e-13);
        }
    }
    /* the first rows of a block do not depend on how many follow */
    Matrix *G9 = random_normal(1, 1, 9, d), *L9 = random_normal(1, 2, 9, d);
    Matrix *W9 = features_orthogonal(G9, L9);
    expect_matrix("fewer rows", matrix_from(9, d, W->cells), W9, 0);
    matrix_unref(G);
    matrix_unref(L);
    matrix_unref(W);
    matrix_unref(G9);
    matrix_unref(L9);
    Matrix *none = matrix_new(3, 0);
    expect_matrix("no columns", matrix_new(3, 0), features_orthogonal(none, none), 0);
    matrix_unref(none);
}

/* exp(q.k / sqrt(d)) is what features of q, k times d^(-1/4) estimate. */
static void quarter_scale(void **state)
{
    (void)state;
    Matrix *x = MATRIX(1, 4, 1, 2, 3, 4), *y = feature_quarter_scale(x);
    expect_number("x.x / 2", 15, matrix_dot(y, y), 1e-15);
    matrix_unref(x);
    matrix_unref(y);
}

static void unit_rows(void **state)
{
    (void)state;
    Matrix *x = MATRIX(3, 2, 0, 0, 3, 4, -5, 0);
    expect_matrix("l2rows", MATRIX(3, 2, 0, 0, .6, .8, -1, 0), feature_l2rows(x), 1e-16);
    matrix_unref(x);
}

/* A score of rotated rows depends on how far they are apart, not where they stand. */
static void rope_is_relative(void **state)
{
    (void)state;
    const size_t n = 12, d = 6;
    Matrix *(*const forms[])(const Matrix *) = {rope_interleaved, rope_half};
    for (size_t f = 0; f < 2; f++) {
        Matrix *x = matrix_new(n, d); /* the same row everywhere */
        for (size_t i = 0; i < n * d; i++)
            matrix_fill(x)[i] = (double)(i % d) - 2.5;
        Matrix *y = forms[f](x), *turned = matrix_transpose(y);
        Matrix *scores = matrix_multiply(y, turned);
        for (size_t c = 0; c < d; c++)
            assert_true(matrix_at(y, 0, c) == matrix_at(x, 0, c)); /* row 0 is not turned */
        for (size_t i = 1; i < n; i++)
            for (size_t j = 1; j < n; j++)
                assert_true(fabs(matrix_at(scores, i, j) - matrix_at(scores, i - 1, j - 1)) <
                            1e-12);
        assert_true(fabs(matrix_at(scores, 1, 0) - matrix_at(scores, 0, 0)) > 1e-3);
        matrix_unref(x);
        matrix_unref(y);
        matrix_unref(turned);
        matrix_unref(scores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_entry_by_entry),
        cmocka_unit_test(quadratic_is_the_square),
        cmocka_unit_test(random_features_are_unbiased),
        cmocka_unit_test(orthogonal_blocks),
        cmocka_unit_test(quarter_scale),
        cmocka_unit_test(unit_rows),
        cmocka_unit_test(rope_is_relative),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
