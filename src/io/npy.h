/* SPDX-License-Identifier: GPL-3.0-or-later */
/* npy: NumPy's .npy format, versions 1.0 to 3.0, in and out.
 *
 * Read: float64 and float32, little-endian ('<f8', '<f4'), C and Fortran order,
 * 0, 1 (a column) or 2 dimensions.  Anything else is refused by name (the dtype,
 * the byte order, the number of dimensions). Written: version 1.0, '<f8', C
 * order, 2 dimensions. Format: NumPy Enhancement Proposal 1. */
#ifndef IO_NPY_H
#define IO_NPY_H

#include "base/error.h"
#include "base/source.h"
#include "base/str.h"
#include "core/matrix.h"

/* True if the bytes begin with the .npy magic. */
bool npy_is(const char *bytes, size_t length);

/* Reads a matrix from the bytes of source; at most limit entries. */
Status npy_read_matrix(const Source *source, size_t limit, Matrix **out, Error *error);

/* What a header says: rows x cols numbers of size bytes each, row by row (fortran: column by
 * column), data bytes from the beginning of the file. */
typedef struct {
    size_t rows, cols, size, data;
    bool fortran;
} NpyLayout;

/* A header is not longer than this (NumPy itself refuses more than 10000). */
enum { NPY_LAYOUT_MAX = 65536 + 12 };

/* Reads the header that source begins with; at most limit entries, which must be countable in
 * bytes.  source has NPY_LAYOUT_MAX bytes, or as many as there are. */
Status npy_read_layout(const Source *source, size_t limit, NpyLayout *out, Error *error);

/* Fails unless exactly the length bytes that layout needs follow the header of the file name. */
Status npy_check_length(const NpyLayout *layout, const char *name, size_t length, Error *error);

/* The count numbers at bytes. */
void npy_decode(const NpyLayout *layout, const char *bytes, size_t count, double *out);

/* Appends m. */
void npy_add_matrix(Str *out, const Matrix *m);

/* Appends what m begins with, NPY_HEADER_BYTES whatever its size, and what follows, a row
 * or any other number of cells at a time. */
enum { NPY_HEADER_BYTES = 128 };
void npy_add_header(Str *out, size_t rows, size_t cols);
void npy_add_cells(Str *out, const double *cells, size_t count);

/* Reads the file at path as NPY (by its magic) or CSV (otherwise).  "-" is
 * standard input if allow_stdin. */
Status npy_or_csv_read_file(const char *path, size_t limit, bool allow_stdin, Matrix **out,
                            Error *error);

/* The same for a path that realpath gave, by file_read_real. */
Status npy_or_csv_read_real(const char *path, size_t limit, Matrix **out, Error *error);

#endif
