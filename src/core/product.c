/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/product.h"

#include <stdlib.h>

#include "base/memory.h"
#include "core/fast_kernels.h"
#include "core/vector.h"

Matrix *matrix_multiply(const Matrix *a, const Matrix *b)
{
    assert(a->cols == b->rows);
    Matrix *product = matrix_new(a->rows, b->cols);
    if (matrix_count(product) == 0 || a->cols == 0)
        return product;
    const FastKernels *kernels = fast_kernels();
    double *packed = memory_zeros(a->cols, kernels->exact_cols * sizeof *packed);
    kernels->exact_multiply(matrix_fill(product), a->cells, b->cells, a->rows, a->cols, b->cols,
                            packed);
    free(packed);
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
