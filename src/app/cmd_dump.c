/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump: the matrices of a place, for scripts, notebooks and graders. */
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/export.h"
#include "app/folder.h"
#include "app/open.h"
#include "app/options.h"
#include "app/output.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/csv.h"
#include "io/number.h"

/* One random matrix that was drawn; owns a reference to it. */
typedef struct {
    const char *function; /* "randn" or "rand" */
    Matrix *matrix;
} Draw;

typedef struct {
    const Options *options;
    const OptionValues *names; /* -m */
    ExportFormat format;
    Opened opened;
    size_t first, last; /* the frames of the place; first > last: none */
    Draw *draws;
    size_t draw_count, draw_room;
} Dump;

/* ---- what the place holds ---- */

static bool is_wanted(const Dump *d, const char *name)
{
    for (size_t i = 0; i < d->names->count; i++)
        if (text_equal(d->names->items[i], name))
            return true;
    return d->names->count == 0;
}

static const Step *step_of(const Dump *d, const Frame *frame)
{
    return &d->opened.lesson->steps[frame->step];
}

/* Appends "Q (6x4)" of every name that has a value at the place's last frame. */
static void add_names(const Dump *d, Str *out)
{
    size_t count;
    const char *const *names = trace_names(d->opened.trace, &count);
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        const Value *value = trace_find(d->opened.trace, d->last, names[i], NULL);
        if (!value || value->kind != VALUE_MATRIX)
            continue;
        str_addf(out, "%s%s (", separator, names[i]);
        value_add_size(out, value);
        str_add(out, ")");
        separator = ", ";
    }
}

/* "'X' is …; here are: Q (6x4), …" */
static Status refuse_name(const Dump *d, const char *name, const char *what, Error *error)
{
    Str names = {0}, visible = {0};
    add_names(d, &names);
    text_add_visible(&visible, name, strlen(name));
    error_set(error, "'%s' %s; here are: %s", str_text(&visible), what, str_text(&names));
    str_clear(&names);
    str_clear(&visible);
    return STATUS_ERROR;
}

/* Every -m must name something that a frame of the place binds. */
static Status check_names(const Dump *d, Error *error)
{
    for (size_t k = 0; k < d->names->count; k++) {
        bool found = false;
        for (size_t i = d->first; i <= d->last && !found; i++) {
            const Frame *frame = trace_frame(d->opened.trace, i);
            for (size_t b = 0; b < frame->bound_count; b++)
                found = found || text_equal(frame->bound[b].name, d->names->items[k]);
        }
        if (!found)
            return refuse_name(d, d->names->items[k], "is bound by no frame of this place", error);
    }
    return STATUS_OK;
}

/* ---- standard output ---- */

static Status add_seen(const Dump *d, Str *out, Error *error)
{
    const char *name = d->names->items[0];
    const Value *value = trace_find(d->opened.trace, d->last, name, NULL);
    if (!value)
        return refuse_name(d, name, "has no value at this place", error);
    if (value->kind != VALUE_MATRIX)
        return refuse_name(d, name, "is a function, not a matrix", error);
    export_add_matrix(out, value_matrix(value), d->format);
    return STATUS_OK;
}

/* The lesson's id is the name of its file, which may hold anything. */
static void add_lesson_name(const Dump *d, Str *out)
{
    const char *id = d->opened.lesson->id;
    Str visible = {0};
    text_add_visible(&visible, id, strlen(id));
    csv_add_field(out, str_text(&visible));
    str_clear(&visible);
}

static void add_long_rows(const Dump *d, Str *out, size_t i, const FrameValue *bound)
{
    if (bound->value->kind != VALUE_MATRIX)
        return;
    const Matrix *m = value_matrix(bound->value);
    Str key = {0};
    add_lesson_name(d, &key);
    str_add_char(&key, ',');
    csv_add_field(&key, step_of(d, trace_frame(d->opened.trace, i))->id);
    str_addf(&key, ",%zu,%s,", i, bound->name);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t col = 0; col < m->cols; col++) {
            str_addf(out, "%s%zu,%zu,", str_text(&key), row + 1, col + 1);
            number_add(out, matrix_at(m, row, col));
            str_add_char(out, '\n');
        }
    str_clear(&key);
}

