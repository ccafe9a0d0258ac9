/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "io/file.h"
#include "lesson/lesson.h"

#ifndef ATTNWALK_SOURCE_DIR
#define ATTNWALK_SOURCE_DIR ""
#endif
#ifndef ATTNWALK_BUILD_DIR
#define ATTNWALK_BUILD_DIR ""
#endif
#ifndef ATTNWALK_INSTALL_DATADIR
#define ATTNWALK_INSTALL_DATADIR ""
#endif
#ifndef ATTNWALK_BIN_TO_DATADIR /* the way from the folder of programs to share */
#define ATTNWALK_BIN_TO_DATADIR "../share"
#endif

/* True if the last look at a path failed because nothing is, or can be, there. */
static bool is_absent(void)
{
    return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
}

/* The real path (to be freed), or NULL with errno set. */
static char *real_path(const char *path)
{
    char *real = realpath(path, NULL);
    if (!real && errno == ENOMEM)
        memory_exhausted();
    return real;
}

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

static bool is_inside(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 &&
           (path[n] == '/' || !path[n] || (n == 1 && *folder == '/'));
}

/* Appends the real path of the folder of the running program; false if it is unknown. */
static bool add_program_folder(Str *out)
{
    char *program = real_path("/proc/self/exe");
    char *slash = program ? strrchr(program, '/') : NULL;
    if (slash)
        str_add_bytes(out, program, slash > program ? (size_t)(slash - program) : 1);
    free(program);
    return slash;
}

/* Appends the real path of home if it is one. */
static bool add_home(Str *out, const char *home)
{
    char *real = is_home(home) ? real_path(home) : NULL;
    if (real)
        str_add(out, real);
    free(real);
    return real;
}

/* Appends the home that the place of the running program tells.  Beside a build folder
 * there may be a share of other programs: the program in it is never taken for installed. */
static bool add_home_of_program(Str *out)
{
    Str folder = {0}, home = {0};
    char *build = real_path(ATTNWALK_BUILD_DIR);
    bool found = false;
    if (add_program_folder(&folder)) {
        bool built = build && text_equal(build, str_text(&folder));
        str_addf(&home, "%s/" ATTNWALK_BIN_TO_DATADIR "/attnwalk", str_text(&folder));
        found = (!built && add_home(out, str_text(&home))) ||
                (build && is_inside(build, str_text(&folder)) &&
                 add_home(out, ATTNWALK_SOURCE_DIR));
    }
    free(build);
    str_clear(&folder);
    str_clear(&home);
    return found;
}

Status find_home(Str *out, Error *error)
{
    const char *set = getenv("ATTNWALK_HOME");
    if (set && *set) {
        errno = ENOTDIR;
        if (!is_folder(set))
            return is_absent() ? error_set(error, "ATTNWALK_HOME=%s is no folder", set)
                               : error_set(error, "ATTNWALK_HOME=%s: %s", set, strerror(errno));
        str_add(out, set);
        return STATUS_OK;
    }
    if (add_home_of_program(out) || add_home(out, ATTNWALK_INSTALL_DATADIR "/attnwalk") ||
        add_home(out, ATTNWALK_SOURCE_DIR))
        return STATUS_OK;
    return error_set(error, "lessons and data are not found: set ATTNWALK_HOME to their folder");
}

/* Appends home/name. */
static Status add_home_path(Str *out, const char *name, Error *error)
{
    if (find_home(out, error) != STATUS_OK)
        return STATUS_ERROR;
    str_addf(out, "/%s", name);
    return STATUS_OK;
}

Status find_lesson(const char *id, char **path, Error *error)
{
    Str file = {0};
    struct stat s;
    Status status = STATUS_OK;
    *path = NULL;
    if (!lesson_is_id(id, strlen(id)))
        return STATUS_OK;
    if (add_home_path(&file, "lessons", error) != STATUS_OK)
        return STATUS_ERROR;
    str_addf(&file, "/%s.md", id);
    if (stat(str_text(&file), &s) == 0)
        *path = str_take(&file);
    else if (!is_absent())
        status = error_in_file(error, str_text(&file), 0, 0, "cannot open: %s", strerror(errno));
    str_clear(&file);
    return status;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The ids of the lessons in the folder at path, in alphabetical order. */
static Status list_folder(const char *path, IdList *list, Error *error)
{
    DIR *folder = opendir(path);
    if (!folder)
        return error_set(error, "%s: %s", path, strerror(errno));
    errno = 0;
    for (struct dirent *entry; (entry = readdir(folder)); errno = 0) {
        size_t length = strlen(entry->d_name);
        if (length <= 3 || !text_equal(entry->d_name + length - 3, ".md") ||
            !lesson_is_id(entry->d_name, length - 3))
            continue;
        MEMORY_GROW(list->items, list->count, list->room);
        list->items[list->count++] = memory_copy_slice(entry->d_name, length - 3);
    }
    Status status = errno ? error_set(error, "%s: %s", path, strerror(errno)) : STATUS_OK;
    closedir(folder);
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare_ids);
    return status;
}

