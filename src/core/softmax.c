/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/softmax.h"

#include <math.h>

#include "core/elementary.h"
#include "core/product.h"
#include "core/vector.h"

/* p = softmax of the n scores s; p is zero on entry. */
static void softmax_row(double *p, const double *s, size_t n)
{
    double most = -INFINITY, sum = 0;
    bool masked = true;
    for (size_t j = 0; j < n; j++) {
        if (s[j] != -INFINITY)
            masked = false;
        if (s[j] > most)
            most = s[j];
    }
    if (masked)
        return;
    for (size_t j = 0; j < n; j++)
        p[j] = s[j] - most;
    elementary_exp_all(p, p, n);
    for (size_t j = 0; j < n; j++)
        sum += p[j];
    vector_divide(p, sum, n);
}

Matrix *softmax_rows(const Matrix *S)
{
    Matrix *P = matrix_new(S->rows, S->cols);
    double *cells = matrix_fill(P);
    for (size_t i = 0; i < S->rows; i++)
        softmax_row(cells + i * S->cols, matrix_row(S, i), S->cols);
    return P;
}

Matrix *mask_causal(const Matrix *S)
{
    return mask_window(S, S->rows);
}

Matrix *mask_window(const Matrix *S, size_t w)
{
    Matrix *masked = matrix_from(S->rows, S->cols, S->cells);
    double *cells = matrix_fill(masked);
    for (size_t i = 0; i < S->rows; i++)
        for (size_t j = 0; j < S->cols; j++)
            if (j > i || i - j >= w)
                cells[i * S->cols + j] = -INFINITY;
    return masked;
}

Matrix *softmax_scores(const Matrix *Q, const Matrix *K)
{
    assert(Q->cols == K->cols);
    Matrix *turned = matrix_transpose(K);
    Matrix *scores = matrix_multiply(Q, turned);
    matrix_unref(turned);
    vector_divide(matrix_fill(scores), sqrt((double)Q->cols), matrix_count(scores));
    return scores;
}

Matrix *softmax_attention(const Matrix *Q, const Matrix *K, const Matrix *V, SoftmaxMask mask,
                          size_t w)
{
    assert(K->rows == V->rows);
    Matrix *scores = softmax_scores(Q, K);
    if (mask != SOFTMAX_FULL) {
        Matrix *all = scores;
        scores = mask == SOFTMAX_CAUSAL ? mask_causal(all) : mask_window(all, w);
        matrix_unref(all);
    }
    Matrix *P = softmax_rows(scores);
    Matrix *Y = matrix_multiply(P, V);
    matrix_unref(P);
    matrix_unref(scores);
    return Y;
}
