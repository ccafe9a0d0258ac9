/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/stream.h"

#include <string.h>

#include "app/meter.h"
#include "base/memory.h"
#include "io/rows.h"
#include "lang/layer_stream.h"

/* Rows that are read, computed and written at once. */
enum { BLOCK = 1024 };

/* One file that is read; several parts may be fed from it. */
typedef struct {
    const char *name; /* that --load gives it */
    Rows *rows;
    Matrix *block; /* what was read last */
    bool ended;    /* fewer rows came than were asked for */
} Input;

typedef struct {
    EvalRun *run;
    FileWriter *writer;
    ExportFormat format;
    LayerStream *layer;
    Input inputs[STREAM_PARTS];
    size_t count;
    Input *of_part[STREAM_PARTS]; /* NULL: not fed */
    size_t total;                 /* tokens, if an NPY file says how many; else 0 */
    bool total_known, header_last;
    size_t done;
    size_t cols; /* of the output */
    Str text;
} Stream;

static bool is_input(void *context, const char *name)
{
    const Stream *s = context;
    return eval_run_file(s->run, name);
}

/* --- inputs ------------------------------------------------------------------------- */

/* True if the name is read row by row: not to be loaded as a whole. */
static bool is_streamed(void *context, const char *name)
{
    const Stream *s = context;
    for (StreamPart i = 0; i < STREAM_PARTS; i++) {
        const char *input = layer_stream_input(s->layer, i);
        if (input && text_equal(input, name))
            return true;
    }
    return false;
}

/* The input of that name, opened unless another part has it already. */
static Status open_input(Stream *s, const char *name, Input **out, Error *error)
{
    const char *path = eval_run_file(s->run, name);
    for (size_t i = 0; i < s->count; i++) {
        *out = &s->inputs[i];
        if (text_equal(s->inputs[i].name, name))
            return STATUS_OK;
        if (text_equal(path, "-") && text_equal(eval_run_file(s->run, s->inputs[i].name), "-"))
            return error_set(error, "--load %s=-: standard input is %s already", name,
                             s->inputs[i].name);
    }
    if (text_equal(path, "-") && text_equal(s->run->options->arguments[0], "-"))
        return error_set(error, "--load %s=-: the statements come from standard input", name);
    *out = &s->inputs[s->count];
    (*out)->name = name;
    if (rows_open(path, &(*out)->rows, error) != STATUS_OK)
        return STATUS_ERROR;
    s->count++;
    return STATUS_OK;
}

static bool is_rate(StreamPart part)
{
    return part >= STREAM_ALPHA;
}

/* A rate's file of one row is no column of rates: it holds one number for all tokens, or all
 * of them in a row. */
static Status take_single_row(Stream *s, StreamPart part, Error *error)
{
    Input *in = s->of_part[part];
    if (!in || !is_rate(part) || !in->ended || in->block->rows != 1)
        return STATUS_OK;
    for (StreamPart i = 0; i < STREAM_ALPHA; i++)
        if (s->of_part[i] == in)
            return STATUS_OK;
    s->of_part[part] = NULL;
    return layer_stream_set_rate(s->layer, part, in->block, error);
}

static Status read_block(Input *in, Error *error)
{
    matrix_unref(in->block);
    in->block = NULL;
    if (rows_read(in->rows, BLOCK, &in->block, error) != STATUS_OK)
        return STATUS_ERROR;
    in->ended = in->block->rows < BLOCK;
    return STATUS_OK;
}

static bool is_fed(const Stream *s, const Input *in)
{
    for (StreamPart i = 0; i < STREAM_PARTS; i++)
        if (s->of_part[i] == in)
            return true;
    return false;
}

/* How many rows the file has, as far as is known. */
static void add_rows(Str *out, const Input *in)
{
    size_t count = rows_done(in->rows);
    bool exact = rows_count(in->rows, &count) || in->ended;
    str_addf(out, "%s (%s) has %s%zu row%s", in->name, rows_name(in->rows),
             exact ? "" : "at least ", count, count == 1 ? "" : "s");
}

static Status refuse_rows(const Input *a, const Input *b, Error *error)
{
    Str text = {0};
    add_rows(&text, a);
    str_add(&text, ", ");
    add_rows(&text, b);
    Status status = error_set(error, "%s: there must be one for each token", str_text(&text));
    str_clear(&text);
    return status;
}

/* The next block of every input; as many rows of each. */
static Status read_blocks(Stream *s, Error *error)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_fed(s, &s->inputs[i]) && read_block(&s->inputs[i], error) != STATUS_OK)
            return STATUS_ERROR;
    for (StreamPart i = STREAM_ALPHA; s->done == 0 && i < STREAM_PARTS; i++)
        if (take_single_row(s, i, error) != STATUS_OK)
            return STATUS_ERROR;
    const Input *first = s->of_part[STREAM_Q];
    for (size_t i = 0; i < s->count; i++) {
        const Input *in = &s->inputs[i];
        if (is_fed(s, in) && in->block->rows != first->block->rows)
            return refuse_rows(first, in, error);
    }
    return STATUS_OK;
}

