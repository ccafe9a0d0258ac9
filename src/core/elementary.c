/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/elementary.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <string.h>

/* The exponents of MPFR's numbers (0.5 <= mantissa < 1) that are doubles:
 * 2^-1074 = 0.5 * 2^-1073, the largest is below 1 * 2^1024. */
enum { EXPONENT_MIN = -1073, EXPONENT_MAX = 1024 };

typedef int (*MpfrFunction)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* value, already rounded to 53 bits with the ternary value given, as a double:
 * a subnormal one is rounded from the exact value, not a second time. */
static double to_double(mpfr_ptr value, int ternary)
{
    mpfr_subnormalize(value, ternary, MPFR_RNDN);
    return mpfr_nan_p(value) ? (double)NAN : mpfr_get_d(value, MPFR_RNDN);
}

static double by_mpfr(MpfrFunction function, double x)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    MPFR_DECL_INIT(argument, DBL_MANT_DIG);
    MPFR_DECL_INIT(value, DBL_MANT_DIG);
    mpfr_set_emin(EXPONENT_MIN);
    mpfr_set_emax(EXPONENT_MAX);
    mpfr_set_d(argument, x, MPFR_RNDN);
    double result = to_double(value, function(value, argument, MPFR_RNDN));
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return result;
}

/* --- exp in double-double ------------------------------------------------- */

/* exp(x) = 2^(k/128) exp(r) with |r| <= log(2)/256: a table of the first, a
 * short series for the second. */
enum { EXP_STEPS = 128 };

/* high + low, |low| at most half a unit in the last place of high, or nearly. */
typedef struct {
    double high, low;
} Pair;

static Pair exp_table[EXP_STEPS]; /* 2^(j/128) */
static bool exp_table_made;

static void make_exp_table(void)
{
    MPFR_DECL_INIT(value, 160);
    for (int j = 0; j < EXP_STEPS; j++) {
        mpfr_set_d(value, (double)j / EXP_STEPS, MPFR_RNDN);
        mpfr_exp2(value, value, MPFR_RNDN);
        exp_table[j].high = mpfr_get_d(value, MPFR_RNDN);
        mpfr_sub_d(value, value, exp_table[j].high, MPFR_RNDN);
        exp_table[j].low = mpfr_get_d(value, MPFR_RNDN);
    }
    exp_table_made = true;
}

/* a + b exactly (Knuth). */
static Pair add_exactly(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (Pair){sum, (a - (sum - part)) + (b - part)};
}

/* a b exactly (Dekker); no fma, which would be slow where it is not in hardware. */
static Pair multiply_exactly(double a, double b)
{
    const double split = 134217729; /* 2^27 + 1 */
    double ta = split * a, tb = split * b;
    double ah = ta - (ta - a), bh = tb - (tb - b);
    double al = a - ah, bl = b - bh, product = a * b;
    return (Pair){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

/* x - k log(2)/128. The first two parts of the constant have 34 bits, so their
 * products with k (at most 18 bits) are exact. */
static Pair reduce(double x, double k)
{
    const double first = 0x1.62e42fef8p-8, second = 0x1.1cf79abc8p-43;
    const double third = 0x1.e3b39803f2f6bp-79;
    Pair r = add_exactly(x, -k * first);
    Pair s = add_exactly(r.high, -k * second);
    double low = s.low + r.low - k * third;
    return add_exactly(s.high, low);
}

/* exp(r) - 1 with an absolute error below 2^-78: terms from r^3 on are below
 * 2^-28 and so need a double's precision only; the first one left out is
 * r^8/8! < 2^-83. */
static Pair series(Pair r)
{
    double x = r.high;
    Pair square = multiply_exactly(x, x);
    double tail = 1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040))));
    Pair sum = add_exactly(x, square.high / 2);
    sum.low += (square.low / 2 + x * r.low) + r.low + x * square.high * tail;
    return sum;
}

static double power_of_two(int64_t exponent) /* -1022 .. 1023 */
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* exp(x) for -708 <= x <= 709.78, or NaN if the rounding is undecided: about one
 * argument in 2^16, since the error is taken as 2^-70, 2^8 of what it can be. */
static double exp_fast(double x)
{
    if (!exp_table_made)
        make_exp_table();
    double k = rint(x * 0x1.71547652b82fep+7);
    int64_t whole = (int64_t)k, step = whole & (EXP_STEPS - 1);
    Pair t = exp_table[step], s = series(reduce(x, k));
    Pair product = multiply_exactly(t.high, s.high);
    product.low += t.high * s.low + t.low * s.high;
    Pair sum = add_exactly(t.high, product.high);
    Pair value = add_exactly(sum.high, sum.low + t.low + product.low);
    const double error = 0x1p-70 * value.high;
    double above = value.high + (value.low + error), below = value.high + (value.low - error);
    return above == below ? above * power_of_two((whole - step) / EXP_STEPS) : (double)NAN;
}

double elementary_exp(double x)
{
    if (isnan(x))
        return NAN;
    if (fabs(x) < 0x1p-54)
        return 1;
    if (x >= -708 && x <= 709.78) {
        double value = exp_fast(x);
        if (!isnan(value))
            return value;
    }
    return by_mpfr(mpfr_exp, x);
}

/* --- the others ------------------------------------------------------------ */

double elementary_expm1(double x)
{
    return by_mpfr(mpfr_expm1, x);
}

double elementary_log(double x)
{
    return by_mpfr(mpfr_log, x);
}

double elementary_log2(double x)
{
    return by_mpfr(mpfr_log2, x);
}

double elementary_sin(double x)
{
    return by_mpfr(mpfr_sin, x);
}

double elementary_cos(double x)
{
    return by_mpfr(mpfr_cos, x);
}

double elementary_tanh(double x)
{
    return by_mpfr(mpfr_tanh, x);
}

double elementary_pow(double x, double y)
{
    /* What one correctly rounded operation of the processor gives. */
    if (y == 2)
        return x * x;
    if (y == 1 && !isnan(x))
        return x;
    if (y == -1)
        return 1 / x;
    if (y == 0.5 && x > 0)
        return sqrt(x);
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    MPFR_DECL_INIT(base, DBL_MANT_DIG);
    MPFR_DECL_INIT(exponent, DBL_MANT_DIG);
    MPFR_DECL_INIT(value, DBL_MANT_DIG);
    mpfr_set_emin(EXPONENT_MIN);
    mpfr_set_emax(EXPONENT_MAX);
    mpfr_set_d(base, x, MPFR_RNDN);
    mpfr_set_d(exponent, y, MPFR_RNDN);
    double result = to_double(value, mpfr_pow(value, base, exponent, MPFR_RNDN));
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return result;
}

Matrix *elementary_apply(const Matrix *x, double (*f)(double))
{
    Matrix *y = matrix_new(x->rows, x->cols);
    double *cells = matrix_fill(y);
    for (size_t i = 0; i < matrix_count(x); i++)
        cells[i] = f(x->cells[i]);
    return y;
}

void elementary_free_cache(void)
{
    mpfr_free_cache();
}