/* Adds the id that a line of the course holds, if it holds one. */
static Status add_course_line(const Source *course, Span line, IdList *ids, Error *error)
{
    const char *text = course->text;
    while (line.start < line.end && strchr(" \t", text[line.start]))
        line.start++;
    while (line.start < line.end && strchr(" \t\r", text[line.end - 1]))
        line.end--;
    size_t length = line.end - line.start;
    if (!length || text[line.start] == '#')
        return STATUS_OK;
    if (!lesson_is_id(text + line.start, length))
        return error_at(error, course, line, "not the id of a lesson: small letters, digits and -");
    MEMORY_GROW(ids->items, ids->count, ids->room);
    char *id = memory_copy_slice(text + line.start, length);
    bool again = id_list_find(ids, id) < ids->count;
    ids->items[ids->count++] = id;
    if (again)
        return error_at(error, course, line, "this lesson was named before");
    return STATUS_OK;
}

/* The ids that the course in the folder at path names; none if it has no course. */
static Status read_course(const char *folder, IdList *ids, Error *error)
{
    Str path = {0}, bytes = {0};
    struct stat s;
    str_addf(&path, "%s/course", folder);
    bool there = stat(str_text(&path), &s) == 0 || !is_absent();
    Status status = STATUS_OK;
    if (there)
        status = file_read(str_text(&path), LESSON_MAX_BYTES, false, &bytes, error);
    if (there && !status) {
        Source *course = source_new(str_text(&path), str_text(&bytes), bytes.length);
        for (size_t at = 0; at < course->length && !status;) {
            Span line = source_line(course, at);
            status = add_course_line(course, line, ids, error);
            at = line.end + (text_starts(course->text + line.end, "\r\n") ? 2 : 1);
        }
        source_free(course);
    }
    str_clear(&path);
    str_clear(&bytes);
    return status;
}

/* Moves what course names to the front of list, in the order of course. */
static void put_in_order(IdList *list, const IdList *course)
{
    size_t front = 0;
    for (size_t i = 0; i < course->count; i++) {
        size_t at = id_list_find(list, course->items[i]);
        if (at == list->count)
            continue;
        char *id = list->items[at];
        memmove(list->items + front + 1, list->items + front,
                (at - front) * sizeof *list->items);
        list->items[front++] = id;
    }
}

Status find_lessons(IdList *list, Error *error)
{
    Str path = {0};
    if (find_home(&path, error) != STATUS_OK)
        return STATUS_ERROR;
    str_add(&path, "/lessons");
    IdList course = {0};
    Status status = list_folder(str_text(&path), list, error);
    if (!status)
        status = read_course(str_text(&path), &course, error);
    if (!status)
        put_in_order(list, &course);
    else
        id_list_clear(list);
    id_list_clear(&course);
    str_clear(&path);
    return status;
}

size_t id_list_find(const IdList *list, const char *id)
{
    size_t i = 0;
    while (i < list->count && !text_equal(list->items[i], id))
        i++;
    return i;
}

void id_list_clear(IdList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (IdList){0};
}

/* --- data -------------------------------------------------------------------- */

typedef enum { LOOK_FOUND, LOOK_ABSENT, LOOK_OUTSIDE, LOOK_IRREGULAR, LOOK_FAILED } Look;

/* Looks for folder/path; appends its real path to out if it is a regular file inside.
 * LOOK_FAILED: errno says why. */
static Look look_in(const char *folder, const char *path, Str *out)
{
    Str joined = {0};
    str_addf(&joined, "%s/%s", folder, path);
    char *real_folder = real_path(folder);
    char *real = real_folder ? real_path(str_text(&joined)) : NULL;
    struct stat s;
    Look look;
    if (real && !is_inside(real_folder, real))
        look = LOOK_OUTSIDE;
    else if (real && stat(real, &s) == 0)
        look = S_ISREG(s.st_mode) ? LOOK_FOUND : LOOK_IRREGULAR;
    else
        look = is_absent() ? LOOK_ABSENT : LOOK_FAILED;
    if (look == LOOK_FOUND)
        str_add(out, real);
    int code = errno;
    free(real);
    free(real_folder);
    str_clear(&joined);
    errno = code;
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
    if (look == LOOK_ABSENT) {
        Str data = {0};
        Error no_home = {0};
        if (add_home_path(&data, "data", &no_home) == STATUS_OK)
            look = look_in(str_text(&data), path, out);
        int code = errno;
        error_clear(&no_home);
        str_clear(&data);
        errno = code;
    }
    switch (look) {
    case LOOK_FOUND:
        return STATUS_OK;
    case LOOK_OUTSIDE:
        return error_set(error, "%s: leads out of the lesson's folder", path);
    case LOOK_IRREGULAR:
        return error_set(error, "%s: not a regular file", path);
    case LOOK_FAILED:
        return error_set(error, "%s: %s", path, strerror(errno));
    default:
        return error_set(error, "%s: not in the lesson's folder nor in attnwalk's data", path);
    }
}

Status find_home_data(const char *name, Str *out, Error *error)
{
    Str folder = {0};
    Status status = find_home(&folder, error);
    if (!status) {
        str_add(&folder, "/data");
        status = find_data(str_text(&folder), name, out, error);
    }
    str_clear(&folder);
    return status;
}
