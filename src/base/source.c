/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/source.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

Source *source_new(const char *name, const char *text, size_t length)
{
    Source *source = memory_zeros(1, sizeof *source);
    source->name = memory_copy_text(name);
    source->text = memory_copy_slice(text, length);
    source->length = length;
    return source;
}

void source_free(Source *source)
{
    if (!source)
        return;
    free(source->name);
    free(source->text);
    free(source);
}

/* True if a line ends at byte i: LF, or a CR that no LF follows. */
static bool ends_line(const Source *source, size_t i)
{
    char c = source->text[i];
    return c == '\n' || (c == '\r' && source->text[i + 1] != '\n');
}

void source_position(const Source *source, size_t offset, size_t *line, size_t *column)
{
    if (offset > source->length)
        offset = source->length;
    size_t lines = 1, start = 0;
    for (size_t i = 0; i < offset; i++)
        if (ends_line(source, i)) {
            lines++;
            start = i + 1;
        }
    size_t columns = 1;
    for (size_t i = start; i < offset; i++)
        if (((unsigned char)source->text[i] & 0xC0) != 0x80) /* not a continuation byte */
            columns++;
    *line = lines;
    *column = columns;
}

Span source_line(const Source *source, size_t offset)
{
    if (offset > source->length)
        offset = source->length;
    size_t start = offset;
    while (start > 0 && !ends_line(source, start - 1))
        start--;
    size_t end = offset;
    while (end < source->length && source->text[end] != '\n' && source->text[end] != '\r')
        end++;
    return (Span){start, end < start ? start : end};
}
