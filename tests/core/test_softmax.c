/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Softmax and masks where numbers stop being numbers, and shapes that are not square. */
#include "support.h"

#include "core/softmax.h"

static void not_a_number_fills_its_row(void **state)
{
    (void)state;
    Matrix *S = MATRIX(4, 2, NAN, 1, 1, NAN, INFINITY, 0, 0, 0);
    expect_matrix("P", MATRIX(4, 2, NAN, NAN, NAN, NAN, NAN, NAN, .5, .5), softmax_rows(S), 0);
    matrix_unref(S);
    S = MATRIX(1, 2, NAN, -INFINITY);
    expect_matrix("P", MATRIX(1, 2, NAN, NAN), softmax_rows(S), 0);
    matrix_unref(S);
}

static void empty_scores(void **state)
{
    (void)state;
    Matrix *S = matrix_new(3, 0), *T = matrix_new(0, 3);
    expect_matrix("no keys", matrix_new(3, 0), softmax_rows(S), 0);
    expect_matrix("no queries", matrix_new(0, 3), softmax_rows(T), 0);
    matrix_unref(S);
    matrix_unref(T);
    Matrix *Q = matrix_new(2, 3), *K = matrix_new(0, 3), *V = matrix_new(0, 2);
    expect_matrix("nothing to attend to", matrix_new(2, 2),
                  softmax_attention(Q, K, V, SOFTMAX_FULL, 0), 0);
    matrix_unref(Q);
    matrix_unref(K);
    matrix_unref(V);
}

static void masks_of_rectangles(void **state)
{
    (void)state;
    const double no = -INFINITY;
    Matrix *wide = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *tall = MATRIX(3, 2, 1, 2, 3, 4, 5, 6);
    expect_matrix("causal", MATRIX(2, 3, 1, no, no, 4, 5, no), mask_causal(wide), 0);
    expect_matrix("causal", MATRIX(3, 2, 1, no, 3, 4, 5, 6), mask_causal(tall), 0);
    expect_matrix("window 1", MATRIX(3, 2, 1, no, no, 4, no, no), mask_window(tall, 1), 0);
    expect_matrix("window 0", MATRIX(2, 3, no, no, no, no, no, no), mask_window(wide, 0), 0);
    expect_matrix("window 9", mask_causal(tall), mask_window(tall, 9), 0);
    matrix_unref(wide);
    matrix_unref(tall);
}

/* Adding a number to a row changes nothing. */
static void only_differences_count(void **state)
{
    (void)state;
    Matrix *S = MATRIX(2, 3, 0, 1, 2, 0, 1, 2);
    for (size_t j = 0; j < 3; j++)
        matrix_fill(S)[3 + j] += 1024;
    Matrix *P = softmax_rows(S);
    for (size_t j = 0; j < 3; j++)
        assert_true(matrix_at(P, 0, j) == matrix_at(P, 1, j));
    matrix_unref(P);
    matrix_unref(S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_number_fills_its_row),
        cmocka_unit_test(empty_scores),
        cmocka_unit_test(masks_of_rectangles),
        cmocka_unit_test(only_differences_count),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
