/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/rope.h"

#include "core/elementary.h"

/* Pair i of every row is columns a(i), b(i): (2i, 2i+1) if stride is 2 and apart
 * is 1; (i, i + d/2) if stride is 1 and apart is d/2. */
static Matrix *rotate(const Matrix *x, size_t stride, size_t apart)
{
    size_t d = x->cols;
    assert(d % 2 == 0);
    Matrix *turned = matrix_new(x->rows, d);
    double *out = matrix_fill(turned);
    for (size_t i = 0; i < d / 2; i++) {
        double rate = elementary_pow(10000, -2.0 * (double)i / (double)d);
        for (size_t t = 0; t < x->rows; t++) {
            const double *row = matrix_row(x, t);
            double angle = (double)t * rate, a = row[stride * i], b = row[stride * i + apart];
            double c = elementary_cos(angle), s = elementary_sin(angle);
            out[t * d + stride * i] = a * c - b * s;
            out[t * d + stride * i + apart] = a * s + b * c;
        }
    }
    return turned;
}

Matrix *rope_interleaved(const Matrix *x)
{
    return rotate(x, 2, 1);
}

Matrix *rope_half(const Matrix *x)
{
    return rotate(x, 1, x->cols / 2);
}
