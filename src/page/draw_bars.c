/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_bars: one distribution or several over the same tokens, a bar and a number a
 * token; all bars of a figure have one scale, which is written below. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "page/digest.h"
#include "page/draw_figure.h"

enum { MAX_NAME = 16, MAX_BAR = 24, LEAST_BAR = 3, GAP = 2, LEAST_TOKENS = 3, FOOT = 34 };

/* Entropy as a share of the largest that so many tokens can have. */
static const char entropy_name[] = "entropy / log n";

/* How a figure of bars is laid out in a given width. */
typedef struct {
    size_t tokens;     /* of the longest argument, now or later */
    size_t first, shown; /* the window */
    int names;         /* width of the names, blank included */
    int number, bar;   /* widths */
    int block;         /* of one argument */
    double limit;      /* a full bar */
    bool measures;
    NumberFormat format;
} BarsLayout;

static const Matrix *numbers_of(const Figure *figure, size_t i)
{
    const Value *v = figure->shown.items[i].value;
    return v && v->kind == VALUE_MATRIX ? value_matrix(v) : NULL;
}

static void add_numbers(const ShownList *list, NumberStats *stats, size_t *tokens)
{
    for (size_t i = 0; i < list->count; i++) {
        const Value *v = list->items[i].value;
        if (!v || v->kind != VALUE_MATRIX)
            continue;
        const Matrix *m = value_matrix(v);
        number_stats_merge(stats, digest_stats(m));
        if (matrix_count(m) > *tokens)
            *tokens = matrix_count(m);
    }
}

/* Not negative, and the sum is 1: weights. */
static bool is_distribution(const Matrix *m)
{
    double sum = 0;
    for (size_t i = 0; i < matrix_count(m); i++) {
        if (!(m->cells[i] >= 0))
            return false;
        sum += m->cells[i];
    }
    return fabs(sum - 1) < 1e-9;
}

/* Weights of at least two tokens: entropy and the largest of them stand below. */
static bool has_measures(const Matrix *m)
{
    return m && matrix_count(m) > 1 && is_distribution(m);
}

static const Matrix *numbers_at_end(const Figure *figure, size_t i)
{
    const Value *v = i < figure->later.count ? figure->later.items[i].value : NULL;
    return v && v->kind == VALUE_MATRIX ? value_matrix(v) : NULL;
}

/* The width of the names of all tokens; one that has none is called by its number, of which
 * the last is the widest. */
static int name_width(const Figure *figure, const DrawContext *context, size_t tokens)
{
    const Labels *names = figure->view->cols;
    size_t named = names ? names->count : 0;
    int widest = 0;
    Str shown = {0};
    for (size_t i = 0; i < tokens && i <= named; i++) {
        str_cut(&shown, 0);
        if (i == named)
            str_addf(&shown, "%zu", tokens);
        else if (context->ascii)
            grid_add_ascii(&shown, names->texts[i], strlen(names->texts[i]));
        else
            text_add_visible(&shown, names->texts[i], strlen(names->texts[i]));
        int width = (int)text_width(str_text(&shown), shown.length);
        widest = width > widest ? width : widest;
    }
    str_clear(&shown);
    return (widest > MAX_NAME ? MAX_NAME : widest) + 1;
}

/* The first token of the window: so that the marked one is in it. */
static size_t window_start(const Figure *figure, const DrawContext *context, size_t shown,
                           size_t tokens)
{
    size_t wanted = 0;
    Mark best = MARK_CHANGED;
    for (size_t i = 0; i < figure->shown.count; i++)
        for (size_t k = 0; k < context->mark_count; k++) {
            CellRange r;
            const Value *v = figure->shown.items[i].value;
            if (!v || context->marks[k].mark <= best ||
                !cell_range_in(&context->marks[k].range, v, &r))
                continue;
            best = context->marks[k].mark;
            wanted = r.row + r.col;
        }
    if (wanted < shown)
        return 0;
    return wanted + shown / 2 > tokens ? tokens - shown : wanted - shown / 2;
}

