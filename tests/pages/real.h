/* SPDX-License-Identifier: GPL-3.0-or-later */
/* real: a number in long double with a bound of how far one that was computed in double,
 * by the same operations, may be from it.  arithmetic computes with them. */
#ifndef TESTS_PAGES_REAL_H
#define TESTS_PAGES_REAL_H

#include <float.h>
#include <math.h>

typedef struct {
    long double x, error;
} Real;

/* What one rounding to double changes, of 1. */
#define REAL_HALF_ULP ((long double)DBL_EPSILON / 2)

static inline Real real_exactly(long double x)
{
    return (Real){x, 0};
}

static inline Real real_rounded(long double x, long double error)
{
    return (Real){x, error + REAL_HALF_ULP * fabsl(x)};
}

static inline Real real_plus(Real a, Real b)
{
    return (Real){a.x + b.x, a.error + b.error + REAL_HALF_ULP * (fabsl(a.x) + fabsl(b.x))};
}

static inline Real real_negated(Real a)
{
    return (Real){-a.x, a.error};
}

static inline Real real_times(Real a, Real b)
{
    return real_rounded(a.x * b.x, fabsl(a.x) * b.error + fabsl(b.x) * a.error);
}

static inline Real real_over(Real a, Real b)
{
    long double x = a.x / b.x;
    return real_rounded(x, (a.error + fabsl(x) * b.error) / fabsl(b.x));
}

static inline Real real_power(Real a, Real b)
{
    long double x = powl(a.x, b.x);
    long double error = a.x != 0 ? fabsl(x * b.x / a.x) * a.error : a.error;
    if (a.x > 0)
        error += fabsl(x * logl(a.x)) * b.error;
    return real_rounded(x, error + 4 * REAL_HALF_ULP * fabsl(x));
}

#endif
