/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session: a lesson being read: where the reader is, and with which settings it was run.
 *
 * A Session knows no screen: the walker moves it, tests drive it, and a page is drawn
 * from what it holds.  It owns the lesson, the run, the run before the last change (for
 * the marks of what changed) and the history of settings; traces are replaced, never
 * changed.  A change that fails (a value out of range, an error of the code) leaves
 * everything as it was. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "lesson/lesson.h"
#include "lesson/place.h"
#include "lesson/trace.h"

typedef struct {
    Settings *items;
    size_t count, room;
} History;

/* What a file looked like when it was read. */
typedef struct {
    long long seconds, nanoseconds, size, inode;
} FileStamp;

/* Session s = {0}; has no lesson open. */
typedef struct {
    Lesson *lesson;
    Trace *trace;
    Trace *old;         /* the run before the last change of the same lesson, or NULL */
    Position position;
    Settings initial;   /* what it was opened with: its loads stay for good */
    History undo;
    bool by_path;       /* opened by path: read again when the file changes */
    FileStamp stamp;
} Session;

/* Opens the lesson of place and stands where it says.  A lesson that is open is closed
 * (kept, if opening fails). */
Status session_open(Session *session, const Place *place, Error *error);
void session_close(Session *session);

/* Goes to the place in text: one of another lesson, or only the part behind the lesson's
 * name ("write:3").  Settings in it are taken over; without any the current ones stay. */
Status session_go(Session *session, const char *text, Error *error);

/* Walking; false if there is nothing in that direction. */
bool session_next_stop(Session *session);
bool session_last_stop(Session *session);
bool session_next_frame(Session *session);
bool session_last_frame(Session *session);
bool session_next_step(Session *session);
bool session_last_step(Session *session);
void session_first(Session *session);
void session_end(Session *session);
void session_to_step(Session *session, size_t step);

/* The stop, step and block the reader stands at. */
const Stop *session_stop(const Session *session);
const Step *session_step(const Session *session);
const Block *session_block(const Session *session);

/* Runs the lesson with other settings and stays at the same step, statement and loop
 * counters.  The change can be undone. */
Status session_change(Session *session, const Settings *settings, Error *error);

/* Moves parameter i by steps of its own size (or choices), within its range; *moved is
 * false if it stands at its end. */
Status session_move_param(Session *session, size_t i, int steps, bool *moved, Error *error);
Status session_set_param(Session *session, size_t i, const char *text, Error *error);

/* Sets cell (row, col), from 0, of the input that is bound to name. */
Status session_edit(Session *session, const char *name, size_t row, size_t col, double value,
                    Error *error);

/* Takes the last change back; false if there is none. */
bool session_undo(Session *session);

/* Every parameter and cell to what the lesson says (loaded matrices stay: they are what the
 * reader came with), which can be undone; *changed is false if they stood there already. */
Status session_reset(Session *session, bool *changed, Error *error);

/* Forgets the run before the last change, so that nothing is marked as changed. */
void session_forget_old(Session *session);

/* True if the lesson's file is another one than was read (by path only). */
bool session_is_outdated(const Session *session);
/* Reads the lesson again, with the same settings, and stays where the reader is.  On an
 * error the old one stays, and is not tried again until the file changes once more. */
Status session_reload(Session *session, Error *error);

/* Appends the place the reader is at, settings included. */
void session_add_place(const Session *session, Str *out);

#endif
