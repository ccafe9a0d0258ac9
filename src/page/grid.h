/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid: a rectangle of cells, which is what every page is drawn into.
 *
 * A cell holds one grapheme (a base and its marks, never half a wide character),
 * a Role and a Mark.  The grid knows neither a terminal nor a colour: it can be
 * written as text, as roles, or with a theme's colours, and the screen paints from
 * it.  Drawing is always clipped, so nothing is ever written outside.
 *
 * In an ASCII grid every grapheme is written in ASCII (grid_add_ascii), so text
 * has to be measured with grid_text_width and may not be pre-measured otherwise.
 * The caller of grid_new frees the grid, which owns all its texts. */
#ifndef PAGE_GRID_H
#define PAGE_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "page/role.h"

typedef struct {
    int row, col, rows, cols;
} Rect;

typedef struct {
    int rows, cols;
} Size;

typedef struct {
    uint32_t text;  /* a code point, or an offset into the grid's pool: see grid_add_cell */
    uint8_t width;  /* 1 or 2; 0: the right half of the wide character to its left */
    uint8_t role;   /* Role */
    uint8_t mark;   /* Mark */
} Cell;

typedef struct {
    int rows, cols;
    bool ascii;
    Cell *cells; /* row by row */
    Str pool;    /* graphemes of more than one code point, each ended by NUL */
} Grid;

/* A grid of blanks; sizes below 0 count as 0. */
Grid *grid_new(int rows, int cols, bool ascii);
void grid_free(Grid *grid);

/* The whole grid as a rectangle, and what two rectangles have in common. */
Rect grid_rect(const Grid *grid);
Rect rect_common(Rect a, Rect b);

/* The cell at row, col, which must be inside. */
const Cell *grid_cell(const Grid *grid, int row, int col);

/* Appends the grapheme of a cell; nothing for a right half. */
void grid_add_cell(Str *out, const Grid *grid, const Cell *cell);

/* Writes length bytes of text on one line from row, col on, as far as they lie in
 * clip; control characters are made visible.  Returns the cells the text takes,
 * clipped or not. */
int grid_put_bytes(Grid *grid, Rect clip, int row, int col, const char *text, size_t length,
                   Role role);
int grid_put(Grid *grid, Rect clip, int row, int col, const char *text, Role role);

/* Puts one of two texts, by whether the grid is ASCII. */
int grid_put_either(Grid *grid, Rect clip, int row, int col, const char *unicode,
                    const char *ascii, Role role);

/* Fills a rectangle with a one-cell grapheme. */
void grid_fill(Grid *grid, Rect clip, Rect area, const char *text, Role role);

/* Gives the cells of area a role or a mark and leaves their text. */
void grid_set_role(Grid *grid, Rect clip, Rect area, Role role);
void grid_set_mark(Grid *grid, Rect clip, Rect area, Mark mark);

/* Copies the part `from` of source to row, col of grid; wide characters that would
 * be cut become blanks. */
void grid_copy(Grid *grid, Rect clip, int row, int col, const Grid *source, Rect from);

/* The cells that text takes in this grid. */
int grid_text_width(const Grid *grid, const char *text, size_t length);

/* Appends text in ASCII: letters without their accents, Greek letters by name,
 * signs by what is typed for them, "?" for what has no such form (one a cell). */
void grid_add_ascii(Str *out, const char *text, size_t length);

/* True if both have the same size and the same cells. */
bool grid_same(const Grid *a, const Grid *b);

/* Appends the grid as text, blanks at the ends of lines dropped; each line ends in
 * a newline. */
void grid_add_text(Str *out, const Grid *grid);

/* Appends one letter a cell: that of its mark if it has one, else of its role
 * (roles.def); blanks at the ends of lines are dropped. */
void grid_add_roles(Str *out, const Grid *grid);

/* Appends the grid with SGR sequences for the theme. */
void grid_add_ansi(Str *out, const Grid *grid, const Theme *theme);

#endif
