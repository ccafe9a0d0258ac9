/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementary functions against MPFR at 130 bits, rounded once: bit for bit. */
#include "support.h"

#include <mpfr.h>

#include "core/elementary.h"
#include "core/fast_level.h"
#include "sparse.h"

enum { ARGUMENTS = 200000, PRECISION = 130 };

typedef int (*Oracle)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* The exact value, or 130 bits of it, rounded to a double (subnormal or not) in one step:
 * the chance that 130 bits do not decide is about 2^-76. */
static double rounded(mpfr_srcptr exact)
{
    return mpfr_get_d(exact, MPFR_RNDN);
}

static bool same_bits(double a, double b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

/* Compares f with its oracle at count arguments x = scale * (u - shift). */
static void compare(const char *name, double (*f)(double), Oracle oracle, size_t count,
                    double scale, double shift)
{
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, PRECISION);
    Matrix *u = random_uniform(1, (uint64_t)(unsigned char)name[0], count, 1);
    for (size_t i = 0; i < count; i++) {
        double argument = scale * (u->cells[i] - shift);
        mpfr_set_d(x, argument, MPFR_RNDN);
        oracle(y, x, MPFR_RNDN);
        double expected = rounded(y), got = f(argument);
        if (!same_bits(expected, got))
            fail_msg("%s(%.17g): expected %.17g, got %.17g", name, argument, expected, got);
    }
    matrix_unref(u);
    mpfr_clear(x);
    mpfr_clear(y);
}

static void exp_is_correctly_rounded(void **state)
{
    (void)state;
    compare("exp", elementary_exp, mpfr_exp, sparse(ARGUMENTS), 20, 0.5);
    compare("exp", elementary_exp, mpfr_exp, sparse(ARGUMENTS / 4), 1460,
            0.51); /* all of its range */
    compare("exp", elementary_exp, mpfr_exp, sparse(ARGUMENTS / 4), 1e-3, 0.5);
    compare("exp", elementary_exp, mpfr_exp, sparse(ARGUMENTS / 10), -40,
            -17.6); /* subnormal results */
}

/* Argument i of a sample of all magnitudes: small and large ones, subnormal results, the edge of
 * overflow, and odd multiples of 2^-53, whose exp is all but half way between two doubles; u is
 * uniform in [0, 1). */
static double sample(size_t i, double u)
{
    static const double special[] = {0,    -0.0, INFINITY, -INFINITY, NAN,    0x1p-1074, -0x1p-1022,
                                     -708, -746, 709.78,   1e300,     -1e300, 0x1p-53,   -0x1p-54};
    if (i < sizeof special / sizeof *special)
        return special[i];
    switch (i % 8) {
    case 0:
        return 1460 * (u - 0.51);
    case 1:
        return -708 - 38 * u;
    case 2:
        return 709 + u;
    case 3:
        return (2 * floor(u * 0x1p20) + 1) * (i % 16 == 3 ? 0x1p-53 : -0x1p-54);
    default:
        return ldexp(i % 2 ? 1 + u : -1 - u, (int)(i / 8 % 70) - 60);
    }
}

static void exp_is_the_same_in_every_build(void **state)
{
    (void)state;
    size_t count = sparse((size_t)1 << 20);
    Matrix *x = random_uniform(3, 1, count, 1), *expected = matrix_new(count, 1);
    mpfr_t argument, value;
    mpfr_init2(argument, 53);
    mpfr_init2(value, PRECISION);
    for (size_t i = 0; i < count; i++) {
        matrix_fill(x)[i] = sample(i, x->cells[i]);
        mpfr_set_d(argument, x->cells[i], MPFR_RNDN);
        mpfr_exp(value, argument, MPFR_RNDN);
        matrix_fill(expected)[i] = rounded(value);
    }
    mpfr_clear(argument);
    mpfr_clear(value);
    FastLevel best = fast_level();
    for (FastLevel level = 0; level < FAST_LEVELS; level++) {
        if (!fast_level_supported(level))
            continue;
        fast_level_set(level);
        Matrix *got = elementary_exp_matrix(x);
        for (size_t i = 0; i < count; i++)
            if (!same_bits(expected->cells[i], got->cells[i]))
                fail_msg("exp(%.17g) by %s: expected %.17g, got %.17g", x->cells[i],
                         fast_level_name(level), expected->cells[i], got->cells[i]);
        matrix_unref(got);
        for (size_t n = 0; n < 40; n++) { /* ends of every length, in place */
            double some[40];
            memcpy(some, x->cells + n, sizeof some);
            elementary_exp_all(some, some, n);
            for (size_t i = 0; i < 40; i++)
                assert_true(same_bits(some[i], (i < n ? expected : x)->cells[n + i]));
        }
    }
    fast_level_set(best);
    matrix_unref(x);
    matrix_unref(expected);
}

static void logarithms_are_correctly_rounded(void **state)
{
    (void)state;
    compare("log", elementary_log, mpfr_log, sparse(ARGUMENTS), 10, 0);
    compare("log2", elementary_log2, mpfr_log2, sparse(ARGUMENTS / 2), 10, 0);
}

