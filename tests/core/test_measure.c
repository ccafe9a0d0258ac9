/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures of a matrix and of the distance between two. */
#include "support.h"

#include "core/measure.h"

static void entropies(void **state)
{
    (void)state;
    Matrix *P = MATRIX(4, 4, .25, .25, .25, .25, 1, 0, 0, 0, .5, .5, 0, 0, NAN, 0, 0, 1);
    Matrix *H = entropy_rows(P);
    expect_matrix("nats", COLUMN(log(4), 0, log(2), NAN), matrix_ref(H), 1e-15);
    assert_false(signbit(H->cells[1]));
    matrix_unref(H);
    matrix_unref(P);
}

static void ranks(void **state)
{
    (void)state;
    Matrix *I = MATRIX(3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1), *one = MATRIX(2, 3, 1, 2, 3, 2, 4, 6);
    expect_number("identity", 3, effective_rank(I), 1e-14);
    expect_number("rank one", 1, effective_rank(one), 1e-12);
    expect_number("identity", 3, numeric_rank(I), 0);
    expect_number("rank one", 1, numeric_rank(one), 0);
    matrix_unref(I);
    matrix_unref(one);
    Matrix *d = MATRIX(2, 2, 3, 0, 0, 1); /* shares 3/4, 1/4 */
    expect_number("3, 1", exp(-.75 * log(.75) - .25 * log(.25)), effective_rank(d), 1e-14);
    matrix_unref(d);
    Matrix *bad = MATRIX(1, 2, NAN, 1), *zero = matrix_new(2, 2), *none = matrix_new(0, 3);
    expect_number("NaN", NAN, effective_rank(bad), 0);
    expect_number("zero", NAN, effective_rank(zero), 0); /* 0/0 */
    expect_number("empty", 1, effective_rank(none), 0);
    expect_number("zero", 0, numeric_rank(zero), 0);
    matrix_unref(bad);
    matrix_unref(zero);
    matrix_unref(none);
}

/* Sizes at which squares overflow or vanish. */
static void singular_values_at_any_scale(void **state)
{
    (void)state;
    static const double scales[] = {1, 1e300, 1e-300};
    for (size_t i = 0; i < 3; i++) {
        double s = scales[i];
        Matrix *A = MATRIX(2, 3, 3 * s, 0, 0, 0, 4 * s, 0);
        expect_matrix("sigma", COLUMN(4 * s, 3 * s), singular_values(A), 1e-14);
        matrix_unref(A);
    }
    Matrix *A = MATRIX(1, 2, 3, 4);
    expect_matrix("row", COLUMN(5), singular_values(A), 1e-15);
    matrix_unref(A);
}

static void relative_errors(void **state)
{
    (void)state;
    Matrix *a = MATRIX(1, 2, 3, 5), *b = MATRIX(1, 2, 3, 4), *zero = matrix_new(1, 2);
    expect_number("1 in 5", 0.2, relative_error(a, b), 1e-15);
    expect_number("none", 0, relative_error(b, b), 0);
    expect_number("of nothing", INFINITY, relative_error(a, zero), 0);
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(zero);
}

static void recall_rates(void **state)
{
    (void)state;
    Matrix *values = MATRIX(3, 2, 1, 0, 0, 1, 1, 0); /* row 3 repeats row 1 */
    Matrix *got = MATRIX(3, 2, .9, .1, .4, .3, 1, 0);
    expect_number("the first of equals is nearest", 1.0 / 3, recall_rate(got, values), 1e-15);
    Matrix *lost = MATRIX(3, 2, NAN, 0, 0, 9, 0, -9);
    expect_number("NaN is near nothing", 1.0 / 3, recall_rate(lost, values), 1e-15);
    Matrix *far = MATRIX(2, 2, 0, 1, 5, 0), *near = MATRIX(2, 2, 4, .1, 1, 0);
    expect_number("by distance", 0, recall_rate(near, far), 0);
    Matrix *along = MATRIX(2, 2, 0, .1, .1, 0);
    expect_number("by direction", 1, recall_rate_direction(along, far), 0);
    matrix_unref(values);
    matrix_unref(got);
    matrix_unref(lost);
    matrix_unref(far);
    matrix_unref(near);
    matrix_unref(along);
    Matrix *none = matrix_new(0, 2);
    expect_number("nothing to recall", NAN, recall_rate(none, none), 0);
    matrix_unref(none);
}

static void differences(void **state)
{
    (void)state;
    double largest;
    bool same;
    Matrix *a = MATRIX(1, 4, 1, -7, NAN, INFINITY), *b = MATRIX(1, 4, 1.5, -7, NAN, INFINITY);
    assert_true(measure_difference(a, b, &largest, &same) == 0.5);
    assert_true(same && largest == 7);
    Matrix *c = MATRIX(1, 4, 1, -7, 0, INFINITY), *d = MATRIX(1, 4, 1, -7, NAN, -INFINITY);
    measure_difference(a, c, NULL, &same);
    assert_false(same);
    measure_difference(c, a, &largest, &same);
    assert_false(same);
    measure_difference(a, d, NULL, &same);
    assert_false(same);
    matrix_unref(a);
    matrix_unref(b);
    matrix_unref(c);
    matrix_unref(d);
    Matrix *none = matrix_new(0, 0);
    assert_true(measure_difference(none, none, &largest, &same) == 0 && largest == 0 && same);
    matrix_unref(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropies),
        cmocka_unit_test(ranks),
        cmocka_unit_test(singular_values_at_any_scale),
        cmocka_unit_test(relative_errors),
        cmocka_unit_test(recall_rates),
        cmocka_unit_test(differences),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
