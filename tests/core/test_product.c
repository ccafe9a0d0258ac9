/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products: the bits of GSL's own CBLAS, whatever the instruction set. */
#include "support.h"

#include <gsl/gsl_blas.h>

#include "core/product.h"

static Matrix *by_gsl(const Matrix *a, const Matrix *b)
{
    Matrix *c = matrix_new(a->rows, b->cols);
    if (matrix_count(c) == 0 || a->cols == 0)
        return c;
    gsl_matrix_const_view x = gsl_matrix_const_view_array(a->cells, a->rows, a->cols);
    gsl_matrix_const_view y = gsl_matrix_const_view_array(b->cells, b->rows, b->cols);
    gsl_matrix_view z = gsl_matrix_view_array(matrix_fill(c), c->rows, c->cols);
    assert_int_equal(
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &x.matrix, &y.matrix, 0, &z.matrix), 0);
    return c;
}

/* Some zeros of either sign, and numbers far apart. */
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

static void expect_same_bits(size_t m, size_t k, size_t n)
{
    Matrix *a = awkward(m * 31 + k, m, k), *b = awkward(n * 17 + k + 1, k, n);
    Matrix *expected = by_gsl(a, b), *got = matrix_multiply(a, b);
    if (!matrix_same(expected, got))
        fail_msg("(%zu,%zu)(%zu,%zu) differs from gsl_blas_dgemm", m, k, k, n);
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(expected);
    matrix_unref(got);
}

static void has_the_bits_of_gsl(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 200; trial++)
        expect_same_bits(random_size(trial, 1, 40), random_size(trial, 2, 40),
                         random_size(trial, 3, 100));
    expect_same_bits(128, 64, 128);
    expect_same_bits(257, 130, 259);
    expect_same_bits(1, 1000, 1);
    expect_same_bits(4, 1, 32);
}

static void empty_products(void **state)
{
    (void)state;
    expect_same_bits(0, 3, 2);
    expect_same_bits(3, 0, 40);
    expect_same_bits(8, 0, 2);
    expect_same_bits(3, 2, 0);
}

static void nothing_is_skipped(void **state)
{
    (void)state;
    Matrix *a = MATRIX(1, 2, 0, 1), *b = MATRIX(2, 2, NAN, INFINITY, 1, 2);
    expect_matrix("0 NaN", MATRIX(1, 2, NAN, NAN), matrix_multiply(a, b), 0);
    matrix_unref(a);
    matrix_unref(b);
    Matrix *wide = matrix_new(8, 8), *one = matrix_new(8, 64);
    for (size_t j = 0; j < 64; j++)
        matrix_fill(one)[5 * 64 + j] = NAN;
    Matrix *c = matrix_multiply(wide, one);
    for (size_t i = 0; i < matrix_count(c); i++)
        assert_true(isnan(c->cells[i]));
    matrix_unref(wide);
    matrix_unref(one);
    matrix_unref(c);
}

static void small_example(void **state)
{
    (void)state;
    Matrix *a = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *b = matrix_transpose(a);
    expect_matrix("transpose", MATRIX(3, 2, 1, 4, 2, 5, 3, 6), matrix_ref(b), 0);
    expect_matrix("a a'", MATRIX(2, 2, 14, 32, 32, 77), matrix_multiply(a, b), 0);
    expect_number("dot", 1 * 1 + 2 * 4 + 3 * 2 + 4 * 5 + 5 * 3 + 6 * 6, matrix_dot(a, b), 0);
    matrix_unref(a);
    matrix_unref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_bits_of_gsl),
        cmocka_unit_test(empty_products),
        cmocka_unit_test(nothing_is_skipped),
        cmocka_unit_test(small_example),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
