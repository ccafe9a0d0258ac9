/* SPDX-License-Identifier: GPL-3.0-or-later */
/* route: from which cell of which operand a moved number came.
 *
 * Indexing, indexed assignment, concatenation, transposing and the operations that
 * rearrange (EXPLAIN_MOVE) compute nothing: every cell of the result is a cell of an
 * operand, or a filling.  explain asks here. */
#ifndef LANG_ROUTE_H
#define LANG_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/value.h"

typedef enum {
    ROUTE_UNKNOWN, /* not an operation that moves, or not the operands it expects */
    ROUTE_CELL,    /* cell (row, col) of operands[operand] */
    ROUTE_FILL     /* no operand's: a zero or -Inf that the operation put there */
} RouteKind;

typedef struct {
    RouteKind kind;
    size_t operand, row, col;
} Route;

/* Where cell (i, j), from 0 and in range, of v came from.  A ROUTE_CELL is in range and
 * holds the same number as the cell. */
Route route_cell(const Value *v, size_t i, size_t j);

/* The position, from 0, of the p-th (from 0) place that index selects of extent places:
 * index is a ':', a mask or numbers from 1.  Returns extent if there is no such place. */
size_t route_index(const Value *index, size_t p, size_t extent);

/* The dimension that an operation on A = operands[0] works along: 0 down the columns, 1 along
 * the rows, 2 beyond them (each cell is alone); operands[k] names it, counted from 1, otherwise
 * it is the first that is not 1. */
int route_dimension(const Origin *origin, size_t k);

/* True if v is an input in all but its operations: numbers written out, -1 or [1, -2; 3, 4]. */
bool route_is_written(const Value *v);

#endif
