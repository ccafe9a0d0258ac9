/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_figure: one view of a lesson, as of one position of a trace.
 *
 * figure_new asks lesson/ for what the view shows there, and at the end of the step
 * (so that what is not bound yet has its space, and numbers and shades look alike at
 * every frame); figure_fit finds a layout for the room there is and says how large it
 * is; figure_draw draws it.  A view that cannot be evaluated is drawn as its error.
 * The caller frees the figure, before the traces. */
#ifndef PAGE_DRAW_FIGURE_H
#define PAGE_DRAW_FIGURE_H

#include <stdbool.h>

#include "lesson/eval.h"
#include "lesson/lesson.h"
#include "lesson/trace.h"
#include "page/draw_matrix.h"
#include "page/grid.h"

/* A panel, how it is drawn, and where in the figure. */
typedef struct {
    Panel panel;
    PanelLayout layout;
    int row, col;
    bool apart;        /* its legend stands at … and not below it */
    int legend_row, legend_col;
} Placed;

typedef struct {
    const View *view;
    const Trace *trace;
    Position position;
    ShownList shown;   /* as of position */
    ShownList later;   /* at the end of the step; empty if it is the same */
    ShownList *samples; /* at frames in between, so that all of them look alike */
    size_t sample_count;
    ShownList old;     /* in the run before; empty if there is none */
    Placed *placed;    /* heat, product, update, diff */
    size_t count;
    Value *difference; /* of a diff, or NULL */
    Value *old_difference; /* the same in the run before */
    char *note;        /* a line below the panels, or NULL */
    char *error;       /* one line, or NULL */
    Size size;         /* by the last figure_fit */
} Figure;

/* old: the run before the last change, or NULL. */
Figure *figure_new(const Trace *trace, Position position, const View *view, const Trace *old,
                   const DrawContext *context);
/* One value by itself, as a heat map that goes by name. */
Figure *figure_of_value(const Value *value, const char *name, const DrawContext *context);
void figure_free(Figure *figure);

/* Lays the figure out in at most max and returns its size; it may be higher than
 * max.rows where even its smallest form is, never wider than max.cols (except that
 * every figure takes a cell).  A `focus` has no size. */
Size figure_fit(Figure *figure, const DrawContext *context, Size max);
/* True if, as it was fitted last, it shows only a window of a matrix. */
bool figure_is_cut(const Figure *figure);
void figure_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect clip, int row,
                 int col);

/* True if number (i, j) of argument arg of the view was another one in the run before; what
 * was not there is not. */
bool figure_has_changed(const Figure *figure, size_t arg, size_t i, size_t j);

/* The cells that a `focus` view means, as marks appended to *marks (growable, as
 * MEMORY_GROW does). */
void figure_add_focus(const Figure *figure, CellMark **marks, size_t *count, size_t *room);

/* Appends "n×d (6×4)", or "6×4" where a dimension has no name. */
void figure_add_size(Str *out, const Value *value, bool ascii);

/* The kinds that are not made of panels; in draw_bars.c, draw_plot.c, draw_table.c. */
Size bars_fit(const Figure *figure, const DrawContext *context, Size max);
void bars_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area);
Size plot_fit(const Figure *figure, const DrawContext *context, Size max);
void plot_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area);
Size table_fit(const Figure *figure, const DrawContext *context, Size max);
void table_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area);
Size cost_fit(const Figure *figure, const DrawContext *context, Size max);
void cost_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area);

#endif
