/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
    MAX_NAME = 14,
    MAX_HEAD = 9,
    CAPTION_INDENT = 2 /* for the mark of what is written */
};

void panel_clear(Panel *panel)
{
    free(panel->name);
    free(panel->caption);
    free(panel->short_caption);
    *panel = (Panel){0};
}

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

/* Cells of text, in the form in which this page shows it. */
static int shown_width(const DrawContext *context, const char *text)
{
    if (!context->ascii)
        return (int)text_width(text, strlen(text));
    Str ascii = {0};
    grid_add_ascii(&ascii, text, strlen(text));
    int width = (int)ascii.length;
    str_clear(&ascii);
    return width;
}

static int widest_name(const DrawContext *context, const Labels *names, size_t count)
{
    int widest = 0;
    for (size_t i = 0; i < names->count && i < count; i++) {
        int width = shown_width(context, names->texts[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static int digits_of(size_t n)
{
    int digits = 1;
    for (; n >= 10; n /= 10)
        digits++;
    return digits;
}

/* ---- measuring ---- */

/* The format of some numbers at a level. */
static NumberFormat format_at(const NumberStats *stats, const DrawContext *context, int level)
{
    int digits = context->digits > 0 ? context->digits : 3;
    if (level == LEVEL_SPACIOUS && context->spare)
        digits += 2;
    NumberFormat format = number_format(stats, digits);
    for (int i = LEVEL_FEWER; i <= level && i < LEVEL_SHADES; i++)
        if (!number_format_narrow(&format, stats))
            break;
    return format;
}

static void set_cell_size(const Panel *panel, const DrawContext *context, int level,
                          PanelLayout *layout)
{
    bool spacious = level == LEVEL_SPACIOUS;
    layout->format = format_at(&panel->stats, context, level);
    for (int k = 0; k < 2; k++) {
        NumberFormat other = format_at(&panel->rooms[k], context, level);
        if (other.width > layout->format.width)
            layout->format.width = other.width;
    }
    layout->gap = level >= LEVEL_CLOSE ? 1 : 2;
    layout->cell.rows = 1;
    if (context->projector && level < LEVEL_NORMAL) {
        layout->gap = 4;
        layout->cell.rows = spacious ? 2 : 1;
    }
    layout->shades = level >= LEVEL_SHADES;
    layout->cell.cols = layout->format.width + layout->gap;
    if (layout->shades)
        layout->cell.cols = level == LEVEL_SHADES ? 2 : 1;
    if (panel->col_names && level <= LEVEL_NORMAL) {
        int head = clamp(widest_name(context, panel->col_names, panel->cols) + 1, 1, MAX_HEAD);
        if (head > layout->cell.cols)
            layout->cell.cols = head;
    }
}

/* The number that has to be in the window: the cursor, or else what is marked. */
static bool marked_cell(const Panel *panel, const DrawContext *context, size_t *row, size_t *col)
{
    Mark best = MARK_CHANGED;
    for (size_t i = 0; panel->value && i < context->mark_count; i++) {
        CellRange range;
        if (context->marks[i].mark <= best ||
            !cell_range_in(&context->marks[i].range, panel->value, &range))
            continue;
        best = context->marks[i].mark;
        *row = range.row;
        *col = range.col;
    }
    return best > MARK_CHANGED;
}

static void set_window(size_t total, size_t room, size_t wanted, size_t *first, size_t *count)
{
    *count = room < total ? room : total;
    *first = 0;
    if (*count < total && wanted >= *count)
        *first = wanted - *count / 2;
    if (*first > total - *count)
        *first = total - *count;
}

static int matrix_width(const PanelLayout *layout)
{
    return layout->labels + (int)layout->cols * layout->cell.cols;
}

static void set_size(const Panel *panel, const DrawContext *context, PanelLayout *layout)
{
    int width = matrix_width(layout);
    int caption = CAPTION_INDENT + shown_width(context, layout->short_caption
                                                            ? panel->short_caption
                                                            : panel->caption);
    if (caption > width)
        width = caption;
    if (layout->legend && heat_legend_width(&panel->scale) > width)
        width = heat_legend_width(&panel->scale);
    if (layout->overview.rows > 0) /* it was found to fit */
        width = layout->overview.col + layout->overview.width;
    layout->size.cols = width;
    layout->size.rows = 1 + layout->header + (int)layout->rows * layout->cell.rows + layout->note +
                        layout->legend;
}

PanelLayout panel_fit(const Panel *panel, const DrawContext *context, int level, Size max)
{
    PanelLayout layout = {0};
    size_t row = panel->news, col = 0;
    marked_cell(panel, context, &row, &col);
    layout.legend = panel->legend;
    set_cell_size(panel, context, level, &layout);
    if (panel->row_names)
        layout.labels = clamp(widest_name(context, panel->row_names, panel->rows), 0, MAX_NAME) + 1;
    layout.header = panel->col_names && panel->cols > 0 && !layout.shades;
    int frame = 1 + layout.header + panel->legend;
    int rows = clamp((max.rows - frame) / layout.cell.rows, 1, 1 << 20);
    int cols = clamp((max.cols - layout.labels - 1) / layout.cell.cols, 1, 1 << 20);
    bool cut = (size_t)rows < panel->rows || (size_t)cols < panel->cols;
    if (cut) {
        layout.note = true;
        if (!panel->row_names)
            layout.labels = digits_of(panel->rows) + 1;
        layout.header = true;
        rows = clamp((max.rows - 2 - panel->legend - 1) / layout.cell.rows, 1, 1 << 20);
        cols = clamp((max.cols - layout.labels - 1) / layout.cell.cols, 1, 1 << 20);
    }
    set_window(panel->rows, (size_t)rows, row, &layout.first_row, &layout.rows);
    set_window(panel->cols, (size_t)cols, col, &layout.first_col, &layout.cols);
    int caption = shown_width(context, panel->caption) + CAPTION_INDENT;
    layout.short_caption = caption > max.cols ||
                           (level > LEVEL_CLOSE && caption > matrix_width(&layout));
    set_size(panel, context, &layout);
    return layout;
}

void panel_drop_legend(const Panel *panel, const DrawContext *context, PanelLayout *layout)
{
    layout->legend = false;
    set_size(panel, context, layout);
}

void panel_widen(const Panel *panel, PanelLayout *layout, int cell_cols)
{
    int more = (cell_cols - layout->cell.cols) * (int)layout->cols;
    layout->cell.cols = cell_cols;
    int width = matrix_width(layout);
    if (more > 0 && width > layout->size.cols)
        layout->size.cols = width;
    (void)panel;
}

/* ---- drawing ---- */

typedef struct {
    const Panel *panel;
    const PanelLayout *layout;
    const DrawContext *context;
    Grid *grid;
    Rect clip;
    Rect cells; /* where the numbers are */
    Str text;   /* scratch */
} Drawing;

static Rect cell_rect(const Drawing *d, size_t i, size_t j)
{
    const PanelLayout *layout = d->layout;
    return (Rect){d->cells.row + (int)(i - layout->first_row) * layout->cell.rows,
                  d->cells.col + (int)(j - layout->first_col) * layout->cell.cols,
                  layout->cell.rows, layout->cell.cols};
}

/* Puts text right-aligned so that it ends before column `end`. */
static void put_right(Drawing *d, int row, int end, const char *text, Role role)
{
    int width = grid_text_width(d->grid, text, strlen(text));
    grid_put(d->grid, d->clip, row, end - width, text, role);
}

static bool is_hidden(const Drawing *d, size_t i, size_t j)
{
    for (size_t k = 0; k < d->context->mark_count; k++) {
        CellRange r;
        if (d->context->marks[k].hidden &&
            cell_range_in(&d->context->marks[k].range, d->panel->value, &r) && i >= r.row &&
            i < r.row + r.rows && j >= r.col && j < r.col + r.cols)
            return true;
    }
    return false;
}

static bool has_hidden(const DrawContext *context)
{
    for (size_t k = 0; k < context->mark_count; k++)
        if (context->marks[k].hidden)
            return true;
    return false;
}

static Role cell_role(const Panel *panel, double x)
{
    if (panel->state == SHOWN_STALE)
        return ROLE_STALE;
    Role role = heat_role(&panel->scale, x);
    return panel->plain && role != ROLE_NOT_A_NUMBER && role != ROLE_INFINITE ? ROLE_NUMBER : role;
}

/* Marks number (i, j), which is x and stands at `at`, if it was another one in the run before;
 * a star says so where there is no colour, unless it would hide all of the number's shade. */
static void mark_change(Drawing *d, size_t i, size_t j, Rect at, double x, Role role)
{
    const Matrix *old = d->panel->old;
    if (!old || i >= old->rows || j >= old->cols)
        return;
    double before = matrix_at(old, i, j);
    if (before == x || (isnan(before) && isnan(x)))
        return;
    if (at.cols > 1)
        grid_put(d->grid, d->clip, at.row, at.col, "*", role);
    grid_set_mark(d->grid, d->clip, at, MARK_CHANGED);
}

static void draw_cell(Drawing *d, const Matrix *m, size_t i, size_t j, bool hidden)
{
    const PanelLayout *layout = d->layout;
    double x = matrix_at(m, i, j);
    Role role = cell_role(d->panel, x);
    if (hidden)
        role = ROLE_MASKED;
    Rect at = cell_rect(d, i, j);
    grid_fill(d->grid, d->clip, at, " ", role);
    str_cut(&d->text, 0);
    if (hidden)
        str_add_char(&d->text, '?');
    else if (layout->shades)
        str_add(&d->text, heat_glyph(heat_role(&d->panel->scale, x), d->context->ascii));
    else
        number_format_add(&d->text, &layout->format, x);
    if (layout->shades) {
        for (int k = 0; k < at.cols; k++)
            grid_put(d->grid, d->clip, at.row, at.col + k, str_text(&d->text), role);
        if (!hidden)
            mark_change(d, i, j, at, x, role);
        return;
    }
    int end = at.col + at.cols - layout->gap / 2;
    put_right(d, at.row, end, str_text(&d->text), role);
    if (!hidden)
        mark_change(d, i, j, at, x, role);
}

/* Marks a rectangle of numbers: brackets at the ends of each row, so that the mark
 * is seen without colour too. */
static void draw_mark(Drawing *d, const CellMark *mark)
{
    const PanelLayout *layout = d->layout;
    CellRange r;
    if (mark->mark == MARK_NONE || !cell_range_in(&mark->range, d->panel->value, &r))
        return;
    size_t row = r.row > layout->first_row ? r.row : layout->first_row;
    size_t col = r.col > layout->first_col ? r.col : layout->first_col;
    size_t row_end = layout->first_row + layout->rows, col_end = layout->first_col + layout->cols;
    row_end = r.row + r.rows < row_end ? r.row + r.rows : row_end;
    col_end = r.col + r.cols < col_end ? r.col + r.cols : col_end;
    for (size_t i = row; i < row_end && col < col_end; i++) {
        Rect first = cell_rect(d, i, col), last = cell_rect(d, i, col_end - 1);
        Rect all = {first.row, first.col, first.rows, last.col + last.cols - first.col};
        grid_set_mark(d->grid, d->clip, all, mark->mark);
        if (layout->shades || layout->cell.cols < 2)
            continue;
        Role left = cell_role(d->panel, matrix_at(value_matrix(r.value), i, col));
        Role right = cell_role(d->panel, matrix_at(value_matrix(r.value), i, col_end - 1));
        int close = last.col + last.cols - (layout->gap > 1);
        grid_put(d->grid, d->clip, first.row, first.col, "[", left);
        grid_put(d->grid, d->clip, first.row, close, "]", layout->gap > 1 ? right : ROLE_NUMBER);
        grid_set_mark(d->grid, d->clip, (Rect){first.row, first.col, 1, 1}, mark->mark);
        grid_set_mark(d->grid, d->clip, (Rect){first.row, close, 1, 1}, mark->mark);
    }
}

static void draw_row_names(Drawing *d, int left)
{
    const PanelLayout *layout = d->layout;
    const Labels *names = d->panel->row_names;
    size_t end = layout->labels ? layout->first_row + layout->rows : 0;
    for (size_t i = layout->first_row; i < end; i++) {
        Rect at = cell_rect(d, i, layout->first_col);
        Rect clip = rect_common(d->clip, (Rect){at.row, left, 1, layout->labels - 1});
        if (names && i < names->count) {
            grid_put(d->grid, clip, at.row, left, names->texts[i], ROLE_LABEL);
            continue;
        }
        str_cut(&d->text, 0);
        str_addf(&d->text, "%zu", i + 1);
        put_right(d, at.row, left + layout->labels - 1, str_text(&d->text), ROLE_LABEL);
    }
}

static void draw_header(Drawing *d, int row)
{
    const PanelLayout *layout = d->layout;
    const Labels *names = d->panel->col_names;
    int wide = digits_of(d->panel->cols) + 1;
    size_t every = layout->cell.cols >= wide ? 1 : (size_t)(10 / layout->cell.cols);
    for (size_t j = layout->first_col; j < layout->first_col + layout->cols; j++) {
        Rect at = cell_rect(d, layout->first_row, j);
        if (names && j < names->count && every == 1) {
            Rect clip = rect_common(d->clip, (Rect){row, at.col, 1, at.cols - 1});
            int width = grid_text_width(d->grid, names->texts[j], strlen(names->texts[j]));
            int shift = at.cols - 1 > width ? at.cols - 1 - width : 0;
            grid_put(d->grid, clip, row, at.col + shift, names->texts[j], ROLE_LABEL);
        } else if ((j - layout->first_col) % every == 0) {
            str_cut(&d->text, 0);
            str_addf(&d->text, "%zu", j + 1);
            if (every == 1)
                put_right(d, row, at.col + at.cols - (layout->gap > 1), str_text(&d->text),
                          ROLE_LABEL);
            else if (at.col + (int)d->text.length <= d->cells.col + d->cells.cols)
                grid_put(d->grid, d->clip, row, at.col, str_text(&d->text), ROLE_LABEL);
        }
    }
}

/* "rows 1–10 of 4096", or without what is behind the dash if `brief`. */
static void add_window(Drawing *d, const char *what, size_t first, size_t shown, size_t all,
                       bool brief)
{
    if (shown == all)
        return;
    str_addf(&d->text, "%s%s %zu%s%zu", d->text.length ? ", " : "", what, first + 1,
             d->context->ascii ? "-" : "–", first + shown);
    if (!brief)
        str_addf(&d->text, " of %zu", all);
}

static void draw_note(Drawing *d, int row, int col)
{
    const PanelLayout *layout = d->layout;
    for (int brief = 0; brief < 2; brief++) {
        str_cut(&d->text, 0);
        add_window(d, "rows", layout->first_row, layout->rows, d->panel->rows, brief);
        add_window(d, "columns", layout->first_col, layout->cols, d->panel->cols, brief);
        int width = grid_text_width(d->grid, str_text(&d->text), d->text.length);
        if (width <= layout->size.cols || layout->overview.rows == 0)
            break;
    }
    grid_put(d->grid, d->clip, row, col, str_text(&d->text), ROLE_MORE);
}

static void draw_cells(Drawing *d)
{
    const PanelLayout *layout = d->layout;
    const Matrix *m = value_matrix(d->panel->value);
    bool hiding = has_hidden(d->context);
    for (size_t i = layout->first_row; i < layout->first_row + layout->rows && i < m->rows; i++)
        for (size_t j = layout->first_col; j < layout->first_col + layout->cols && j < m->cols; j++)
            draw_cell(d, m, i, j, hiding && is_hidden(d, i, j));
    for (Mark mark = MARK_FOCUS; mark < MARK_COUNT; mark++)
        for (size_t k = 0; k < d->context->mark_count; k++)
            if (d->context->marks[k].mark == mark)
                draw_mark(d, &d->context->marks[k]);
}

void panel_draw(const Panel *panel, const PanelLayout *layout, const DrawContext *context,
                Grid *grid, Rect clip, int row, int col)
{
    clip = rect_common(clip, (Rect){row, col, layout->size.rows, layout->size.cols + 1});
    Rect cells = {row + 1 + layout->header, col + layout->labels,
                  (int)layout->rows * layout->cell.rows, (int)layout->cols * layout->cell.cols};
    Drawing d = {panel, layout, context, grid, clip, cells, {0}};
    if (panel->caption_role == ROLE_WRITTEN)
        grid_put_either(grid, clip, row, col, "▸", ">", ROLE_POINTER);
    grid_put(grid, clip, row, col + CAPTION_INDENT,
             layout->short_caption ? panel->short_caption : panel->caption, panel->caption_role);
    if (panel->value && panel->value->kind == VALUE_MATRIX) {
        if (layout->header)
            draw_header(&d, row + 1);
        draw_row_names(&d, col);
        draw_cells(&d);
        if (context->hits && cells.rows > 0 && cells.cols > 0)
            hit_list_add(context->hits, panel->value, panel->name, cells, layout->cell,
                         layout->first_row, layout->first_col, false);
    }
    int below = cells.row + cells.rows;
    if (layout->note)
        draw_note(&d, below++, col);
    if (layout->legend)
        heat_legend_draw(grid, clip, below, col, &panel->scale);
    str_clear(&d.text);
}
