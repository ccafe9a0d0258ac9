/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/matrix_text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/number.h"
#include "lang/expr.h"
#include "lang/op.h"
#include "lang/poly.h"

/* Beyond these a column goes to powers of ten. */
static const double LARGEST_INTEGER = 1e15, LARGEST_PLAIN = 1e7, SMALLEST_PLAIN = 1e-3;

static int wanted_digits(int digits)
{
    return digits > 0 ? digits : 4;
}

/* --- numbers ------------------------------------------------------------------ */

/* True if x is exactly what its `precision` decimals read back to. */
static bool is_exact(double x, int precision)
{
    Str text = {0};
    double back = 0;
    number_add_format(&text, x, 'f', precision);
    bool exact = number_read(str_text(&text), text.length, &back) == NUMBER_OK && back == x;
    str_clear(&text);
    return exact;
}

/* The fewest decimals up to most with which every finite number is exact, or most. */
static int fewest_decimals(const double *numbers, size_t count, size_t stride, int most)
{
    int need = 0;
    for (size_t i = 0; i < count && need < most; i++)
        while (isfinite(numbers[i * stride]) && need < most && !is_exact(numbers[i * stride], need))
            need++;
    return need;
}

ColumnFormat matrix_text_format(const double *numbers, size_t count, size_t stride, int digits)
{
    double largest = 0;
    bool integers = true;
    for (size_t i = 0; i < count; i++) {
        double x = fabs(numbers[i * stride]);
        if (!isfinite(x))
            continue;
        integers = integers && x == floor(x);
        largest = x > largest ? x : largest;
    }
    if (integers && largest < LARGEST_INTEGER)
        return (ColumnFormat){'i', 0};
    int significant = wanted_digits(digits);
    if (largest >= LARGEST_PLAIN || largest < SMALLEST_PLAIN)
        return (ColumnFormat){'e', significant - 1};
    int decimals = significant - 1;
    for (double power = 10; power <= largest && decimals > 1; power *= 10)
        decimals--;
    for (double power = 1; power > largest; power /= 10)
        decimals++;
    return (ColumnFormat){'f', fewest_decimals(numbers, count, stride, decimals)};
}

void matrix_text_add_number(Str *out, double x, ColumnFormat format)
{
    if (isnan(x))
        str_add(out, "NaN");
    else if (isinf(x))
        str_add(out, x < 0 ? "-Inf" : "Inf");
    else if (x == 0)
        number_add_format(out, 0,
                          format.kind == 'e'   ? 'f'
                          : format.kind == 'i' ? 'f'
                                               : format.kind,
                          format.kind == 'f' ? format.precision : 0);
    else
        number_add_format(out, x, format.kind == 'i' ? 'f' : format.kind, format.precision);
}

void matrix_text_add_scalar(Str *out, double x, int digits)
{
    int significant = wanted_digits(digits) > 6 ? digits : 6;
    if (!isfinite(x) || (x == floor(x) && fabs(x) < LARGEST_INTEGER))
        matrix_text_add_number(out, x, (ColumnFormat){'i', 0});
    else
        number_add_format(out, x, 'g', significant);
}

/* --- names and shapes --------------------------------------------------------- */

static void add_times(Str *out, bool ascii)
{
    str_add(out, ascii ? "x" : "×");
}

static void add_dim(Str *out, Dim dim, bool ascii)
{
    Poly *poly = dim_poly(dim);
    Str text = {0};
    poly_add_text(&text, poly, ascii);
    bool brackets = strchr(str_text(&text), ' ') != NULL;
    str_addf(out, brackets ? "(%s)" : "%s", str_text(&text));
    str_clear(&text);
    poly_unref(poly);
}

static bool has_name(Dim dim)
{
    return dim.name && !poly_is_constant(dim.name, NULL);
}

void matrix_text_add_shape(Str *out, const Value *value, bool ascii)
{
    bool named = has_name(value->rows) || has_name(value->cols);
    if (named) {
        add_dim(out, value->rows, ascii);
        add_times(out, ascii);
        add_dim(out, value->cols, ascii);
        str_add(out, " (");
    }
    str_addf(out, "%zu", value->rows.n);
    add_times(out, ascii);
    str_addf(out, "%zu", value->cols.n);
    str_add(out, named ? ")" : "");
}

