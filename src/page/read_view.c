/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views in `read`: what they show is named, and written where nothing else in the
 * step does: costs, tables, the rows of bars, points of a plot, differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/cost.h"
#include "lesson/eval.h"
#include "page/read_part.h"

enum { PLOT_POINTS = 20 };

/* Prints "head: text" at the indent of code. */
static void print_named(Reader *r, const char *name, const char *text)
{
    Str head = {0};
    str_add_repeat(&head, ' ', READ_INDENT);
    str_add(&head, name);
    reader_wrap(r, str_text(&head), text);
    str_clear(&head);
}

/* --- views that only name ------------------------------------------------------- */

/* "product: Q * K' = A", "update: S = S + k'*v", "look at: A(t,:)" */
static void print_naming(Reader *r, const View *view, const char *head, const char *between)
{
    Str text = {0};
    for (size_t i = 0; i < view->count; i++) {
        str_add(&text, i ? between : "");
        reader_add_expr(r, &text, view->args[i]->expr);
    }
    print_named(r, head, str_text(&text));
    str_clear(&text);
}

/* Names that were not printed in this step are named; what has no name is printed. */
static void print_heat(Reader *r, const ShownList *shown)
{
    Str names = {0};
    for (size_t i = 0; i < shown->count; i++) {
        const Shown *item = &shown->items[i];
        bool name = item->expr->kind == EXPR_NAME;
        if (!name || reader_has_printed(r, item->expr->text))
            continue;
        str_add(&names, names.length ? ", " : "");
        reader_add_expr(r, &names, item->expr);
    }
    if (names.length)
        print_named(r, "shown: ", str_text(&names));
    str_clear(&names);
    MatrixTextStyle style = reader_matrix_style(r, READ_INDENT);
    for (size_t i = 0; i < shown->count; i++) {
        const Shown *item = &shown->items[i];
        if (item->expr->kind == EXPR_NAME || !item->value)
            continue;
        Str name = {0};
        reader_add_expr(r, &name, item->expr);
        matrix_text_add(r->out, str_text(&name), item->value, &style);
        str_clear(&name);
    }
}

/* The largest |a - b| over the cells and where it is; NaN in both is no difference,
 * NaN in one is NaN. */
static double largest_difference(const Matrix *a, const Matrix *b, size_t *at)
{
    double largest = 0;
    *at = 0;
    for (size_t i = 0; i < matrix_count(a); i++) {
        double x = a->cells[i], y = b->cells[i];
        double difference = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);
        if (!(difference <= largest) && !isnan(largest)) {
            largest = difference;
            *at = i;
        }
    }
    return largest;
}

static void print_diff(Reader *r, const ShownList *shown)
{
    if (shown->count < 2 || !shown->items[0].value || !shown->items[1].value)
        return;
    const Matrix *a = value_matrix(shown->items[0].value);
    const Matrix *b = value_matrix(shown->items[1].value);
    if (a->rows != b->rows || a->cols != b->cols)
        return;
    size_t at;
    double largest = largest_difference(a, b, &at);
    Str text = {0};
    reader_add_expr(r, &text, shown->items[0].expr);
    str_add(&text, " - ");
    reader_add_expr(r, &text, shown->items[1].expr);
    str_add(&text, ": largest difference ");
    number_add_format(&text, largest, 'g', 3);
    if (largest != 0)
        str_addf(&text, " at (%zu,%zu)", at / a->cols + 1, at % a->cols + 1);
    print_named(r, "", str_text(&text));
    str_clear(&text);
}

/* --- cost ------------------------------------------------------------------------ */

static void print_figure(Reader *r, const char *name, const CostFigure *figure)
{
    Str text = {0};
    matrix_text_add_scalar(&text, figure->count, 0);
    if (!poly_is_constant(figure->formula, NULL)) {
        str_add(&text, " = ");
        poly_add_text(&text, figure->formula, r->ascii);
    }
    print_named(r, name, str_text(&text));
    str_clear(&text);
}

