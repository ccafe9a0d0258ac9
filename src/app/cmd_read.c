/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read: a whole lesson as linear text, for a screen reader, a handout, a log. */
#include "app/command.h"
#include "app/open.h"
#include "app/options.h"
#include "app/output.h"
#include "page/read.h"

enum { WIDTH_MIN = 10, WIDTH_MAX = 10000, WIDTH_DEFAULT = 80 };

/* The text of the lesson at the place in text. */
static Status add_lesson(const Options *options, const char *text, const ReadStyle *style, Str *out,
                         Error *error)
{
    Opened opened;
    Status status = open_place(options, text, NULL, &opened, error);
    if (!status && opened.place.step)
        status = error_set(error, "read takes a whole lesson, not the step '%s' of one",
                           opened.place.step);
    if (!status)
        status = read_add_lesson(out, opened.trace, style, error);
    open_close(&opened);
    return status;
}

int command_read(const Options *options)
{
    double width;
    if (!options_integer(options, OPTION_WIDTH, WIDTH_MIN, WIDTH_MAX, WIDTH_DEFAULT, &width))
        return EXIT_USAGE;
    const ReadStyle style = {
        .width = (size_t)width,
        .ascii = output_is_ascii(options_has(options, OPTION_ASCII)),
        .notes = options_has(options, OPTION_NOTES),
    };
    Str out = {0};
    Error error = {0};
    int code;
    if (add_lesson(options, options->arguments[0], &style, &out, &error))
        code = output_error(&error);
    else
        code = output_data(&out);
    str_clear(&out);
    return code;
}