/* "f = @elu1", "name = 'text'": what is no matrix. */
static void add_other(Str *out, const Value *value)
{
    Str text = {0};
    if (value->kind == VALUE_TEXT)
        str_addf(&text, "'%s'", value->text);
    else if (value->kind == VALUE_COLON)
        str_add_char(&text, ':');
    else if (value->function->op)
        str_addf(&text, "@%s", value->function->op->name);
    else
        expr_add_text(&text, value->function->expr);
    text_add_visible(out, str_text(&text), text.length);
    str_clear(&text);
}

/* --- the table ------------------------------------------------------------------ */

/* The written entries of a matrix, column by column as they come to fit. */
typedef struct {
    const Matrix *matrix;
    const MatrixTextStyle *style;
    size_t rows, cols;     /* shown */
    size_t label_width;    /* of the row labels with the gap behind; 0 without */
    ColumnFormat *formats; /* cols of each */
    size_t *widths;
} Table;

enum { GAP = 2, ROW_INDENT = 2 }; /* blanks between columns; before rows under a name */

static void add_label(Str *out, char *const *labels, size_t count, size_t i)
{
    if (i < count)
        text_add_visible(out, labels[i], strlen(labels[i]));
    else
        str_addf(out, "%zu", i + 1);
}

static size_t label_width(char *const *labels, size_t count, size_t i)
{
    Str text = {0};
    add_label(&text, labels, count, i);
    size_t width = text_width(str_text(&text), text.length);
    str_clear(&text);
    return width;
}

static size_t number_width(double x, ColumnFormat format)
{
    Str text = {0};
    matrix_text_add_number(&text, x, format);
    size_t width = text.length;
    str_clear(&text);
    return width;
}

/* Measures column j of the shown rows. */
static void measure_column(Table *table, size_t j)
{
    const Matrix *m = table->matrix;
    const MatrixTextStyle *style = table->style;
    const double *top = m->cells + j;
    ColumnFormat format = matrix_text_format(top, table->rows, m->cols, style->digits);
    size_t width =
        style->col_labels ? label_width(style->col_labels, style->col_label_count, j) : 0;
    for (size_t i = 0; i < table->rows; i++) {
        size_t one = number_width(top[i * m->cols], format);
        width = one > width ? one : width;
    }
    table->formats[j] = format;
    table->widths[j] = width;
}

/* Takes columns as long as they fit; at least one. */
static void measure(Table *table)
{
    const MatrixTextStyle *style = table->style;
    for (size_t i = 0; style->row_labels && i < table->rows; i++) {
        size_t width = label_width(style->row_labels, style->row_label_count, i) + GAP;
        table->label_width = width > table->label_width ? width : table->label_width;
    }
    size_t used = style->indent + table->label_width;
    for (table->cols = 0; table->cols < table->matrix->cols; table->cols++) {
        measure_column(table, table->cols);
        used += table->widths[table->cols] + (table->cols ? GAP : 0);
        if (style->width && used > style->width && table->cols > 0)
            break;
    }
}

static Table table_new(const Matrix *m, const MatrixTextStyle *style)
{
    Table table = {.matrix = m, .style = style, .rows = m->rows};
    if (style->max_rows && m->rows > style->max_rows)
        table.rows = style->max_rows;
    table.formats = memory_zeros(m->cols, sizeof *table.formats);
    table.widths = memory_zeros(m->cols, sizeof *table.widths);
    measure(&table);
    return table;
}

static void table_clear(Table *table)
{
    free(table->formats);
    free(table->widths);
}

/* Appends text right-aligned to width cells. */
static void add_right(Str *out, const Str *text, size_t width)
{
    size_t used = text_width(str_text(text), text->length);
    str_add_repeat(out, ' ', used < width ? width - used : 0);
    str_add(out, str_text(text));
}

/* The numbers of row i, without indent and label. */
static void add_row(Str *out, const Table *table, size_t i)
{
    for (size_t j = 0; j < table->cols; j++) {
        Str text = {0};
        matrix_text_add_number(&text, matrix_at(table->matrix, i, j), table->formats[j]);
        str_add_repeat(out, ' ', j ? GAP : 0);
        add_right(out, &text, table->widths[j]);
        str_clear(&text);
    }
}

static void add_column_labels(Str *out, const Table *table)
{
    const MatrixTextStyle *style = table->style;
    str_add_repeat(out, ' ', style->indent + table->label_width);
    for (size_t j = 0; j < table->cols; j++) {
        Str text = {0};
        add_label(&text, style->col_labels, style->col_label_count, j);
        str_add_repeat(out, ' ', j ? GAP : 0);
        add_right(out, &text, table->widths[j]);
        str_clear(&text);
    }
    str_add_char(out, '\n');
}

