/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/product.h"
#include "core/vector.h"

static void check_shapes(const LinearInput *in)
{
    size_t f = in->phiK->cols;
    assert(in->phiQ->cols == f && in->V->rows == in->phiK->rows);
    assert(!in->decay || in->decay->cols == 1);
    assert(!in->decay || in->decay->rows == 1 || in->decay->rows == in->V->rows);
    assert(!in->S || (in->S->rows == f && in->S->cols == in->V->cols));
    assert(!in->z || matrix_count(in->z) == f);
    (void)f;
}

static double decay_at(const Matrix *decay, size_t t)
{
    return !decay ? 1 : decay->rows == 1 ? decay->cells[0] : decay->cells[t];
}

/* The result with Y and den of zeros, and the earlier S and z (or zeros). */
static LinearResult begin(const LinearInput *in)
{
    check_shapes(in);
    size_t n = in->phiQ->rows, f = in->phiK->cols, d_v = in->V->cols;
    LinearResult r = {0};
    r.Y = matrix_new(n, d_v);
    r.den = matrix_new(n, 1);
    r.S = in->S ? matrix_from(f, d_v, in->S->cells) : matrix_new(f, d_v);
    r.z = in->z ? matrix_from(f, 1, in->z->cells) : matrix_new(f, 1);
    return r;
}

static void begin_stacks(LinearResult *r, size_t count)
{
    r->S_all = matrix_new(count * r->S->rows, r->S->cols);
    r->z_all = matrix_new(count, r->z->rows);
}

static void keep_state(LinearResult *r, size_t index)
{
    size_t cells = matrix_count(r->S), f = r->z->rows;
    if (cells)
        memcpy(matrix_fill(r->S_all) + index * cells, r->S->cells, cells * sizeof(double));
    if (f)
        memcpy(matrix_fill(r->z_all) + index * f, r->z->cells, f * sizeof(double));
}

/* Row t of Y divided by its denominator, if the layer is normalised. */
static void normalise_row(const LinearInput *in, LinearResult *r, size_t t)
{
    if (in->normalised)
        vector_divide(matrix_fill(r->Y) + t * r->Y->cols, r->den->cells[t], r->Y->cols);
}

/* S and z forget by gamma, then take in token t. */
static void write_token(const LinearInput *in, LinearResult *r, double gamma, double share,
                        size_t t)
{
    size_t f = in->phiK->cols, d_v = in->V->cols;
    double *S = matrix_fill(r->S), *z = matrix_fill(r->z);
    const double *k = matrix_row(in->phiK, t), *v = matrix_row(in->V, t);
    if (gamma != 1) {
        vector_scale(S, gamma, f * d_v);
        vector_scale(z, gamma, f);
    }
    for (size_t i = 0; i < f; i++) {
        vector_add_scaled(S + i * d_v, share * k[i], v, d_v);
        z[i] += share * k[i];
    }
}

/* W from A: rows divided by their denominators. */
static void make_weights(const LinearInput *in, LinearResult *r)
{
    if (!in->normalised) {
        r->W = matrix_ref(r->A);
        return;
    }
    r->W = matrix_from(r->A->rows, r->A->cols, r->A->cells);
    for (size_t i = 0; i < r->W->rows; i++)
        vector_divide(matrix_fill(r->W) + i * r->W->cols, r->den->cells[i], r->W->cols);
}

LinearResult linear_full(const LinearInput *in)
{
    assert(!in->decay && !in->S && !in->z);
    LinearResult r = begin(in);
    for (size_t t = 0; t < in->phiK->rows; t++)
        write_token(in, &r, 1, 1, t);
    for (size_t t = 0; t < in->phiQ->rows; t++) {
        const double *q = matrix_row(in->phiQ, t);
        vector_read_state(matrix_fill(r.Y) + t * r.Y->cols, r.S->cells, q, r.S->rows, r.S->cols);
        matrix_fill(r.den)[t] = vector_dot(q, r.z->cells, r.z->rows);
        normalise_row(in, &r, t);
    }
    if (in->keep_weights) {
        Matrix *turned = matrix_transpose(in->phiK);
        r.A = matrix_multiply(in->phiQ, turned);
        matrix_unref(turned);
        make_weights(in, &r);
    }
    return r;
}

