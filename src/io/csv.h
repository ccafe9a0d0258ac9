/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv: one matrix as comma-separated text, and tables of text.
 *
 * Grammar of a matrix: one optional UTF-8 byte-order mark; one matrix row a
 * line, ended by LF, CRLF or CR (the last end may be missing); blank lines only
 * at the end; fields separated by one comma, blanks and tabs around a field
 * ignored; a field is a number as number_read takes it (quotes are not).  Every
 * row has as many fields as the first.  A header line is refused: a matrix file
 * has none.  Errors name file, line and column, what was found and what was
 * expected. */
#ifndef IO_CSV_H
#define IO_CSV_H

#include "base/error.h"
#include "base/source.h"
#include "base/str.h"
#include "core/matrix.h"

/* Reads a matrix from source; at most limit entries. *out has one reference. */
Status csv_read_matrix(const Source *source, size_t limit, Matrix **out, Error *error);

/* A matrix being read row by row: the count entries of the rows that were read and not yet
 * taken away (count set to 0), and how many rows of how many entries there were so far. */
typedef struct {
    Matrix *cells; /* room for them, as one column; NULL before the first; to be given back */
    size_t count;
    size_t rows, cols;
} CsvRows;

/* Reads the next rows of m, at most `most`, from the bytes span of source, which end with a
 * whole line, and moves span->start behind them; entries up to limit wait in m.  Blank lines
 * at the end of span are not read: what follows says whether they may stand there. */
Status csv_read_rows(CsvRows *m, const Source *source, Span *span, size_t most, size_t limit,
                     Error *error);

/* Says that source, which has no row, has no data. */
Status csv_refuse_empty(const Source *source, Error *error);

/* Appends m, one row a line, LF ends, numbers by number_add. A matrix without
 * columns writes one empty line a row; without rows, nothing. */
void csv_add_matrix(Str *out, const Matrix *m);

/* Appends of the same bytes those of the entries first to last - 1, counted row by row; m has
 * columns. */
void csv_add_cells(Str *out, const Matrix *m, size_t first, size_t last);

/* Appends one field, quoted by RFC 4180 where it has to be. */
void csv_add_field(Str *out, const char *text);

/* A table of text fields, quoted by RFC 4180 (labels, tokens). */
typedef struct {
    char ***rows;   /* rows[i][j], NUL-terminated */
    size_t *counts; /* fields in row i */
    size_t count;   /* rows */
} CsvTable;

/* Reads the bytes span of source as a table; fields may be quoted, a quoted one
 * may hold commas, doubled quotes and line ends. */
Status csv_read_table(const Source *source, Span span, CsvTable *table, Error *error);
void csv_table_clear(CsvTable *table);

#endif
