/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_arrange: where the panels of a figure stand: side by side, in several lines,
 * or as a product whose rows meet its columns. */
#include <limits.h>
#include <string.h>

#include "page/draw_figure.h"
#include "page/draw_overview.h"

enum { GAP = 3, LEAST_ROWS = 4 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* ---- side by side ---- */

static void fit_one(Placed *p, const DrawContext *context, int level, Size max)
{
    p->layout = panel_fit(&p->panel, context, level, max);
    p->apart = false;
}

static void fit_all(Figure *figure, const DrawContext *context, int level, Size max)
{
    for (size_t i = 0; i < figure->count; i++)
        fit_one(&figure->placed[i], context, level, max);
}

/* Takes the legend out of a panel, to row, col of the figure. */
static void move_legend(Placed *p, const DrawContext *context, int row, int col)
{
    p->apart = true;
    p->legend_row = row;
    p->legend_col = col;
    panel_drop_legend(&p->panel, context, &p->layout);
}

/* Puts the legend of a placed panel right of its last row, if it has one and there is
 * room in cols; *size grows to hold it. */
static bool legend_beside(Placed *p, const DrawContext *context, int cols, Size *size)
{
    int width = heat_legend_width(&p->panel.scale);
    PanelLayout without = p->layout;
    panel_drop_legend(&p->panel, context, &without);
    int col = p->col + without.size.cols + 2;
    if (!p->layout.legend || col + width > cols)
        return false;
    move_legend(p, context, p->row + without.size.rows - 1 - without.note, col);
    size->cols = larger(size->cols, col + width);
    return true;
}

/* A line of panels of which only the last has a legend takes one row less with the
 * legend beside it.  Returns the height of the line. */
static int finish_line(Figure *figure, const DrawContext *context, size_t first, size_t end,
                       int cols, Size *size)
{
    int height = 0;
    for (size_t i = first; i + 1 < end; i++)
        height = larger(height, figure->placed[i].layout.legend ? INT_MAX : 0);
    if (end > first && height == 0)
        legend_beside(&figure->placed[end - 1], context, cols, size);
    height = 0;
    for (size_t i = first; i < end; i++)
        height = larger(height, figure->placed[i].layout.size.rows);
    return height;
}

/* Gives the panels their places, as many side by side as cols allows; returns the
 * size of all. */
static Size flow(Figure *figure, const DrawContext *context, int cols)
{
    Size size = {0, 0};
    int col = 0, row = 0;
    size_t first = 0;
    for (size_t i = 0; i < figure->count; i++) {
        Placed *p = &figure->placed[i];
        if (col > 0 && col + p->layout.size.cols > cols) {
            row += finish_line(figure, context, first, i, cols, &size) + !context->tight;
            first = i;
            col = 0;
        }
        p->row = row;
        p->col = col;
        col += p->layout.size.cols;
        size.cols = larger(size.cols, col);
        col += GAP;
    }
    size.rows = row + finish_line(figure, context, first, figure->count, cols, &size);
    return size;
}

static int total_width(const Figure *figure)
{
    int width = 0;
    for (size_t i = 0; i < figure->count; i++)
        width += figure->placed[i].layout.size.cols + (i > 0 ? GAP : 0);
    return width;
}

/* All panels whole at this level, in one line, or in several if allowed. */
static bool flow_whole(Figure *figure, const DrawContext *context, int level, bool several,
                       Size max, Size *size)
{
    fit_all(figure, context, level, (Size){INT_MAX, INT_MAX});
    for (size_t i = 0; i < figure->count; i++)
        if (figure->placed[i].layout.size.cols > max.cols)
            return false;
    *size = flow(figure, context, max.cols);
    return size->rows <= max.rows && (several || total_width(figure) <= max.cols);
}

/* Rows for a panel that is cut: where others carry a legend, one less than they, so that
 * all windows show the same rows. */
static int window_rows(const Figure *figure, size_t panel, int rows)
{
    bool legend = false;
    for (size_t i = 0; i < figure->count; i++)
        legend = legend || figure->placed[i].panel.legend;
    rows = larger(rows, LEAST_ROWS + 1);
    return legend && !figure->placed[panel].panel.legend ? rows - 1 : rows;
}

/* All columns at this level in one line, rows as many as there is room for. */
static bool flow_cut(Figure *figure, const DrawContext *context, int level, Size max, Size *size)
{
    for (size_t i = 0; i < figure->count; i++)
        fit_one(&figure->placed[i], context, level,
                (Size){window_rows(figure, i, max.rows), INT_MAX});
    *size = flow(figure, context, max.cols);
    return total_width(figure) <= max.cols;
}

/* A window at the first level at which its columns fit in room. */
static void fit_window(Placed *p, const DrawContext *context, Size room)
{
    for (int level = LEVEL_CLOSE; level < LEVEL_COUNT; level++) {
        fit_one(p, context, level, room);
        if (p->layout.cols == p->panel.cols && p->layout.size.cols <= room.cols)
            break;
    }
    p->layout.size.cols = smaller(p->layout.size.cols, room.cols);
}

/* Windows: every panel an equal share of the width. */
static Size flow_windows(Figure *figure, const DrawContext *context, Size max)
{
    int count = larger((int)figure->count, 1);
    int share = (max.cols - GAP * (count - 1)) / count;
    int lines = share < 8 ? count : 1;
    if (lines > 1)
        share = max.cols;
    Size room = {larger((max.rows - (lines - 1)) / lines, LEAST_ROWS), larger(share, 1)};
    for (size_t i = 0; i < figure->count; i++)
        fit_window(&figure->placed[i], context,
                   (Size){lines > 1 ? room.rows : window_rows(figure, i, room.rows), room.cols});
    return flow(figure, context, max.cols);
}

/* Fits every panel with all its columns, and shares the width among them: what needs no
 * more than an equal share keeps what it needs, *equal says how much that is; returns what
 * is left for each of the others (if there are none, an equal share). */
static int share_width(Figure *figure, const DrawContext *context, Size max, int *equal)
{
    int count = larger((int)figure->count, 1), wide = 0;
    int left = max.cols - GAP * (count - 1);
    *equal = left / count;
    for (size_t i = 0; i < figure->count; i++) {
        Placed *p = &figure->placed[i];
        fit_one(p, context, LEVEL_CLOSE, (Size){window_rows(figure, i, max.rows), INT_MAX});
        if (p->layout.size.cols > *equal)
            wide++;
        else
            left -= p->layout.size.cols;
    }
    if (wide > 0)
        return left / wide;
    *equal = 0;
    return (max.cols - GAP * (count - 1)) / count;
}

/* Windows of numbers in one line, with overviews beside them where that helps; false if it
 * does with none. */
static bool flow_overviews(Figure *figure, const DrawContext *context, Size max, Size *size)
{
    int equal, share = share_width(figure, context, max, &equal);
    bool any = false;
    for (size_t i = 0; i < figure->count; i++) {
        Placed *p = &figure->placed[i];
        if (p->layout.size.cols <= equal)
            continue;
        Size room = {window_rows(figure, i, max.rows), share};
        PanelLayout layout = overview_fit(&p->panel, context, room);
        fit_window(p, context, room);
        if (layout.overview.rows == 0)
            continue;
        p->layout = layout;
        any = true;
    }
    if (!any)
        return false;
    *size = flow(figure, context, max.cols);
    return size->rows <= max.rows && total_width(figure) <= max.cols;
}

static int first_level(const DrawContext *context)
{
    return context->projector || context->spare ? LEVEL_SPACIOUS : LEVEL_NORMAL;
}

static Size fit_flow(Figure *figure, const DrawContext *context, Size max)
{
    Size size;
    int last = context->tight ? LEVEL_FEWER + 1 : LEVEL_CLOSE;
    for (int level = first_level(context); level <= last; level++)
        if (flow_whole(figure, context, level, false, max, &size))
            return size;
    for (int level = LEVEL_NORMAL; level < LEVEL_COUNT; level++)
        if (flow_whole(figure, context, level, true, max, &size))
            return size;
    if (flow_overviews(figure, context, max, &size))
        return size;
    for (int level = LEVEL_NORMAL; level < LEVEL_COUNT; level++)
        if (flow_cut(figure, context, level, max, &size))
            return size;
    return flow_windows(figure, context, max);
}

/* ---- a product ---- */

enum { LEFT, RIGHT, RESULT };

/* The right factor stands above the result, the left one beside it, so that a row
 * meets a column where their product is. */
static Size place_product(Figure *figure, const DrawContext *context, int cols)
{
    Placed *l = &figure->placed[LEFT], *r = &figure->placed[RIGHT], *a = &figure->placed[RESULT];
    PanelLayout bare = l->layout;
    panel_drop_legend(&l->panel, context, &bare);
    if (l->layout.legend && heat_legend_width(&l->panel.scale) < bare.size.cols + GAP)
        move_legend(l, context, 0, 0);
    int cell = larger(r->layout.cell.cols, a->layout.cell.cols);
    panel_widen(&r->panel, &r->layout, cell);
    panel_widen(&a->panel, &a->layout, cell);
    int labels = larger(r->layout.labels, a->layout.labels);
    int left = l->layout.size.cols + GAP;
    r->col = left + labels - r->layout.labels;
    a->col = left + labels - a->layout.labels;
    r->row = 0;
    int below = r->layout.size.rows;
    int head = larger(l->layout.header, a->layout.header);
    l->row = below + head - l->layout.header;
    a->row = below + head - a->layout.header;
    l->col = 0;
    Size size = {0, 0};
    if (legend_beside(r, context, cols, &size)) { /* what stands below it moves up */
        l->row--;
        a->row--;
    }
    l->legend_row = l->row - 1;
    if (!l->layout.legend)
        legend_beside(a, context, cols, &size);
    size.rows = larger(l->row + l->layout.size.rows, a->row + a->layout.size.rows);
    size.cols = larger(size.cols, r->col + r->layout.size.cols);
    size.cols = larger(size.cols, a->col + a->layout.size.cols);
    return size;
}

static bool fit_product(Figure *figure, const DrawContext *context, Size max, Size *size)
{
    for (int level = first_level(context); level < LEVEL_COUNT; level++) {
        fit_all(figure, context, level, (Size){INT_MAX, INT_MAX});
        *size = place_product(figure, context, max.cols);
        if (size->rows <= max.rows && size->cols <= max.cols)
            return true;
    }
    return false;
}

/* ---- any figure ---- */

static Size fit_panels(Figure *figure, const DrawContext *context, Size max)
{
    Size size;
    bool product = figure->view->kind == VIEW_PRODUCT && figure->count == 3;
    if (figure->note)
        max.rows = larger(max.rows - 1, 1);
    if (!product || !fit_product(figure, context, max, &size))
        size = fit_flow(figure, context, max);
    if (figure->note) {
        size.rows++;
        size.cols = larger(size.cols, smaller((int)strlen(figure->note), max.cols));
    }
    return size;
}

/* ---- what is the caller's ---- */

static const char inset_line[] = "on your machine: attnwalk bench";

static Size inset_fit(const Inset *inset, Size max)
{
    return inset ? inset->fit(inset->context, max)
                 : (Size){1, smaller((int)strlen(inset_line), max.cols)};
}

static void inset_draw(const Inset *inset, Grid *grid, Rect area)
{
    if (inset)
        inset->draw(inset->context, grid, area);
    else
        grid_put(grid, area, area.row, area.col, inset_line, ROLE_LEGEND);
}

Size figure_fit(Figure *figure, const DrawContext *context, Size max)
{
    max.cols = larger(max.cols, 1);
    max.rows = larger(max.rows, 1);
    if (figure->error) {
        figure->size = (Size){1, smaller((int)strlen(figure->error), max.cols)};
        return figure->size;
    }
    switch (figure->view->kind) {
    case VIEW_HEAT:
    case VIEW_PRODUCT:
    case VIEW_UPDATE:
    case VIEW_DIFF:
        figure->size = fit_panels(figure, context, max);
        break;
    case VIEW_BARS:
        figure->size = bars_fit(figure, context, max);
        break;
    case VIEW_PLOT:
        figure->size = plot_fit(figure, context, max);
        break;
    case VIEW_TABLE:
        figure->size = table_fit(figure, context, max);
        break;
    case VIEW_COST:
        figure->size = cost_fit(figure, context, max);
        break;
    case VIEW_FOCUS:
        figure->size = (Size){0, 0};
        break;
    case VIEW_BENCH:
        figure->size = inset_fit(context->inset, max);
        break;
    }
    return figure->size;
}

bool figure_is_cut(const Figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        const Placed *p = &figure->placed[i];
        if (p->layout.rows < p->panel.rows || p->layout.cols < p->panel.cols)
            return true;
    }
    return false;
}

