/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Left division and powers: values are GNU Octave's. */
#include "support.h"

#include "core/product.h"
#include "core/solve.h"

/* A \ B = X, and whether A was called singular. Takes all three over. */
static void expect_solution(Matrix *A, Matrix *B, Matrix *X, bool singular)
{
    bool flag = !singular;
    expect_matrix("A \\ B", X, solve_left(A, B, &flag), 1e-14);
    assert_int_equal(flag, singular);
    matrix_unref(A);
    matrix_unref(B);
}

static void regular_systems(void **state)
{
    (void)state;
    expect_solution(MATRIX(2, 2, 2, 1, 1, 3), COLUMN(3, 5), COLUMN(0.8, 1.4), false);
    expect_solution(MATRIX(2, 2, 0, 1, 1, 0), MATRIX(2, 2, 1, 2, 3, 4), MATRIX(2, 2, 3, 4, 1, 2),
                    false);
    expect_solution(MATRIX(1, 1, 4), MATRIX(1, 2, 2, 8), MATRIX(1, 2, .5, 2), false);
}

static void singular_systems_take_the_least_norm(void **state)
{
    (void)state;
    expect_solution(MATRIX(2, 2, 1, 2, 2, 4), COLUMN(1, 2), COLUMN(.2, .4), true);
    expect_solution(MATRIX(2, 2, 1, 2, 2, 4), COLUMN(1, 1), COLUMN(.12, .24), true);
    expect_solution(MATRIX(2, 2, 1, 1, 0, 0), COLUMN(1, 1), COLUMN(.5, .5), true);
    expect_solution(matrix_new(2, 2), COLUMN(1, 1), COLUMN(0, 0), true);
}

static void triangular_systems_are_substituted(void **state)
{
    (void)state;
    expect_solution(MATRIX(2, 2, 1, 1e-17, 0, 1e-17), COLUMN(1, 1), COLUMN(0, 1e17), true);
    expect_solution(MATRIX(2, 2, 2, 0, 1, 4), COLUMN(2, 9), COLUMN(1, 2), false);
    expect_solution(MATRIX(2, 2, 1, NAN, 0, 1), COLUMN(1, 1), COLUMN(NAN, 1), false);
}

static void rectangular_systems(void **state)
{
    (void)state;
    expect_solution(MATRIX(3, 2, 1, 2, 3, 4, 5, 6), COLUMN(1, 2, 3), COLUMN(0, .5), false);
    expect_solution(MATRIX(2, 3, 1, 2, 3, 4, 5, 6), COLUMN(1, 2),
                    COLUMN(-1.0 / 18, 1.0 / 9, 5.0 / 18), false);
    expect_solution(MATRIX(3, 2, 1, NAN, 2, 3, 4, 5), COLUMN(1, 1, 1), COLUMN(NAN, NAN), false);
    expect_solution(matrix_new(3, 0), matrix_new(3, 2), matrix_new(0, 2), false);
    expect_solution(matrix_new(0, 3), matrix_new(0, 2), matrix_new(3, 2), false);
    expect_solution(MATRIX(2, 2, 1, 2, 3, 5), matrix_new(2, 0), matrix_new(2, 0), false);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    expect_solution(MATRIX(2, 2, NAN, 1, 1, 1), COLUMN(1, 1), COLUMN(NAN, NAN), false);
    expect_solution(MATRIX(2, 2, INFINITY, 1, 1, 1), COLUMN(1, 1), COLUMN(0, 1), false);
    expect_solution(MATRIX(2, 2, 1, 2, 3, 4), COLUMN(NAN, 1), COLUMN(NAN, NAN), false);
}

/* A (A \ B) = B for random A, and (A^-1)^2 = A^-2. */
static void solutions_solve(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 30; trial++) {
        size_t n = random_size(trial, 1, 20), p = random_size(trial, 2, 5);
        Matrix *A = random_normal(trial, 3, n, n), *B = random_normal(trial, 4, n, p);
        Matrix *X = solve_left(A, B, NULL);
        expect_matrix("A X", matrix_ref(B), matrix_multiply(A, X), 1e-9);
        Matrix *inverse = matrix_power_int(A, -1, NULL);
        expect_matrix("A^-2", matrix_multiply(inverse, inverse), matrix_power_int(A, -2, NULL), 0);
        matrix_unref(inverse);
        matrix_unref(A);
        matrix_unref(B);
        matrix_unref(X);
    }
}

static void powers(void **state)
{
    (void)state;
    bool singular = true;
    Matrix *A = MATRIX(2, 2, 1, 2, 3, 4), *B = MATRIX(2, 2, 2, 1, 1, 1);
    expect_matrix("A^0", MATRIX(2, 2, 1, 0, 0, 1), matrix_power_int(A, 0, NULL), 0);
    expect_matrix("A^1", matrix_ref(A), matrix_power_int(A, 1, NULL), 0);
    expect_matrix("A^5", MATRIX(2, 2, 1069, 1558, 2337, 3406), matrix_power_int(A, 5, &singular),
                  0);
    assert_false(singular);
    expect_matrix("B^-3", MATRIX(2, 2, 5, -8, -8, 13), matrix_power_int(B, -3, &singular), 1e-14);
    assert_false(singular);
    matrix_unref(A);
    matrix_unref(B);
    Matrix *C = MATRIX(2, 2, 1, 2, 2, 4);
    expect_matrix("singular", MATRIX(2, 2, INFINITY, INFINITY, INFINITY, INFINITY),
                  matrix_power_int(C, -1, &singular), 0);
    assert_true(singular);
    matrix_unref(C);
    Matrix *none = matrix_new(0, 0);
    expect_matrix("0x0", matrix_new(0, 0), matrix_power_int(none, -3, NULL), 0);
    matrix_unref(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_systems),
        cmocka_unit_test(singular_systems_take_the_least_norm),
        cmocka_unit_test(triangular_systems_are_substituted),
        cmocka_unit_test(rectangular_systems),
        cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(solutions_solve),
        cmocka_unit_test(powers),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
