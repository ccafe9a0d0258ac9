/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval: statements outside a lesson, bounded by memory only. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/export.h"
#include "app/options.h"
#include "app/output.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/number.h"
#include "lang/cost.h"
#include "lang/explain.h"
#include "lang/interp.h"
#include "lang/parse.h"

enum { EXPLAIN_MAX_DEPTH = 32, EXPLAIN_MAX_DIGITS = 17 };

/* 2^53: seeds are whole numbers that a double holds. */
#define SEED_MAX 9007199254740992.0

/* What the options ask for, and the run. */
typedef struct {
    const Options *options;
    ExportFormat format;
    double seed, depth, digits;
    bool ascii;
    Source *source, *cell_source;
    Code *code;
    Interp *interp;
    Value *last;
} Eval;

/* ---- what goes in ---- */

static Status load_file(void *context, const char *path, Matrix **out, Error *error)
{
    (void)context;
    return npy_or_csv_read_file(path, MATRIX_MAX_CELLS, false, out, error);
}

static bool is_name(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

/* Splits NAME=REST and says what is wrong with it; *name is to be freed. */
static Status split_binding(const Eval *e, const char *option, const char *text, char **name,
                            const char **rest, Error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || !is_name(text, (size_t)(equals - text)))
        return error_set(error, "%s %s: expected NAME=%s", option, text,
                         text_equal(option, "--set") ? "VALUE" : "FILE");
    *name = memory_copy_slice(text, (size_t)(equals - text));
    *rest = equals + 1;
    if (!interp_find(e->interp, *name))
        return STATUS_OK;
    Status status = error_set(error, "%s %s: %s is given twice", option, text, *name);
    free(*name);
    return status;
}

static void bind_input(Eval *e, const char *name, Value *value, OpId op, const char *note)
{
    value_set_origin(value, op_get(op), NULL, NULL, NULL, 0);
    value->origin->note = memory_copy_text(note);
    interp_bind(e->interp, name, value);
    value_unref(value);
}

/* --set n=8 binds a number that knows its name, --set phi=elu1 a function. */
static Status bind_parameter(Eval *e, const char *text, Error *error)
{
    char *name;
    const char *rest;
    if (split_binding(e, "--set", text, &name, &rest, error))
        return STATUS_ERROR;
    double x;
    Status status = STATUS_OK;
    NumberStatus number = number_read(rest, strlen(rest), &x);
    if (number == NUMBER_OK) {
        Value *value = value_scalar(x);
        value->number = poly_name(name);
        bind_input(e, name, value, OP_PARAMETER, name);
    } else if (number == NUMBER_JUNK && op_find(rest)) {
        bind_input(e, name, value_function_op(op_find(rest)), OP_PARAMETER, name);
    } else {
        status = error_set(error, number == NUMBER_JUNK
                                      ? "--set %s: the value is neither a number nor a function"
                                      : "--set %s: the number is too large",
                           text);
    }
    free(name);
    return status;
}

static Status bind_file(Eval *e, const char *text, Error *error)
{
    char *name;
    const char *rest;
    if (split_binding(e, "--load", text, &name, &rest, error))
        return STATUS_ERROR;
    Matrix *m = NULL;
    Status status = load_file(NULL, rest, &m, error);
    if (!status)
        bind_input(e, name, value_new(m), OP_LOAD, rest);
    free(name);
    return status;
}

static Status bind_all(Eval *e, Error *error)
{
    const OptionValues *sets = &e->options->given[OPTION_SET];
    const OptionValues *loads = &e->options->given[OPTION_LOAD];
    for (size_t i = 0; i < sets->count; i++)
        if (bind_parameter(e, sets->items[i], error))
            return STATUS_ERROR;
    for (size_t i = 0; i < loads->count; i++)
        if (bind_file(e, loads->items[i], error))
            return STATUS_ERROR;
    return STATUS_OK;
}

/* Half of this machine's memory, in bytes: the other half is for the text of the
 * result, and more would only end in swapping. */
static size_t memory_for_values(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 2 * (size_t)size : 0;
}

