/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explanation: what explain says about one cell: a sentence and the parts it speaks of.
 *
 * The receiver owns it and gives it back with explanation_clear. */
#ifndef LANG_EXPLANATION_H
#define LANG_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/value.h"

/* A rectangle of cells of an operand: rows row .. row + rows - 1, from 0. */
typedef struct {
    const Value *value; /* borrowed: alive as long as the explained value is */
    char *name;         /* as written: "Q", "(Q*K')", "phi(K)" */
    size_t row, rows, col, cols;
} ExplainPart;

typedef struct {
    char *sentence;
    ExplainPart *parts;
    size_t count;
    bool input; /* nothing lies behind this cell */
} Explanation;

/* Frees what the explanation holds; it is empty afterwards. */
void explanation_clear(Explanation *explanation);

#endif
