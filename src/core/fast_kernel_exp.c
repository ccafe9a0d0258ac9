/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exp in double-double with a rounding test (elementary.h); compiled once a level with
 * contraction off.
 *
 * A result is either the double nearest to exp(x), and so the same from every build, or NaN:
 * undecided.  exp(x) = 2^(k/128) exp(r) with |r| <= log(2)/256: a table of the first factor,
 * a short series for the second.  Numbers are written as high + low, |low| being at most half
 * a unit in the last place of high, or nearly. */
#include "core/fast_build.h"

typedef struct {
    Vec high, low;
} Pair;

/* a + b exactly (Knuth). */
ALWAYS_INLINE Pair add_exactly(Vec a, Vec b)
{
    Vec sum = a + b, part = sum - a;
    return (Pair){sum, (a - (sum - part)) + (b - part)};
}

/* The same where |a| >= |b| (Dekker). */
ALWAYS_INLINE Pair add_smaller(Vec a, Vec b)
{
    Vec sum = a + b;
    return (Pair){sum, b - (sum - a)};
}

/* a b exactly (Dekker), or by one fused operation where the processor has it. */
ALWAYS_INLINE Pair multiply_exactly(Vec a, Vec b)
{
    Vec product = a * b;
#if FAST_BUILD >= 3
    return (Pair){product, vec_multiply_subtract(a, b, product)};
#else
    const double split = 134217729; /* 2^27 + 1 */
    Vec ta = split * a, tb = split * b;
    Vec ah = ta - (ta - a), bh = tb - (tb - b);
    Vec al = a - ah, bl = b - bh;
    return (Pair){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
#endif
}

/* x - k log(2)/128.  The first two parts of the constant have 34 bits, so their products with
 * k (at most 18 bits) are exact, and so is the first difference: its terms are within a factor
 * of 2, or k is 0. */
ALWAYS_INLINE Pair reduce(Vec x, Vec k)
{
    const double first = 0x1.62e42fef8p-8, second = 0x1.1cf79abc8p-43;
    const double third = 0x1.e3b39803f2f6bp-79;
    Pair r = add_exactly(x - k * first, -k * second);
    r.low -= k * third;
    return r;
}

/* exp(r) - 1 with an absolute error below 2^-78: terms from r^3 on are below 2^-28 and so need
 * a double's precision only; the first one left out is r^8/8! < 2^-83. */
ALWAYS_INLINE Pair series(Pair r)
{
    Vec x = r.high;
    Pair square = multiply_exactly(x, x);
    Vec tail = 1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040))));
    Pair sum = add_smaller(x, square.high * 0.5);
    sum.low += (square.low * 0.5 + x * r.low) + r.low + x * square.high * tail;
    return sum;
}

/* Undecided for NaN, where exp(x) is infinite or subnormal, and for about one x in 2^16, since
 * the error is taken as 2^-70, 2^8 of what it can be. */
ALWAYS_INLINE Vec exp_vector(Vec x, const ExpTable *table)
{
    /* Adding 1.5 2^52 rounds x 128/log(2) to k and leaves it in the low bits, with 1023 above
     * its last seven: the exponent field of the power of two. */
    const double shift = 0x1.8p52 + 1023 * EXP_STEPS;
    Vec t = x * 0x1.71547652b82fep+7 + shift, k = t - shift;
    Bits step = (Bits)t & (EXP_STEPS - 1);
    Vec power = (Vec)(((Bits)t - step) << 45);

    Vec high = vec_gather(table->high, step), low = vec_gather(table->low, step);
    Pair s = series(reduce(x, k));
    Pair product = multiply_exactly(high, s.high);
    product.low += high * s.low + low * s.high;
    Pair sum = add_smaller(high, product.high);
    Pair value = add_smaller(sum.high, sum.low + low + product.low);

    Vec error = 0x1p-70 * value.high;
    Vec above = value.high + (value.low + error), below = value.high + (value.low - error);
    Bits undecided = (Bits)(above != below) | (Bits)(x < -708) | (Bits)(x > 709.78);
    Bits nothing = (Bits)(x < -746);                              /* masked scores: exp(-Inf) */
    return (Vec)(((Bits)(above * power) | undecided) & ~nothing); /* all ones are a NaN */
}

void FAST_NAME(exact_exp)(double *y, const double *x, size_t n, const ExpTable *table)
{
    size_t i = 0;
    for (; i + WIDTH <= n; i += WIDTH)
        vec_store(y + i, exp_vector(vec_load(x + i), table));
    if (i == n)
        return;
    double rest[WIDTH] = {0};
    memcpy(rest, x + i, (n - i) * sizeof *x);
    vec_store(rest, exp_vector(vec_load(rest), table));
    memcpy(y + i, rest, (n - i) * sizeof *y);
}
