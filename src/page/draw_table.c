/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_table: columns of numbers with their names, and what results cost. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lang/cost.h"
#include "page/digest.h"
#include "page/draw_figure.h"

enum { GAP = 3, LEAST_ROWS = 3 };

/* Columns stand side by side as far as there is room, the rest in further bands below.
 * Gives column i (of `width`) its place after the ones before it. */
typedef struct {
    int room;        /* cells a band may take */
    int indent;      /* what stands left in every band */
    int band, col;   /* where the last column was put */
    int end;         /* where the next one may begin */
    int widest;
} Bands;

static Bands bands_begin(int room, int indent)
{
    return (Bands){room, indent, 0, indent, indent, indent};
}

static void bands_add(Bands *bands, int width)
{
    if (bands->end > bands->indent && bands->end + width > bands->room) {
        bands->band++;
        bands->end = bands->indent;
    }
    bands->col = bands->end;
    bands->end += width + GAP;
    if (bands->col + width > bands->widest)
        bands->widest = bands->col + width;
}

/* ---- table ---- */

/* Name and numbers of one column. */
typedef struct {
    char *name;
    const Value *value;
    const Matrix *m; /* or NULL */
    NumberFormat format;
    int width;
} Column;

static size_t numbers_in(const ShownList *list, size_t i)
{
    const Value *v = i < list->count ? list->items[i].value : NULL;
    return v && v->kind == VALUE_MATRIX ? matrix_count(value_matrix(v)) : 0;
}

static void add_stats(const ShownList *list, size_t i, NumberStats *stats)
{
    if (numbers_in(list, i) == 0)
        return;
    const Matrix *m = value_matrix(list->items[i].value);
    number_stats_merge(stats, digest_stats(m));
}

static Column *make_columns(const Figure *figure, const DrawContext *context)
{
    Column *columns = memory_zeros(figure->shown.count + 1, sizeof *columns);
    for (size_t i = 0; i < figure->shown.count; i++) {
        Column *c = &columns[i];
        NumberStats stats = {0};
        Str name = {0};
        add_stats(&figure->shown, i, &stats);
        add_stats(&figure->later, i, &stats);
        c->value = figure->shown.items[i].value;
        c->m = numbers_in(&figure->shown, i) ? value_matrix(c->value) : NULL;
        c->format = number_format(&stats, context->digits);
        if (figure->shown.items[i].expr)
            expr_add_text(&name, figure->shown.items[i].expr);
        c->name = memory_copy_text(str_text(&name));
        str_clear(&name);
        int width = (int)text_width(c->name, strlen(c->name));
        c->width = width > c->format.width ? width : c->format.width;
    }
    return columns;
}

static void free_columns(Column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(columns[i].name);
    free(columns);
}

static size_t table_length(const Figure *figure)
{
    size_t most = 0;
    for (size_t i = 0; i < figure->shown.count; i++) {
        size_t now = numbers_in(&figure->shown, i), later = numbers_in(&figure->later, i);
        most = now > most ? now : most;
        most = later > most ? later : most;
    }
    return most;
}

Size table_fit(const Figure *figure, const DrawContext *context, Size max)
{
    Column *columns = make_columns(figure, context);
    Bands bands = bands_begin(max.cols, 0);
    for (size_t i = 0; i < figure->shown.count; i++)
        bands_add(&bands, columns[i].width);
    free_columns(columns, figure->shown.count);
    size_t length = table_length(figure);
    int count = bands.band + 1, room = (max.rows + 1) / count - 2;
    if (room < LEAST_ROWS)
        room = LEAST_ROWS;
    if (length > (size_t)room)
        length = (size_t)room;
    int width = bands.widest > max.cols ? max.cols : bands.widest;
    return (Size){count * ((int)length + 2) - 1, width};
}

static void draw_column(const Figure *figure, size_t arg, const Column *c,
                        const DrawContext *context, Grid *grid, Rect clip, int row, int col,
                        size_t shown)
{
    Str text = {0};
    int shift = c->width - (int)text_width(c->name, strlen(c->name));
    grid_put(grid, clip, row, col + shift, c->name, ROLE_CAPTION);
    for (size_t i = 0; c->m && i < shown && i < matrix_count(c->m); i++) {
        CellRange r, wanted = {c->value, 0, 0, 0, 0};
        Mark mark = MARK_NONE;
        bool hidden = false;
        wanted.row = i / c->m->cols;
        wanted.col = i % c->m->cols;
        for (size_t k = 0; k < context->mark_count; k++)
            if (cell_range_in(&context->marks[k].range, c->value, &r) && wanted.row >= r.row &&
                wanted.row < r.row + r.rows && wanted.col >= r.col && wanted.col < r.col + r.cols) {
                mark = context->marks[k].mark > mark ? context->marks[k].mark : mark;
                hidden = hidden || context->marks[k].hidden;
            }
        str_cut(&text, 0);
        if (hidden)
            str_add_char(&text, '?');
        else
            number_format_add(&text, &c->format, c->m->cells[i]);
        int left = col + c->width - (int)text.length, at = row + 1 + (int)i;
        grid_put(grid, clip, at, left, str_text(&text), hidden ? ROLE_MASKED : ROLE_NUMBER);
        bool changed = !hidden && figure_has_changed(figure, arg, wanted.row, wanted.col);
        if (mark == MARK_NONE && changed) {
            grid_put(grid, clip, at, left - 1, "*", ROLE_NUMBER);
            grid_set_mark(grid, clip, (Rect){at, left - 1, 1, (int)text.length + 1}, MARK_CHANGED);
        }
        if (mark == MARK_NONE)
            continue;
        grid_put(grid, clip, at, left - 1, "[", ROLE_NUMBER);
        grid_put(grid, clip, at, col + c->width, "]", ROLE_NUMBER);
        grid_set_mark(grid, clip, (Rect){at, left - 1, 1, (int)text.length + 2}, mark);
    }
    str_clear(&text);
}

