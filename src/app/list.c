/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TITLE_ROWS = 2, BOTTOM_ROWS = 2, LEAST_ROWS = 8 };

static char *copy(const char *text)
{
    return text ? memory_copy_text(text) : NULL;
}

void list_clear(List *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->lines[i].left);
        free(list->lines[i].middle);
        free(list->lines[i].right);
    }
    free(list->lines);
    *list = (List){0};
}

void list_add(List *list, const char *left, const char *middle, const char *right, bool heading,
              size_t target)
{
    MEMORY_GROW(list->lines, list->count, list->room);
    list->lines[list->count++] =
        (ListLine){copy(left), copy(middle), copy(right), heading, target};
    if (list->lines[list->at].heading && !heading)
        list->at = list->count - 1;
}

void list_to(List *list, size_t line)
{
    if (line < list->count && !list->lines[line].heading)
        list->at = line;
}

void list_move(List *list, long lines)
{
    long step = lines < 0 ? -1 : 1, at = (long)list->at;
    for (; lines != 0; lines -= step) {
        long next = at + step;
        while (next >= 0 && next < (long)list->count && list->lines[next].heading)
            next += step;
        if (next < 0 || next >= (long)list->count)
            break;
        at = next;
    }
    list->at = (size_t)at;
}

static int top_rows(const Grid *grid)
{
    return grid->rows >= LEAST_ROWS ? TITLE_ROWS : 0;
}

size_t list_line_at(const List *list, int row)
{
    if (row < list->top || row - list->top >= (int)list->page)
        return list->count;
    size_t line = list->first + (size_t)(row - list->top);
    return line < list->count ? line : list->count;
}

/* The chosen line is visible, with the heading above it if there is room. */
static void scroll(List *list, size_t rows)
{
    size_t above = list->at;
    while (above > 0 && list->lines[above - 1].heading && list->at - above + 2 <= rows)
        above--;
    if (list->first > above)
        list->first = above;
    if (list->at >= list->first + rows)
        list->first = list->at - rows + 1;
    if (list->first + rows > list->count)
        list->first = list->count > rows ? list->count - rows : 0;
    list->page = rows;
}

static int width_of(const Grid *grid, const char *text)
{
    return text ? grid_text_width(grid, text, strlen(text)) : 0;
}

/* The column of the middle texts: behind the widest left one, at most half the width. */
static int middle_column(const List *list, const Grid *grid)
{
    int column = 0;
    for (size_t i = 0; i < list->count; i++) {
        int width = list->lines[i].middle ? width_of(grid, list->lines[i].left) : 0;
        if (width > column)
            column = width;
    }
    int most = grid->cols / 2 - 5;
    return 3 + (column > most ? most : column) + 2;
}

static void draw_line(const List *list, Grid *grid, int row, size_t i, int middle)
{
    const ListLine *line = &list->lines[i];
    bool chosen = i == list->at && !line->heading;
    Role role = line->heading ? ROLE_STRONG : chosen ? ROLE_CHOSEN : ROLE_ANSWER;
    int right = grid->cols - 1 - width_of(grid, line->right);
    Rect clip = {row, 0, 1, grid->cols};
    if (chosen)
        grid_put_either(grid, clip, row, 1, "▸", ">", ROLE_POINTER);
    if (line->right && right > middle + 4) {
        grid_put(grid, clip, row, right, line->right, ROLE_LABEL);
        clip.cols = right - 1;
    }
    if (line->middle)
        grid_put(grid, clip, row, middle, line->middle, chosen ? ROLE_CHOSEN : ROLE_PROSE);
    if (line->middle && clip.cols > middle - 1)
        clip.cols = middle - 1;
    grid_put(grid, clip, row, line->heading ? 1 : 3, line->left, role);
}

static void draw_bottom(const List *list, Grid *grid, const char *bottom, const char *keys,
                        bool more)
{
    int row = grid->rows - 1, right = grid->cols - 1 - width_of(grid, keys);
    int col = 1 + grid_put(grid, grid_rect(grid), row, 1, bottom, ROLE_PLACE);
    if (more) {
        Str text = {0};
        size_t below = list->count - list->first - list->page;
        str_addf(&text, "%s %zu more line%s", grid->ascii ? "v" : "▼", below,
                 below == 1 ? "" : "s");
        if (below > 0)
            col += 2 + grid_put(grid, grid_rect(grid), row, col + 2, str_text(&text), ROLE_MORE);
        str_clear(&text);
    }
    if (right > col + 1)
        grid_put(grid, grid_rect(grid), row, right, keys, ROLE_KEYS);
}

void list_draw(List *list, Grid *grid, const char *title, const char *bottom, const char *keys)
{
    int top = top_rows(grid), below = top ? BOTTOM_ROWS : 0;
    int rows = grid->rows - top - below;
    if (rows < 1)
        return;
    scroll(list, (size_t)rows);
    list->top = top;
    int middle = middle_column(list, grid);
    for (size_t i = list->first; i < list->count && i < list->first + (size_t)rows; i++)
        draw_line(list, grid, top + (int)(i - list->first), i, middle);
    if (!top)
        return;
    grid_put(grid, grid_rect(grid), 0, 1, title, ROLE_TITLE);
    for (int j = 0; j < grid->cols; j++) {
        grid_put_either(grid, grid_rect(grid), 1, j, "─", "-", ROLE_RULE);
        grid_put_either(grid, grid_rect(grid), grid->rows - 2, j, "─", "-", ROLE_RULE);
    }
    draw_bottom(list, grid, bottom, keys, list->first + list->page < list->count);
}
