/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/grid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Set in Cell.text where the rest is an offset into the pool. */
#define POOLED 0x80000000u

static const Cell blank = {' ', 1, ROLE_PLAIN, MARK_NONE};

Grid *grid_new(int rows, int cols, bool ascii)
{
    Grid *grid = memory_zeros(1, sizeof *grid);
    grid->rows = rows > 0 ? rows : 0;
    grid->cols = cols > 0 ? cols : 0;
    grid->ascii = ascii;
    size_t count = (size_t)grid->rows * (size_t)grid->cols;
    grid->cells = memory_zeros(count + 1, sizeof *grid->cells);
    for (size_t i = 0; i < count; i++)
        grid->cells[i] = blank;
    return grid;
}

void grid_free(Grid *grid)
{
    if (!grid)
        return;
    free(grid->cells);
    str_clear(&grid->pool);
    free(grid);
}

Rect grid_rect(const Grid *grid)
{
    return (Rect){0, 0, grid->rows, grid->cols};
}

Rect rect_common(Rect a, Rect b)
{
    int row = a.row > b.row ? a.row : b.row, col = a.col > b.col ? a.col : b.col;
    int end = a.row + a.rows < b.row + b.rows ? a.row + a.rows : b.row + b.rows;
    int right = a.col + a.cols < b.col + b.cols ? a.col + a.cols : b.col + b.cols;
    return (Rect){row, col, end > row ? end - row : 0, right > col ? right - col : 0};
}

static Cell *cell_at(const Grid *grid, int row, int col)
{
    assert(row >= 0 && row < grid->rows && col >= 0 && col < grid->cols);
    return &grid->cells[(size_t)row * (size_t)grid->cols + (size_t)col];
}

const Cell *grid_cell(const Grid *grid, int row, int col)
{
    return cell_at(grid, row, col);
}

static void add_code_point(Str *out, uint32_t c)
{
    if (c < 0x80) {
        str_add_char(out, (char)c);
    } else if (c < 0x800) {
        str_add_char(out, (char)(0xC0 | c >> 6));
        str_add_char(out, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        str_add_char(out, (char)(0xE0 | c >> 12));
        str_add_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        str_add_char(out, (char)(0x80 | (c & 0x3F)));
    } else {
        str_add_char(out, (char)(0xF0 | c >> 18));
        str_add_char(out, (char)(0x80 | (c >> 12 & 0x3F)));
        str_add_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        str_add_char(out, (char)(0x80 | (c & 0x3F)));
    }
}

void grid_add_cell(Str *out, const Grid *grid, const Cell *cell)
{
    if (cell->width == 0)
        return;
    if (cell->text & POOLED)
        str_add(out, grid->pool.data + (cell->text & ~POOLED));
    else
        add_code_point(out, cell->text);
}

/* ---- putting text ---- */

static bool holds(Rect clip, int row, int col)
{
    return row >= clip.row && row < clip.row + clip.rows && col >= clip.col &&
           col < clip.col + clip.cols;
}

/* Blanks the other half of a wide character that is about to lose this one. */
static void split_wide(Grid *grid, int row, int col)
{
    Cell *cell = cell_at(grid, row, col);
    Cell *other = NULL;
    if (cell->width == 0 && col > 0)
        other = cell - 1;
    else if (cell->width == 2 && col + 1 < grid->cols)
        other = cell + 1;
    if (other) {
        other->text = ' ';
        other->width = 1;
    }
}

static void set_cell(Grid *grid, int row, int col, uint32_t text, int width, Role role)
{
    split_wide(grid, row, col);
    *cell_at(grid, row, col) = (Cell){text, (uint8_t)width, (uint8_t)role, MARK_NONE};
    if (width < 2)
        return;
    split_wide(grid, row, col + 1);
    *cell_at(grid, row, col + 1) = (Cell){' ', 0, (uint8_t)role, MARK_NONE};
}

static uint32_t text_of(Grid *grid, const char *text, size_t length)
{
    if (text_next(text, length) == length) {
        int32_t c = text_decode(text, length);
        return c < 0 ? 0xFFFD : (uint32_t)c;
    }
    uint32_t offset = (uint32_t)grid->pool.length;
    str_add_bytes(&grid->pool, text, length);
    str_add_char(&grid->pool, '\0');
    return POOLED | offset;
}

/* A mark without a base joins the character before it. */
static void join_mark(Grid *grid, Rect clip, int row, int col, const char *text, size_t length)
{
    while (col > 0 && holds(clip, row, col) && cell_at(grid, row, col)->width == 0)
        col--;
    if (!holds(clip, row, col))
        return;
    Cell *cell = cell_at(grid, row, col);
    Str joined = {0};
    grid_add_cell(&joined, grid, cell);
    str_add_bytes(&joined, text, length);
    cell->text = text_of(grid, str_text(&joined), joined.length);
    str_clear(&joined);
}

/* Puts one grapheme that is fit to be shown; returns its width. */
static int put_grapheme(Grid *grid, Rect clip, int row, int col, const char *text, size_t length,
                        Role role)
{
    int width = (int)text_width(text, length);
    if (width == 0) {
        join_mark(grid, clip, row, col - 1, text, length);
        return 0;
    }
    if (width > 2)
        width = 2;
    bool first = holds(clip, row, col), last = width == 1 || holds(clip, row, col + 1);
    if (first && last)
        set_cell(grid, row, col, text_of(grid, text, length), width, role);
    else if (first)
        set_cell(grid, row, col, ' ', 1, role);
    else if (width == 2 && last)
        set_cell(grid, row, col + 1, ' ', 1, role);
    return width;
}

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~';
}