static void add_hit(const Column *c, const DrawContext *context, int row, int col, size_t shown)
{
    size_t rows = c->m && shown < matrix_count(c->m) ? shown : c->m ? matrix_count(c->m) : 0;
    Rect at = {row, col, (int)rows, c->width};
    if (context->hits && rows > 0)
        hit_list_add(context->hits, c->value, c->name, at, (Size){1, c->width}, 0, 0,
                     c->m->rows == 1);
}

void table_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area)
{
    Column *columns = make_columns(figure, context);
    Bands bands = bands_begin(area.cols, 0);
    for (size_t i = 0; i < figure->shown.count; i++)
        bands_add(&bands, columns[i].width);
    int height = (area.rows + 1) / (bands.band + 1); /* of a band, with the blank below */
    size_t length = table_length(figure), shown = height > 2 ? (size_t)height - 2 : 0;
    bool cut = shown < length && shown > 0;
    if (cut)
        shown--; /* the last line says how many more there are */
    bands = bands_begin(area.cols, 0);
    for (size_t i = 0; i < figure->shown.count; i++) {
        bands_add(&bands, columns[i].width);
        int row = area.row + bands.band * height, col = area.col + bands.col;
        draw_column(figure, i, &columns[i], context, grid, area, row, col, shown);
        add_hit(&columns[i], context, row + 1, col, shown);
    }
    if (cut) {
        Str more = {0};
        str_addf(&more, "%zu more", length - shown);
        grid_put(grid, area, area.row + area.rows - 1, area.col, str_text(&more), ROLE_MORE);
        str_clear(&more);
    }
    free_columns(columns, figure->shown.count);
}

/* ---- cost ---- */

enum { FIGURES = 4 };

static const char *const figure_names[FIGURES] = {"multiply-adds", "exponentials",
                                                  "largest between", "numbers kept"};

/* The texts of a cost figure: a head and four lines a result. */
typedef struct {
    Str lines[1 + FIGURES];
    int width;
} CostColumn;

static void add_figure(Str *out, const CostFigure *f, bool ascii)
{
    if (!poly_is_constant(f->formula, NULL)) {
        poly_add_text(out, f->formula, ascii);
        str_add(out, " = ");
    }
    number_add_short(out, f->count, 4);
}

static void fill_cost(CostColumn *column, const Shown *shown, bool ascii)
{
    if (shown->expr)
        expr_add_text(&column->lines[0], shown->expr);
    if (shown->value && shown->value->kind == VALUE_MATRIX) {
        Cost cost;
        cost_of(shown->value, &cost);
        const CostFigure *figures[FIGURES] = {&cost.multiply_adds, &cost.exponentials,
                                              &cost.largest, &cost.kept};
        for (int k = 0; k < FIGURES; k++)
            add_figure(&column->lines[1 + k], figures[k], ascii);
        if (cost.opaque)
            str_add(&column->lines[1], " + ?");
        cost_clear(&cost);
    }
    for (int k = 0; k <= FIGURES; k++) {
        int width = (int)text_width(str_text(&column->lines[k]), column->lines[k].length);
        column->width = width > column->width ? width : column->width;
    }
}

static CostColumn *make_costs(const Figure *figure, const DrawContext *context)
{
    CostColumn *columns = memory_zeros(figure->shown.count + 1, sizeof *columns);
    for (size_t i = 0; i < figure->shown.count; i++) {
        const Shown *now = &figure->shown.items[i];
        fill_cost(&columns[i], now, context->ascii);
        if (!now->value && i < figure->later.count) { /* its width is kept */
            CostColumn later = {0};
            fill_cost(&later, &figure->later.items[i], context->ascii);
            columns[i].width = later.width > columns[i].width ? later.width : columns[i].width;
            for (int k = 0; k <= FIGURES; k++)
                str_clear(&later.lines[k]);
        }
    }
    return columns;
}

static void free_costs(CostColumn *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k <= FIGURES; k++)
            str_clear(&columns[i].lines[k]);
    free(columns);
}

static int names_width(void)
{
    return (int)strlen(figure_names[2]) + GAP;
}

Size cost_fit(const Figure *figure, const DrawContext *context, Size max)
{
    CostColumn *columns = make_costs(figure, context);
    Bands bands = bands_begin(max.cols, names_width());
    for (size_t i = 0; i < figure->shown.count; i++)
        bands_add(&bands, columns[i].width);
    free_costs(columns, figure->shown.count);
    int width = bands.widest > max.cols ? max.cols : bands.widest;
    return (Size){(bands.band + 1) * (FIGURES + 2) - 1, width};
}

void cost_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area)
{
    CostColumn *columns = make_costs(figure, context);
    Bands bands = bands_begin(area.cols, names_width());
    int band = -1;
    for (size_t i = 0; i < figure->shown.count; i++) {
        bands_add(&bands, columns[i].width);
        int row = area.row + bands.band * (FIGURES + 2);
        if (bands.band > band) {
            band = bands.band;
            grid_put(grid, area, row, area.col, "cost", ROLE_LABEL);
            for (int k = 0; k < FIGURES; k++)
                grid_put(grid, area, row + 1 + k, area.col, figure_names[k], ROLE_LABEL);
        }
        for (int k = 0; k <= FIGURES; k++)
            grid_put(grid, area, row + k, area.col + bands.col, str_text(&columns[i].lines[k]),
                     k ? ROLE_NUMBER : ROLE_CAPTION);
    }
    free_costs(columns, figure->shown.count);
}