static BarsLayout lay_out(const Figure *figure, const DrawContext *context, Size max)
{
    BarsLayout layout = {0};
    NumberStats stats = {0};
    add_numbers(&figure->shown, &stats, &layout.tokens);
    add_numbers(&figure->later, &stats, &layout.tokens);
    layout.format = number_format(&stats, context->digits);
    layout.number = layout.format.width;
    layout.limit = heat_scale(SCALE_AUTO, NULL, &stats).limit;
    layout.names = name_width(figure, context, layout.tokens);
    for (size_t i = 0; i < figure->shown.count; i++)
        layout.measures = layout.measures || has_measures(numbers_of(figure, i)) ||
                          has_measures(numbers_at_end(figure, i));
    if (layout.measures && layout.names < (int)sizeof entropy_name)
        layout.names = (int)sizeof entropy_name;
    int count = figure->shown.count > 0 ? (int)figure->shown.count : 1;
    int block = (max.cols - layout.names - GAP * (count - 1)) / count;
    layout.bar = block - layout.number - 1;
    if (layout.bar > MAX_BAR)
        layout.bar = MAX_BAR;
    if (layout.bar < LEAST_BAR)
        layout.bar = 0;
    layout.block = layout.number + 1 + layout.bar;
    int room = max.rows - 2 - 2 * layout.measures;
    layout.shown = layout.tokens;
    if (room < LEAST_TOKENS)
        room = LEAST_TOKENS;
    if ((size_t)room < layout.tokens)
        layout.shown = (size_t)room;
    layout.first = window_start(figure, context, layout.shown, layout.tokens);
    return layout;
}

Size bars_fit(const Figure *figure, const DrawContext *context, Size max)
{
    BarsLayout layout = lay_out(figure, context, max);
    int count = (int)figure->shown.count;
    int width = layout.names + count * layout.block + GAP * (count - 1);
    if (width < FOOT)
        width = FOOT;
    return (Size){2 + (int)layout.shown + 2 * layout.measures,
                  width > max.cols ? max.cols : width};
}

typedef struct {
    const Figure *figure;
    const DrawContext *context;
    const BarsLayout *layout;
    Grid *grid;
    Rect area;
} Drawing;

static Role curve_role(size_t i)
{
    return i < 3 ? (Role)(ROLE_CURVE_1 + i) : ROLE_CURVE_4;
}

/* A bar of `part` (0 … 1) of width cells, in eighths of a cell. */
static void put_bar(const Drawing *d, int row, int col, int width, double part, Role role)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int steps = (int)lround(fmin(part, 1) * width * 8);
    if (part > 0 && steps == 0)
        steps = 1;
    int full = d->grid->ascii ? (steps + 4) / 8 : steps / 8;
    for (int i = 0; i < full; i++)
        grid_put_either(d->grid, d->area, row, col + i, "█", "#", role);
    if (!d->grid->ascii && steps % 8)
        grid_put(d->grid, d->area, row, col + full, eighths[steps % 8], role);
    else if (d->grid->ascii && full == 0 && part > 0)
        grid_put(d->grid, d->area, row, col, ":", role);
}

static Mark mark_of(const Drawing *d, const Value *v, size_t i, size_t j, bool *hidden)
{
    Mark mark = MARK_NONE;
    *hidden = false;
    for (size_t k = 0; k < d->context->mark_count; k++) {
        CellRange r;
        const CellMark *m = &d->context->marks[k];
        if (!cell_range_in(&m->range, v, &r) || i < r.row || i >= r.row + r.rows || j < r.col ||
            j >= r.col + r.cols)
            continue;
        *hidden = *hidden || m->hidden;
        mark = m->mark > mark ? m->mark : mark;
    }
    return mark;
}

static void draw_token(const Drawing *d, size_t arg, size_t token, int row, int col)
{
    const Matrix *m = numbers_of(d->figure, arg);
    const Value *v = d->figure->shown.items[arg].value;
    if (!m || token >= matrix_count(m))
        return;
    double x = m->cells[token];
    bool hidden;
    Mark mark = mark_of(d, v, token / m->cols, token % m->cols, &hidden);
    Role role = d->figure->shown.items[arg].state == SHOWN_STALE ? ROLE_STALE : ROLE_NUMBER;
    Str text = {0};
    if (hidden)
        str_add_char(&text, '?');
    else
        number_format_add(&text, &d->layout->format, x);
    grid_put(d->grid, d->area, row, col + d->layout->number - (int)text.length, str_text(&text),
             hidden ? ROLE_MASKED : isnan(x) ? ROLE_NOT_A_NUMBER : role);
    str_clear(&text);
    Rect number = {row, col, 1, d->layout->number};
    if (mark == MARK_NONE && !hidden &&
        figure_has_changed(d->figure, arg, token / m->cols, token % m->cols)) {
        grid_put(d->grid, d->area, row, col - 1, "*", role);
        grid_set_mark(d->grid, d->area, number, MARK_CHANGED);
    }
    if (mark != MARK_NONE) {
        grid_set_mark(d->grid, d->area, number, mark);
        grid_put(d->grid, d->area, row, col - 1, "[", role);
        grid_put(d->grid, d->area, row, col + d->layout->number, "]", role);
    }
    if (hidden || d->layout->bar == 0 || !isfinite(x) || !(d->layout->limit > 0))
        return;
    int left = col + d->layout->number + 1;
    Role bar = role == ROLE_STALE ? role : curve_role(arg);
    put_bar(d, row, left, d->layout->bar, fmax(x, 0) / d->layout->limit, bar);
}

