/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact products (product.h): the same bits from every build; compiled once a level with
 * contraction off.
 *
 * Tiles of C stay in registers while k runs in order; vectors run across columns only, so
 * every entry is the plain sum of its definition.  Stretches of k are handed on through C,
 * which rounds nothing, so that the rows of b in use stay in the cache. */
#include "core/fast_build.h"

enum {
    ROWS = WIDTH == 8 ? 6 : 2, /* of a tile; ROWS * COL_VECS sums stay in registers */
    COL_VECS = EXACT_COLS / WIDTH,
    STRETCH = 256 /* of k */
};

/* c += a b for `rows` rows (at most ROWS, known where inlined); b is packed (inner, EXACT_COLS). */
ALWAYS_INLINE void multiply_tile(const size_t rows, double *c, size_t c_step, const double *a,
                                 size_t a_step, const double *b, size_t inner)
{
    Vec sum[ROWS][COL_VECS];
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < COL_VECS; v++)
            sum[r][v] = vec_load(c + r * c_step + v * WIDTH);
    for (size_t k = 0; k < inner; k++, b += EXACT_COLS) {
        Vec row[COL_VECS];
        for (size_t v = 0; v < COL_VECS; v++)
            row[v] = vec_load(b + v * WIDTH);
        for (size_t r = 0; r < rows; r++)
            for (size_t v = 0; v < COL_VECS; v++)
                sum[r][v] += a[r * a_step + k] * row[v];
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < COL_VECS; v++)
            vec_store(c + r * c_step + v * WIDTH, sum[r][v]);
}

/* EXACT_COLS columns of c += a b. */
static void multiply_columns(double *c, size_t c_step, const double *a, size_t a_step,
                             const double *b, size_t rows, size_t inner)
{
    for (size_t from = 0; from < inner; from += STRETCH, b += STRETCH * EXACT_COLS) {
        size_t count = inner - from < STRETCH ? inner - from : STRETCH, i = 0;
        for (; i + ROWS <= rows; i += ROWS)
            multiply_tile(ROWS, c + i * c_step, c_step, a + i * a_step + from, a_step, b, count);
        for (; i < rows; i++)
            multiply_tile(1, c + i * c_step, c_step, a + i * a_step + from, a_step, b, count);
    }
}

/* The last cols % EXACT_COLS columns, through a padded copy. */
static void multiply_rest(double *c, size_t c_step, const double *a, const double *b, size_t rows,
                          size_t inner, size_t cols)
{
    for (size_t i = 0; i < rows; i++) {
        double padded[EXACT_COLS] = {0};
        multiply_columns(padded, EXACT_COLS, a + i * inner, inner, b, 1, inner);
        memcpy(c + i * c_step, padded, cols * sizeof *c);
    }
}

void FAST_NAME(exact_multiply)(double *c, const double *a, const double *b, size_t rows,
                               size_t inner, size_t cols, double *packed)
{
    memset(c, 0, rows * cols * sizeof *c);
    for (size_t j = 0; j < cols; j += EXACT_COLS) {
        size_t count = cols - j < EXACT_COLS ? cols - j : EXACT_COLS;
        for (size_t k = 0; k < inner; k++)
            for (size_t l = 0; l < EXACT_COLS; l++)
                packed[k * EXACT_COLS + l] = l < count ? b[k * cols + j + l] : 0;
        if (count == EXACT_COLS)
            multiply_columns(c + j, cols, a, inner, packed, rows, inner);
        else
            multiply_rest(c + j, cols, a, packed, rows, inner, count);
    }
}
