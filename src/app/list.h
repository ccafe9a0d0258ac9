/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: lines of which one is chosen, over a whole screen: the menu, the steps, the keys.
 *
 * The walker fills it and gives it its size when it is drawn; a List owns its lines.
 * List l = {0}; is empty. */
#ifndef APP_LIST_H
#define APP_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "page/grid.h"

typedef struct {
    char *left;   /* what the line says */
    char *middle; /* in a column of its own, or NULL */
    char *right;  /* at the right edge, or NULL */
    bool heading; /* cannot be chosen */
    size_t target; /* what it stands for: whoever fills the list knows */
} ListLine;

typedef struct {
    ListLine *lines;
    size_t count, room;
    size_t at;    /* the chosen line */
    size_t first; /* the first visible one */
    size_t page;  /* lines that were visible when it was last drawn … */
    int top;      /* … from this row on */
} List;

void list_clear(List *list);

/* Appends a line (copies); middle and right may be NULL. */
void list_add(List *list, const char *left, const char *middle, const char *right, bool heading,
              size_t target);

/* Moves the choice by that many lines, over headings, as far as it goes. */
void list_move(List *list, long lines);
void list_to(List *list, size_t line);

/* The line at that row of the screen, or count. */
size_t list_line_at(const List *list, int row);

/* Draws title, lines and a bottom line into grid; remembers what is visible. */
void list_draw(List *list, Grid *grid, const char *title, const char *bottom, const char *keys);

#endif
