/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hit: where on a page the numbers of which value stand.
 *
 * Drawing a matrix (or bars) adds a Hit; a cursor, a mouse click and the parts of
 * an explanation are looked up in the list, in both directions.  The list holds a
 * reference to every value in it. */
#ifndef PAGE_HIT_H
#define PAGE_HIT_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/explain.h"
#include "lang/value.h"
#include "page/grid.h"

typedef struct {
    const Value *value;
    char *name;          /* as written: "A", "K0'" */
    Rect at;             /* where its visible cells are */
    Size cell;           /* of one number */
    size_t row, col;     /* the first visible number (or block) */
    bool turned;         /* a row of numbers that runs down the page */
    size_t block_rows, block_cols; /* an overview: a cell stands for so many numbers; else 0 */
} Hit;

typedef struct {
    Hit *items;
    size_t count, room;
} HitList;

/* A rectangle of cells of a value. */
typedef struct {
    const Value *value;
    size_t row, rows, col, cols;
} CellRange;

void hit_list_add(HitList *list, const Value *value, const char *name, Rect at, Size cell,
                  size_t row, size_t col, bool turned);
/* An overview of a whole matrix: each of its cells stands for a block of numbers. */
void hit_list_add_blocks(HitList *list, const Value *value, const char *name, Rect at,
                         size_t block_rows, size_t block_cols);
void hit_list_clear(HitList *list);

/* Moves every rectangle by rows and cols; what leaves clip is cut (Hits that lose
 * all their cells stay, with an empty rectangle). */
void hit_list_move(HitList *list, int rows, int cols, Rect clip);

/* The number at that cell of the page: its Hit, and row and column from 0 (in an overview,
 * of the peak of its block); NULL if there is none. */
const Hit *hit_list_find(const HitList *list, int row, int col, size_t *i, size_t *j);

/* Where number (i, j) of hit stands; false if it is not visible, as none is in an
 * overview. */
bool hit_cell(const Hit *hit, size_t i, size_t j, Rect *out);

/* The cells of value that the range means, as far as value is what the range is
 * about: the same value, or its transpose.  False if it is another one. */
bool cell_range_in(const CellRange *range, const Value *value, CellRange *out);

#endif