static int put_visible(Grid *grid, Rect clip, int row, int col, const char *text, size_t length,
                       Role role)
{
    int at = col;
    for (size_t i = 0; i < length;) {
        if (is_plain(text[i]) && (i + 1 == length || is_plain(text[i + 1]))) {
            if (holds(clip, row, at))
                set_cell(grid, row, at, (uint8_t)text[i], 1, role);
            at++;
            i++;
            continue;
        }
        size_t bytes = text_next_grapheme(text + i, length - i);
        at += put_grapheme(grid, clip, row, at, text + i, bytes, role);
        i += bytes;
    }
    return at - col;
}

static bool all_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_plain(text[i]))
            return false;
    return true;
}

/* The form in which text stands in the grid. */
static void add_shown(Str *out, const Grid *grid, const char *text, size_t length)
{
    if (grid->ascii)
        grid_add_ascii(out, text, length);
    else
        text_add_visible(out, text, length);
}

int grid_put_bytes(Grid *grid, Rect clip, int row, int col, const char *text, size_t length,
                   Role role)
{
    clip = rect_common(clip, grid_rect(grid));
    if (all_plain(text, length))
        return put_visible(grid, clip, row, col, text, length, role);
    Str shown = {0};
    add_shown(&shown, grid, text, length);
    int width = put_visible(grid, clip, row, col, str_text(&shown), shown.length, role);
    str_clear(&shown);
    return width;
}

int grid_put(Grid *grid, Rect clip, int row, int col, const char *text, Role role)
{
    return grid_put_bytes(grid, clip, row, col, text, strlen(text), role);
}

int grid_put_either(Grid *grid, Rect clip, int row, int col, const char *unicode,
                    const char *ascii, Role role)
{
    return grid_put(grid, clip, row, col, grid->ascii ? ascii : unicode, role);
}

int grid_text_width(const Grid *grid, const char *text, size_t length)
{
    if (all_plain(text, length))
        return (int)length;
    if (!grid->ascii)
        return (int)text_width(text, length);
    Str shown = {0};
    grid_add_ascii(&shown, text, length);
    int width = (int)shown.length;
    str_clear(&shown);
    return width;
}

/* ---- areas ---- */

void grid_fill(Grid *grid, Rect clip, Rect area, const char *text, Role role)
{
    area = rect_common(area, rect_common(clip, grid_rect(grid)));
    for (int i = 0; i < area.rows; i++)
        for (int j = 0; j < area.cols; j++)
            grid_put(grid, area, area.row + i, area.col + j, text, role);
}

void grid_set_role(Grid *grid, Rect clip, Rect area, Role role)
{
    area = rect_common(area, rect_common(clip, grid_rect(grid)));
    for (int i = 0; i < area.rows; i++)
        for (int j = 0; j < area.cols; j++)
            cell_at(grid, area.row + i, area.col + j)->role = (uint8_t)role;
}

void grid_set_mark(Grid *grid, Rect clip, Rect area, Mark mark)
{
    area = rect_common(area, rect_common(clip, grid_rect(grid)));
    for (int i = 0; i < area.rows; i++)
        for (int j = 0; j < area.cols; j++)
            cell_at(grid, area.row + i, area.col + j)->mark = (uint8_t)mark;
}

static void copy_cell(Grid *grid, Rect clip, int row, int col, const Grid *source,
                      const Cell *cell, bool whole)
{
    uint32_t text = whole ? cell->text : ' ';
    int width = whole ? cell->width : 1;
    if (text & POOLED) {
        const char *bytes = source->pool.data + (text & ~POOLED);
        text = text_of(grid, bytes, strlen(bytes));
    }
    if (width == 2 && !holds(clip, row, col + 1)) {
        text = ' ';
        width = 1;
    }
    set_cell(grid, row, col, text, width, (Role)cell->role);
    for (int i = 0; i < width; i++)
        cell_at(grid, row, col + i)->mark = cell->mark;
}

void grid_copy(Grid *grid, Rect clip, int row, int col, const Grid *source, Rect from)
{
    clip = rect_common(clip, grid_rect(grid));
    Rect part = rect_common(from, grid_rect(source));
    for (int i = 0; i < part.rows; i++)
        for (int j = 0; j < part.cols; j++) {
            int to_row = row + part.row - from.row + i, to_col = col + part.col - from.col + j;
            const Cell *cell = grid_cell(source, part.row + i, part.col + j);
            if (!holds(clip, to_row, to_col))
                continue;
            if (cell->width == 0 && j > 0 && holds(clip, to_row, to_col - 1))
                continue; /* came with its left half */
            copy_cell(grid, clip, to_row, to_col, source, cell,
                      cell->width == 1 || (cell->width == 2 && j + 1 < part.cols));
        }
}

bool grid_same(const Grid *a, const Grid *b)
{
    if (a->rows != b->rows || a->cols != b->cols)
        return false;
    bool same = true;
    Str one = {0}, other = {0};
    for (size_t i = 0; same && i < (size_t)a->rows * (size_t)a->cols; i++) {
        const Cell *p = &a->cells[i], *q = &b->cells[i];
        same = p->width == q->width && p->role == q->role && p->mark == q->mark;
        str_cut(&one, 0);
        str_cut(&other, 0);
        grid_add_cell(&one, a, p);
        grid_add_cell(&other, b, q);
        same = same && text_equal(str_text(&one), str_text(&other));
    }
    str_clear(&one);
    str_clear(&other);
    return same;
}