static Status add_long(const Dump *d, Str *out, Error *error)
{
    if (check_names(d, error))
        return STATUS_ERROR;
    str_add(out, "lesson,step,frame,name,row,col,value\n");
    for (size_t i = d->first; i <= d->last; i++) {
        const Frame *frame = trace_frame(d->opened.trace, i);
        for (size_t b = 0; b < frame->bound_count; b++)
            if (is_wanted(d, frame->bound[b].name))
                add_long_rows(d, out, i, &frame->bound[b]);
    }
    return STATUS_OK;
}

/* ---- a folder ---- */

static void add_statement(const Frame *frame, Str *out)
{
    Str text = {0};
    if (frame->stmt)
        stmt_add_text(&text, frame->stmt);
    else
        str_add(&text, "(fold)");
    csv_add_field(out, str_text(&text));
    str_clear(&text);
}

/* One line of manifest.csv; what is no matrix has no size and no file. */
static void add_manifest_row(const Dump *d, Str *out, size_t i, const FrameValue *bound,
                             const char *file)
{
    const Frame *frame = trace_frame(d->opened.trace, i);
    size_t first_stop;
    trace_step_stops(d->opened.trace, frame->step, &first_stop);
    str_addf(out, "%zu,", i);
    csv_add_field(out, step_of(d, frame)->id);
    str_addf(out, ",%zu,", frame->stop - first_stop + 1);
    add_statement(frame, out);
    str_addf(out, ",%s,", bound->name);
    if (bound->value->kind == VALUE_MATRIX) {
        const Matrix *m = value_matrix(bound->value);
        str_addf(out, "%zu,%zu,", m->rows, m->cols);
    } else {
        str_add(out, ",,");
    }
    csv_add_field(out, file);
    str_add_char(out, '\n');
}

static Status write_bound(const Dump *d, const char *folder, size_t i, const FrameValue *bound,
                          Str *manifest, Error *error)
{
    const char *step = step_of(d, trace_frame(d->opened.trace, i))->id;
    Str file = {0}, bytes = {0};
    Status status = STATUS_OK;
    if (bound->value->kind == VALUE_MATRIX) {
        str_addf(&file, "%s/%04zu-%s%s", step, i, bound->name, export_extension(d->format));
        export_add_matrix(&bytes, value_matrix(bound->value), d->format);
        status = folder_make_inner(folder, step, error);
        if (!status)
            status = folder_write(folder, str_text(&file), &bytes, error);
    }
    add_manifest_row(d, manifest, i, bound, str_text(&file));
    str_clear(&file);
    str_clear(&bytes);
    return status;
}

/* manifest.csv comes last: where it is, everything in it is. */
static Status write_folder(const Dump *d, const char *folder, Error *error)
{
    if (check_names(d, error) ||
        folder_prepare(folder, options_has(d->options, OPTION_FORCE), error) ||
        folder_remove(folder, "manifest.csv", error))
        return STATUS_ERROR;
    Str manifest = {0};
    str_add(&manifest, "frame,step,stop,statement,name,rows,cols,file\n");
    Status status = STATUS_OK;
    for (size_t i = d->first; i <= d->last && !status; i++) {
        const Frame *frame = trace_frame(d->opened.trace, i);
        for (size_t b = 0; b < frame->bound_count && !status; b++)
            if (is_wanted(d, frame->bound[b].name))
                status = write_bound(d, folder, i, &frame->bound[b], &manifest, error);
    }
    if (!status)
        status = folder_write(folder, "manifest.csv", &manifest, error);
    str_clear(&manifest);
    return status;
}

/* ---- random numbers ---- */

static Status note_draw(void *context, size_t call, const char *function, const Matrix *m,
                        Error *error)
{
    Dump *d = context;
    (void)call;
    (void)error;
    MEMORY_GROW(d->draws, d->draw_count, d->draw_room);
    d->draws[d->draw_count++] = (Draw){function, matrix_ref(m)};
    return STATUS_OK;
}

