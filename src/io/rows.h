/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows: a matrix file read a block of rows at a time, in the memory of one block.
 *
 * What is a matrix file, and what is wrong with one, is csv.h's and npy.h's; an error has the
 * same file, line and column as when the file is read whole.  An NPY file must be in C order:
 * the rows of a Fortran one lie across the whole of it. */
#ifndef IO_ROWS_H
#define IO_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "core/matrix.h"

typedef struct Rows Rows;

/* Opens the file at path, NPY (by its magic) or CSV (otherwise); "-" is standard input.  To be
 * given back with rows_close (NULL is allowed). */
Status rows_open(const char *path, Rows **out, Error *error);
void rows_close(Rows *rows);

/* What messages call it: the path, or "<stdin>". */
const char *rows_name(const Rows *rows);

/* The rows read so far. */
size_t rows_done(const Rows *rows);

/* True, and how many rows there are, if the file says so before it is read (NPY). */
bool rows_count(const Rows *rows, size_t *count);

/* The next rows, at most `most` (at least 1); fewer only at the end: a new reference to a
 * matrix that has the file's columns, and no rows behind the end. */
Status rows_read(Rows *rows, size_t most, Matrix **out, Error *error);

#endif
