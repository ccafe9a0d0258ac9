/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/export.h"

#include <string.h>
#include <unistd.h>

#include "app/output.h"
#include "base/text.h"
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
    Str visible = {0};
    text_add_visible(&visible, text, strlen(text));
    output_usage(options->command, "--format takes csv, json or npy, not '%s'", str_text(&visible));
    str_clear(&visible);
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