static Status read_statements(Eval *e, Error *error)
{
    const char *text = e->options->arguments[0];
    if (!text_equal(text, "-")) {
        e->source = source_new("eval", text, strlen(text));
        return STATUS_OK;
    }
    Str input = {0};
    Status status = file_read("-", SIZE_MAX / 4, true, &input, error);
    if (!status)
        e->source = source_new("<stdin>", str_text(&input), input.length);
    str_clear(&input);
    return status;
}

static Status run(Eval *e, Error *error)
{
    static const InterpHost host = {.load = load_file};
    InterpLimits limits = {
        .origins = options_has(e->options, OPTION_COST) || options_has(e->options, OPTION_EXPLAIN),
        .random = true,
        .seed = (uint64_t)e->seed,
        .max_cells = MATRIX_MAX_CELLS,
        .max_statements = SIZE_MAX,
        .max_bytes = memory_for_values(),
    };
    if (read_statements(e, error) ||
        code_parse(e->source, (Span){0, e->source->length}, &e->code, error))
        return STATUS_ERROR;
    if (e->code->body.count == 0)
        return error_at(error, e->source, (Span){0, 0}, "there is no statement to run");
    e->interp = interp_new(&host, &limits);
    if (bind_all(e, error))
        return STATUS_ERROR;
    return interp_run(e->interp, e->code, &e->last, error);
}

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
    if (!open || text[length - 1] != ')' || (at > 0 && !is_name(text, at)))
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
    *out = cell->name ? interp_find(e->interp, cell->name) : e->last;
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
    const Body *body = &e->code->body;
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

static Status add_value(const Eval *e, Str *out, Error *error)
{
    if (!e->last)
        return STATUS_OK;
    switch (e->last->kind) {
    case VALUE_MATRIX:
        export_add_matrix(out, value_matrix(e->last), e->format);
        return STATUS_OK;
    case VALUE_TEXT:
        return error_set(error, "the last value is a string, not a matrix");
    default:
        return error_set(error, "the last value is a function, not a matrix");
    }
}

static Status add_output(Eval *e, Str *out, Error *error)
{
    bool explain = options_has(e->options, OPTION_EXPLAIN);
    bool cost = options_has(e->options, OPTION_COST);
    if (explain && add_explanation(e, out, error))
        return STATUS_ERROR;
    if (cost && add_cost(e, out, error))
        return STATUS_ERROR;
    return explain || cost ? STATUS_OK : add_value(e, out, error);
}

/* Reads the options that are numbers or words; false if one is wrong. */
static bool read_options(Eval *e)
{
    const Options *o = e->options;
    bool talk = options_has(o, OPTION_EXPLAIN) || options_has(o, OPTION_COST);
    if (talk && options_has(o, OPTION_FORMAT)) {
        output_usage(o->command, "--format is for the value, not for --explain or --cost", "");
        return false;
    }
    if (!options_has(o, OPTION_EXPLAIN) &&
        (options_has(o, OPTION_DEPTH) || options_has(o, OPTION_DIGITS))) {
        output_usage(o->command, "--depth and --digits go with --explain", "");
        return false;
    }
    e->ascii = output_is_ascii(options_has(o, OPTION_ASCII));
    return export_format(o, true, &e->format) &&
           options_integer(o, OPTION_SEED, 0, SEED_MAX, 1, &e->seed) &&
           options_integer(o, OPTION_DEPTH, 1, EXPLAIN_MAX_DEPTH, 1, &e->depth) &&
           options_integer(o, OPTION_DIGITS, 1, EXPLAIN_MAX_DIGITS, 0, &e->digits);
}

/* Values point into the code, and the code into its source: freed in this order. */
static void eval_clear(Eval *e)
{
    value_unref(e->last);
    interp_free(e->interp);
    code_free(e->code);
    source_free(e->source);
    source_free(e->cell_source);
}

int command_eval(const Options *options)
{
    Eval e = {.options = options};
    if (!read_options(&e))
        return EXIT_USAGE;
    Error error = {0};
    Str out = {0};
    int status;
    if (run(&e, &error) || add_output(&e, &out, &error))
        status = output_error(&error);
    else
        status = output_data(&out);
    str_clear(&out);
    eval_clear(&e);
    return status;
}