static void circular_functions_are_correctly_rounded(void **state)
{
    (void)state;
    compare("sin", elementary_sin, mpfr_sin, sparse(ARGUMENTS / 2), 100, 0.5);
    compare("cos", elementary_cos, mpfr_cos, sparse(ARGUMENTS / 2), 100, 0.5);
    compare("sin", elementary_sin, mpfr_sin, 1000, 1e300, 0.5);
    compare("tanh", elementary_tanh, mpfr_tanh, sparse(ARGUMENTS / 2), 12, 0.5);
    compare("Expm1", elementary_expm1, mpfr_expm1, sparse(ARGUMENTS / 10), 4, 0.5);
}

static void pow_is_correctly_rounded(void **state)
{
    (void)state;
    mpfr_t x, y, z;
    mpfr_init2(x, 53);
    mpfr_init2(y, 53);
    mpfr_init2(z, PRECISION);
    static const double exponents[] = {2, 1, -1, 0.5, 3, -0.25, 0, -2};
    Matrix *u = random_uniform(2, 1, sparse(ARGUMENTS / 2), 2);
    for (size_t i = 0; i < u->rows; i++) {
        double base = matrix_at(u, i, 0) * 20;
        double exponent = i % 2 ? exponents[i / 2 % 8] : 40 * (matrix_at(u, i, 1) - 0.5);
        mpfr_set_d(x, base, MPFR_RNDN);
        mpfr_set_d(y, exponent, MPFR_RNDN);
        mpfr_pow(z, x, y, MPFR_RNDN);
        double expected = rounded(z), got = elementary_pow(base, exponent);
        if (!same_bits(expected, got))
            fail_msg("pow(%.17g, %.17g): expected %.17g, got %.17g", base, exponent, expected, got);
    }
    matrix_unref(u);
    mpfr_clear(x);
    mpfr_clear(y);
    mpfr_clear(z);
}

static void expect_bits(double expected, double got)
{
    if (!same_bits(expected, got))
        fail_msg("expected %.17g, got %.17g", expected, got);
}

static void special_values(void **state)
{
    (void)state;
    expect_bits(1, elementary_exp(0));
    expect_bits(1, elementary_exp(-0.0));
    expect_bits(1, elementary_exp(1e-300));
    expect_bits(0, elementary_exp(-INFINITY));
    expect_bits(INFINITY, elementary_exp(INFINITY));
    expect_bits(NAN, elementary_exp(NAN));
    expect_bits(0x1.fffffffffff2ap+1023, elementary_exp(0x1.62e42fefa39efp+9));
    expect_bits(INFINITY, elementary_exp(0x1.62e42fefa39f0p+9));
    expect_bits(0x1p-1074, elementary_exp(-745));
    expect_bits(0x1p-1074, elementary_exp(-0x1.74910d52d3051p+9));
    expect_bits(0, elementary_exp(-0x1.74910d52d3052p+9));
    expect_bits(-INFINITY, elementary_log(0));
    expect_bits(NAN, elementary_log(-1));
    expect_bits(0, elementary_log(1));
    expect_bits(-1074, elementary_log2(0x1p-1074));
    expect_bits(NAN, elementary_sin(INFINITY));
    expect_bits(-0.0, elementary_sin(-0.0));
    expect_bits(0x1p-1074, elementary_sin(0x1p-1074));
    expect_bits(0x1p-1074, elementary_tanh(0x1p-1074));
    expect_bits(1, elementary_cos(0));
    expect_bits(-1, elementary_tanh(-INFINITY));
    expect_bits(1, elementary_pow(NAN, 0));
    expect_bits(1, elementary_pow(1, NAN));
    expect_bits(-8, elementary_pow(-2, 3));
    expect_bits(NAN, elementary_pow(-8, 1.0 / 3));
    expect_bits(INFINITY, elementary_pow(0, -1));
    expect_bits(INFINITY, elementary_pow(-INFINITY, 0.5));
    expect_bits(0, elementary_pow(-0.0, 0.5));
    expect_bits(0, elementary_pow(1e-200, 2));
    expect_bits(0x1p-1074, elementary_pow(2, -1074));
}

/* Whoever set MPFR's range of exponents finds it as it was. */
static void leaves_mpfr_as_it_was(void **state)
{
    (void)state;
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    elementary_log(3);
    elementary_pow(3, 0.1);
    assert_true(mpfr_get_emin() == emin && mpfr_get_emax() == emax);
}

static void applies_to_every_entry(void **state)
{
    (void)state;
    Matrix *x = MATRIX(2, 2, 1, 4, 0, 0.25);
    expect_matrix("log2", MATRIX(2, 2, 0, 2, -INFINITY, -2), elementary_apply(x, elementary_log2),
                  0);
    matrix_unref(x);
    Matrix *none = matrix_new(0, 3);
    expect_matrix("empty", matrix_new(0, 3), elementary_apply(none, elementary_exp), 0);
    matrix_unref(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_correctly_rounded),
        cmocka_unit_test(exp_is_the_same_in_every_build),
        cmocka_unit_test(logarithms_are_correctly_rounded),
        cmocka_unit_test(circular_functions_are_correctly_rounded),
        cmocka_unit_test(pow_is_correctly_rounded),
        cmocka_unit_test(special_values),
        cmocka_unit_test(leaves_mpfr_as_it_was),
        cmocka_unit_test(applies_to_every_entry),
    };
    return cmocka_run_group_tests(tests, support_start, support_end);
}
