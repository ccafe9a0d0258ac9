/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame: the records a trace is made of; plain data, owned by the trace. */
#ifndef LESSON_FRAME_H
#define LESSON_FRAME_H

#include <stddef.h>

#include "lang/expr.h"
#include "lang/value.h"

/* What a frame read or bound; both are borrowed from the trace. */
typedef struct {
    const char *name;
    const Value *value;
} FrameValue;

typedef struct {
    const Stmt *stmt;
    size_t iteration; /* from 1 */
} FrameLoop;

/* One executed assignment, or a whole fold block. */
typedef struct {
    const Stmt *stmt; /* NULL: a fold block */
    size_t step, block;
    size_t stop;      /* index among all stops of the trace */
    FrameLoop *loops; /* outermost first */
    size_t loop_count;
    FrameValue *reads;
    size_t read_count;
    FrameValue *moved; /* loop variables that went on since the last frame */
    size_t moved_count;
    FrameValue *bound; /* one; in a fold block every name that was assigned */
    size_t bound_count;
} Frame;

typedef enum {
    STOP_STATEMENT,
    STOP_ITERATION,
    STOP_FOLD,
    STOP_QUESTION,
    STOP_PREDICTION,
    STOP_NONE /* of a step that has none of the above */
} StopKind;

/* What → visits.  Its frames are first … last; one without frames has
 * last == first - 1 and is seen at last. */
typedef struct {
    StopKind kind;
    size_t step, block; /* block: of STOP_NONE the last block */
    size_t first, last;
    const Stmt *stmt; /* STOP_STATEMENT, STOP_ITERATION */
    size_t iteration; /* STOP_ITERATION: from 1 */
} Stop;

#endif
