/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/inspect.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Levels that the trail names; those above are "...". */
enum { TRAIL_LEVELS = 5 };

static Look *top(const Inspect *inspect)
{
    assert(inspect->count > 0);
    return &inspect->levels[inspect->count - 1];
}

static void look_clear(Look *look)
{
    explanation_clear(&look->why);
    value_unref(look->value);
    free(look->name);
    *look = (Look){0};
}

/* True if the part has cells one can go into. */
static bool is_open_part(const ExplainPart *part)
{
    return part->value->kind == VALUE_MATRIX && part->rows > 0 && part->cols > 0;
}

static void explain(const Inspect *inspect, Look *look)
{
    explanation_clear(&look->why);
    explain_cell(look->value, look->name, look->row, look->col, inspect->digits, inspect->ascii,
                 &look->why);
    look->part = 0;
    while (look->part < look->why.count && !is_open_part(&look->why.parts[look->part]))
        look->part++;
}

static size_t clamp(size_t i, size_t count)
{
    return i < count ? i : count - 1;
}

static void push(Inspect *inspect, const Value *value, const char *name, size_t row, size_t col)
{
    const Matrix *m = value_matrix(value);
    MEMORY_GROW(inspect->levels, inspect->count, inspect->room);
    Look *look = &inspect->levels[inspect->count++];
    *look = (Look){.value = value_ref(value), .name = memory_copy_text(name),
                   .row = clamp(row, m->rows), .col = clamp(col, m->cols)};
    explain(inspect, look);
}

bool inspect_is_open(const Inspect *inspect)
{
    return inspect->count > 0;
}

void inspect_close(Inspect *inspect)
{
    for (size_t i = 0; i < inspect->count; i++)
        look_clear(&inspect->levels[i]);
    free(inspect->levels);
    inspect->levels = NULL;
    inspect->count = inspect->room = 0;
}

void inspect_open(Inspect *inspect, const Value *value, const char *name, size_t row, size_t col)
{
    value_ref(value); /* it may be ours */
    char *copy = memory_copy_text(name);
    inspect_close(inspect);
    push(inspect, value, copy, row, col);
    free(copy);
    value_unref(value);
}

const Look *inspect_top(const Inspect *inspect)
{
    return top(inspect);
}

static size_t moved(size_t i, int by, size_t count)
{
    if (by < 0 && i < (size_t)-by)
        return 0;
    return clamp(i + (size_t)by, count); /* by < 0 wraps to what is meant */
}

void inspect_go(Inspect *inspect, size_t row, size_t col)
{
    Look *look = top(inspect);
    const Matrix *m = value_matrix(look->value);
    look->row = clamp(row, m->rows);
    look->col = clamp(col, m->cols);
    explain(inspect, look);
}

void inspect_move(Inspect *inspect, int rows, int cols)
{
    const Look *look = top(inspect);
    const Matrix *m = value_matrix(look->value);
    inspect_go(inspect, moved(look->row, rows, m->rows), moved(look->col, cols, m->cols));
}

bool inspect_next_part(Inspect *inspect)
{
    Look *look = top(inspect);
    size_t before = look->part;
    for (size_t k = 1; k <= look->why.count; k++) {
        size_t next = (before + k) % look->why.count;
        if (is_open_part(&look->why.parts[next])) {
            look->part = next;
            return next != before;
        }
    }
    return false;
}

const ExplainPart *inspect_part(const Inspect *inspect)
{
    const Look *look = top(inspect);
    return look->part < look->why.count ? &look->why.parts[look->part] : NULL;
}

bool inspect_into(Inspect *inspect)
{
    const ExplainPart *part = inspect_part(inspect);
    if (!part)
        return false;
    const Matrix *m = value_matrix(part->value);
    size_t row = part->row, col = part->col;
    double largest = -1;
    for (size_t i = part->row; i < part->row + part->rows && i < m->rows; i++)
        for (size_t j = part->col; j < part->col + part->cols && j < m->cols; j++)
            if (fabs(matrix_at(m, i, j)) > largest) {
                largest = fabs(matrix_at(m, i, j));
                row = i;
                col = j;
            }
    const Value *value = part->value;
    char *name = memory_copy_text(part->name);
    push(inspect, value, name, row, col);
    free(name);
    return true;
}

bool inspect_out(Inspect *inspect)
{
    look_clear(top(inspect));
    inspect->count--;
    if (inspect->count > 0)
        return true;
    inspect_close(inspect);
    return false;
}

void inspect_add_trail(const Inspect *inspect, Str *out)
{
    const char *arrow = inspect->ascii ? " < " : " ◂ ";
    for (size_t k = 0; k < inspect->count; k++) {
        const Look *look = &inspect->levels[inspect->count - 1 - k];
        if (k == TRAIL_LEVELS) {
            str_addf(out, "%s...", arrow);
            return;
        }
        str_addf(out, "%s%s(%zu,%zu)", k ? arrow : "", look->name, look->row + 1, look->col + 1);
    }
}
