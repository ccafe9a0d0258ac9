/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace: the whole run of a lesson: frames and what they bound, append-only.
 *
 * run appends; page, session and export read.  Frames are never changed or
 * removed, so an index is valid for the life of the trace.  The trace owns its
 * frames and holds one reference to every value in them; it borrows the Lesson,
 * which must outlive it.
 *
 * Frames count from 1; frame 0 is the moment before the first, when only the
 * parameters are bound.  Steps, blocks and stops are indexed from 0. */
#ifndef LESSON_TRACE_H
#define LESSON_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "lang/value.h"
#include "lesson/frame.h"
#include "lesson/lesson.h"
#include "lesson/param.h"
#include "lesson/place.h"

typedef struct Trace Trace;

void trace_free(Trace *trace);

const Lesson *trace_lesson(const Trace *trace);

/* A number that no other trace of the process has or had, from 1. */
uint64_t trace_serial(const Trace *trace);

/* The most entries that a matrix may have in expressions on the trace. */
size_t trace_max_cells(const Trace *trace);

/* The place for a note about the trace: NULL until one is put there, which is freed with
 * it. */
Note **trace_note(const Trace *trace);

/* The settings of the run (a copy). */
const Settings *trace_settings(const Trace *trace);
const ParamValue *trace_param(const Trace *trace, size_t i);

size_t trace_frame_count(const Trace *trace);
const Frame *trace_frame(const Trace *trace, size_t i); /* 1 … count */
size_t trace_stop_count(const Trace *trace);
const Stop *trace_stop(const Trace *trace, size_t i); /* 0 … count - 1 */

/* The stops of step: *first is the index of its first one; their number, >= 1. */
size_t trace_step_stops(const Trace *trace, size_t step, size_t *first);

/* The frame as of which a block is evaluated: after the code above it (and its own,
 * if it is code) / the last frame of a step. */
size_t trace_block_frame(const Trace *trace, size_t step, size_t block);
size_t trace_step_frame(const Trace *trace, size_t step);

/* The value of name as the reader of frame i sees it: the newest binding made
 * at or before i, or NULL if there is none yet.  Borrowed from the trace.  *bound
 * (if not NULL) is the frame that made it. */
const Value *trace_find(const Trace *trace, size_t i, const char *name, size_t *bound);

/* All names that are bound at some frame, in the order of their first binding;
 * *count of them.  Parameters come first. */
const char *const *trace_names(const Trace *trace, size_t *count);

/* X before the stop (index): what before(X) means there, or NULL. */
const Value *trace_before(const Trace *trace, size_t stop, const char *name);

/* True if at frame i of an iteration the value of name is left over from an earlier
 * iteration and will be overwritten before it is read. */
bool trace_is_stale(const Trace *trace, size_t i, const char *name);

/* True if value is an input, whose cells may be edited: a draw, a load, a parameter, or a
 * matrix written out in numbers; nothing that was computed from other names. */
bool trace_is_input(const Value *value);

/* Where a reader stands: the stop, and the frame within it (stop's last where it
 * has none). */
typedef struct {
    size_t stop, frame;
} Position;

/* The position a place means; errors say what there is instead. */
Status trace_resolve(const Trace *trace, const Place *place, Position *out, Error *error);

/* The range of frames a place covers (first > last: none): a whole lesson, step,
 * stop, or one statement. */
Status trace_resolve_range(const Trace *trace, const Place *place, size_t *first, size_t *last,
                           Error *error);

/* The place of a position, settings of the run included.  The lesson is named by its
 * id, or by its path if it was opened by one. */
void trace_place(const Trace *trace, Position position, Place *out);

/* The same position in another run of the lesson: same step, statement and loop
 * counters, clamped. */
Position trace_match(const Trace *from, Position position, const Trace *to);

/* The frame of to that corresponds to frame i of from (same statement and counters),
 * or 0. */
size_t trace_counterpart(const Trace *from, size_t i, const Trace *to);

#endif
