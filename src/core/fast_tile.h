/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_tile: the one register-blocked product behind the fast forms.
 *
 * C = s C + A B for C (rows, TILE_COLS): vectors run along rows of B and C, entries of A are
 * broadcast, so that A may be stored in any order (row_step, col_step) and B and C need rows
 * of TILE_COLS entries one after another, padded.  Only fast_kernel_*.c include this header. */
#ifndef CORE_FAST_TILE_H
#define CORE_FAST_TILE_H

#include "core/fast_simd.h"

/* TILE_ROWS x TILE_VECS sums, TILE_VECS of B and one of A fit the registers: 32 of them
 * with AVX-512, else 16. */
enum { TILE_ROWS = FAST_BUILD == 4 ? 8 : 4, TILE_VECS = 3, TILE_COLS = TILE_VECS * WIDTH };

/* rows <= TILE_ROWS and vecs <= TILE_VECS are known where this is inlined.  scale: TILE_COLS
 * factors for the columns of C, or NULL: C is overwritten. */
ALWAYS_INLINE void tile_add(const size_t rows, const size_t vecs, size_t inner, const double *a,
                            size_t row_step, size_t col_step, const double *b, size_t b_step,
                            double *c, size_t c_step, const double *scale)
{
    Vec sum[TILE_ROWS][TILE_VECS];
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vecs; v++)
            sum[r][v] = scale ? vec_load(c + r * c_step + v * WIDTH) * vec_load(scale + v * WIDTH)
                              : (Vec){0};
    for (size_t k = 0; k < inner; k++, a += col_step, b += b_step) {
        Vec row[TILE_VECS];
        for (size_t v = 0; v < vecs; v++)
            row[v] = vec_load(b + v * WIDTH);
        for (size_t r = 0; r < rows; r++)
            for (size_t v = 0; v < vecs; v++)
                sum[r][v] += a[r * row_step] * row[v];
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vecs; v++)
            vec_store(c + r * c_step + v * WIDTH, sum[r][v]);
}

/* The same for any number of rows: C (rows, TILE_COLS), one panel. */
ALWAYS_INLINE void panel_add(size_t rows, size_t inner, const double *a, size_t row_step,
                             size_t col_step, const double *b, size_t b_step, double *c,
                             size_t c_step, const double *scale)
{
    size_t r = 0;
    for (; r + TILE_ROWS <= rows; r += TILE_ROWS)
        tile_add(TILE_ROWS, TILE_VECS, inner, a + r * row_step, row_step, col_step, b, b_step,
                 c + r * c_step, c_step, scale);
    for (; r + 2 <= rows; r += 2)
        tile_add(2, TILE_VECS, inner, a + r * row_step, row_step, col_step, b, b_step,
                 c + r * c_step, c_step, scale);
    if (r < rows)
        tile_add(1, TILE_VECS, inner, a + r * row_step, row_step, col_step, b, b_step,
                 c + r * c_step, c_step, scale);
}

#endif
