/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static size_t live_bytes;

static size_t bytes_of(const Matrix *m)
{
    return sizeof *m + matrix_count(m) * sizeof(double);
}

bool matrix_fits(size_t rows, size_t cols, size_t limit)
{
    return cols == 0 || rows <= limit / cols;
}

Matrix *matrix_new(size_t rows, size_t cols)
{
    assert(matrix_fits(rows, cols, MATRIX_MAX_CELLS));
    Matrix *m = memory_zeros(1, sizeof *m + rows * cols * sizeof(double));
    m->refs = 1;
    m->rows = rows;
    m->cols = cols;
    live_bytes += bytes_of(m);
    return m;
}

Matrix *matrix_from(size_t rows, size_t cols, const double *cells)
{
    Matrix *m = matrix_new(rows, cols);
    if (matrix_count(m))
        memcpy(m->cells, cells, matrix_count(m) * sizeof(double));
    return m;
}

Matrix *matrix_resize(Matrix *m, size_t rows, size_t cols)
{
    assert(m->refs == 1 && matrix_fits(rows, cols, MATRIX_MAX_CELLS));
    live_bytes -= bytes_of(m);
    m = memory_resize(m, sizeof *m + rows * cols * sizeof(double), 1);
    m->rows = rows;
    m->cols = cols;
    live_bytes += bytes_of(m);
    return m;
}

Matrix *matrix_scalar(double x)
{
    return matrix_from(1, 1, &x);
}

Matrix *matrix_ref(const Matrix *m)
{
    Matrix *shared = (Matrix *)m; /* only the count changes: the value stays const */
    shared->refs++;
    return shared;
}

void matrix_unref(const Matrix *m)
{
    if (!m)
        return;
    Matrix *shared = (Matrix *)m;
    assert(shared->refs > 0);
    if (--shared->refs > 0)
        return;
    live_bytes -= bytes_of(shared);
    if (shared->note)
        shared->note->free(shared->note);
    free(shared);
}

Note **matrix_note(const Matrix *m)
{
    return &((Matrix *)m)->note; /* what is known of the entries, not the entries */
}

size_t matrix_live_bytes(void)
{
    return live_bytes;
}

bool matrix_same(const Matrix *a, const Matrix *b)
{
    if (a->rows != b->rows || a->cols != b->cols)
        return false;
    for (size_t i = 0; i < matrix_count(a); i++) {
        double x = a->cells[i], y = b->cells[i];
        if (isnan(x) ? !isnan(y) : memcmp(&x, &y, sizeof x) != 0)
            return false;
    }
    return true;
}
