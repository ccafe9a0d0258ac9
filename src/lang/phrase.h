/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phrase: the numbers and the arithmetic in the sentences of explain.
 *
 * What is printed is the correctly rounded display of the full-precision number:
 * nothing is computed from rounded ones. */
#ifndef LANG_PHRASE_H
#define LANG_PHRASE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* How a sentence is written: significant digits of numbers that are not integers; "*" for
 * "·" and "..." for "…" in ASCII. */
typedef struct {
    int digits;
    bool ascii;
} Style;

/* Appends x: integers below 1e15 as such, other numbers with style.digits significant digits;
 * NaN, Inf, -Inf. */
void phrase_add_number(Str *out, Style style, double x);

/* The same for a number inside an expression: negative ones in brackets. */
void phrase_add_operand(Str *out, Style style, double x);

/* "·" or "*"; "…" or "...". */
const char *phrase_times(Style style);
const char *phrase_dots(Style style);

typedef enum {
    TERM_NUMBER,  /* a */
    TERM_PRODUCT, /* a·b */
    TERM_SQUARE,  /* a^2 */
    TERM_ENTROPY  /* a·log(a), 0 where a is 0 */
} TermKind;

typedef struct {
    TermKind kind;
    double a, b;
} Term;

double term_value(const Term *term);

enum { PHRASE_ALL_TERMS = 6, PHRASE_LARGEST_TERMS = 4 };

/* Appends "1·2 + 2·2 + (-1)·1".  Of more than PHRASE_ALL_TERMS terms only the
 * PHRASE_LARGEST_TERMS of largest magnitude (NaN first) are written, in their order, and the
 * rest as its sum: "… (12 more: -0.37)".  No terms: "0". */
void phrase_add_sum(Str *out, Style style, const Term *terms, size_t count);

/* Appends the product of numbers, "1·2·3"; of more than PHRASE_ALL_TERMS the first
 * PHRASE_LARGEST_TERMS and the product of the rest.  No numbers: "1". */
void phrase_add_product(Str *out, Style style, const Term *terms, size_t count);

/* Appends the numbers of a list set off by separator, at most PHRASE_ALL_TERMS of them and always
 * the one at needed (count: none in particular); dots for what is left out. */
void phrase_add_list(Str *out, Style style, const Term *terms, size_t count, size_t needed,
                     const char *separator);

/* Appends why the sum of terms is no number, ": 0·Inf is not a number", if two of its numbers
 * are to blame rather than a NaN among them. */
void phrase_add_blame(Str *out, Style style, const Term *terms, size_t count);

#endif
