/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/eval_run.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/output.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/number.h"
#include "lang/parse.h"

enum { THREADS_MAX = 256 };

/* 2^53: seeds are whole numbers that a double holds. */
#define SEED_MAX 9007199254740992.0

bool eval_run_options(EvalRun *run, const Options *options)
{
    *run = (EvalRun){.options = options, .fast = options_has(options, OPTION_FAST)};
    bool uses_threads = run->fast || options_has(options, OPTION_STREAM);
    if (options_has(options, OPTION_THREADS) && !uses_threads) {
        output_usage(options->command, "--threads goes with --fast or --stream", "");
        return false;
    }
    return options_integer(options, OPTION_SEED, 0, SEED_MAX, 1, &run->seed) &&
           options_integer(options, OPTION_THREADS, 1, THREADS_MAX, 0, &run->threads);
}

/* --- statements ---------------------------------------------------------------------- */

static Status load_file(void *context, const char *path, Matrix **out, Error *error)
{
    (void)context;
    return npy_or_csv_read_file(path, MATRIX_MAX_CELLS, false, out, error);
}

static Status count_assignment(void *context, const FrameEvent *event, Error *error)
{
    EvalRun *run = context;
    (void)event;
    (void)error;
    meter_show(++run->assignments);
    return STATUS_OK;
}

/* Half of this machine's memory, in bytes: more would only end in swapping. */
static size_t memory_for_values(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 2 * (size_t)size : 0;
}

static Status read_statements(EvalRun *run, Error *error)
{
    const char *text = run->options->arguments[0];
    if (!text_equal(text, "-")) {
        run->source = source_new("eval", text, strlen(text));
        return STATUS_OK;
    }
    Str input = {0};
    Status status = file_read("-", SIZE_MAX / 4, true, &input, error);
    if (!status)
        run->source = source_new("<stdin>", str_text(&input), input.length);
    str_clear(&input);
    return status;
}

/* True if somebody types the statements or a matrix. */
static bool is_typed(const Options *options)
{
    const OptionValues *loads = &options->given[OPTION_LOAD];
    bool reads = text_equal(options->arguments[0], "-");
    for (size_t i = 0; i < loads->count; i++)
        reads = reads || text_equal(strchr(loads->items[i], '='), "=-");
    return reads && isatty(STDIN_FILENO);
}

Status eval_run_begin(EvalRun *run, Error *error)
{
    const InterpHost host = {.context = run, .load = load_file, .frame = count_assignment};
    const Options *o = run->options;
    if (is_typed(o))
        meter_pause(); /* for good */
    if (read_statements(run, error) ||
        code_parse(run->source, (Span){0, run->source->length}, &run->code, error))
        return STATUS_ERROR;
    if (run->code->body.count == 0)
        return error_at(error, run->source, (Span){0, 0}, "there is no statement to run");
    if (run->fast || options_has(o, OPTION_STREAM))
        run->pool = pool_new((size_t)run->threads);
    InterpLimits limits = {
        .fast = run->fast,
        .pool = run->pool,
        .origins = options_has(o, OPTION_COST) || options_has(o, OPTION_EXPLAIN),
        .random = true,
        .seed = (uint64_t)run->seed,
        .max_cells = MATRIX_MAX_CELLS,
        .max_statements = SIZE_MAX,
        .max_bytes = memory_for_values(),
    };
    run->interp = interp_new(&host, &limits);
    return STATUS_OK;
}

Status eval_run_statements(EvalRun *run, Value **last, Error *error)
{
    meter_count("assignments", 0, false);
    Status status = interp_run(run->interp, run->code, last, error);
    meter_count_end();
    return status;
}

/* --- inputs ---------------------------------------------------------------------------- */

