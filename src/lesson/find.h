/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find: where lessons and data are.
 *
 * The home holds lessons/ and data/.  It is $ATTNWALK_HOME; or share/attnwalk of the prefix
 * that the running program stands in, wherever that was moved to; or, for a program that
 * stands where it was built, the source tree; or the prefix of the configuration.  A program
 * that stands nowhere of these still finds the source tree it was built from. */
#ifndef LESSON_FIND_H
#define LESSON_FIND_H

#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

/* Appends the home to out; an error if there is none. */
Status find_home(Str *out, Error *error);

/* *path is the path of the lesson of that id (to be freed), NULL if there is none; an error
 * if that cannot be told. */
Status find_lesson(const char *id, char **path, Error *error);

/* The ids of all lessons, in the order of the course: those that the file lessons/course
 * names (one id a line, blank lines and lines that begin with # apart), then the others in
 * alphabetical order.  Translations (a.zh.md) are not among them.  A course that names a
 * lesson twice, or something that is no id, is an error with its line; one that names an
 * absent lesson is none, and without a course the order is alphabetical. */
typedef struct {
    char **items;
    size_t count, room;
} IdList;

Status find_lessons(IdList *list, Error *error);
void id_list_clear(IdList *list);

/* The position of id in list, or list->count. */
size_t id_list_find(const IdList *list, const char *id);

/* The real path of the file that load_csv('path') of a lesson in folder means: in
 * that folder, then in the home's data folder.  Absolute paths, paths that lead out
 * of the folder and anything but a regular file are refused by name. */
Status find_data(const char *folder, const char *path, Str *out, Error *error);

/* The path of the file of that name in the home's data folder, by the same rules. */
Status find_home_data(const char *name, Str *out, Error *error);

#endif
