/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain: where a number comes from.
 *
 * For one cell of a value: a sentence such as
 *     A(2,3) = Q(2,:)·K(3,:)' = 0·0 + 1·2 + 2·2 + (-1)·1 = 5
 * and the parts of the operands it was computed from, which a screen marks and
 * the reader can go into.  The arithmetic is redone from those cells at full
 * precision; what is printed is true to its last digit.  Long sums show their
 * largest terms and the rest as a subtotal. */
#ifndef LANG_EXPLAIN_H
#define LANG_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "lang/explanation.h"
#include "lang/value.h"

/* Explains cell (i, j), from 0 and in range, of value (a matrix), which goes by name.
 * digits: significant digits for numbers that are not integers (0: 4); ascii: "*" for "·"
 * and "..." for "…".  A cell of an indexed assignment is explained by what wrote it. */
void explain_cell(const Value *value, const char *name, size_t i, size_t j, int digits, bool ascii,
                  Explanation *out);

/* Appends the explanation of the cell and, indented below it, its parts with their numbers
 * and the place in the source where they were bound; from depth 2 on the cells of the parts are
 * explained in the same way, down to depth levels (at most 32).  What was told is not told again;
 * at most 8 cells below one, and about 400 lines in all. */
void explain_add_text(Str *out, const Value *value, const char *name, size_t i, size_t j, int depth,
                      int digits, bool ascii);

/* What an operand is called in a sentence: its name if it is one, otherwise its
 * source text in brackets.  Appended to out. */
void explain_add_name(Str *out, const Value *operand, const Expr *expr);

#endif
