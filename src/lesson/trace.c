/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lesson/trace_build.h"

/* --- building ---------------------------------------------------------------- */

Trace *trace_new(const Lesson *lesson, const Settings *settings, const ParamValue *params)
{
    static uint64_t made;
    Trace *trace = memory_zeros(1, sizeof *trace);
    trace->serial = ++made;
    trace->lesson = lesson;
    settings_copy(&trace->settings, settings);
    trace->params = memory_zeros(lesson->param_count, sizeof *params);
    if (lesson->param_count)
        memcpy(trace->params, params, lesson->param_count * sizeof *params);
    trace->step_stops = memory_zeros(lesson->step_count + 1, sizeof *trace->step_stops);
    trace->step_frames = memory_zeros(lesson->step_count, sizeof *trace->step_frames);
    trace->block_frames = memory_zeros(lesson->step_count, sizeof *trace->block_frames);
    for (size_t i = 0; i < lesson->step_count; i++)
        trace->block_frames[i] = memory_zeros(lesson->steps[i].count, sizeof(size_t));
    return trace;
}

static void free_history(NameHistory *history)
{
    for (size_t i = 0; i < history->count; i++)
        value_unref(history->items[i].value);
    free(history->items);
    free(history->name);
    free(history);
}

static void clear_frame(Frame *frame)
{
    for (size_t i = 0; i < frame->read_count; i++)
        value_unref(frame->reads[i].value);
    free(frame->reads); /* moved and bound are in the same allocation */
    free(frame->loops);
}

void trace_free(Trace *trace)
{
    if (!trace)
        return;
    if (trace->note)
        trace->note->free(trace->note);
    for (size_t i = 0; i < trace->frame_count; i++)
        clear_frame(&trace->frames[i]);
    for (size_t i = 0; i < trace->name_count; i++)
        free_history(trace->names[i]);
    for (size_t i = 0; i < trace->lesson->step_count; i++)
        free(trace->block_frames[i]);
    free(trace->block_frames);
    free(trace->step_frames);
    free(trace->step_stops);
    free(trace->frames);
    free(trace->stops);
    free(trace->names);
    free(trace->texts);
    free(trace->sorted);
    free(trace->params);
    settings_clear(&trace->settings);
    free(trace);
}

