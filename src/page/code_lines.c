/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/code_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* The piece at start of a line that fits width: up to a blank, if there is one. */
static CodeLine next_piece(const char *text, Span line, int width)
{
    CodeLine all = {.span = {line.start, line.start}}, to_blank = all;
    while (all.span.end < line.end) {
        const char *at = text + all.span.end;
        size_t bytes = text_next_grapheme(at, line.end - all.span.end);
        int cells = (int)text_width(at, bytes);
        if (all.width + cells > width && all.span.end > line.start)
            return to_blank.width > 0 ? to_blank : all;
        all.span.end += bytes;
        all.width += cells;
        if (text[all.span.end - 1] == ' ' && all.width > width / 2)
            to_blank = all;
    }
    return all;
}

static void add_line(CodeLines *lines, const Source *source, Span line, int width)
{
    bool continued = false;
    do {
        int room = width - CODE_MARGIN - (continued ? CODE_CONTINUED : 0);
        CodeLine piece = next_piece(source->text, line, room > 1 ? room : 1);
        piece.continued = continued;
        MEMORY_GROW(lines->items, lines->count, lines->room);
        lines->items[lines->count++] = piece;
        line.start = piece.span.end;
        continued = true;
    } while (line.start < line.end);
}

static void add_lines(CodeLines *lines, const Source *source, const Block *block, int width)
{
    size_t at = block->inner.start;
    while (at < block->inner.end) {
        Span line = source_line(source, at);
        if (line.end > block->inner.end)
            line.end = block->inner.end;
        add_line(lines, source, line, width);
        size_t next = line.end;
        while (next < block->inner.end && next == line.end && source->text[next] == '\r')
            next++;
        if (next < block->inner.end && source->text[next] == '\n')
            next++;
        at = next > at ? next : at + 1;
    }
    while (lines->count && lines->items[lines->count - 1].span.start ==
                               lines->items[lines->count - 1].span.end)
        lines->count--;
}

int code_line_width(const CodeLine *line)
{
    return line->width + (line->continued ? CODE_CONTINUED : 0);
}

static int longest_line(const CodeLines *lines)
{
    int longest = 0;
    for (size_t i = 0; i < lines->count; i++) {
        int width = code_line_width(&lines->items[i]);
        longest = width > longest ? width : longest;
    }
    return longest + CODE_MARGIN;
}

/* Cells that the names take with their word; they are ASCII. */
static int names_width(const char *word, const FrameValue *values, size_t count)
{
    size_t width = count ? strlen(word) + 1 + 2 * (count - 1) : 0;
    for (size_t i = 0; i < count; i++)
        width += strlen(values[i].name);
    return (int)width;
}

/* Cells that "reads … writes …" takes at most at any frame of the step. */
static int widest_names(const Trace *trace, size_t step)
{
    int widest = 0;
    for (size_t i = trace_step_frame(trace, step); i > 0; i--) {
        const Frame *frame = trace_frame(trace, i);
        if (frame->step != step)
            break;
        int width = names_width("reads", frame->reads, frame->read_count) +
                    names_width("writes", frame->bound, frame->bound_count) +
                    (frame->read_count && frame->bound_count ? 3 : 0);
        widest = width > widest ? width : widest;
    }
    return widest;
}

CodeLines *code_lines_new(const Trace *trace, size_t step, int width)
{
    const Lesson *lesson = trace_lesson(trace);
    const Step *of = &lesson->steps[step];
    CodeLines *lines = memory_zeros(1, sizeof *lines);
    for (size_t i = 0; i < of->count; i++)
        if (of->blocks[i].kind == BLOCK_CODE)
            add_lines(lines, lesson->source, &of->blocks[i], width);
    lines->longest = longest_line(lines);
    lines->names = widest_names(trace, step);
    return lines;
}

void code_lines_free(CodeLines *lines)
{
    if (!lines)
        return;
    free(lines->items);
    free(lines);
}
