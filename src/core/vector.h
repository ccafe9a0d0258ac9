/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector: the inner loops that the kernels of core/ share.
 *
 * Sums run in index order from 0; the others treat every entry by itself, so a
 * compiler may vectorise them without changing a bit. */
#ifndef CORE_VECTOR_H
#define CORE_VECTOR_H

#include <stddef.h>

/* a.b */
static inline double vector_dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* y += s x */
static inline void vector_add_scaled(double *y, double s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += s * x[i];
}

/* y *= s */
static inline void vector_scale(double *y, double s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= s;
}

/* y /= s */
static inline void vector_divide(double *y, double s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] /= s;
}

/* y = S' q for S (f,n): y(c) = sum over f of q(f) S(f,c) */
static inline void vector_read_state(double *y, const double *S, const double *q, size_t f,
                                     size_t n)
{
    for (size_t c = 0; c < n; c++)
        y[c] = 0;
    for (size_t i = 0; i < f; i++)
        vector_add_scaled(y, q[i], S + i * n, n);
}

#endif
