/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export: a matrix as the bytes that dump and eval write. */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include <stdbool.h>

#include "app/options.h"
#include "base/str.h"
#include "core/matrix.h"
#include "io/file.h"

typedef enum { EXPORT_CSV, EXPORT_JSON, EXPORT_NPY } ExportFormat;

/* What --format says; false (and a line on stderr) if it is none of the formats, or
 * if to_stdout and bytes that are no text would reach a terminal. */
bool export_format(const Options *options, bool to_stdout, ExportFormat *out);

/* The end of a file name: ".csv". */
const char *export_extension(ExportFormat format);

/* Appends m: plain CSV, a JSON array of rows with a newline, or NPY. */
void export_add_matrix(Str *out, const Matrix *m, ExportFormat format);

/* The same bytes to writer, a piece at a time, with a meter where there is much to write. */
Status export_write_matrix(FileWriter *writer, const Matrix *m, ExportFormat format, Error *error);

/* The same bytes again for a matrix that comes block by block (CSV or NPY, columns above 0):
 * what it begins with, then the entries first to last - 1 of each block, row by row. */
void export_add_start(Str *out, size_t rows, size_t cols, ExportFormat format);
void export_add_cells(Str *out, const Matrix *m, size_t first, size_t last, ExportFormat format);

#endif