static void print_cost(Reader *r, const ShownList *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        if (!shown->items[i].value)
            continue;
        Cost cost;
        Str name = {0};
        reader_add_expr(r, &name, shown->items[i].expr);
        print_named(r, "cost of ", str_text(&name));
        cost_of(shown->items[i].value, &cost);
        print_figure(r, "  multiply-adds ", &cost.multiply_adds);
        print_figure(r, "  exponentials ", &cost.exponentials);
        print_figure(r, "  largest intermediate ", &cost.largest);
        print_figure(r, "  numbers kept ", &cost.kept);
        if (cost.opaque)
            print_named(r, "  ", "and something that is not counted");
        cost_clear(&cost);
        str_clear(&name);
    }
}

/* --- columns of numbers ------------------------------------------------------------ */

/* Columns of one length with their names, to be printed side by side. */
typedef struct {
    const double **starts; /* first number of each column … */
    size_t *strides;       /* … and how far apart its numbers are */
    char **names;
    size_t count, room;
    size_t length;
    bool same; /* all have that length */
} Columns;

static void columns_add(Columns *columns, const double *start, size_t stride, size_t length,
                        char *name)
{
    if (columns->count == columns->room) {
        columns->room = columns->room ? 2 * columns->room : 8;
        columns->starts = memory_resize(columns->starts, columns->room, sizeof *columns->starts);
        columns->strides = memory_resize(columns->strides, columns->room, sizeof *columns->strides);
        columns->names = memory_resize(columns->names, columns->room, sizeof *columns->names);
    }
    columns->same = columns->count == 0 || (columns->same && length == columns->length);
    columns->length = length;
    columns->starts[columns->count] = start;
    columns->strides[columns->count] = stride;
    columns->names[columns->count++] = name;
}

static void columns_clear(Columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->names[i]);
    free(columns->names);
    free(columns->starts);
    free(columns->strides);
}

/* A vector is one column, whichever way it lies; a matrix is its columns. */
static void columns_add_shown(const Reader *r, Columns *columns, const Shown *item)
{
    if (!item->value || item->value->kind != VALUE_MATRIX)
        return;
    const Matrix *m = value_matrix(item->value);
    Str name = {0};
    reader_add_expr(r, &name, item->expr);
    if (m->rows == 1) {
        columns_add(columns, m->cells, 1, m->cols, str_take(&name));
        return;
    }
    for (size_t j = 0; j < m->cols; j++) {
        Str one = {0};
        str_add(&one, str_text(&name));
        if (m->cols > 1)
            str_addf(&one, "(:,%zu)", j + 1);
        columns_add(columns, m->cells + j, m->cols, m->rows, str_take(&one));
    }
    str_clear(&name);
}

/* Labels as they are printed, to be freed with their array. */
static char **clean_labels(const Reader *r, const Labels *labels)
{
    char **texts = memory_zeros(labels->count, sizeof *texts);
    for (size_t i = 0; i < labels->count; i++) {
        Str text = {0};
        reader_add_clean(r, &text, labels->texts[i], strlen(labels->texts[i]));
        texts[i] = str_take(&text);
    }
    return texts;
}

