/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_code: the code of a step with the running statement marked. */
#include "page/code_lines.h"
#include "page/draw_step.h"
#include "page/memo.h"

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
static int draw_line(Grid *grid, int row, const Source *source, const CodeLine *what, Span running)
{
    Span line = what->span;
    Rect clip = grid_rect(grid);
    Span on = {running.start > line.start ? running.start : line.start,
               running.end < line.end ? running.end : line.end};
    if (!overlaps(line, running))
        on = (Span){line.end, line.end};
    const Span parts[3] = {{line.start, on.start}, on, {on.end, line.end}};
    int col = CODE_MARGIN + (what->continued ? CODE_CONTINUED : 0);
    for (int i = 0; i < 3; i++)
        col += grid_put_bytes(grid, clip, row, col, source->text + parts[i].start,
                              parts[i].end - parts[i].start, i == 1 ? ROLE_RUNNING : ROLE_CODE);
    if (overlaps(line, running) && running.start >= line.start)
        grid_put_either(grid, clip, row, 0, "▸", ">", ROLE_POINTER);
    return col;
}

/* The last line that leaves room for names beside it, or all lines if none does.  Which
 * one does not depend on what runs. */
static size_t roomy_line(const CodeLines *lines, int width)
{
    for (size_t i = lines->count; i-- > 0;)
        if (code_line_width(&lines->items[i]) + CODE_MARGIN + 3 + lines->names <= width)
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
static void choose_window(const CodeLines *lines, Span running, size_t room, size_t *first,
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
    const CodeLines *lines = memo_code(context->trace, context->step_index, width);
    if (lines->count == 0)
        return grid_new(0, 0, context->ascii);
    Span running = running_span(context);
    Str reads = {0}, writes = {0};
    frame_names(context, running, &reads, &writes);
    bool beside = lines->longest + 3 + lines->names <= width;
    size_t first, shown, room = (size_t)(max_rows > 1 ? max_rows : 1);
    size_t at = lines->count;
    if (tight && lines->count <= room)
        at = roomy_line(lines, width);
    bool below = !beside && lines->names > 0 && at == lines->count;
    room -= below && room > 1;
    choose_window(lines, running, room, &first, &shown);
    Grid *grid = grid_new((int)shown + below, width, context->ascii);
    bool named = false;
    for (size_t i = 0; i < shown; i++) {
        Span span = lines->items[first + i].span;
        int end = draw_line(grid, (int)i, source, &lines->items[first + i], running);
        if (beside && !named && overlaps(span, running)) {
            draw_names(grid, (int)i, end + 3, &reads, &writes);
            named = true;
        }
    }
    if (!beside)
        draw_names(grid, below ? grid->rows - 1 : (int)at, CODE_MARGIN, &reads, &writes);
    if (first > 0)
        grid_put_either(grid, grid_rect(grid), 0, 1, "▲", "^", ROLE_MORE);
    if (first + shown < lines->count)
        grid_put_either(grid, grid_rect(grid), (int)shown - 1, 1, "▼", "v", ROLE_MORE);
    str_clear(&reads);
    str_clear(&writes);
    return grid;
}
