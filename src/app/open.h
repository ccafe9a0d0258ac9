/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open: a lesson, run as the command line asks.
 *
 * dump and read begin here: the place is parsed, --set and --load are added to its
 * settings, the lesson is loaded and run.  An Opened owns all of it. */
#ifndef APP_OPEN_H
#define APP_OPEN_H

#include "app/options.h"
#include "base/error.h"
#include "lesson/lesson.h"
#include "lesson/place.h"
#include "lesson/run.h"
#include "lesson/trace.h"

typedef struct {
    Place place;
    Lesson *lesson;
    Trace *trace;
} Opened;

/* Opens the place in text; hooks may be NULL.  open_close frees it, also after an
 * error. */
Status open_place(const Options *options, const char *text, const RunHooks *hooks, Opened *opened,
                  Error *error);
void open_close(Opened *opened);

/* Adds what --set and --load say to settings. */
Status open_add_settings(const Options *options, Settings *settings, Error *error);

#endif