/* Prints at most `most` rows of the columns, evenly chosen. */
static void print_rows(Reader *r, const Columns *columns, size_t most, const Labels *labels)
{
    size_t rows = columns->length < most ? columns->length : most;
    if (rows == 0)
        return;
    Matrix *m = matrix_new(rows, columns->count);
    double *cells = matrix_fill(m);
    for (size_t i = 0; i < rows; i++) {
        size_t from = rows > 1 ? i * (columns->length - 1) / (rows - 1) : 0;
        for (size_t j = 0; j < columns->count; j++)
            cells[i * columns->count + j] = columns->starts[j][from * columns->strides[j]];
    }
    MatrixTextStyle style = reader_matrix_style(r, READ_INDENT + 2);
    style.max_rows = 0;
    style.col_labels = columns->names;
    style.col_label_count = columns->count;
    char **texts = labels ? clean_labels(r, labels) : NULL;
    style.row_labels = texts;
    style.row_label_count = labels ? labels->count : 0;
    Value *value = value_new(m);
    matrix_text_add_rows(r->out, value, &style);
    value_unref(value);
    for (size_t i = 0; texts && i < labels->count; i++)
        free(texts[i]);
    free(texts);
    if (rows < columns->length) {
        Str text = {0};
        str_addf(&text, "(%zu of %zu points)", rows, columns->length);
        print_named(r, "  ", str_text(&text));
        str_clear(&text);
    }
}

/* Columns side by side if they are equally long, otherwise each value on its own. */
static void print_columns(Reader *r, const ShownList *shown, const char *head, size_t most,
                          const Labels *labels)
{
    Columns columns = {0};
    for (size_t i = 0; i < shown->count; i++)
        columns_add_shown(r, &columns, &shown->items[i]);
    if (columns.count)
        print_named(r, head, "");
    if (columns.count && columns.same) {
        print_rows(r, &columns, most, labels);
    } else {
        MatrixTextStyle style = reader_matrix_style(r, READ_INDENT + 2);
        for (size_t i = 0; i < shown->count; i++) {
            Str name = {0};
            reader_add_expr(r, &name, shown->items[i].expr);
            if (shown->items[i].value)
                matrix_text_add(r->out, str_text(&name), shown->items[i].value, &style);
            str_clear(&name);
        }
    }
    columns_clear(&columns);
}

/* --- all views --------------------------------------------------------------------- */

/* Where a view is evaluated: at the last stop of the step that executed something,
 * so that before() means before that; at its last stop if none did. */
static Position view_position(const Reader *r)
{
    size_t first, count = trace_step_stops(r->trace, r->step, &first);
    Position position = {first + count - 1, trace_step_frame(r->trace, r->step)};
    for (size_t i = first + count; i-- > first;) {
        const Stop *stop = trace_stop(r->trace, i);
        if (stop->first <= stop->last) {
            position.stop = i;
            position.frame = stop->last;
            break;
        }
    }
    return position;
}

static void print_shown(Reader *r, const View *view, const ShownList *shown)
{
    const Labels *labels = view->cols ? view->cols : view->rows;
    if (view->kind == VIEW_HEAT)
        print_heat(r, shown);
    else if (view->kind == VIEW_DIFF)
        print_diff(r, shown);
    else if (view->kind == VIEW_COST)
        print_cost(r, shown);
    else if (view->kind == VIEW_BARS)
        print_columns(r, shown, "bars:", r->max_rows, labels);
    else if (view->kind == VIEW_PLOT)
        print_columns(r, shown, "plot:", PLOT_POINTS, NULL);
    else
        print_columns(r, shown, "table:", r->max_rows, labels);
}

Status reader_print_view(Reader *r, const View *view)
{
    if (view->kind == VIEW_PRODUCT) {
        print_naming(r, view, "product: ", " = ");
        return STATUS_OK;
    }
    if (view->kind == VIEW_UPDATE) {
        print_naming(r, view, "update: ", " = ");
        return STATUS_OK;
    }
    if (view->kind == VIEW_FOCUS) {
        print_naming(r, view, "look at: ", ", ");
        return STATUS_OK;
    }
    if (view->kind == VIEW_BENCH) {
        print_named(r, "measure: ", "attnwalk bench");
        return STATUS_OK;
    }
    ShownList shown = {0};
    if (lesson_view(r->trace, view_position(r), view, &shown, r->error) != STATUS_OK)
        return STATUS_ERROR;
    print_shown(r, view, &shown);
    shown_list_clear(&shown);
    return STATUS_OK;
}
