/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix_text: a value as lines of text, numbers aligned.
 *
 * Columns are right-aligned and each has one precision, so decimals line up on the
 * point: integers as integers, otherwise as many decimals as the largest entry
 * needs for the wanted digits (fewer where all entries are exact with fewer).
 * Whatever is cut is said.  read prints with this; screens lay out their own. */
#ifndef PAGE_MATRIX_TEXT_H
#define PAGE_MATRIX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "lang/value.h"

typedef struct {
    size_t width;    /* cells a line may take, indent included; 0: no limit */
    size_t max_rows; /* rows shown; 0: all */
    size_t indent;   /* blanks before every line */
    int digits;      /* significant digits of what is no integer; 0: 4 */
    bool ascii;
    char *const *row_labels; /* what rows are called, or NULL … */
    size_t row_label_count;  /* … rows beyond have their number */
    char *const *col_labels;
    size_t col_label_count;
} MatrixTextStyle;

/* How the entries of one column are written: number_add_format's kind and
 * precision.  kind 'i': integers. */
typedef struct {
    char kind;
    int precision;
} ColumnFormat;

/* The format of count numbers, stride apart; NaN, infinities and zeros decide
 * nothing. */
ColumnFormat matrix_text_format(const double *numbers, size_t count, size_t stride, int digits);

/* Appends x in that format: "NaN", "Inf", "-Inf"; a negative zero is 0. */
void matrix_text_add_number(Str *out, double x, ColumnFormat format);

/* Appends one number in its own right: integers whole, others with at least six
 * significant digits and no zeros at the end. */
void matrix_text_add_scalar(Str *out, double x, int digits);

/* Appends "n×d (6×4)", or "6×4" where no dimension has a name. */
void matrix_text_add_shape(Str *out, const Value *value, bool ascii);

/* Appends the value under a name, ended by a newline: "beta = 0.5" for a single
 * number, a text or a function, otherwise the name with the shape and the rows. */
void matrix_text_add(Str *out, const char *name, const Value *value, const MatrixTextStyle *style);

/* Appends only the rows (and the labels) of a matrix. */
void matrix_text_add_rows(Str *out, const Value *value, const MatrixTextStyle *style);

#endif
