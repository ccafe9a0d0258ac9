/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers: the same for the same (seed, call), row by row, and what they should be. */
#include "support.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

typedef Matrix *(*Draw)(uint64_t, uint64_t, size_t, size_t);
static const Draw draws[] = {random_normal, random_uniform};

static void same_call_same_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Matrix *a = draws[i](7, 1, 5, 3), *b = draws[i](7, 1, 5, 3);
        assert_true(matrix_same(a, b));
        matrix_unref(a);
        matrix_unref(b);
    }
}

static void more_rows_keep_the_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Matrix *few = draws[i](7, 2, 4, 3), *many = draws[i](7, 2, 9, 3);
        Matrix *head = matrix_from(4, 3, many->cells);
        assert_true(matrix_same(few, head));
        matrix_unref(few);
        matrix_unref(many);
        matrix_unref(head);
    }
}

static void other_calls_and_seeds_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Matrix *m[4] = {draws[i](7, 1, 3, 3), draws[i](7, 2, 3, 3), draws[i](8, 1, 3, 3),
                        draws[i](7 + ((uint64_t)1 << 32), 1, 3, 3)};
        for (size_t a = 0; a < 4; a++)
            for (size_t b = 0; b < a; b++)
                assert_false(matrix_same(m[a], m[b]));
        for (size_t a = 0; a < 4; a++)
            matrix_unref(m[a]);
    }
}

/* Mean and variance of n numbers. */
static void moments(const Matrix *m, double *mean, double *variance)
{
    double sum = 0, squares = 0, n = (double)matrix_count(m);
    for (size_t i = 0; i < matrix_count(m); i++) {
        sum += m->cells[i];
        squares += m->cells[i] * m->cells[i];
    }
    *mean = sum / n;
    *variance = squares / n - *mean * *mean;
}

static void moments_are_right(void **state)
{
    (void)state;
    double mean, variance;
    Matrix *z = random_normal(1, 1, 1000, 1000), *u = random_uniform(1, 2, 1000, 1000);
    moments(z, &mean, &variance);
    assert_true(fabs(mean) < 5e-3 && fabs(variance - 1) < 1e-2);
    moments(u, &mean, &variance);
    assert_true(fabs(mean - 0.5) < 2e-3 && fabs(variance - 1.0 / 12) < 1e-3);
    for (size_t i = 0; i < matrix_count(u); i++)
        assert_true(u->cells[i] > 0 && u->cells[i] < 1);
    matrix_unref(z);
    matrix_unref(u);
}

/* First numbers of many calls: neighbouring calls are not correlated. */
static void calls_are_independent(void **state)
{
    (void)state;
    const size_t n = 20000;
    Matrix *first = matrix_new(n, 1);
    for (size_t i = 0; i < n; i++) {
        Matrix *z = random_normal(3, i, 1, 1);
        matrix_fill(first)[i] = z->cells[0];
        matrix_unref(z);
    }
    double mean, variance, product = 0;
    moments(first, &mean, &variance);
    for (size_t i = 0; i + 1 < n; i++)
        product += first->cells[i] * first->cells[i + 1];
    assert_true(fabs(mean) < 0.03 && fabs(variance - 1) < 0.05);
    assert_true(fabs(product / (double)n) < 0.03);
    matrix_unref(first);
}

/* The generator's seed is a hash of (seed, call): splitmix64 of their mixture, 32 bits of it. */
static uint64_t splitmix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* They are GSL's ziggurat's, but that the tail's logarithm is correctly rounded. */
static void normals_are_those_of_gsl(void **state)
{
    (void)state;
    size_t tails = 0, n = 200000;
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, (unsigned long)(splitmix(splitmix(5) + 6) & 0xffffffff));
    Matrix *z = random_normal(5, 6, n, 1);
    for (size_t i = 0; i < n; i++) {
        double expected = gsl_ran_gaussian_ziggurat(generator, 1), got = z->cells[i];
        bool tail = fabs(expected) > 3.44428647676;
        tails += tail;
        assert_true(tail ? fabs(got - expected) <= 2e-15 : got == expected);
    }
    assert_true(tails > 50);
    matrix_unref(z);
    gsl_rng_free(generator);
}

/* The numbers of lessons may never change: the first of seed 7, call 1. */
static void numbers_stay_what_they_are(void **state)
{
    (void)state;
    Matrix *z = random_normal(7, 1, 1, 2), *u = random_uniform(7, 1, 1, 2);
    expect_matrix("normal", MATRIX(1, 2, -0x1.27011b18022d6p+0, -0x1.45396601095d8p-1), z, 0);
    expect_matrix("uniform", MATRIX(1, 2, 0x1.bfbfd0535585dp-1, 0x1.8a28c66c36eb8p-4), u, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_call_same_numbers),       cmocka_unit_test(more_rows_keep_the_rows),
        cmocka_unit_test(other_calls_and_seeds_differ), cmocka_unit_test(moments_are_right),
        cmocka_unit_test(calls_are_independent),        cmocka_unit_test(normals_are_those_of_gsl),
        cmocka_unit_test(numbers_stay_what_they_are),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
