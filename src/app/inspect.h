/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inspect: the cursor on a number, and the way from it down to the inputs.
 *
 * An Inspect is a stack of levels: the number on the page, then each operand that was
 * gone into.  Each level holds a reference to its value, so it outlives a new run of
 * the lesson, but not the lesson.  Inspect i = {0}; is closed. */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "lang/explain.h"
#include "lang/value.h"

typedef struct {
    const Value *value;
    char *name;
    size_t row, col;  /* from 0 */
    size_t part;      /* the operand that Enter goes into */
    Explanation why;
} Look;

typedef struct {
    Look *levels;
    size_t count, room;
    int digits;
    bool ascii;
} Inspect;

bool inspect_is_open(const Inspect *inspect);
void inspect_close(Inspect *inspect);

/* Closes it and puts the cursor on a cell of value (a matrix with at least one cell),
 * which goes by name; row and col are clamped. */
void inspect_open(Inspect *inspect, const Value *value, const char *name, size_t row, size_t col);

/* The number the cursor is on; it must be open. */
const Look *inspect_top(const Inspect *inspect);

/* Moves the cursor within its matrix, as far as that goes. */
void inspect_move(Inspect *inspect, int rows, int cols);

/* Puts it on cell (row, col) of its matrix, clamped. */
void inspect_go(Inspect *inspect, size_t row, size_t col);

/* Marks the next operand; false if there is at most one. */
bool inspect_next_part(Inspect *inspect);

/* The operand that Enter goes into, or NULL. */
const ExplainPart *inspect_part(const Inspect *inspect);

/* Goes into it, to its largest cell; false where nothing lies behind the number. */
bool inspect_into(Inspect *inspect);

/* One level up; false if it was the last one, which closes it. */
bool inspect_out(Inspect *inspect);

/* Appends "A(2,3) ◂ Y1(2,1)": where one is and where one came from. */
void inspect_add_trail(const Inspect *inspect, Str *out);

#endif
