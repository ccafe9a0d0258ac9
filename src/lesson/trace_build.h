/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_build: the inside of a Trace, for the files that make and index it: run.c
 * appends, trace.c and position.c read. */
#ifndef LESSON_TRACE_BUILD_H
#define LESSON_TRACE_BUILD_H

#include <stdint.h>

#include "base/note.h"
#include "lang/interp.h"
#include "lesson/frame.h"
#include "lesson/lesson.h"
#include "lesson/param.h"
#include "lesson/place.h"

typedef struct Trace Trace;

/* name is bound to value from frame on. */
typedef struct {
    size_t frame;
    Value *value;
} Bound;

/* Everything a name was bound to, by frame. */
typedef struct {
    char *name;
    Bound *items;
    size_t count, room;
} NameHistory;

struct Trace {
    const Lesson *lesson;
    Settings settings;
    ParamValue *params; /* one for each of the lesson's */
    Frame *frames;      /* frame i is frames[i - 1] */
    size_t frame_count, frame_room;
    Stop *stops;
    size_t stop_count, stop_room;
    size_t *step_stops;    /* index of the first stop of each step, and one more at the end */
    size_t *step_frames;   /* the last frame as of the end of each step */
    size_t **block_frames; /* the same for each block of each step */
    NameHistory **names;   /* in the order of their first binding */
    const char **texts;    /* their names, in the same order */
    NameHistory **sorted;  /* by name */
    size_t name_count, name_room, text_room, sorted_room;
    size_t bytes; /* of frames and histories: what the budget counts besides values */
    size_t max_cells; /* entries of one matrix, for expressions on it too */
    uint64_t serial;
    Note *note; /* or NULL */
};

/* An empty trace of lesson; params (one for each of the lesson's) and settings are
 * copied. */
Trace *trace_new(const Lesson *lesson, const Settings *settings, const ParamValue *params);

/* Binds name to value (a new reference) from frame on; frames never go back. */
void trace_bind(Trace *trace, size_t frame, const char *name, const Value *value);

/* The newest value of name, or NULL. */
const Value *trace_newest(const Trace *trace, const char *name);

/* What a new frame read, moved and bound; names and values are copied and referenced. */
typedef struct {
    const Stmt *stmt;
    size_t step, block, stop;
    const LoopCounter *loops;
    size_t loop_count;
    const Binding *reads, *moved, *bound;
    size_t read_count, moved_count, bound_count;
} FrameDraft;

/* Appends a frame and binds in it what moved and what was bound. */
void trace_add_frame(Trace *trace, const FrameDraft *draft);

/* Appends a stop whose frames are those to come: first is the next frame, last the
 * present one. */
Stop *trace_add_stop(Trace *trace, StopKind kind, size_t step, size_t block);

#endif
