/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_matrix: one matrix with its caption, numbers in the cells, shades behind them.
 *
 * A Panel says what is to be drawn; panel_fit finds how, at a level of density, in
 * the room there is (measure); panel_draw draws that (nothing is decided there).
 * Levels go from spacious to dense: cells, then digits shrink, then numbers give
 * way to shades; what then still does not fit is a window over the matrix, with the
 * numbers of its rows and columns, and an overview beside it where there is room
 * (draw_overview.h).  What is found of all entries is found once (digest.h); but for that
 * only what is visible costs anything. */
#ifndef PAGE_DRAW_MATRIX_H
#define PAGE_DRAW_MATRIX_H

#include <stdbool.h>

#include "base/str.h"
#include "lang/value.h"
#include "lesson/eval.h"
#include "lesson/lesson.h"
#include "page/draw_number.h"
#include "page/draw_scale.h"
#include "page/grid.h"
#include "page/hit.h"

/* Cells to be marked, or hidden until they are guessed. */
typedef struct {
    CellRange range;
    Mark mark;
    bool hidden;
} CellMark;

/* A figure of the caller's own, which a `bench` view shows: fit says how large it is in max,
 * draw draws it there. */
typedef struct {
    void *context;
    Size (*fit)(void *context, Size max);
    void (*draw)(void *context, Grid *grid, Rect area);
} Inset;

/* What all widgets of one page share. */
typedef struct {
    bool ascii, projector;
    int digits;            /* significant digits wanted; 0: 3 */
    bool spare;            /* the page is so large that two more digits may be shown */
    bool tight;            /* … or so full that rows are worth more than decimals */
    const CellMark *marks;
    size_t mark_count;
    HitList *hits;         /* may be NULL */
    const Inset *inset;    /* or NULL: a line says how to come by it */
} DrawContext;

typedef struct {
    const Value *value;    /* borrowed; NULL: nothing yet, but its space is kept */
    ShownState state;
    size_t rows, cols;     /* of value, or what is expected */
    char *name;            /* in hits: "A"; owned */
    char *caption;         /* "A  n×n (6×6)  = Q*K'"; owned */
    char *short_caption;   /* "A  6×6"; owned */
    Role caption_role;
    NumberStats stats;     /* of everything that shall look alike */
    NumberStats rooms[2];  /* of what stands here at other frames: cells leave room for both */
    HeatScale scale;
    bool plain;            /* numbers without shades: a scalar */
    bool legend;           /* the scale stands below */
    const Labels *row_names, *col_names; /* or NULL */
    size_t news;           /* the first row that was just written: a window shows it */
    const Matrix *old;     /* cells that differ from it are marked; or NULL */
} Panel;

/* The whole of a matrix beside the window over it; see draw_overview.h. */
typedef struct {
    size_t block_rows, block_cols; /* entries that a cell stands for */
    int rows, cols;        /* cells; no rows: there is no overview */
    int col, width;        /* where it stands in the panel, its caption included */
} Overview;

/* What a panel of this page draws the numbers of. */
typedef struct {
    bool shades;           /* a glyph in place of the number */
    NumberFormat format;
    int gap;               /* blanks of a cell besides the number */
    Size cell;
    int labels;            /* width of what stands left of the rows, blank included */
    bool header;           /* a row of column names or numbers */
    bool note;             /* a row that says which window this is */
    bool short_caption;
    size_t first_row, rows, first_col, cols; /* the window */
    bool legend;           /* the legend is a row of it */
    Overview overview;
    Size size;             /* all of it */
} PanelLayout;

enum {
    LEVEL_SPACIOUS,        /* two more digits; in projector mode wide and tall cells */
    LEVEL_WIDE,            /* in projector mode wide cells */
    LEVEL_NORMAL,
    LEVEL_CLOSE,           /* one blank between numbers */
    LEVEL_FEWER,           /* … and fewer and fewer decimals */
    LEVEL_SHADES = LEVEL_FEWER + 6, /* two cells a number */
    LEVEL_DOTS,            /* one cell a number */
    LEVEL_COUNT
};

void panel_clear(Panel *panel);

/* The layout at a level, cut to a window where it does not fit max. */
PanelLayout panel_fit(const Panel *panel, const DrawContext *context, int level, Size max);

/* The same, with cells of the given width (to stand exactly below another panel). */
void panel_widen(const Panel *panel, PanelLayout *layout, int cell_cols);

/* The same without its legend, which stands elsewhere. */
void panel_drop_legend(const Panel *panel, const DrawContext *context, PanelLayout *layout);

void panel_draw(const Panel *panel, const PanelLayout *layout, const DrawContext *context,
                Grid *grid, Rect clip, int row, int col);

#endif
