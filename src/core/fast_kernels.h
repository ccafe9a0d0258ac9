/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_kernels: the table of kernels that each build fills (fast_kernel_*.c), and what they
 * work on.  For the fast_*.c files of core/ only.
 *
 * Matrices are row major and dense.  Scratch memory is the caller's: as many doubles as the
 * sizes below say, on a boundary of 64 bytes. */
#ifndef CORE_FAST_KERNELS_H
#define CORE_FAST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/fast_map.h"

/* Softmax attention: query i sees the keys from i - window + 1 to i if causal, else all. */
typedef struct {
    const double *Q, *K, *V; /* (n,d_k) (m,d_k) (m,d_v) */
    double *Y;               /* (n,d_v) */
    size_t n, m, d_k, d_v;
    bool causal;
    size_t window; /* at least 1 */
    double scale;  /* of the scores */
} SoftmaxJob;

/* Linear attention on the rows of one feed.  S lies in panels: columns in groups of
 * panel_cols (padded with zeros), each group (f, panel_cols) row by row. */
typedef struct {
    const double *Q, *K, *V; /* (n,d) (n,d) (n,d_v) */
    const double *decay;     /* n of them, or NULL */
    double *Y;               /* (n,d_v) */
    double *den;             /* n of them, written with panel 0, or NULL */
    size_t n, f, d_v;
    FastMap map; /* of the rows of Q and K: d == f */
    bool normalised;
    double *S;       /* panels */
    const double *z; /* f of them */
    double *z_after; /* another f: z after the last row, written with panel 0 */
} LinearJob;

/* The delta rule on the rows of one feed; S as above. */
typedef struct {
    const double *Q, *K, *V;    /* (n,d_k) (n,d_k) (n,d_v) */
    const double *beta, *alpha; /* n of them; alpha may be NULL */
    double *Y;                  /* (n,d_v) */
    size_t n, d_k, d_v;
    double *S; /* panels */
} DeltaJob;

/* C = s C + A B on padded rows: A (rows,inner) in steps of its own, B (inner,cols) and
 * C (rows,cols) with rows of b_step and c_step >= cols, both rounded up to whole vectors;
 * with accumulate false C is overwritten. */
typedef struct {
    size_t rows, inner, cols;
    const double *a;
    size_t row_step, col_step;
    const double *b;
    size_t b_step;
    double *c;
    size_t c_step;
    bool accumulate;
} TileJob;

/* 2^(j/128) as the sum of two doubles. */
enum { EXP_STEPS = 128 };
typedef struct {
    double high[EXP_STEPS], low[EXP_STEPS];
} ExpTable;

typedef struct {
    /* c (rows,cols) = a (rows,inner) b (inner,cols), dense, exact (product.h); packed has room
     * for inner * exact_cols. */
    void (*exact_multiply)(double *c, const double *a, const double *b, size_t rows, size_t inner,
                           size_t cols, double *packed);
    size_t exact_cols;

    /* y(i) = exp(x(i)), correctly rounded, i < n, or NaN where that is not decided. */
    void (*exact_exp)(double *y, const double *x, size_t n, const ExpTable *table);

    /* Queries first..last-1, at most softmax_rows of them. */
    void (*softmax)(const SoftmaxJob *job, size_t first, size_t last, double *scratch);
    size_t softmax_rows;
    size_t (*softmax_scratch)(size_t d_k, size_t d_v);

    /* Panels first..last-1 over all rows of the feed. */
    void (*linear)(const LinearJob *job, size_t first, size_t last, double *scratch);
    size_t (*linear_scratch)(size_t f);
    void (*delta)(const DeltaJob *job, size_t first, size_t last, double *scratch);
    size_t (*delta_scratch)(size_t d_k, size_t panels);
    size_t panel_cols;

    void (*tiles)(const TileJob *job);
    /* y(i) = map(x(i)), i < n. */
    void (*map)(double *y, const double *x, size_t n, FastMap map);
    /* a.b, not in index order. */
    double (*dot)(const double *a, const double *b, size_t n);

    /* rounds * spin_adds multiply-adds that touch no memory; a sum of their results. */
    double (*spin)(size_t rounds);
    size_t spin_adds;
} FastKernels;

/* The kernels of the level in use. */
const FastKernels *fast_kernels(void);

/* Doubles from `base` on, rounded up to a boundary of 64 bytes: what memory_alloc'd scratch is
 * cut from (8 doubles of slack). */
double *fast_align(double *base);

/* count rounded up to whole vectors of the widest build. */
static inline size_t fast_round_up(size_t count)
{
    return (count + 7) / 8 * 8;
}

#endif
