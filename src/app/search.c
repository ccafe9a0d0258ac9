/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/search.h"

#include <ctype.h>
#include <string.h>

static bool span_holds(Span span, size_t at)
{
    return at >= span.start && at < span.end;
}

/* The step whose text holds offset at; step_count if it stands before the first. */
static size_t find_step(const Lesson *lesson, size_t at)
{
    size_t found = lesson->step_count;
    for (size_t i = 0; i < lesson->step_count; i++)
        if (lesson->steps[i].span.start <= at)
            found = i;
    return found;
}

static const Block *find_block(const Step *step, size_t at, size_t *index)
{
    for (size_t b = 0; b < step->count; b++)
        if (span_holds(step->blocks[b].span, at)) {
            *index = b;
            return &step->blocks[b];
        }
    return NULL;
}

static void stand_at(const Trace *trace, size_t stop, Position *out)
{
    *out = (Position){stop, trace_stop(trace, stop)->last};
}

/* The stop of the step that shows offset at of block: its statement, its question; else
 * the step's first. */
static void find_position(const Session *s, size_t step, const Block *block, size_t index,
                          size_t at, Position *out)
{
    size_t first, count = trace_step_stops(s->trace, step, &first);
    stand_at(s->trace, first, out);
    for (size_t i = first; block && i < first + count; i++) {
        const Stop *stop = trace_stop(s->trace, i);
        bool whole = !stop->stmt && stop->kind != STOP_NONE;
        if (stop->block == index && (whole || (stop->stmt && span_holds(stop->stmt->span, at)))) {
            stand_at(s->trace, i, out);
            return;
        }
    }
}

static bool matches(const char *text, const char *words, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)words[i]))
            return false;
    return true;
}

/* True if the reader can see what stands at offset at; *position is where. */
static bool is_visible(const Session *s, size_t at, Position *position)
{
    size_t step = find_step(s->lesson, at), index = 0;
    if (step == s->lesson->step_count)
        return false;
    const Block *block = find_block(&s->lesson->steps[step], at, &index);
    if (block && block->kind == BLOCK_NOTES)
        return false;
    find_position(s, step, block, index, at, position);
    return true;
}

size_t search_origin(const Session *s)
{
    const Stop *stop = session_stop(s);
    const Step *step = session_step(s);
    if (stop->stmt)
        return stop->stmt->span.start;
    if (stop->kind != STOP_NONE && stop->block < step->count)
        return step->blocks[stop->block].span.start;
    return step->span.start;
}

bool search_find(const Session *s, const char *words, size_t from, bool forward, size_t *at,
                 bool *round, Position *position)
{
    const Source *source = s->lesson->source;
    size_t length = strlen(words), size = source->length;
    if (length == 0 || length > size)
        return false;
    for (size_t k = 1; k <= size; k++) {
        size_t i = forward ? (from + k) % size : (from + size - k) % size;
        if (i + length <= size && matches(source->text + i, words, length) &&
            is_visible(s, i, position)) {
            *at = i;
            *round = forward ? i <= from : i >= from;
            return true;
        }
    }
    return false;
}
