/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress: where the reader stopped in each lesson, and which steps were seen.
 *
 * Kept in $XDG_STATE_HOME/attnwalk/progress ($HOME/.local/state by default), a text file
 * of lines "lesson ID", "place PLACE", "seen STEP STEP ...".  Only lessons opened by id
 * are kept.  Nothing here is an error: what cannot be read or written is left out.
 * The walker owns the one Progress. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/find.h"
#include "lesson/lesson.h"

typedef struct {
    char *lesson;
    char *place; /* where the reader stopped, or NULL */
    IdList seen; /* steps */
} LessonProgress;

typedef struct {
    char *path; /* of the file; NULL: nothing is kept */
    LessonProgress *items;
    size_t count, room;
    char *latest; /* the lesson last read, or NULL */
} Progress;

/* Reads the file; keep false: nothing is read or written.  A file that is there and cannot be
 * read is not written either. */
void progress_load(Progress *progress, bool keep);
void progress_clear(Progress *progress);

/* Notes that the reader stands at place, in step, of the lesson of that id; true if that
 * is a step not seen before or another lesson than last. */
bool progress_note(Progress *progress, const char *lesson, const char *step, const char *place);

/* Writes the file, making its folders. */
void progress_save(const Progress *progress);

/* What is known of a lesson, or NULL. */
const LessonProgress *progress_find(const Progress *progress, const char *lesson);

/* How many steps of lesson (as it is now) were seen. */
size_t progress_seen(const Progress *progress, const Lesson *lesson);

#endif
