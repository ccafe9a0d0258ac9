/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest: what a page wants to know of all entries of a matrix, computed once.
 *
 * Drawing costs what is visible; how wide the numbers are, which scale they have and how
 * the whole looks from afar takes all of them.  A matrix never changes, so each of these
 * is found at the first request and kept with it (matrix_note): a key that moves the
 * cursor, or another page with the same matrix, goes over nothing again.  What is
 * returned is borrowed from the matrix. */
#ifndef PAGE_DIGEST_H
#define PAGE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/matrix.h"
#include "page/draw_number.h"

/* A matrix in blocks of block_rows x block_cols entries, those at its lower and right ends
 * perhaps smaller, each worth its peak: the entry farthest from 0, of two as far the
 * positive one; NaN if there is one in it.
 *
 * For entries without a sign that is the largest one.  It is not the mean since what is
 * looked for in weights are a few peaks: the mean of a row of n weights is 1/n whatever
 * they are, and a block of a thousand with one of them would look empty. */
typedef struct {
    size_t block_rows, block_cols;
    size_t rows, cols; /* blocks */
    double *peaks;     /* row by row */
} Pool;

const NumberStats *digest_stats(const Matrix *m);

/* True if every row is a distribution: not negative, its sum 1 (1e-9), at least two columns;
 * rows that are NaN are left out, and of none at all nothing is said. */
bool digest_has_unit_rows(const Matrix *m);

/* Pools whose blocks are multiples of this in both directions cost one look at all entries
 * together; any other one of its own. */
enum { DIGEST_UNIT = 8 };

/* The pool of m, which is not empty, in blocks of that size (at least 1x1).  Four are kept,
 * so it is there until four others were made. */
const Pool *digest_pool(const Matrix *m, size_t block_rows, size_t block_cols);

/* Where the peak of block (i, j) stands: row and column of m. */
void digest_find_peak(const Matrix *m, size_t block_rows, size_t block_cols, size_t i, size_t j,
                      size_t *row, size_t *col);

#endif
