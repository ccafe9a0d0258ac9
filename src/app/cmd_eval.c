/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval: statements outside a lesson, bounded by memory only. */
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/eval_run.h"
#include "app/export.h"
#include "app/options.h"
#include "app/output.h"
#include "app/stream.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "lang/cost.h"
#include "lang/explain.h"

enum { EXPLAIN_MAX_DEPTH = 32, EXPLAIN_MAX_DIGITS = 17 };

/* What the options ask for, and the run. */
typedef struct {
    const Options *options;
    EvalRun run;
    ExportFormat format;
    double depth, digits;
    bool ascii;
    Source *cell_source;
    Value *last;
} Eval;

/* ---- what comes out ---- */

/* A cell as the command line names it: A(2,3), v(4), (2,3), (4). */
typedef struct {
    char *name; /* NULL: the last value */
    size_t count;
    size_t index[2]; /* from 1 */
    Span name_span, index_span;
} CellName;

static Status refuse_cell(const Eval *e, size_t at, Error *error)
{
    return error_at(error, e->cell_source, (Span){at, e->cell_source->length},
                    "expected a cell such as A(2,3), or (2,3) for the last value");
}

/* cell -> [ name ] "(" whole [ "," whole ] ")" */
static Status parse_cell(const Eval *e, CellName *cell, Error *error)
{
    const char *text = e->cell_source->text, *open = strchr(text, '(');
    size_t length = e->cell_source->length, at = open ? (size_t)(open - text) : 0;
    if (!open || text[length - 1] != ')' || (at > 0 && !eval_run_is_name(text, at)))
        return refuse_cell(e, 0, error);
    cell->name = at > 0 ? memory_copy_slice(text, at) : NULL;
    cell->name_span = (Span){0, at};
    cell->index_span = (Span){at, length};
    for (size_t from = at + 1; from < length; cell->count++) {
        size_t end = from + strcspn(text + from, ",)"), last = end;
        while (from < last && text[from] == ' ')
            from++;
        while (last > from && text[last - 1] == ' ')
            last--;
        double x;
        if (cell->count == 2 || number_read(text + from, last - from, &x) || !(x >= 1) ||
            x > (double)MATRIX_MAX_CELLS || x != (double)(size_t)x)
            return refuse_cell(e, from, error);
        cell->index[cell->count] = (size_t)x;
        from = end + 1;
        if (text[end] == ')' && from < length)
            return refuse_cell(e, end, error);
    }
    return STATUS_OK;
}

/* The value that the cell belongs to; borrowed. */
static Status find_value(const Eval *e, const CellName *cell, const Value **out, Error *error)
{
    *out = cell->name ? interp_find(e->run.interp, cell->name) : e->last;
    if (!*out && cell->name)
        return error_at(error, e->cell_source, cell->name_span, "'%s' undefined", cell->name);
    if (!*out)
        return error_at(error, e->cell_source, cell->index_span, "there is no last value");
    if ((*out)->kind != VALUE_MATRIX)
        return error_at(error, e->cell_source, cell->name_span, "this is not a matrix");
    return STATUS_OK;
}

/* Row and column, from 0, of the cell in m; a single index goes down the columns. */
static Status locate(const Eval *e, const CellName *cell, const Matrix *m, size_t *i, size_t *j,
                     Error *error)
{
    size_t k = cell->index[0] - 1;
    bool inside;
    if (cell->count == 2) {
        *i = k;
        *j = cell->index[1] - 1;
        inside = *i < m->rows && *j < m->cols;
    } else {
        inside = k < matrix_count(m);
        *i = inside ? k % m->rows : 0;
        *j = inside ? k / m->rows : 0;
    }
    if (inside)
        return STATUS_OK;
    return error_at(error, e->cell_source, cell->index_span,
                    "out of bound; the dimensions of %s are %zux%zu",
                    cell->name ? cell->name : "the last value", m->rows, m->cols);
}

/* What the last value is called: the name it was bound to, else its text. */
static void add_last_name(const Eval *e, Str *out)
{
    const Body *body = &e->run.code->body;
    const Stmt *stmt = body->count ? body->items[body->count - 1] : NULL;
    if (stmt && stmt->kind == STMT_ASSIGN)
        str_add(out, stmt->name);
    else if (stmt && stmt->kind == STMT_EXPR && stmt->value->kind == EXPR_NAME)
        str_add(out, stmt->value->text);
    else
        str_add(out, "ans");
}

static Status add_explanation(Eval *e, Str *out, Error *error)
{
    const char *text = options_text(e->options, OPTION_EXPLAIN);
    e->cell_source = source_new("--explain", text, strlen(text));
    CellName cell = {0};
    const Value *value;
    size_t i, j;
    Status status = parse_cell(e, &cell, error);
    if (!status)
        status = find_value(e, &cell, &value, error);
    if (!status)
        status = locate(e, &cell, value_matrix(value), &i, &j, error);
    if (!status) {
        Str name = {0};
        if (cell.name)
            str_add(&name, cell.name);
        else
            add_last_name(e, &name);
        explain_add_text(out, value, str_text(&name), i, j, (int)e->depth, (int)e->digits,
                         e->ascii);
        str_clear(&name);
    }
    free(cell.name);
    return status;
}

