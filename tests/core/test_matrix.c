/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices: references, sizes, sameness. */
#include "support.h"

static void references_are_counted(void **state)
{
    (void)state;
    size_t before = matrix_live_bytes();
    Matrix *m = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *again = matrix_ref(m);
    assert_ptr_equal(m, again);
    assert_int_equal(matrix_live_bytes(), before + sizeof(Matrix) + 6 * sizeof(double));
    matrix_unref(m);
    assert_true(matrix_at(again, 1, 2) == 6);
    matrix_unref(again);
    matrix_unref(NULL);
    assert_int_equal(matrix_live_bytes(), before);
}

static void sizes_do_not_wrap(void **state)
{
    (void)state;
    assert_true(matrix_fits(0, SIZE_MAX, 0));
    assert_true(matrix_fits(SIZE_MAX, 0, 0));
    assert_true(matrix_fits(2, 3, 6));
    assert_false(matrix_fits(2, 3, 5));
    assert_false(matrix_fits((size_t)1 << 33, (size_t)1 << 33, MATRIX_MAX_CELLS));
    assert_true(matrix_fits(1, MATRIX_MAX_CELLS, MATRIX_MAX_CELLS));
    assert_false(matrix_fits(1, MATRIX_MAX_CELLS + 1, MATRIX_MAX_CELLS));
}

static void empty_matrices(void **state)
{
    (void)state;
    Matrix *a = matrix_new(0, 3), *b = matrix_from(3, 0, NULL), *c = matrix_new(0, 3);
    assert_false(matrix_same(a, b));
    assert_true(matrix_same(a, c));
    assert_int_equal(matrix_count(b), 0);
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(c);
}

static void sameness_is_of_bits(void **state)
{
    (void)state;
    Matrix *a = MATRIX(1, 2, 0.0, NAN), *b = MATRIX(1, 2, -0.0, NAN), *c = MATRIX(1, 2, 0, -NAN);
    Matrix *d = MATRIX(2, 1, 0, NAN);
    assert_true(matrix_same(a, a));
    assert_false(matrix_same(a, b));
    assert_true(matrix_same(a, c));
    assert_false(matrix_same(a, d));
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(c);
    matrix_unref(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_counted),
        cmocka_unit_test(sizes_do_not_wrap),
        cmocka_unit_test(empty_matrices),
        cmocka_unit_test(sameness_is_of_bits),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
