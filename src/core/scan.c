/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/scan.h"

#include <string.h>

#include "core/elementary.h"
#include "core/linear.h"
#include "core/product.h"

/* The factor of B_t(s) x_t(c) in the state: what of the input arrives in a step. */
static double input_share(ScanRule rule, double delta, double A)
{
    if (rule == SCAN_EULER || A == 0) /* A -> 0 is also the limit of the hold */
        return delta;
    return elementary_expm1(delta * A) / A;
}

/* Channel c of token t: its states h (N) move on; returns what they give out. */
static double scan_channel(const ScanInput *in, double *h, size_t t, size_t c)
{
    size_t N = in->A->cols;
    double delta = matrix_at(in->delta, t, c), x = matrix_at(in->x, t, c), y = 0;
    for (size_t s = 0; s < N; s++) {
        double A = matrix_at(in->A, c, s);
        double share = input_share(in->rule, delta, A);
        h[s] = elementary_exp(delta * A) * h[s] + share * x * matrix_at(in->B, t, s);
        y += h[s] * matrix_at(in->C, t, s);
    }
    return in->D ? y + in->D->cells[c] * x : y;
}

ScanResult scan_selective(const ScanInput *in)
{
    size_t n = in->x->rows, d = in->x->cols, N = in->A->cols;
    assert(in->delta->rows == n && in->delta->cols == d && in->A->rows == d);
    assert(in->B->rows == n && in->B->cols == N && in->C->rows == n && in->C->cols == N);
    assert(!in->D || matrix_count(in->D) == d);
    ScanResult r = {0};
    r.Y = matrix_new(n, d);
    r.h = matrix_new(d, N);
    if (in->keep_states)
        r.h_all = matrix_new(n * d, N);
    for (size_t t = 0; t < n; t++) {
        for (size_t c = 0; c < d; c++)
            matrix_fill(r.Y)[t * d + c] = scan_channel(in, matrix_fill(r.h) + c * N, t, c);
        if (r.h_all && matrix_count(r.h) > 0)
            memcpy(matrix_fill(r.h_all) + t * d * N, r.h->cells, d * N * sizeof(double));
    }
    return r;
}

/* SSD is unnormalised linear attention: C asks, B is asked, a is the decay. */
static LinearInput ssd_input(const Matrix *X, const Matrix *a, const Matrix *B, const Matrix *C)
{
    return (LinearInput){.phiQ = C, .phiK = B, .V = X, .decay = a};
}

ScanResult scan_ssd(const Matrix *X, const Matrix *a, const Matrix *B, const Matrix *C,
                    bool keep_states)
{
    LinearInput in = ssd_input(X, a, B, C);
    in.keep_states = keep_states;
    LinearResult linear = linear_recurrent(&in);
    ScanResult r = {.Y = matrix_ref(linear.Y), .h = matrix_ref(linear.S)};
    if (keep_states)
        r.h_all = matrix_ref(linear.S_all);
    linear_result_clear(&linear);
    return r;
}

ScanResult scan_ssd_matrix(const Matrix *X, const Matrix *a, const Matrix *B, const Matrix *C)
{
    LinearInput in = ssd_input(X, a, B, C);
    in.keep_weights = true;
    LinearResult linear = linear_causal(&in);
    ScanResult r = {
        .Y = matrix_ref(linear.Y), .h = matrix_ref(linear.S), .M = matrix_ref(linear.A)};
    linear_result_clear(&linear);
    return r;
}

void scan_result_clear(ScanResult *r)
{
    matrix_unref(r->Y);
    matrix_unref(r->h);
    matrix_unref(r->h_all);
    matrix_unref(r->M);
    *r = (ScanResult){0};
}