static void add_figure(Str *out, const char *what, const CostFigure *figure, bool ascii)
{
    Str number = {0};
    number_add(&number, figure->count);
    str_addf(out, "%-22s%8s", what, str_text(&number));
    if (!poly_is_constant(figure->formula, NULL)) {
        str_add(out, "  ");
        poly_add_text(out, figure->formula, ascii);
    }
    str_add_char(out, '\n');
    str_clear(&number);
}

static Status add_cost(const Eval *e, Str *out, Error *error)
{
    if (!e->last)
        return error_set(error, "--cost: there is no last value");
    Cost cost;
    cost_of(e->last, &cost);
    add_figure(out, "multiply-adds", &cost.multiply_adds, e->ascii);
    add_figure(out, "exponentials", &cost.exponentials, e->ascii);
    add_figure(out, "largest intermediate", &cost.largest, e->ascii);
    add_figure(out, "numbers kept", &cost.kept, e->ascii);
    if (cost.opaque)
        str_add(out, "not counted: a decomposition behind this value\n");
    cost_clear(&cost);
    return STATUS_OK;
}

static Status write_value(const Eval *e, FileWriter *writer, Error *error)
{
    if (!e->last)
        return STATUS_OK;
    switch (e->last->kind) {
    case VALUE_MATRIX:
        return export_write_matrix(writer, value_matrix(e->last), e->format, error);
    case VALUE_TEXT:
        return error_set(error, "the last value is a string, not a matrix");
    default:
        return error_set(error, "the last value is a function, not a matrix");
    }
}

static Status write_output(Eval *e, FileWriter *writer, Error *error)
{
    bool explain = options_has(e->options, OPTION_EXPLAIN);
    bool cost = options_has(e->options, OPTION_COST);
    if (!explain && !cost)
        return write_value(e, writer, error);
    Str out = {0};
    Status status = STATUS_OK;
    if (explain)
        status = add_explanation(e, &out, error);
    if (cost && !status)
        status = add_cost(e, &out, error);
    if (!status)
        status = file_writer_add(writer, str_text(&out), out.length, error);
    str_clear(&out);
    return status;
}

/* ---- the command ---- */

static bool refuse_options(const Options *o, const char *what)
{
    output_usage(o->command, what, "");
    return false;
}

/* Reads the options that are numbers or words; false if one is wrong. */
static bool read_options(Eval *e)
{
    const Options *o = e->options;
    bool talk = options_has(o, OPTION_EXPLAIN) || options_has(o, OPTION_COST);
    if (talk && options_has(o, OPTION_FORMAT))
        return refuse_options(o, "--format is for the value, not for --explain or --cost");
    if (talk && options_has(o, OPTION_STREAM))
        return refuse_options(o, "--stream keeps no values for --explain or --cost");
    if (!options_has(o, OPTION_EXPLAIN) &&
        (options_has(o, OPTION_DEPTH) || options_has(o, OPTION_DIGITS)))
        return refuse_options(o, "--depth and --digits go with --explain");
    e->ascii = output_is_ascii(options_has(o, OPTION_ASCII));
    if (!export_format(o, !options_has(o, OPTION_RESULT), &e->format) ||
        !options_integer(o, OPTION_DEPTH, 1, EXPLAIN_MAX_DEPTH, 1, &e->depth) ||
        !options_integer(o, OPTION_DIGITS, 1, EXPLAIN_MAX_DIGITS, 0, &e->digits) ||
        !eval_run_options(&e->run, o))
        return false;
    if (options_has(o, OPTION_STREAM) && e->format == EXPORT_JSON)
        return refuse_options(o, "--stream writes rows as they come: CSV or NPY, not JSON");
    return true;
}

static Status run_statements(Eval *e, FileWriter *writer, Error *error)
{
    EvalRun *run = &e->run;
    if (eval_run_bind(run, NULL, NULL, error) || eval_run_statements(run, &e->last, error))
        return STATUS_ERROR;
    return write_output(e, writer, error);
}

/* The result file is begun before the work: what cannot be written is said at once. */
static Status run(Eval *e, Error *error)
{
    FileWriter writer;
    if (eval_run_begin(&e->run, error) ||
        file_writer_open(&writer, options_text(e->options, OPTION_RESULT), error))
        return STATUS_ERROR;
    Status status = options_has(e->options, OPTION_STREAM)
                        ? stream_layer(&e->run, &writer, e->format, error)
                        : run_statements(e, &writer, error);
    if (status == STATUS_OK)
        return file_writer_commit(&writer, error);
    file_writer_abandon(&writer);
    return status;
}

/* Values point into the run's code: freed in this order. */
static void eval_clear(Eval *e)
{
    value_unref(e->last);
    eval_run_clear(&e->run);
    source_free(e->cell_source);
}

int command_eval(const Options *options)
{
    Eval e = {.options = options};
    if (!read_options(&e))
        return EXIT_USAGE;
    Error error = {0};
    int status = run(&e, &error) ? output_error(&error) : EXIT_OK;
    eval_clear(&e);
    return status;
}
