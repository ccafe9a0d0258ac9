/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix: a rectangle of doubles, immutable and shared.
 *
 * matrix_new makes one whose entries may be written through matrix_fill as long
 * as there is a single reference; from the moment it is shared it never changes.
 * Rows are stored one after another (row major).  Sizes from 0 up.  Whoever
 * holds a Matrix * holds one reference and gives it back with matrix_unref;
 * const Matrix * arguments are borrowed. */
#ifndef CORE_MATRIX_H
#define CORE_MATRIX_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"

typedef struct Matrix {
    size_t refs;
    size_t rows, cols;
    Note *note; /* or NULL */
    double cells[]; /* rows * cols of them, row major */
} Matrix;

/* The most elements a matrix may ever have: 2^31 - 1. */
#define MATRIX_MAX_CELLS ((size_t)2147483647)

/* True if rows * cols, computed without wrapping, is at most limit. */
bool matrix_fits(size_t rows, size_t cols, size_t limit);

/* A rows x cols matrix of zeros with one reference; matrix_fits(rows, cols,
 * MATRIX_MAX_CELLS) must hold. */
Matrix *matrix_new(size_t rows, size_t cols);

/* The same with the rows * cols numbers at cells, row by row. */
Matrix *matrix_from(size_t rows, size_t cols, const double *cells);

/* m, which nobody else holds, as rows x cols: its numbers stay in their order, what does not
 * fit is cut off, what is new is not set.  m is gone, the result is in its place. */
Matrix *matrix_resize(Matrix *m, size_t rows, size_t cols);

/* 1 x 1. */
Matrix *matrix_scalar(double x);

/* One more reference to m / one less (frees m at the last; NULL is allowed). */
Matrix *matrix_ref(const Matrix *m);
void matrix_unref(const Matrix *m);

/* The entries of a matrix that nobody else holds yet, to be written. */
static inline double *matrix_fill(Matrix *m)
{
    assert(m->refs == 1 && !m->note);
    return m->cells;
}

/* Row i (from 0) of m: its cols entries. */
static inline const double *matrix_row(const Matrix *m, size_t i)
{
    assert(i < m->rows);
    return m->cells + i * m->cols;
}

/* The entry in row i, column j, both from 0. */
static inline double matrix_at(const Matrix *m, size_t i, size_t j)
{
    assert(i < m->rows && j < m->cols);
    return m->cells[i * m->cols + j];
}

static inline size_t matrix_count(const Matrix *m)
{
    return m->rows * m->cols;
}

/* The place for a note about the entries of a shared matrix: NULL until one is put there,
 * which is freed with the matrix. */
Note **matrix_note(const Matrix *m);

/* Bytes now held by all matrices of the program: what a trace's budget counts. */
size_t matrix_live_bytes(void);

/* True if both have the same size and the same entries, bit for bit (NaN with
 * NaN of any payload; 0 and -0 differ). */
bool matrix_same(const Matrix *a, const Matrix *b);

#endif
