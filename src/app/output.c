/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/output.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/meter.h"
#include "base/text.h"
#include "io/file.h"

static bool codeset_is_utf8(void)
{
    return text_equal(nl_langinfo(CODESET), "UTF-8");
}

bool output_is_ascii(bool asked)
{
    return asked || (isatty(STDOUT_FILENO) && !codeset_is_utf8());
}

int output_data(const Str *data)
{
    Error error = {0};
    bool closed = false;
    meter_pause();
    Status status = file_write_stdout(str_text(data), data->length, &closed, &error);
    meter_resume();
    return status ? output_error(&error) : EXIT_OK;
}

/* What messages of ours use beyond ASCII, and how it is spelt within. */
static const struct {
    int32_t character;
    const char *spelling;
} spellings[] = {
    {0x2026, "..."}, {0xb7, "*"},    {0xd7, "x"},    {0x2013, "-"}, {0x2014, "--"},
    {0x2018, "'"},   {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""}, {0x2212, "-"},
    {0xb2, "^2"},    {0xb3, "^3"},   {0x2264, "<="}, {0x2265, ">="}, {0x2192, "->"},
};

static void add_ascii(Str *out, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        size_t bytes = text_next(text + i, length - i);
        int32_t c = text_decode(text + i, length - i);
        const char *spelling = NULL;
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++)
            if (spellings[k].character == c)
                spelling = spellings[k].spelling;
        if (c >= 0 && c < 0x80)
            str_add_char(out, (char)c);
        else if (spelling)
            str_add(out, spelling);
        else
            str_add_char(out, '?');
        i += bytes;
    }
}

void output_talk(const char *text)
{
    Str spelt = {0};
    bool spell = isatty(STDERR_FILENO) && !codeset_is_utf8();
    if (spell)
        add_ascii(&spelt, text);
    meter_pause();
    fputs(spell ? str_text(&spelt) : text, stderr);
    meter_resume();
    str_clear(&spelt);
}

int output_error(Error *error)
{
    Str text = {0};
    if (!error->file)
        str_add(&text, "attnwalk: ");
    error_print(error, &text);
    output_talk(str_text(&text));
    str_clear(&text);
    error_clear(error);
    return EXIT_INPUT;
}

void output_say(const char *format, ...)
{
    Str text = {0}, visible = {0};
    va_list list;
    va_start(list, format);
    str_add_list(&text, format, list);
    va_end(list);
    str_add(&visible, "attnwalk: ");
    text_add_visible(&visible, str_text(&text), text.length);
    str_add_char(&visible, '\n');
    output_talk(str_text(&visible));
    str_clear(&text);
    str_clear(&visible);
}

int output_usage(const Command *command, const char *what, const char *text)
{
    Str line = {0};
    const char *hole = strstr(what, "%s"), *name = command ? command->name : "";
    const char *blank = command ? " " : "";
    str_addf(&line, "attnwalk%s%s: ", blank, name);
    str_add_bytes(&line, what, hole ? (size_t)(hole - what) : strlen(what));
    if (hole) {
        text_add_visible(&line, text, strlen(text));
        str_add(&line, hole + 2);
    }
    str_addf(&line, " (see attnwalk%s%s --help)\n", blank, name);
    output_talk(str_text(&line));
    str_clear(&line);
    return EXIT_USAGE;
}