/* Where name stands, or would stand, among the sorted names. */
static size_t sorted_place(const Trace *trace, const char *name)
{
    size_t low = 0, high = trace->name_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(trace->sorted[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static NameHistory *find_history(const Trace *trace, const char *name)
{
    size_t at = sorted_place(trace, name);
    bool found = at < trace->name_count && strcmp(trace->sorted[at]->name, name) == 0;
    return found ? trace->sorted[at] : NULL;
}

static NameHistory *get_history(Trace *trace, const char *name)
{
    NameHistory *history = find_history(trace, name);
    if (history)
        return history;
    size_t at = sorted_place(trace, name);
    history = memory_zeros(1, sizeof *history);
    history->name = memory_copy_text(name);
    MEMORY_GROW(trace->names, trace->name_count, trace->name_room);
    MEMORY_GROW(trace->texts, trace->name_count, trace->text_room);
    MEMORY_GROW(trace->sorted, trace->name_count, trace->sorted_room);
    memmove(trace->sorted + at + 1, trace->sorted + at,
            (trace->name_count - at) * sizeof *trace->sorted);
    trace->sorted[at] = history;
    trace->texts[trace->name_count] = history->name;
    trace->names[trace->name_count++] = history;
    return history;
}

void trace_bind(Trace *trace, size_t frame, const char *name, const Value *value)
{
    NameHistory *history = get_history(trace, name);
    assert(!history->count || history->items[history->count - 1].frame <= frame);
    MEMORY_GROW(history->items, history->count, history->room);
    history->items[history->count++] = (Bound){frame, value_ref(value)};
    trace->bytes += sizeof(Bound);
}

const Value *trace_newest(const Trace *trace, const char *name)
{
    const NameHistory *history = find_history(trace, name);
    return history ? history->items[history->count - 1].value : NULL;
}

static void copy_loops(Frame *frame, const FrameDraft *draft)
{
    frame->loops = memory_zeros(draft->loop_count, sizeof *frame->loops);
    frame->loop_count = draft->loop_count;
    for (size_t i = 0; i < draft->loop_count; i++)
        frame->loops[i] = (FrameLoop){draft->loops[i].stmt, draft->loops[i].iteration};
}

/* Binds items in frame number i and stores them at values. */
static void bind_all(Trace *trace, size_t i, const Binding *items, size_t count, FrameValue *values)
{
    for (size_t k = 0; k < count; k++) {
        trace_bind(trace, i, items[k].name, items[k].value);
        values[k] = (FrameValue){get_history(trace, items[k].name)->name, items[k].value};
    }
}

void trace_add_frame(Trace *trace, const FrameDraft *draft)
{
    MEMORY_GROW(trace->frames, trace->frame_count, trace->frame_room);
    Frame *frame = &trace->frames[trace->frame_count++];
    size_t count = draft->read_count + draft->moved_count + draft->bound_count;
    *frame = (Frame){.stmt = draft->stmt,
                     .step = draft->step,
                     .block = draft->block,
                     .stop = draft->stop,
                     .read_count = draft->read_count,
                     .moved_count = draft->moved_count,
                     .bound_count = draft->bound_count};
    copy_loops(frame, draft);
    frame->reads = memory_zeros(count, sizeof *frame->reads);
    frame->moved = frame->reads + draft->read_count;
    frame->bound = frame->moved + draft->moved_count;
    bind_all(trace, trace->frame_count, draft->moved, draft->moved_count, frame->moved);
    for (size_t k = 0; k < draft->read_count; k++)
        frame->reads[k] = (FrameValue){get_history(trace, draft->reads[k].name)->name,
                                       value_ref(draft->reads[k].value)};
    bind_all(trace, trace->frame_count, draft->bound, draft->bound_count, frame->bound);
    trace->stops[frame->stop].last = trace->frame_count;
    trace->bytes +=
        sizeof *frame + count * sizeof *frame->reads + draft->loop_count * sizeof *frame->loops;
}

Stop *trace_add_stop(Trace *trace, StopKind kind, size_t step, size_t block)
{
    MEMORY_GROW(trace->stops, trace->stop_count, trace->stop_room);
    Stop *stop = &trace->stops[trace->stop_count++];
    *stop = (Stop){.kind = kind,
                   .step = step,
                   .block = block,
                   .first = trace->frame_count + 1,
                   .last = trace->frame_count};
    trace->bytes += sizeof *stop;
    return stop;
}

/* --- reading ----------------------------------------------------------------- */

const Lesson *trace_lesson(const Trace *trace)
{
    return trace->lesson;
}

uint64_t trace_serial(const Trace *trace)
{
    return trace->serial;
}

size_t trace_max_cells(const Trace *trace)
{
    return trace->max_cells;
}

Note **trace_note(const Trace *trace)
{
    return &((Trace *)trace)->note; /* what is known of the run, not the run */
}

const Settings *trace_settings(const Trace *trace)
{
    return &trace->settings;
}

const ParamValue *trace_param(const Trace *trace, size_t i)
{
    assert(i < trace->lesson->param_count);
    return &trace->params[i];
}

size_t trace_frame_count(const Trace *trace)
{
    return trace->frame_count;
}

const Frame *trace_frame(const Trace *trace, size_t i)
{
    assert(i >= 1 && i <= trace->frame_count);
    return &trace->frames[i - 1];
}

size_t trace_stop_count(const Trace *trace)
{
    return trace->stop_count;
}

const Stop *trace_stop(const Trace *trace, size_t i)
{
    assert(i < trace->stop_count);
    return &trace->stops[i];
}

size_t trace_step_stops(const Trace *trace, size_t step, size_t *first)
{
    assert(step < trace->lesson->step_count);
    if (first)
        *first = trace->step_stops[step];
    return trace->step_stops[step + 1] - trace->step_stops[step];
}

size_t trace_block_frame(const Trace *trace, size_t step, size_t block)
{
    assert(step < trace->lesson->step_count && block < trace->lesson->steps[step].count);
    return trace->block_frames[step][block];
}

size_t trace_step_frame(const Trace *trace, size_t step)
{
    assert(step < trace->lesson->step_count);
    return trace->step_frames[step];
}

/* Number of bindings in history made at or before frame i. */
static size_t count_until(const NameHistory *history, size_t i)
{
    size_t low = 0, high = history->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (history->items[middle].frame <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const Value *trace_find(const Trace *trace, size_t i, const char *name, size_t *bound)
{
    const NameHistory *history = find_history(trace, name);
    size_t count = history ? count_until(history, i) : 0;
    if (count == 0)
        return NULL;
    if (bound)
        *bound = history->items[count - 1].frame;
    return history->items[count - 1].value;
}

const char *const *trace_names(const Trace *trace, size_t *count)
{
    *count = trace->name_count;
    return trace->texts;
}

const Value *trace_before(const Trace *trace, size_t stop, const char *name)
{
    return trace_find(trace, trace_stop(trace, stop)->first - 1, name, NULL);
}

static bool frame_reads(const Frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->read_count; i++)
        if (strcmp(frame->reads[i].name, name) == 0)
            return true;
    return false;
}

bool trace_is_stale(const Trace *trace, size_t i, const char *name)
{
    if (i == 0 || i >= trace->frame_count)
        return false;
    const Stop *stop = trace_stop(trace, trace_frame(trace, i)->stop);
    const NameHistory *history = find_history(trace, name);
    size_t count = history ? count_until(history, i) : 0;
    if (stop->kind != STOP_ITERATION || count == 0 || count == history->count)
        return false;
    size_t made = history->items[count - 1].frame, next = history->items[count].frame;
    if (made == 0 || made >= stop->first)
        return false;
    const Stop *made_in = trace_stop(trace, trace_frame(trace, made)->stop);
    if (made_in->stmt != stop->stmt || next > stop->last)
        return false; /* left over from another statement, or not overwritten here */
    for (size_t k = i + 1; k <= next; k++)
        if (frame_reads(trace_frame(trace, k), name))
            return false;
    return true;
}

/* True if a value may be made of inputs by op and still be one: nothing is computed. */
static bool only_arranges(const Op *op)
{
    static const OpId ids[] = {OP_CONCAT,  OP_NEGATE, OP_PLUS_SIGN, OP_TRANSPOSE,
                               OP_RESHAPE, OP_REPMAT, OP_RANGE,     OP_DIMS};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (op->id == ids[i])
            return true;
    return false;
}

/* True if op makes numbers out of nothing but sizes; size(A) and its kin ask a matrix. */
static bool is_source(const Op *op)
{
    return op->explain == EXPLAIN_INPUT && op->id != OP_SIZE && op->id != OP_ROWS &&
           op->id != OP_COLUMNS && op->id != OP_NUMEL && op->id != OP_ISEMPTY;
}

/* Operands that no statement bound are parts of one expression, so the recursion is at
 * most CODE_MAX_HEIGHT deep. */
static bool is_input_part(const Value *value, bool whole)
{
    const Origin *origin = value->origin;
    if (value->kind != VALUE_MATRIX)
        return !whole;
    if (!origin || (!whole && value->bound && origin->op->id != OP_PARAMETER))
        return false;
    if (is_source(origin->op))
        return !(whole && origin->op->id == OP_COUNTER); /* a loop sets its variable itself */
    bool scalar = !whole && value_is_scalar(value);
    if (!scalar && !only_arranges(origin->op))
        return false;
    for (size_t i = 0; i < origin->count; i++)
        if (!is_input_part(origin->operands[i], false))
            return false;
    return true;
}

bool trace_is_input(const Value *value)
{
    return is_input_part(value, true);
}
