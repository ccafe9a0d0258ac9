/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/export.h"

#include <string.h>
#include <unistd.h>

#include "app/meter.h"
#include "app/output.h"
#include "io/csv.h"
#include "io/json.h"
#include "io/npy.h"

static void add_json(Str *out, const Matrix *m)
{
    Json json = json_begin(out);
    json_matrix(&json, m);
    str_add_char(out, '\n');
}

static const struct {
    const char *name, *extension;
    void (*add)(Str *out, const Matrix *m);
} formats[] = {
    [EXPORT_CSV] = {"csv", ".csv", csv_add_matrix},
    [EXPORT_JSON] = {"json", ".json", add_json},
    [EXPORT_NPY] = {"npy", ".npy", npy_add_matrix},
};

bool export_format(const Options *options, bool to_stdout, ExportFormat *out)
{
    const char *text = options_text(options, OPTION_FORMAT);
    *out = EXPORT_CSV;
    if (!text)
        return true;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!text_equal(text, formats[i].name))
            continue;
        *out = (ExportFormat)i;
        if (*out != EXPORT_NPY || !to_stdout || !isatty(STDOUT_FILENO))
            return true;
        output_usage(options->command, "NPY is not text: send it to a file or a pipe", "");
        return false;
    }
    output_usage(options->command, "--format takes csv, json or npy, not '%s'", text);
    return false;
}

const char *export_extension(ExportFormat format)
{
    return formats[format].extension;
}

void export_add_matrix(Str *out, const Matrix *m, ExportFormat format)
{
    formats[format].add(out, m);
}

void export_add_start(Str *out, size_t rows, size_t cols, ExportFormat format)
{
    if (format == EXPORT_NPY)
        npy_add_header(out, rows, cols);
}

void export_add_cells(Str *out, const Matrix *m, size_t first, size_t last, ExportFormat format)
{
    if (format == EXPORT_NPY)
        npy_add_cells(out, m->cells + first, last - first);
    else
        csv_add_cells(out, m, first, last);
}

/* CSV with columns, or NPY: so many cells at a time. */
static Status write_pieces(FileWriter *writer, const Matrix *m, ExportFormat format, Error *error)
{
    enum { PIECE = 65536 };
    size_t count = matrix_count(m);
    Str piece = {0};
    Status status = STATUS_OK;
    export_add_start(&piece, m->rows, m->cols, format);
    meter_count("numbers written", (double)count, !writer->path);
    for (size_t first = 0; first < count && !status && !writer->closed; first += PIECE) {
        size_t last = count - first < PIECE ? count : first + PIECE;
        export_add_cells(&piece, m, first, last, format);
        status = file_writer_add(writer, str_text(&piece), piece.length, error);
        str_cut(&piece, 0);
        meter_show((double)last);
    }
    if (!status)
        status = file_writer_add(writer, str_text(&piece), piece.length, error);
    meter_count_end();
    str_clear(&piece);
    return status;
}

Status export_write_matrix(FileWriter *writer, const Matrix *m, ExportFormat format, Error *error)
{
    if (format == EXPORT_NPY || (format == EXPORT_CSV && m->cols > 0))
        return write_pieces(writer, m, format, error);
    Str text = {0};
    export_add_matrix(&text, m, format);
    Status status = file_writer_add(writer, str_text(&text), text.length, error);
    str_clear(&text);
    return status;
}
