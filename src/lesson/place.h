/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place: where in which lesson, and with which settings.
 *
 *   place    = lesson [ ":" step [ ":" stop [ "." statement ] ] ] [ "?" setting { "&" setting } ]
 *   lesson   = id | path that holds a slash or ends in .md
 *   setting  = name "=" value             a parameter
 *            | name "(" i "," j ")=" x    an edited cell of an input
 *            | name "=@" file             a loaded matrix
 *
 * Stops and statements count from 1; 0 means not given.  In a file name of a
 * setting, '&' and '%' are written %26 and %25. */
#ifndef LESSON_PLACE_H
#define LESSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

typedef struct {
    char *name, *value; /* n, 8: as written */
} ParamSetting;

typedef struct {
    char *name;
    size_t row, col; /* from 1 */
    double value;
} Edit;

typedef struct {
    char *name, *file;
} Load;

/* What a run of a lesson is given: Settings s = {0}; is all defaults. */
typedef struct {
    ParamSetting *params;
    size_t param_count, param_room;
    Edit *edits;
    size_t edit_count, edit_room;
    Load *loads;
    size_t load_count, load_room;
} Settings;

/* Adds one setting in the syntax above; a later value of the same parameter or cell
 * replaces the earlier one, a second load of the same name is an error. */
Status settings_add(Settings *settings, const char *text, Error *error);
void settings_set_param(Settings *settings, const char *name, const char *value);
void settings_set_cell(Settings *settings, const char *name, size_t row, size_t col, double value);
Status settings_add_load(Settings *settings, const char *name, const char *file, Error *error);
void settings_copy(Settings *to, const Settings *from);
void settings_clear(Settings *settings);

typedef struct {
    char *lesson;
    char *step; /* id or number from 1, or NULL */
    size_t stop, statement;
    Settings settings;
} Place;

/* Parses text; errors point into it (under the name "place"). */
Status place_parse(const char *text, Place *place, Error *error);
void place_clear(Place *place);

/* Appends the place; for_shell: in single quotes where a shell would act on it. */
void place_add_text(Str *out, const Place *place, bool for_shell);

#endif
