/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elementary: exp, log, log2, pow, sin, cos and tanh, correctly rounded.
 *
 * The result is the double nearest to the true value (ties to even), subnormal
 * results included, so it is the same on every machine; the C library's is not.
 * MPFR computes it at 53 bits; exp has a faster way of ours (double-double and
 * a rounding test, many at once: fast_kernel_exp.c) and asks MPFR where that
 * cannot decide.  Special values are
 * those of C99: log(0) = -Inf, log(-1) = NaN, pow(x, 0) = 1, sin(Inf) = NaN. */
#ifndef CORE_ELEMENTARY_H
#define CORE_ELEMENTARY_H

#include "core/matrix.h"

double elementary_exp(double x);

/* y(i) = exp(x(i)) for i < n; y may be x.  Much faster than one by one. */
void elementary_exp_all(double *y, const double *x, size_t n);

/* The matrix of exp(x) for every entry x: (m,n) -> (m,n). */
Matrix *elementary_exp_matrix(const Matrix *x);

/* exp(x) - 1, exact also where x is small. */
double elementary_expm1(double x);

double elementary_log(double x);
double elementary_log2(double x);
double elementary_sin(double x);
double elementary_cos(double x);
double elementary_tanh(double x);

/* x to the y, as C99's pow: a negative x needs an integer y, else NaN. */
double elementary_pow(double x, double y);

/* The matrix of f(x) for every entry x: (m,n) -> (m,n). */
Matrix *elementary_apply(const Matrix *x, double (*f)(double));

/* Frees the constants that MPFR keeps between calls. */
void elementary_free_cache(void);

#endif