bool eval_run_is_name(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

/* True if the binding text is NAME=... for the length bytes at name. */
static bool binds(const char *text, const char *name, size_t length)
{
    return strncmp(text, name, length) == 0 && text[length] == '=';
}

/* True if a binding before this item of option has the same name: first come --set's. */
static bool is_given_before(const EvalRun *run, OptionId option, size_t item, const char *name)
{
    static const OptionId order[] = {OPTION_SET, OPTION_LOAD};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        const OptionValues *given = &run->options->given[order[k]];
        for (size_t i = 0; i < given->count; i++) {
            if (order[k] == option && i == item)
                return false;
            if (binds(given->items[i], name, strlen(name)))
                return true;
        }
    }
    return false;
}

/* Splits NAME=REST of an option and says what is wrong with it; *name is to be freed. */
static Status split_binding(const EvalRun *run, OptionId option, size_t item, char **name,
                            const char **rest, Error *error)
{
    const char *text = run->options->given[option].items[item], *equals = strchr(text, '=');
    const OptionRow *row = options_row(option);
    if (!equals || !eval_run_is_name(text, (size_t)(equals - text)))
        return error_set(error, "--%s %s: expected %s", row->name, text, row->argument);
    *name = memory_copy_slice(text, (size_t)(equals - text));
    *rest = equals + 1;
    if (!is_given_before(run, option, item, *name))
        return STATUS_OK;
    Status status = error_set(error, "--%s %s: %s is given twice", row->name, text, *name);
    free(*name);
    return status;
}

static void bind_input(EvalRun *run, const char *name, Value *value, OpId op, const char *note)
{
    value_set_origin(value, op_get(op), NULL, NULL, NULL, 0);
    value->origin->note = memory_copy_text(note);
    interp_bind(run->interp, name, value);
    value_unref(value);
}

/* n=8 binds a number that knows its name, phi=elu1 a function. */
static Status bind_parameter(EvalRun *run, const char *name, const char *rest, Error *error)
{
    double x;
    NumberStatus number = number_read(rest, strlen(rest), &x);
    if (number == NUMBER_OK) {
        Value *value = value_scalar(x);
        value->number = poly_name(name);
        bind_input(run, name, value, OP_PARAMETER, name);
    } else if (number == NUMBER_JUNK && op_find(rest)) {
        bind_input(run, name, value_function_op(op_find(rest)), OP_PARAMETER, name);
    } else {
        return error_set(error, number == NUMBER_JUNK
                                    ? "--set %s=%s: the value is neither a number nor a function"
                                    : "--set %s=%s: the number is too large",
                         name, rest);
    }
    return STATUS_OK;
}

static Status bind_file(EvalRun *run, const char *name, const char *path, Error *error)
{
    Matrix *m = NULL;
    if (load_file(NULL, path, &m, error) != STATUS_OK)
        return STATUS_ERROR;
    bind_input(run, name, value_new(m), OP_LOAD, path);
    return STATUS_OK;
}

Status eval_run_bind(EvalRun *run, bool (*is_left_out)(void *context, const char *name),
                     void *context, Error *error)
{
    static const OptionId order[] = {OPTION_SET, OPTION_LOAD};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < run->options->given[order[k]].count; i++) {
            char *name = NULL;
            const char *rest = NULL;
            if (split_binding(run, order[k], i, &name, &rest, error) != STATUS_OK)
                return STATUS_ERROR;
            Status status = STATUS_OK;
            if (order[k] == OPTION_SET)
                status = bind_parameter(run, name, rest, error);
            else if (!is_left_out || !is_left_out(context, name))
                status = bind_file(run, name, rest, error);
            free(name);
            if (status != STATUS_OK)
                return STATUS_ERROR;
        }
    return STATUS_OK;
}

const char *eval_run_file(const EvalRun *run, const char *name)
{
    const OptionValues *loads = &run->options->given[OPTION_LOAD];
    for (size_t i = 0; i < loads->count; i++)
        if (binds(loads->items[i], name, strlen(name)))
            return loads->items[i] + strlen(name) + 1;
    return NULL;
}

void eval_run_clear(EvalRun *run)
{
    interp_free(run->interp);
    code_free(run->code);
    source_free(run->source);
    pool_free(run->pool);
}
