/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export: a matrix as the bytes that dump and eval write. */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include <stdbool.h>

#include "app/options.h"
#include "base/str.h"
#include "core/matrix.h"

typedef enum { EXPORT_CSV, EXPORT_JSON, EXPORT_NPY } ExportFormat;

/* What --format says; false (and a line on stderr) if it is none of the formats, or
 * if to_stdout and bytes that are no text would reach a terminal. */
bool export_format(const Options *options, bool to_stdout, ExportFormat *out);

/* The end of a file name: ".csv". */
const char *export_extension(ExportFormat format);

/* Appends m: plain CSV, a JSON array of rows with a newline, or NPY. */
void export_add_matrix(Str *out, const Matrix *m, ExportFormat format);

#endif