static void add_row_label(Str *out, const Table *table, size_t i)
{
    const MatrixTextStyle *style = table->style;
    if (!style->row_labels)
        return;
    size_t width = label_width(style->row_labels, style->row_label_count, i);
    add_label(out, style->row_labels, style->row_label_count, i);
    str_add_repeat(out, ' ', table->label_width - width);
}

/* "… 42 more rows, 3 more columns", if anything was left out. */
static void add_rest(Str *out, const Table *table)
{
    size_t rows = table->matrix->rows - table->rows, cols = table->matrix->cols - table->cols;
    if (!rows && !cols)
        return;
    str_add_repeat(out, ' ', table->style->indent);
    str_add(out, table->style->ascii ? "..." : "…");
    if (rows)
        str_addf(out, " %zu more %s", rows, rows == 1 ? "row" : "rows");
    if (cols)
        str_addf(out, "%s %zu more %s", rows ? "," : "", cols, cols == 1 ? "column" : "columns");
    str_add_char(out, '\n');
}

/* A single row without labels goes behind its name, if there is room. */
static bool add_beside_name(Str *out, const Table *table, size_t start)
{
    const MatrixTextStyle *style = table->style;
    if (table->rows != 1 || table->matrix->rows != 1 || table->cols != table->matrix->cols ||
        style->row_labels || style->col_labels)
        return false;
    Str row = {0};
    add_row(&row, table, 0);
    size_t used = text_width(out->data + start, out->length - start);
    bool fits = !style->width || used + 3 + row.length <= style->width;
    if (fits)
        str_addf(out, "   %s\n", str_text(&row));
    str_clear(&row);
    return fits;
}

static void add_table(Str *out, const Table *table)
{
    const MatrixTextStyle *style = table->style;
    if (style->col_labels)
        add_column_labels(out, table);
    for (size_t i = 0; i < table->rows; i++) {
        str_add_repeat(out, ' ', style->indent);
        add_row_label(out, table, i);
        add_row(out, table, i);
        str_add_char(out, '\n');
    }
    add_rest(out, table);
}

void matrix_text_add_rows(Str *out, const Value *value, const MatrixTextStyle *style)
{
    const Matrix *m = value_matrix(value);
    if (matrix_count(m) == 0)
        return;
    Table table = table_new(m, style);
    add_table(out, &table);
    table_clear(&table);
}

/* What follows the name and the shape; the line they are on begins at start. */
static void add_matrix(Str *out, const Value *value, const MatrixTextStyle *style, size_t start)
{
    const Matrix *m = value_matrix(value);
    if (matrix_count(m) == 0) {
        str_add(out, "   (empty)\n");
        return;
    }
    MatrixTextStyle rows = *style;
    rows.indent += ROW_INDENT;
    Table table = table_new(m, &rows);
    if (!add_beside_name(out, &table, start)) {
        str_add_char(out, '\n');
        add_table(out, &table);
    }
    table_clear(&table);
}

/* A name and a shape are not broken into less than this. */
enum { HEAD_MIN_WIDTH = 20 };

/* The name and the shape, wrapped where they do not fit; where their last line begins. */
static size_t add_head(Str *out, const char *name, const Value *value, const MatrixTextStyle *style)
{
    Str head = {0};
    text_add_visible(&head, name, strlen(name));
    str_add(&head, "  ");
    matrix_text_add_shape(&head, value, style->ascii);
    str_add_repeat(out, ' ', style->indent);
    size_t room = style->width > style->indent + HEAD_MIN_WIDTH ? style->width - style->indent
                                                                : HEAD_MIN_WIDTH;
    if (style->width == 0 || text_width(str_text(&head), head.length) <= room)
        str_add_bytes(out, str_text(&head), head.length);
    else
        text_add_wrapped(out, str_text(&head), room, style->indent);
    str_clear(&head);
    size_t start = out->length;
    while (start > 0 && out->data[start - 1] != '\n')
        start--;
    return start;
}

void matrix_text_add(Str *out, const char *name, const Value *value, const MatrixTextStyle *style)
{
    size_t start = out->length;
    bool matrix = value->kind == VALUE_MATRIX;
    str_add_repeat(out, ' ', style->indent);
    text_add_visible(out, name, strlen(name));
    if (!matrix || value_is_scalar(value)) {
        str_add(out, " = ");
        if (matrix)
            matrix_text_add_scalar(out, value_number(value), style->digits);
        else
            add_other(out, value);
        str_add_char(out, '\n');
        return;
    }
    str_cut(out, start);
    start = add_head(out, name, value, style);
    add_matrix(out, value, style, start);
}