/* Entropy as a share of the largest possible, and the largest weight. */
static void draw_measures(const Drawing *d, size_t arg, int row, int col)
{
    const Matrix *m = numbers_of(d->figure, arg);
    if (!has_measures(m))
        return;
    double entropy = 0, largest = 0;
    for (size_t i = 0; i < matrix_count(m); i++) {
        double p = m->cells[i];
        entropy -= p > 0 ? p * log(p) : 0;
        largest = p > largest ? p : largest;
    }
    double measures[2] = {entropy / log((double)matrix_count(m)), largest};
    NumberFormat format = {false, 2, 4};
    Str text = {0};
    for (int k = 0; k < 2; k++) {
        str_cut(&text, 0);
        number_format_add(&text, &format, measures[k]);
        grid_put(d->grid, d->area, row + k, col + d->layout->number - 4, str_text(&text),
                 ROLE_NUMBER);
    }
    str_clear(&text);
}

static void draw_names(const Drawing *d)
{
    const Labels *names = d->figure->view->cols;
    Str number = {0};
    for (size_t i = 0; i < d->layout->shown; i++) {
        size_t token = d->layout->first + i;
        int row = d->area.row + 1 + (int)i;
        Rect clip = rect_common(d->area, (Rect){row, d->area.col, 1, d->layout->names - 1});
        str_cut(&number, 0);
        str_addf(&number, "%zu", token + 1);
        grid_put(d->grid, clip, row, d->area.col,
                 names && token < names->count ? names->texts[token] : str_text(&number),
                 ROLE_LABEL);
    }
    str_clear(&number);
}

static void draw_foot(const Drawing *d)
{
    int row = d->area.row + 1 + (int)d->layout->shown;
    Str text = {0};
    if (d->layout->measures) {
        grid_put(d->grid, d->area, row, d->area.col, entropy_name, ROLE_LABEL);
        grid_put(d->grid, d->area, row + 1, d->area.col, "largest", ROLE_LABEL);
        row += 2;
    }
    str_add(&text, "full bar ");
    number_add_short(&text, d->layout->limit, 2);
    if (d->layout->shown < d->layout->tokens)
        str_addf(&text, "   %zu-%zu of %zu", d->layout->first + 1,
                 d->layout->first + d->layout->shown, d->layout->tokens);
    grid_put(d->grid, d->area, row, d->area.col, str_text(&text), ROLE_LEGEND);
    str_clear(&text);
}

void bars_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area)
{
    BarsLayout layout = lay_out(figure, context, area.rows > 0 ? (Size){area.rows, area.cols}
                                                               : (Size){1, 1});
    Drawing d = {figure, context, &layout, grid, area};
    draw_names(&d);
    for (size_t i = 0; i < figure->shown.count; i++) {
        int col = area.col + layout.names + (int)i * (layout.block + GAP);
        Rect head = rect_common(area, (Rect){area.row, col, 1, layout.block});
        Str caption = {0};
        if (figure->shown.items[i].expr)
            expr_add_text(&caption, figure->shown.items[i].expr);
        grid_put(grid, head, area.row, col, str_text(&caption), ROLE_CAPTION);
        for (size_t k = 0; k < layout.shown; k++)
            draw_token(&d, i, layout.first + k, area.row + 1 + (int)k, col);
        draw_measures(&d, i, area.row + 1 + (int)layout.shown, col);
        const Matrix *m = numbers_of(figure, i);
        if (context->hits && m && matrix_count(m) > 0 && layout.shown > 0) {
            bool turned = m->rows == 1;
            Rect at = {area.row + 1, col, (int)layout.shown, layout.block};
            hit_list_add(context->hits, figure->shown.items[i].value, str_text(&caption), at,
                         (Size){1, layout.block}, turned ? 0 : layout.first,
                         turned ? layout.first : 0, turned);
        }
        str_clear(&caption);
    }
    draw_foot(&d);
}
