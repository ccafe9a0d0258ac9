/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/hit.h"

#include <stdlib.h>

#include "base/memory.h"
#include "page/digest.h"

void hit_list_add(HitList *list, const Value *value, const char *name, Rect at, Size cell,
                  size_t row, size_t col, bool turned)
{
    MEMORY_GROW(list->items, list->count, list->room);
    list->items[list->count++] =
        (Hit){value_ref(value), memory_copy_text(name), at, cell, row, col, turned, 0, 0};
}

void hit_list_add_blocks(HitList *list, const Value *value, const char *name, Rect at,
                         size_t block_rows, size_t block_cols)
{
    hit_list_add(list, value, name, at, (Size){1, 1}, 0, 0, false);
    list->items[list->count - 1].block_rows = block_rows;
    list->items[list->count - 1].block_cols = block_cols;
}

void hit_list_clear(HitList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        value_unref(list->items[i].value);
        free(list->items[i].name);
    }
    free(list->items);
    *list = (HitList){0};
}

/* Cuts whole numbers (or blocks) off the rectangle of hit that lie outside clip. */
static void cut(Hit *hit, Rect clip)
{
    size_t *down = hit->turned ? &hit->col : &hit->row;
    while (hit->at.rows > 0 && hit->at.row < clip.row) {
        hit->at.row += hit->cell.rows;
        hit->at.rows -= hit->cell.rows;
        ++*down;
    }
    while (hit->at.cols > 0 && hit->at.col < clip.col && !hit->turned) {
        hit->at.col += hit->cell.cols;
        hit->at.cols -= hit->cell.cols;
        hit->col++;
    }
    hit->at = rect_common(hit->at, clip);
}

void hit_list_move(HitList *list, int rows, int cols, Rect clip)
{
    for (size_t i = 0; i < list->count; i++) {
        Hit *hit = &list->items[i];
        hit->at.row += rows;
        hit->at.col += cols;
        cut(hit, clip);
    }
}

const Hit *hit_list_find(const HitList *list, int row, int col, size_t *i, size_t *j)
{
    for (size_t k = 0; k < list->count; k++) {
        const Hit *hit = &list->items[k];
        int down = row - hit->at.row, right = col - hit->at.col;
        if (down < 0 || down >= hit->at.rows || right < 0 || right >= hit->at.cols)
            continue;
        size_t a = (size_t)(down / hit->cell.rows), b = (size_t)(right / hit->cell.cols);
        *i = hit->row + (hit->turned ? 0 : a);
        *j = hit->col + (hit->turned ? a : b);
        const Matrix *m = value_matrix(hit->value);
        if (hit->block_rows)
            digest_find_peak(m, hit->block_rows, hit->block_cols, *i, *j, i, j);
        if (*i < m->rows && *j < m->cols)
            return hit;
    }
    return NULL;
}

bool hit_cell(const Hit *hit, size_t i, size_t j, Rect *out)
{
    if (i < hit->row || j < hit->col || hit->block_rows)
        return false;
    size_t down = hit->turned ? j - hit->col : i - hit->row;
    size_t right = hit->turned ? 0 : j - hit->col;
    if ((hit->turned && i != hit->row) || down >= (size_t)(hit->at.rows / hit->cell.rows) ||
        right * (size_t)hit->cell.cols >= (size_t)hit->at.cols)
        return false;
    *out = (Rect){hit->at.row + (int)down * hit->cell.rows,
                  hit->at.col + (int)right * hit->cell.cols, hit->cell.rows, hit->cell.cols};
    return true;
}

/* What v is the transpose of, or NULL. */
static const Value *turned_from(const Value *v)
{
    return v->origin && v->origin->op->id == OP_TRANSPOSE ? v->origin->operands[0] : NULL;
}

static bool same_numbers(const Value *a, const Value *b)
{
    return a == b || (a && b && a->kind == VALUE_MATRIX && b->kind == VALUE_MATRIX &&
                      a->matrix == b->matrix);
}

bool cell_range_in(const CellRange *range, const Value *value, CellRange *out)
{
    const Value *base = turned_from(value), *of = turned_from(range->value);
    *out = *range;
    out->value = value;
    if (same_numbers(range->value, value) || (base && of && same_numbers(base, of)))
        return true;
    if (!(base && same_numbers(base, range->value)) && !(of && same_numbers(of, value)))
        return false;
    *out = (CellRange){value, range->col, range->cols, range->row, range->rows};
    return true;
}
