/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lesson/find.h"
#include "lesson/trace.h"
#include "lesson/trace_build.h"

/* --- from a place to frames -------------------------------------------------- */

/* A step by its id, or by its number from 1. */
static Status find_step(const Lesson *lesson, const char *name, size_t *out, Error *error)
{
    if (lesson_find_step(lesson, name, out))
        return STATUS_OK;
    size_t number = 0;
    for (const char *c = name; *c >= '0' && *c <= '9' && number <= lesson->step_count; c++)
        number = 10 * number + (size_t)(*c - '0');
    if (number >= 1 && number <= lesson->step_count) {
        *out = number - 1;
        return STATUS_OK;
    }
    if (*name >= '0' && *name <= '9')
        return error_set(error, "%s has %zu step%s, there is no step %s", lesson->id,
                         lesson->step_count, lesson->step_count == 1 ? "" : "s", name);
    Str ids = {0};
    for (size_t i = 0; i < lesson->step_count; i++)
        str_addf(&ids, "%s%s", i ? ", " : "", lesson->steps[i].id);
    error_set(error, "%s has no step '%s'; it has %s", lesson->id, name, str_text(&ids));
    str_clear(&ids);
    return STATUS_ERROR;
}

/* The step and stop (index among all; the step's first if none is given). */
static Status find_stop(const Trace *trace, const Place *place, size_t *step, size_t *stop,
                        Error *error)
{
    *step = 0;
    if (place->step && find_step(trace->lesson, place->step, step, error) != STATUS_OK)
        return STATUS_ERROR;
    size_t count = trace_step_stops(trace, *step, stop);
    if (place->stop > count)
        return error_set(error, "step %s has %zu stop%s, there is no stop %zu",
                         trace->lesson->steps[*step].id, count, count == 1 ? "" : "s", place->stop);
    if (place->stop)
        *stop += place->stop - 1;
    const Stop *found = &trace->stops[*stop];
    size_t frames = found->last + 1 - found->first;
    if (place->statement > frames)
        return error_set(error,
                         "stop %zu of step %s has %zu statement%s, there is no statement %zu",
                         place->stop, trace->lesson->steps[*step].id, frames,
                         frames == 1 ? "" : "s", place->statement);
    return STATUS_OK;
}

Status trace_resolve(const Trace *trace, const Place *place, Position *out, Error *error)
{
    size_t step, stop;
    if (find_stop(trace, place, &step, &stop, error) != STATUS_OK)
        return STATUS_ERROR;
    const Stop *found = &trace->stops[stop];
    *out = (Position){stop, place->statement ? found->first + place->statement - 1 : found->last};
    return STATUS_OK;
}

Status trace_resolve_range(const Trace *trace, const Place *place, size_t *first, size_t *last,
                           Error *error)
{
    size_t step, stop;
    if (find_stop(trace, place, &step, &stop, error) != STATUS_OK)
        return STATUS_ERROR;
    const Stop *found = &trace->stops[stop];
    *first = place->step ? found->first : 1;
    *last = !place->step       ? trace->frame_count
            : place->stop == 0 ? trace->step_frames[step]
                               : found->last;
    if (place->statement)
        *first = *last = found->first + place->statement - 1;
    return STATUS_OK;
}

/* --- from frames to a place -------------------------------------------------- */

/* The id if that is how the lesson is found, else its path. */
static char *lesson_name(const Lesson *lesson)
{
    char *found = NULL;
    Error error = {0};
    if (find_lesson(lesson->id, &found, &error) != STATUS_OK)
        error_clear(&error);
    bool by_id = found && text_equal(found, lesson->path);
    free(found);
    return memory_copy_text(by_id ? lesson->id : lesson->path);
}

void trace_place(const Trace *trace, Position position, Place *out)
{
    const Stop *stop = trace_stop(trace, position.stop);
    *out = (Place){.lesson = lesson_name(trace->lesson),
                   .step = memory_copy_text(trace->lesson->steps[stop->step].id),
                   .stop = position.stop - trace->step_stops[stop->step] + 1};
    if (position.frame != stop->last && position.frame >= stop->first)
        out->statement = position.frame - stop->first + 1;
    settings_copy(&out->settings, &trace->settings);
}

/* --- the same place in another run ------------------------------------------- */

/* The number of stmt among the statements of its lesson is its place in the text; in
 * another version of the file it may have moved, but not its step. */
static bool same_statement(const Stmt *a, const Stmt *b)
{
    if (!a || !b)
        return a == b;
    if (a == b)
        return true;
    size_t n = a->span.end - a->span.start;
    return a->kind == b->kind && n == b->span.end - b->span.start &&
           memcmp(a->source->text + a->span.start, b->source->text + b->span.start, n) == 0;
}

/* How well stop b answers to a: 0 not at all, else more is better; of iterations the
 * nearest one below. */
static size_t likeness(const Stop *a, const Stop *b)
{
    if (a->kind != b->kind || !same_statement(a->stmt, b->stmt))
        return 0;
    if (a->kind != STOP_ITERATION)
        return 1 + (a->block == b->block);
    return b->iteration <= a->iteration ? 1 + b->iteration : 0;
}

static size_t match_stop(const Trace *from, size_t stop, const Trace *to)
{
    const Stop *old = &from->stops[stop];
    size_t step = old->step, first, best = 0;
    const char *id = from->lesson->steps[old->step].id;
    if (!lesson_find_step(to->lesson, id, &step) && step >= to->lesson->step_count)
        step = to->lesson->step_count - 1;
    size_t count = trace_step_stops(to, step, &first);
    size_t ordinal = stop - from->step_stops[old->step];
    size_t found = first + (ordinal < count ? ordinal : count - 1);
    for (size_t i = first; i < first + count; i++) {
        size_t like = likeness(old, &to->stops[i]);
        bool nearer = like == best && best > 0 && i - first == ordinal;
        if (like > best || nearer) {
            best = like;
            found = i;
        }
    }
    return found;
}

static bool same_loops(const Frame *a, const Frame *b)
{
    if (a->loop_count != b->loop_count)
        return false;
    for (size_t i = 0; i < a->loop_count; i++)
        if (a->loops[i].iteration != b->loops[i].iteration ||
            !same_statement(a->loops[i].stmt, b->loops[i].stmt))
            return false;
    return true;
}

/* The frame of stop in to with the statement and counters of frame, or 0. */
static size_t match_frame(const Frame *frame, const Trace *to, const Stop *stop)
{
    for (size_t i = stop->first; i <= stop->last; i++) {
        const Frame *candidate = trace_frame(to, i);
        if (same_statement(frame->stmt, candidate->stmt) && same_loops(frame, candidate))
            return i;
    }
    return 0;
}

Position trace_match(const Trace *from, Position position, const Trace *to)
{
    const Stop *old = trace_stop(from, position.stop);
    Position found = {match_stop(from, position.stop, to), 0};
    const Stop *stop = &to->stops[found.stop];
    found.frame = stop->last;
    if (position.frame == old->last || position.frame < old->first)
        return found;
    size_t frame = match_frame(trace_frame(from, position.frame), to, stop);
    size_t ordinal = position.frame - old->first;
    if (frame)
        found.frame = frame;
    else if (stop->first + ordinal < stop->last)
        found.frame = stop->first + ordinal;
    return found;
}

size_t trace_counterpart(const Trace *from, size_t i, const Trace *to)
{
    const Frame *frame = trace_frame(from, i);
    return match_frame(frame, to, &to->stops[match_stop(from, frame->stop, to)]);
}
