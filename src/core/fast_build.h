/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_build: the kernels of one build, declared for the files that make it up.
 *
 * Only fast_kernel_*.c include this; what each does stands in fast_kernels.h, whose table
 * fast_kernel_table.c fills. */
#ifndef CORE_FAST_BUILD_H
#define CORE_FAST_BUILD_H

#include "core/fast_kernels.h"
#include "core/fast_simd.h"

enum {
    EXACT_COLS = 4 * WIDTH,
    SOFTMAX_ROWS = 8 * 3 * WIDTH,
    PANEL_VECS = WIDTH == 8 ? 4 : 2,
    PANEL = PANEL_VECS * WIDTH, /* columns of a panel of S */
    SPIN_CHAINS = 12            /* enough for two units of four cycles each */
};

extern const FastKernels FAST_NAME(fast_kernels);

void FAST_NAME(exact_multiply)(double *c, const double *a, const double *b, size_t rows,
                               size_t inner, size_t cols, double *packed);
void FAST_NAME(exact_exp)(double *y, const double *x, size_t n, const ExpTable *table);
void FAST_NAME(softmax)(const SoftmaxJob *job, size_t first, size_t last, double *scratch);
size_t FAST_NAME(softmax_scratch)(size_t d_k, size_t d_v);
void FAST_NAME(linear)(const LinearJob *job, size_t first, size_t last, double *scratch);
size_t FAST_NAME(linear_scratch)(size_t f);
void FAST_NAME(delta)(const DeltaJob *job, size_t first, size_t last, double *scratch);
size_t FAST_NAME(delta_scratch)(size_t d_k, size_t panels);
void FAST_NAME(tiles)(const TileJob *job);
void FAST_NAME(map)(double *y, const double *x, size_t n, FastMap map);
double FAST_NAME(dot)(const double *a, const double *b, size_t n);
double FAST_NAME(spin)(size_t rounds);

#endif
