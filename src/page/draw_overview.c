/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_overview.h"

#include <string.h>

#include "base/text.h"
#include "page/digest.h"

enum {
    GAP = 3,           /* between the window and the pointers left of the overview */
    HEAD = 2,          /* rows above its cells: what it is, and the pointers */
    LEAST_ROWS = 4,
    LEAST_COLS = 8,    /* cells of a useful overview, unless the matrix has less */
    LEAST_NUMBERS = 4, /* columns that the window keeps */
    LEAST_SHARE = 4    /* no overview where 1/4 of the matrix is visible */
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* ---- measuring ---- */

/* Entries of a block, so that count of them take at most room blocks; a large one is a
 * multiple of DIGEST_UNIT, so that another size of the page costs nothing. */
static size_t block_for(size_t count, int room)
{
    size_t block = (count - 1) / (size_t)room + 1;
    return block <= 2 * DIGEST_UNIT ? block : (block - 1) / DIGEST_UNIT * DIGEST_UNIT + DIGEST_UNIT;
}

static int blocks(size_t count, size_t block)
{
    return (int)((count - 1) / block + 1);
}

/* What stands above: "max of 64×128 each", or without the last word where that would not
 * fit.  Returns its width. */
static int add_caption(Str *out, const Panel *panel, const Overview *o, bool ascii, int room)
{
    static const char each[] = " each";
    str_addf(out, "%s of %zu%s%zu", panel->scale.is_signed ? "max |x|" : "max", o->block_rows,
             ascii ? "x" : "×", o->block_cols);
    int width = (int)text_width(str_text(out), out->length);
    if (width + (int)strlen(each) > room)
        return width;
    str_add(out, each);
    return width + (int)strlen(each);
}

/* The overview in at most room.rows cells below each other, `wanted` side by side, and
 * room.cols with its caption; no rows: it does not fit. */
static Overview fit_cells(const Panel *panel, bool ascii, Size room, int wanted)
{
    Overview o = {0};
    Str caption = {0};
    wanted = smaller(wanted, room.cols);
    if (room.rows < 1 || wanted < 1)
        return o;
    o.block_rows = block_for(panel->rows, room.rows);
    o.block_cols = block_for(panel->cols, wanted);
    o.rows = blocks(panel->rows, o.block_rows);
    o.cols = blocks(panel->cols, o.block_cols);
    o.width = larger(o.cols, add_caption(&caption, panel, &o, ascii, room.cols));
    str_clear(&caption);
    if (o.width > room.cols || (o.cols < LEAST_COLS && o.block_cols > 1))
        o.rows = 0;
    return o;
}

/* So many cells side by side that the overview of a square matrix looks square, or half of
 * what there is if that is more: a wide overview shows more than a narrow one. */
static int wanted_cols(const Panel *panel, int rows, Size max)
{
    int cols = larger(2 * rows, max.cols / 2);
    return (size_t)cols < panel->cols ? cols : (int)panel->cols;
}

PanelLayout overview_fit(const Panel *panel, const DrawContext *context, Size max)
{
    int rows = max.rows - HEAD - 1 - panel->legend; /* 1: which window this is */
    PanelLayout none = {0};
    if (panel->rows == 0 || panel->cols == 0 || rows < 1 ||
        (rows < LEAST_ROWS && (size_t)rows < panel->rows))
        return none;
    int wanted = wanted_cols(panel, rows, max);
    PanelLayout layout = panel_fit(panel, context, LEVEL_CLOSE, (Size){max.rows, 1});
    int least = layout.labels + LEAST_NUMBERS * layout.cell.cols;
    int window = larger(max.cols - GAP - wanted, least);
    layout = panel_fit(panel, context, LEVEL_CLOSE, (Size){max.rows, window + 1});
    if (layout.rows * layout.cols >= panel->rows * panel->cols / LEAST_SHARE)
        return none;
    int room = max.cols - layout.size.cols - GAP;
    layout.overview = fit_cells(panel, context->ascii, (Size){rows, room}, wanted);
    if (layout.overview.rows == 0)
        return none;
    layout.overview.col = layout.size.cols + GAP;
    layout.size.cols = layout.overview.col + layout.overview.width;
    return layout;
}

/* ---- drawing ---- */

typedef struct {
    const Panel *panel;
    const Overview *overview;
    const PanelLayout *layout;
    const DrawContext *context;
    Grid *grid;
    Rect clip;
    Rect cells;
} Drawing;

/* The blocks that have something of the range in them, as cells of the page. */
static Rect cells_of(const Drawing *d, size_t row, size_t rows, size_t col, size_t cols)
{
    const Overview *o = d->overview;
    if (rows == 0 || cols == 0)
        return (Rect){0};
    int top = (int)(row / o->block_rows), bottom = (int)((row + rows - 1) / o->block_rows);
    int left = (int)(col / o->block_cols), right = (int)((col + cols - 1) / o->block_cols);
    Rect all = {d->cells.row + top, d->cells.col + left, bottom - top + 1, right - left + 1};
    return rect_common(all, d->cells);
}

static Role role_of(const Drawing *d, double peak)
{
    return d->panel->state == SHOWN_STALE ? ROLE_STALE : heat_role(&d->panel->scale, peak);
}

static void draw_blocks(const Drawing *d, const Pool *pool)
{
    for (size_t i = 0; i < pool->rows; i++)
        for (size_t j = 0; j < pool->cols; j++) {
            double peak = pool->peaks[i * pool->cols + j];
            const char *glyph = heat_glyph(heat_role(&d->panel->scale, peak), d->context->ascii);
            grid_put(d->grid, d->clip, d->cells.row + (int)i, d->cells.col + (int)j,
                     peak == 0 ? " " : glyph, role_of(d, peak));
        }
}

static void draw_marks(const Drawing *d)
{
    for (int mark = MARK_NONE; mark < MARK_COUNT; mark++)
        for (size_t k = 0; k < d->context->mark_count; k++) {
            const CellMark *m = &d->context->marks[k];
            CellRange r;
            if ((int)m->mark != mark || !cell_range_in(&m->range, d->panel->value, &r))
                continue;
            Rect at = cells_of(d, r.row, r.rows, r.col, r.cols);
            if (m->hidden)
                grid_fill(d->grid, d->clip, at, "?", ROLE_MASKED);
            if (m->mark != MARK_NONE)
                grid_set_mark(d->grid, d->clip, at, m->mark);
        }
}

static void draw_pointers(const Drawing *d)
{
    const PanelLayout *layout = d->layout;
    Rect at = cells_of(d, layout->first_row, layout->rows, layout->first_col, layout->cols);
    for (int i = at.row; i < at.row + at.rows; i++)
        grid_put_either(d->grid, d->clip, i, d->cells.col - 1, "▸", ">", ROLE_POINTER);
    for (int j = at.col; j < at.col + at.cols; j++)
        grid_put_either(d->grid, d->clip, d->cells.row - 1, j, "▾", "v", ROLE_POINTER);
}

void overview_draw(const Panel *panel, const PanelLayout *layout, const DrawContext *context,
                   Grid *grid, Rect clip, int row, int col)
{
    const Overview *o = &layout->overview;
    Rect cells = {row + HEAD, col + o->col, o->rows, o->cols};
    Drawing d = {panel, o, layout, context, grid, clip, cells};
    Str caption = {0};
    if (o->rows == 0 || !panel->value)
        return;
    add_caption(&caption, panel, o, context->ascii, o->width);
    grid_put(grid, clip, row, cells.col, str_text(&caption), ROLE_LABEL);
    str_clear(&caption);
    draw_blocks(&d, digest_pool(value_matrix(panel->value), o->block_rows, o->block_cols));
    draw_marks(&d);
    draw_pointers(&d);
    if (context->hits)
        hit_list_add_blocks(context->hits, panel->value, panel->name, cells, o->block_rows,
                            o->block_cols);
}
