/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "lesson/lesson.h"

#ifndef ATTNWALK_SOURCE_DIR
#define ATTNWALK_SOURCE_DIR ""
#endif
#ifndef ATTNWALK_INSTALL_DATADIR
#define ATTNWALK_INSTALL_DATADIR ""
#endif

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* True if home holds a folder lessons. */
static bool is_home(const char *home)
{
    Str path = {0};
    str_addf(&path, "%s/lessons", home);
    bool found = *home && is_folder(str_text(&path));
    str_clear(&path);
    return found;
}

Status find_home(Str *out, Error *error)
{
    const char *set = getenv("ATTNWALK_HOME");
    if (set && *set) {
        if (!is_folder(set))
            return error_set(error, "ATTNWALK_HOME=%s is no folder", set);
        str_add(out, set);
        return STATUS_OK;
    }
    const char *homes[] = {ATTNWALK_SOURCE_DIR, ATTNWALK_INSTALL_DATADIR "/attnwalk"};
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++)
        if (is_home(homes[i])) {
            str_add(out, homes[i]);
            return STATUS_OK;
        }
    return error_set(error, "lessons and data are not found: set ATTNWALK_HOME to their folder");
}

/* Appends home/name; false if there is no home. */
static bool add_home_path(Str *out, const char *name)
{
    Error error = {0};
    if (find_home(out, &error) != STATUS_OK) {
        error_clear(&error);
        return false;
    }
    str_addf(out, "/%s", name);
    return true;
}

char *find_lesson(const char *id)
{
    Str path = {0};
    struct stat s;
    if (lesson_is_id(id, strlen(id)) && add_home_path(&path, "lessons")) {
        str_addf(&path, "/%s.md", id);
        if (stat(str_text(&path), &s) == 0)
            return str_take(&path);
    }
    str_clear(&path);
    return NULL;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

Status find_lessons(IdList *list, Error *error)
{
    Str path = {0};
    if (find_home(&path, error) != STATUS_OK)
        return STATUS_ERROR;
    str_add(&path, "/lessons");
    DIR *folder = opendir(str_text(&path));
    if (!folder) {
        error_set(error, "%s: %s", str_text(&path), strerror(errno));
        str_clear(&path);
        return STATUS_ERROR;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length <= 3 || !text_equal(entry->d_name + length - 3, ".md") ||
            !lesson_is_id(entry->d_name, length - 3))
            continue;
        MEMORY_GROW(list->items, list->count, list->room);
        list->items[list->count++] = memory_copy_slice(entry->d_name, length - 3);
    }
    closedir(folder);
    str_clear(&path);
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_ids);
    return STATUS_OK;
}

void id_list_clear(IdList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (IdList){0};
}

/* --- data -------------------------------------------------------------------- */

typedef enum { LOOK_FOUND, LOOK_ABSENT, LOOK_OUTSIDE, LOOK_IRREGULAR } Look;

static bool is_inside(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 &&
           (path[n] == '/' || !path[n] || (n == 1 && *folder == '/'));
}

/* Looks for folder/path; appends its real path to out if it is a regular file inside. */
static Look look_in(const char *folder, const char *path, Str *out)
{
    Str joined = {0};
    str_addf(&joined, "%s/%s", folder, path);
    char *real_folder = realpath(folder, NULL);
    char *real = real_folder ? realpath(str_text(&joined), NULL) : NULL;
    struct stat s;
    Look look = LOOK_ABSENT;
    if (real && !is_inside(real_folder, real))
        look = LOOK_OUTSIDE;
    else if (real && stat(real, &s) == 0)
        look = S_ISREG(s.st_mode) ? LOOK_FOUND : LOOK_IRREGULAR;
    if (look == LOOK_FOUND)
        str_add(out, real);
    free(real);
    free(real_folder);
    str_clear(&joined);
    return look;
}

/* True if one of the parts of path between slashes is "..". */
static bool goes_up(const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2]))
            return true;
    }
    return false;
}

Status find_data(const char *folder, const char *path, Str *out, Error *error)
{
    if (*path == '/')
        return error_set(error, "%s: an absolute path; files are named from the lesson's folder",
                         path);
    if (goes_up(path))
        return error_set(error, "%s: leads out of the lesson's folder", path);
    Look look = look_in(folder, path, out);
    Str data = {0};
    if (look == LOOK_ABSENT && add_home_path(&data, "data"))
        look = look_in(str_text(&data), path, out);
    str_clear(&data);
    switch (look) {
    case LOOK_FOUND:
        return STATUS_OK;
    case LOOK_OUTSIDE:
        return error_set(error, "%s: leads out of the lesson's folder", path);
    case LOOK_IRREGULAR:
        return error_set(error, "%s: not a regular file", path);
    default:
        return error_set(error, "%s: not in the lesson's folder nor in attnwalk's data", path);
    }
}
