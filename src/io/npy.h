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

/* Appends m. */
void npy_add_matrix(Str *out, const Matrix *m);

/* Reads the file at path as NPY (by its magic) or CSV (otherwise).  "-" is
 * standard input if allow_stdin. */
Status npy_or_csv_read_file(const char *path, size_t limit, bool allow_stdin, Matrix **out,
                            Error *error);

#endif
