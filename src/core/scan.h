/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan: the selective scan of Mamba, and SSD of Mamba-2.
 *
 * Selective scan, for each channel c (of d) and state s (of N):
 *
 *     h_t(c,s) = exp(delta_t(c) A(c,s)) h_(t-1)(c,s) + Bbar_t(c,s) x_t(c)
 *     y_t(c)   = sum over s of C_t(s) h_t(c,s) + D(c) x_t(c)
 *
 * with Bbar = delta_t(c) B_t(s) (Euler, what Mamba runs) or the zero-order hold
 * (exp(delta A) - 1) / A * B_t(s).  Gu and Dao 2023.
 *
 * SSD is linear attention with decay a: S_t = a_t S_(t-1) + B_t x_t', y_t = S_t' C_t.
 * Dao and Gu 2024.  Inputs are borrowed; a ScanResult owns its matrices and is
 * given back with scan_result_clear. */
#ifndef CORE_SCAN_H
#define CORE_SCAN_H

#include "core/matrix.h"

typedef enum { SCAN_EULER, SCAN_HOLD } ScanRule;

typedef struct {
    const Matrix *x, *delta; /* (n,d) */
    const Matrix *A;         /* (d,N) */
    const Matrix *B, *C;     /* (n,N) */
    const Matrix *D;         /* (d,1), or NULL: no skip */
    ScanRule rule;
    bool keep_states; /* also return h after every token */
} ScanInput;

typedef struct {
    Matrix *Y;     /* (n,d) */
    Matrix *h;     /* after the last token: (d,N); SSD: S (N,d_v) */
    Matrix *h_all; /* one such block a token, block below block, or NULL */
    Matrix *M;     /* SSD by its matrix: (n,n), else NULL */
} ScanResult;

ScanResult scan_selective(const ScanInput *in);

/* SSD token by token: X (n,d_v), a (n,1), B and C (n,N). */
ScanResult scan_ssd(const Matrix *X, const Matrix *a, const Matrix *B, const Matrix *C,
                    bool keep_states);

/* SSD by its matrix M = D .* (C B') with D = linear_decay_mask(a), Y = M X. */
ScanResult scan_ssd_matrix(const Matrix *X, const Matrix *a, const Matrix *B, const Matrix *C);

/* Gives every matrix of r back and sets r to zero. */
void scan_result_clear(ScanResult *r);

#endif
