/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_code: the code of a step with the running statement marked. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/draw_step.h"

enum {
    MARGIN = 2,   /* for the mark */
    CONTINUED = 4 /* how far the rest of a long line is indented */
};

/* What one row shows of the source: a line, or a piece of a long one. */
typedef struct {
    Span span;
    int width; /* cells of it */
    bool continued;
} Line;

typedef struct {
    Line *items;
    size_t count, room;
} Lines;

/* The piece at start of a line that fits width: up to a blank, if there is one. */
static Line next_piece(const char *text, Span line, int width)
{
    Line all = {.span = {line.start, line.start}}, to_blank = all;
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

static void add_line(Lines *lines, const Source *source, Span line, int width)
{
    bool continued = false;
    do {
        int room = width - MARGIN - (continued ? CONTINUED : 0);
        Line piece = next_piece(source->text, line, room > 1 ? room : 1);
        piece.continued = continued;
        MEMORY_GROW(lines->items, lines->count, lines->room);
        lines->items[lines->count++] = piece;
        line.start = piece.span.end;
        continued = true;
    } while (line.start < line.end);
}

static void add_lines(Lines *lines, const Source *source, const Block *block, int width)
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

/* The span of what runs at the reader's frame: a statement, a whole fold block, or
 * nothing (start == end). */
static Span running_span(const StepContext *c)
{
    const Stop *stop = trace_stop(c->trace, c->position.stop);
    bool runs = stop->last >= stop->first && c->position.frame >= stop->first;
    if (!runs || c->position.frame == 0)
        return (Span){0, 0};
    const Frame *frame = trace_frame(c->trace, c->position.frame);
    if (frame->step != c->step_index)
        return (Span){0, 0};
    return frame->stmt ? frame->stmt->span : c->step->blocks[frame->block].inner;
}

static void add_names(Str *out, const char *word, const FrameValue *values, size_t count)
{
    if (count == 0)
        return;
    str_addf(out, "%s%s ", out->length ? "   " : "", word);
    for (size_t i = 0; i < count; i++)
        str_addf(out, "%s%s", i ? ", " : "", values[i].name);
}

/* "reads Q, K" and "writes A", of the frame; empty if nothing runs. */
static void frame_names(const StepContext *c, Span running, Str *reads, Str *writes)
{
    if (running.start == running.end)
        return;
    const Frame *frame = trace_frame(c->trace, c->position.frame);
    add_names(reads, "reads", frame->reads, frame->read_count);
    add_names(writes, "writes", frame->bound, frame->bound_count);
}

static bool overlaps(Span a, Span b)
{
    return a.start < b.end && b.start < a.end;
}

/* Draws one line; the part that runs has a role of its own. */
static int draw_line(Grid *grid, int row, const Source *source, const Line *what, Span running)
{
    Span line = what->span;
    Rect clip = grid_rect(grid);
    Span on = {running.start > line.start ? running.start : line.start,
               running.end < line.end ? running.end : line.end};
    if (!overlaps(line, running))
        on = (Span){line.end, line.end};
    const Span parts[3] = {{line.start, on.start}, on, {on.end, line.end}};
    int col = MARGIN + (what->continued ? CONTINUED : 0);
    for (int i = 0; i < 3; i++)
        col += grid_put_bytes(grid, clip, row, col, source->text + parts[i].start,
                              parts[i].end - parts[i].start, i == 1 ? ROLE_RUNNING : ROLE_CODE);
    if (overlaps(line, running) && running.start >= line.start)
        grid_put_either(grid, clip, row, 0, "▸", ">", ROLE_POINTER);
    return col;
}

static int line_width(const Line *line)
{
    return line->width + (line->continued ? CONTINUED : 0);
}

static int longest_line(const Lines *lines)
{
    int longest = 0;
    for (size_t i = 0; i < lines->count; i++) {
        int width = line_width(&lines->items[i]);
        longest = width > longest ? width : longest;
    }
    return longest + MARGIN;
}

/* Cells that add_names takes; names are ASCII. */
static int names_width(const char *word, const FrameValue *values, size_t count)
{
    size_t width = count ? strlen(word) + 1 + 2 * (count - 1) : 0;
    for (size_t i = 0; i < count; i++)
        width += strlen(values[i].name);
    return (int)width;
}

/* Cells that "reads … writes …" takes at most at any frame of the step. */
static int widest_names(const StepContext *c)
{
    int widest = 0;
    for (size_t i = trace_step_frame(c->trace, c->step_index); i > 0; i--) {
        const Frame *frame = trace_frame(c->trace, i);
        if (frame->step != c->step_index)
            break;
        int width = names_width("reads", frame->reads, frame->read_count) +
                    names_width("writes", frame->bound, frame->bound_count) +
                    (frame->read_count && frame->bound_count ? 3 : 0);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The last line that leaves room for names beside it, or all lines if none does.  Which
 * one does not depend on what runs. */
static size_t roomy_line(const Lines *lines, int names, int width)
{
    for (size_t i = lines->count; i-- > 0;)
        if (line_width(&lines->items[i]) + MARGIN + 3 + names <= width)
            return i;
    return lines->count;
}

static void draw_names(Grid *grid, int row, int left, const Str *reads, const Str *writes)
{
    Rect clip = grid_rect(grid);
    int width = (int)(reads->length + writes->length) + (reads->length && writes->length ? 3 : 0);
    int col = grid->cols - width > left ? grid->cols - width : left;
    if (reads->length)
        col += grid_put(grid, clip, row, col, str_text(reads), ROLE_READ) + 3;
    grid_put(grid, clip, row, col, str_text(writes), ROLE_WRITTEN);
    if (col + (int)writes->length > grid->cols) /* names are ASCII: a byte is a cell */
        grid_put_either(grid, clip, row, grid->cols - 1, "…", ".", ROLE_WRITTEN);
}

/* The lines to show: all, or a window with the running one in it. */
static void choose_window(const Lines *lines, Span running, size_t room, size_t *first,
                          size_t *shown)
{
    *first = 0;
    *shown = lines->count;
    if (lines->count <= room)
        return;
    *shown = room;
    for (size_t i = 0; i < lines->count; i++)
        if (overlaps(lines->items[i].span, running)) {
            *first = i > room / 2 ? i - room / 2 : 0;
            break;
        }
    if (*first > lines->count - room)
        *first = lines->count - room;
}

Grid *code_layout(const StepContext *context, int width, int max_rows, bool tight)
{
    const Source *source = context->lesson->source;
    Lines lines = {0};
    for (size_t i = 0; i < context->step->count; i++)
        if (context->step->blocks[i].kind == BLOCK_CODE)
            add_lines(&lines, source, &context->step->blocks[i], width);
    if (lines.count == 0) {
        free(lines.items);
        return grid_new(0, 0, context->ascii);
    }
    Span running = running_span(context);
    Str reads = {0}, writes = {0};
    frame_names(context, running, &reads, &writes);
    int names = widest_names(context), longest = longest_line(&lines);
    bool beside = longest + 3 + names <= width;
    size_t first, shown, room = (size_t)(max_rows > 1 ? max_rows : 1);
    size_t at = lines.count;
    if (tight && lines.count <= room)
        at = roomy_line(&lines, names, width);
    bool below = !beside && names > 0 && at == lines.count;
    room -= below && room > 1;
    choose_window(&lines, running, room, &first, &shown);
    Grid *grid = grid_new((int)shown + below, width, context->ascii);
    bool named = false;
    for (size_t i = 0; i < shown; i++) {
        Span span = lines.items[first + i].span;
        int end = draw_line(grid, (int)i, source, &lines.items[first + i], running);
        if (beside && !named && overlaps(span, running)) {
            draw_names(grid, (int)i, end + 3, &reads, &writes);
            named = true;
        }
    }
    if (!beside)
        draw_names(grid, below ? grid->rows - 1 : (int)at, MARGIN, &reads, &writes);
    if (first > 0)
        grid_put_either(grid, grid_rect(grid), 0, 1, "▲", "^", ROLE_MORE);
    if (first + shown < lines.count)
        grid_put_either(grid, grid_rect(grid), (int)shown - 1, 1, "▼", "v", ROLE_MORE);
    str_clear(&reads);
    str_clear(&writes);
    free(lines.items);
    return grid;
}
