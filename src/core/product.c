/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/product.h"

#include <stdlib.h>

#include "base/memory.h"
#include "core/vector.h"

/* The product is made tile by tile, TILE_ROWS x TILE_COLS entries kept in
 * registers while k runs in order: vectors run across columns only, so every
 * entry is the plain sum of its definition on any instruction set. */
enum { TILE_ROWS = 4, TILE_COLS = 32 };

/* The same source compiled per instruction set; contraction is off, so all give
 * the same bits.  Sanitizers instrument the resolvers that this needs. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer)
#define PRODUCT_CLONES 1
#endif
#else
#define PRODUCT_CLONES 1
#endif
#endif
#ifdef PRODUCT_CLONES
#define PER_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PER_CPU
#endif

/* c (TILE_ROWS, TILE_COLS) = a b: row r of a begins at a + r * a_step, b is packed
 * (inner, TILE_COLS). */
PER_CPU static void multiply_tile(double *restrict c, size_t c_step, const double *restrict a,
                                  size_t a_step, const double *restrict b, size_t inner)
{
    typedef double Lane __attribute__((vector_size(64), aligned(8)));
    enum { LANES = TILE_COLS / 8 };
    Lane sum[TILE_ROWS][LANES] = {{{0}}};
    for (size_t k = 0; k < inner; k++, b += TILE_COLS) {
        const Lane *row = (const Lane *)b;
        for (size_t r = 0; r < TILE_ROWS; r++)
            for (size_t l = 0; l < LANES; l++)
                sum[r][l] += a[r * a_step + k] * row[l];
    }
    for (size_t r = 0; r < TILE_ROWS; r++)
        for (size_t l = 0; l < LANES; l++)
            *(Lane *)(c + r * c_step + 8 * l) = sum[r][l];
}

/* Rows from..to and columns left..right of c = a b by the definition. */
static void multiply_plain(double *c, const Matrix *a, const Matrix *b, size_t from, size_t to,
                           size_t left, size_t right)
{
    size_t n = b->cols;
    for (size_t i = from; i < to; i++)
        for (size_t k = 0; k < a->cols; k++)
            vector_add_scaled(c + i * n + left, a->cells[i * a->cols + k], b->cells + k * n + left,
                              right - left);
}

Matrix *matrix_multiply(const Matrix *a, const Matrix *b)
{
    assert(a->cols == b->rows);
    Matrix *product = matrix_new(a->rows, b->cols);
    double *c = matrix_fill(product);
    size_t inner = a->cols, n = b->cols;
    size_t whole_rows = a->rows - a->rows % TILE_ROWS, whole_cols = n - n % TILE_COLS;
    if (inner == 0)
        whole_cols = 0;
    if (whole_rows && whole_cols) {
        double *packed = memory_zeros(inner, TILE_COLS * sizeof *packed);
        for (size_t j = 0; j < whole_cols; j += TILE_COLS) {
            for (size_t k = 0; k < inner; k++)
                for (size_t l = 0; l < TILE_COLS; l++)
                    packed[k * TILE_COLS + l] = b->cells[k * n + j + l];
            for (size_t i = 0; i < whole_rows; i += TILE_ROWS)
                multiply_tile(c + i * n + j, n, a->cells + i * inner, inner, packed, inner);
        }
        free(packed);
    }
    multiply_plain(c, a, b, 0, whole_rows, whole_cols, n);
    multiply_plain(c, a, b, whole_rows, a->rows, 0, n);
    return product;
}

Matrix *matrix_transpose(const Matrix *a)
{
    Matrix *t = matrix_new(a->cols, a->rows);
    double *cells = matrix_fill(t);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->cols; j++)
            cells[j * a->rows + i] = a->cells[i * a->cols + j];
    return t;
}

double matrix_dot(const Matrix *a, const Matrix *b)
{
    assert(matrix_count(a) == matrix_count(b));
    return vector_dot(a->cells, b->cells, matrix_count(a));
}