/* Files that say how many rows they have must agree before anything is computed. */
static Status compare_counts(Stream *s, Error *error)
{
    const Input *known = NULL;
    for (StreamPart i = 0; i < STREAM_PARTS; i++) {
        const Input *in = s->of_part[i];
        size_t count;
        if (!in || !rows_count(in->rows, &count) || (is_rate(i) && count == 1))
            continue;
        if (known && count != s->total)
            return refuse_rows(known, in, error);
        known = known ? known : in;
        s->total = count;
    }
    s->total_known = known;
    return STATUS_OK;
}

static Status open_inputs(Stream *s, Error *error)
{
    for (StreamPart i = 0; i < STREAM_PARTS; i++) {
        const char *name = layer_stream_input(s->layer, i);
        if (name && open_input(s, name, &s->of_part[i], error) != STATUS_OK)
            return STATUS_ERROR;
    }
    if (compare_counts(s, error) != STATUS_OK ||
        (s->total_known && layer_stream_check(s->layer, s->total, error) != STATUS_OK))
        return STATUS_ERROR;
    s->header_last = s->format == EXPORT_NPY && !s->total_known;
    if (s->header_last && !file_writer_can_rewind(s->writer))
        return error_set(error, "NPY begins with the number of rows, which CSV input does not say: "
                                "write to a file (-o FILE), or as CSV");
    return STATUS_OK;
}

/* --- outputs ------------------------------------------------------------------------ */

/* What is written to standard output cannot be taken back: the first block's faults show
 * before anything is. */
static Status write_block(Stream *s, const Matrix *Y, Error *error)
{
    str_cut(&s->text, 0);
    if (s->done == 0) {
        s->cols = Y->cols;
        export_add_start(&s->text, s->total, Y->cols, s->format);
    }
    if (Y->cols == 0 && s->format == EXPORT_CSV)
        str_add_repeat(&s->text, '\n', Y->rows);
    else
        export_add_cells(&s->text, Y, 0, matrix_count(Y), s->format);
    s->done += Y->rows;
    meter_show((double)s->done);
    return file_writer_add(s->writer, str_text(&s->text), s->text.length, error);
}

static Status write_header(Stream *s, Error *error)
{
    str_cut(&s->text, 0);
    export_add_start(&s->text, s->done, s->cols, s->format);
    if (file_writer_rewind(s->writer, error) != STATUS_OK)
        return STATUS_ERROR;
    return file_writer_add(s->writer, str_text(&s->text), s->text.length, error);
}

/* --- the layer ------------------------------------------------------------------------ */

static Status run_block(Stream *s, Error *error)
{
    const Matrix *blocks[STREAM_PARTS] = {0};
    Matrix *Y;
    for (StreamPart i = 0; i < STREAM_PARTS; i++)
        blocks[i] = s->of_part[i] ? s->of_part[i]->block : NULL;
    if (layer_stream_feed(s->layer, blocks, s->run->pool, &Y, error) != STATUS_OK)
        return STATUS_ERROR;
    Status status = write_block(s, Y, error);
    matrix_unref(Y);
    return status;
}

static Status run_blocks(Stream *s, Error *error)
{
    meter_count("rows", (double)s->total, !s->writer->path);
    Status status = STATUS_OK;
    while (status == STATUS_OK && !s->of_part[STREAM_Q]->ended && !s->writer->closed) {
        status = read_blocks(s, error);
        bool empty = status == STATUS_OK && s->of_part[STREAM_Q]->block->rows == 0;
        if (status == STATUS_OK && !(empty && s->done > 0))
            status = run_block(s, error);
    }
    meter_count_end();
    if (status == STATUS_OK && !s->writer->closed)
        status = layer_stream_check(s->layer, s->done, error);
    if (status == STATUS_OK && s->header_last)
        status = write_header(s, error);
    return status;
}

static void stream_clear(Stream *s)
{
    for (size_t i = 0; i < s->count; i++) {
        rows_close(s->inputs[i].rows);
        matrix_unref(s->inputs[i].block);
    }
    layer_stream_free(s->layer);
    str_clear(&s->text);
}

Status stream_layer(EvalRun *run, FileWriter *writer, ExportFormat format, Error *error)
{
    Stream s = {.run = run, .writer = writer, .format = format};
    Status status = layer_stream_new(run->code, is_input, &s, &s.layer, error);
    if (status == STATUS_OK)
        status = eval_run_bind(run, is_streamed, &s, error);
    if (status == STATUS_OK)
        status = layer_stream_begin(s.layer, run->interp, error);
    if (status == STATUS_OK)
        status = open_inputs(&s, error);
    if (status == STATUS_OK)
        status = run_blocks(&s, error);
    stream_clear(&s);
    return status;
}