/* Every draw of the run, wherever the place is: what hands them back runs it all. */
static Status write_draws(const Dump *d, const char *folder, Error *error)
{
    if (folder_prepare(folder, options_has(d->options, OPTION_FORCE), error) ||
        folder_remove(folder, "draws.csv", error))
        return STATUS_ERROR;
    Str table = {0};
    str_add(&table, "call,function,rows,cols,file\n");
    Status status = STATUS_OK;
    for (size_t i = 0; i < d->draw_count && !status; i++) {
        const Draw *draw = &d->draws[i];
        Str file = {0}, bytes = {0};
        str_addf(&file, "%04zu-%s.csv", i + 1, draw->function);
        csv_add_matrix(&bytes, draw->matrix);
        status = folder_write(folder, str_text(&file), &bytes, error);
        str_addf(&table, "%zu,%s,%zu,%zu,%s\n", i + 1, draw->function, draw->matrix->rows,
                 draw->matrix->cols, str_text(&file));
        str_clear(&file);
        str_clear(&bytes);
    }
    if (!status)
        status = folder_write(folder, "draws.csv", &table, error);
    str_clear(&table);
    return status;
}

/* ---- the command ---- */

static bool refuse_options(const Options *o, const char *what)
{
    output_usage(o->command, what, "");
    return false;
}

static bool read_options(Dump *d)
{
    const Options *o = d->options;
    bool folder = options_has(o, OPTION_OUTPUT), rows = options_has(o, OPTION_LONG);
    bool random = options_has(o, OPTION_RANDOM);
    d->names = &o->given[OPTION_MATRIX];
    if (folder && rows)
        return refuse_options(o, "--long goes to standard output, not with -o");
    if (rows && options_has(o, OPTION_FORMAT))
        return refuse_options(o, "--long is CSV, not with --format");
    if (d->names->count > 1 && !folder && !rows)
        return refuse_options(o, "several -m need --long or -o DIR");
    if (options_has(o, OPTION_FORCE) && !folder && !random)
        return refuse_options(o, "--force goes with -o or --random");
    return export_format(o, !folder && !rows, &d->format);
}

/* Without anything to write: what there would be. */
static int say_names(const Dump *d)
{
    Str names = {0};
    add_names(d, &names);
    output_usage(d->options->command, "nothing asked for: -m NAME, -o DIR or --long", "");
    output_say("at this place there are: %s", str_text(&names));
    str_clear(&names);
    return EXIT_USAGE;
}


static int write_all(Dump *d)
{
    const Options *o = d->options;
    const char *folder = options_text(o, OPTION_OUTPUT), *random = options_text(o, OPTION_RANDOM);
    Error error = {0};
    if (!folder && !random && !options_has(o, OPTION_LONG) && d->names->count == 0)
        return say_names(d);
    if (folder && write_folder(d, folder, &error))
        return output_error(&error);
    if (random && write_draws(d, random, &error))
        return output_error(&error);
    Str out = {0};
    Status status = STATUS_OK;
    if (options_has(o, OPTION_LONG))
        status = add_long(d, &out, &error);
    else if (d->names->count && !folder)
        status = add_seen(d, &out, &error);
    int code = status ? output_error(&error) : output_data(&out);
    str_clear(&out);
    return code;
}

static void dump_clear(Dump *d)
{
    for (size_t i = 0; i < d->draw_count; i++)
        matrix_unref(d->draws[i].matrix);
    free(d->draws);
    open_close(&d->opened);
}

int command_dump(const Options *options)
{
    Dump d = {.options = options};
    if (!read_options(&d))
        return EXIT_USAGE;
    const RunHooks hooks = {.context = &d, .drawn = note_draw};
    bool random = options_has(options, OPTION_RANDOM);
    Error error = {0};
    int code;
    if (open_place(options, options->arguments[0], random ? &hooks : NULL, &d.opened, &error) ||
        trace_resolve_range(d.opened.trace, &d.opened.place, &d.first, &d.last, &error))
        code = output_error(&error);
    else
        code = write_all(&d);
    dump_clear(&d);
    return code;
}
