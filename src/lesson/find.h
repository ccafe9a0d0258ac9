/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find: where lessons and data are.
 *
 * The home is $ATTNWALK_HOME, or the source tree the program was built from (if it
 * is still there), or <prefix>/share/attnwalk; it holds lessons/ and data/. */
#ifndef LESSON_FIND_H
#define LESSON_FIND_H

#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

/* Appends the home to out; an error if there is none. */
Status find_home(Str *out, Error *error);

/* The path of the lesson of that id (to be freed), or NULL if there is none. */
char *find_lesson(const char *id);

/* The ids of all lessons, in alphabetical order; translations (a.zh.md) are not
 * among them. */
typedef struct {
    char **items;
    size_t count, room;
} IdList;

Status find_lessons(IdList *list, Error *error);
void id_list_clear(IdList *list);

/* The real path of the file that load_csv('path') of a lesson in folder means: in
 * that folder, then in the home's data folder.  Absolute paths, paths that lead out
 * of the folder and anything but a regular file are refused by name. */
Status find_data(const char *folder, const char *path, Str *out, Error *error);

#endif
