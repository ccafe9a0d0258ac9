/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* A long line is shown around the caret only, EXCERPT_WIDTH characters of it. */
enum { EXCERPT_WIDTH = 100 };

__attribute__((format(printf, 2, 0))) static void set_message(Error *error, const char *format,
                                                              va_list list)
{
    assert(!error->message);
    Str s = {0};
    str_add_list(&s, format, list);
    error->message = str_take(&s);
}

Status error_set(Error *error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    set_message(error, format, list);
    va_end(list);
    return STATUS_ERROR;
}

Status error_at(Error *error, const Source *source, Span span, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    set_message(error, format, list);
    va_end(list);
    error_locate(error, source, span);
    return STATUS_ERROR;
}

Status error_in_file(Error *error, const char *file, size_t line, size_t column, const char *format,
                     ...)
{
    va_list list;
    va_start(list, format);
    set_message(error, format, list);
    va_end(list);
    error->file = memory_copy_text(file);
    error->line = line;
    error->column = column;
    return STATUS_ERROR;
}

void error_locate(Error *error, const Source *source, Span span)
{
    if (error->file || !source)
        return;
    error->file = memory_copy_text(source->name);
    source_position(source, span.start, &error->line, &error->column);
    Span line = source_line(source, span.start);
    error->excerpt = memory_copy_slice(source->text + line.start, line.end - line.start);
    size_t end = span.end < line.end ? span.end : line.end;
    error->width = 1;
    if (end > span.start)
        error->width = text_count(source->text + span.start, end - span.start);
}

/* The excerpt with its caret line; a long line is cut to a window. */
static void print_excerpt(const Error *error, Str *out)
{
    size_t length = 0;
    const char *text = error->excerpt;
    while (text[length])
        length++;
    size_t from = error->column > EXCERPT_WIDTH / 2 ? error->column - EXCERPT_WIDTH / 2 : 1;
    size_t column = 1, indent = 0;
    Str line = {0};
    for (size_t i = 0; i < length && column < from + EXCERPT_WIDTH; column++) {
        size_t bytes = text_next(text + i, length - i);
        if (column >= from) {
            Str one = {0};
            text_add_visible(&one, text + i, bytes);
            if (column < error->column)
                indent += text_width(str_text(&one), one.length);
            str_add_bytes(&line, str_text(&one), one.length);
            str_clear(&one);
        }
        i += bytes;
    }
    str_addf(out, "  %s%s\n  ", from > 1 ? "…" : "", str_text(&line));
    str_add_repeat(out, ' ', indent + (from > 1));
    size_t room = from + EXCERPT_WIDTH > error->column ? from + EXCERPT_WIDTH - error->column : 1;
    str_add_repeat(out, '^', error->width < room ? error->width : room);
    str_add_char(out, '\n');
    str_clear(&line);
}

void error_print(const Error *error, Str *out)
{
    assert(error->message);
    if (error->file) {
        text_add_visible(out, error->file, strlen(error->file));
        if (error->line)
            str_addf(out, ":%zu", error->line);
        if (error->line && error->column)
            str_addf(out, ":%zu", error->column);
        str_add(out, ": ");
    }
    text_add_visible(out, error->message, strlen(error->message));
    str_add_char(out, '\n');
    if (error->excerpt && error->column)
        print_excerpt(error, out);
}

void error_clear(Error *error)
{
    free(error->message);
    free(error->file);
    free(error->excerpt);
    *error = (Error){0};
}

void error_move(Error *to, Error *from)
{
    assert(!to->message);
    *to = *from;
    *from = (Error){0};
}