static void draw_panels(const Figure *figure, const DrawContext *context, Grid *grid, Rect clip,
                        int row, int col)
{
    for (size_t i = 0; i < figure->count; i++) {
        const Placed *p = &figure->placed[i];
        panel_draw(&p->panel, &p->layout, context, grid, clip, row + p->row, col + p->col);
        overview_draw(&p->panel, &p->layout, context, grid, clip, row + p->row, col + p->col);
        if (p->apart)
            heat_legend_draw(grid, clip, row + p->legend_row, col + p->legend_col, &p->panel.scale);
    }
    if (figure->note)
        grid_put(grid, clip, row + figure->size.rows - 1, col, figure->note, ROLE_LABEL);
}

void figure_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect clip, int row,
                 int col)
{
    Rect area = {row, col, figure->size.rows, figure->size.cols};
    clip = rect_common(clip, area);
    if (figure->error) {
        grid_put(grid, clip, row, col, figure->error, ROLE_ERROR);
        return;
    }
    switch (figure->view->kind) {
    case VIEW_HEAT:
    case VIEW_PRODUCT:
    case VIEW_UPDATE:
    case VIEW_DIFF:
        draw_panels(figure, context, grid, clip, row, col);
        break;
    case VIEW_BARS:
        bars_draw(figure, context, grid, area);
        break;
    case VIEW_PLOT:
        plot_draw(figure, context, grid, area);
        break;
    case VIEW_TABLE:
        table_draw(figure, context, grid, area);
        break;
    case VIEW_COST:
        cost_draw(figure, context, grid, area);
        break;
    case VIEW_FOCUS:
        break;
    case VIEW_BENCH:
        inset_draw(context->inset, grid, area);
        break;
    }
}