LinearResult linear_recurrent(const LinearInput *in)
{
    assert(in->phiQ->rows == in->phiK->rows);
    LinearResult r = begin(in);
    size_t n = in->V->rows;
    if (in->keep_states)
        begin_stacks(&r, n);
    for (size_t t = 0; t < n; t++) {
        const double *q = matrix_row(in->phiQ, t);
        write_token(in, &r, decay_at(in->decay, t), 1, t);
        vector_read_state(matrix_fill(r.Y) + t * r.Y->cols, r.S->cells, q, r.S->rows, r.S->cols);
        matrix_fill(r.den)[t] = vector_dot(q, r.z->cells, r.z->rows);
        normalise_row(in, &r, t);
        if (in->keep_states)
            keep_state(&r, t);
    }
    return r;
}

/* The decay from the end of token j to the end of token i, both within a stretch
 * that begins at token `first`: share[j - first], from the same for i - 1. */
static void advance_shares(double *share, double *before, double gamma, size_t count)
{
    vector_scale(share, gamma, count - 1);
    share[count - 1] = 1;
    *before *= gamma;
}

/* Token i of the stretch that begins at first, read from the state before the
 * stretch (its share: before) and from the tokens first..i; scores, if not NULL,
 * gets the i - first + 1 decayed scores. */
static void read_stretch(const LinearInput *in, LinearResult *r, size_t first, size_t i,
                         const double *share, double before, double *scores)
{
    size_t f = in->phiK->cols, d_v = in->V->cols;
    double *y = matrix_fill(r->Y) + i * d_v, *den = matrix_fill(r->den) + i;
    const double *q = matrix_row(in->phiQ, i);
    vector_read_state(y, r->S->cells, q, f, d_v);
    vector_scale(y, before, d_v);
    *den = before * vector_dot(q, r->z->cells, f);
    for (size_t j = first; j <= i; j++) {
        double score = vector_dot(q, matrix_row(in->phiK, j), f) * share[j - first];
        vector_add_scaled(y, score, matrix_row(in->V, j), d_v);
        *den += score;
        if (scores)
            scores[j - first] = score;
    }
    normalise_row(in, r, i);
}

/* Tokens first..end-1 in parallel, and the state after them. A, if not NULL, gets
 * their scores; a row of it is A_cols long. share has room for end - first. */
static void run_stretch(const LinearInput *in, LinearResult *r, size_t first, size_t end,
                        double *share, double *A, size_t A_cols)
{
    double before = 1;
    for (size_t i = first; i < end; i++) {
        advance_shares(share, &before, decay_at(in->decay, i), i - first + 1);
        read_stretch(in, r, first, i, share, before, A ? A + (i - first) * A_cols : NULL);
    }
    vector_scale(matrix_fill(r->S), before, matrix_count(r->S));
    vector_scale(matrix_fill(r->z), before, matrix_count(r->z));
    for (size_t j = first; j < end; j++)
        write_token(in, r, 1, share[j - first], j);
}

LinearResult linear_causal(const LinearInput *in)
{
    assert(in->phiQ->rows == in->phiK->rows);
    LinearResult r = begin(in);
    size_t n = in->V->rows;
    double *share = memory_zeros(n, sizeof *share);
    if (in->keep_weights)
        r.A = matrix_new(n, n);
    run_stretch(in, &r, 0, n, share, r.A ? matrix_fill(r.A) : NULL, n);
    if (r.A)
        make_weights(in, &r);
    free(share);
    return r;
}

LinearResult linear_chunked(const LinearInput *in, size_t chunk)
{
    assert(chunk > 0 && in->phiQ->rows == in->phiK->rows);
    LinearResult r = begin(in);
    size_t n = in->V->rows, chunks = n / chunk + (n % chunk != 0);
    double *share = memory_zeros(chunk < n ? chunk : n, sizeof *share);
    if (in->keep_states)
        begin_stacks(&r, chunks);
    for (size_t c = 0; c < chunks; c++) {
        size_t first = c * chunk, end = n - first < chunk ? n : first + chunk;
        run_stretch(in, &r, first, end, share, NULL, 0);
        if (in->keep_states)
            keep_state(&r, c);
    }
    free(share);
    return r;
}

Matrix *linear_decay_mask(const Matrix *decay, size_t n)
{
    assert(!decay || (decay->cols == 1 && (decay->rows == 1 || decay->rows == n)));
    Matrix *D = matrix_new(n, n);
    double *cells = matrix_fill(D);
    for (size_t i = 0; i < n; i++) {
        double gamma = decay_at(decay, i);
        for (size_t j = 0; j < i; j++)
            cells[i * n + j] = gamma * cells[(i - 1) * n + j];
        cells[i * n + i] = 1;
    }
    return D;
}

void linear_result_clear(LinearResult *r)
{
    Matrix *all[] = {r->Y, r->den, r->S, r->z, r->S_all, r->z_all, r->A, r->W};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        matrix_unref(all[i]);
    *r = (LinearResult){0};
}
