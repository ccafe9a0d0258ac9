/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"

enum { PROGRESS_MAX_BYTES = 1 << 20 };

/* $XDG_STATE_HOME, which must be absolute, or $HOME/.local/state; NULL if neither is set. */
static char *find_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Str path = {0};
    if (state && *state == '/')
        str_addf(&path, "%s/attnwalk/progress", state);
    else if (home && *home == '/')
        str_addf(&path, "%s/.local/state/attnwalk/progress", home);
    return path.length ? str_take(&path) : NULL;
}

static void add_id(IdList *list, const char *text, size_t length)
{
    MEMORY_GROW(list->items, list->count, list->room);
    list->items[list->count++] = memory_copy_slice(text, length);
}

static bool has_id(const IdList *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (text_equal(list->items[i], id))
            return true;
    return false;
}

static LessonProgress *get(Progress *p, const char *lesson, size_t length)
{
    for (size_t i = 0; i < p->count; i++)
        if (strlen(p->items[i].lesson) == length && memcmp(p->items[i].lesson, lesson, length) == 0)
            return &p->items[i];
    MEMORY_GROW(p->items, p->count, p->room);
    p->items[p->count] = (LessonProgress){.lesson = memory_copy_slice(lesson, length)};
    return &p->items[p->count++];
}

/* One line of the file; *current is the lesson that lines are about. */
static void read_line(Progress *p, const char *line, size_t length, size_t *current)
{
    const char *blank = memchr(line, ' ', length);
    if (!blank || !text_is_utf8(line, length, NULL))
        return;
    size_t word = (size_t)(blank - line), rest = length - word - 1;
    const char *value = blank + 1;
    if (word == 6 && memcmp(line, "lesson", 6) == 0 && lesson_is_id(value, rest)) {
        *current = (size_t)(get(p, value, rest) - p->items);
    } else if (word == 6 && memcmp(line, "latest", 6) == 0) {
        free(p->latest);
        p->latest = memory_copy_slice(value, rest);
    } else if (*current < p->count && word == 5 && memcmp(line, "place", 5) == 0) {
        free(p->items[*current].place);
        p->items[*current].place = memory_copy_slice(value, rest);
    } else if (*current < p->count && word == 4 && memcmp(line, "seen", 4) == 0) {
        for (size_t i = 0; i < rest;) {
            const char *end = memchr(value + i, ' ', rest - i);
            size_t bytes = end ? (size_t)(end - value) - i : rest - i;
            if (lesson_is_id(value + i, bytes))
                add_id(&p->items[*current].seen, value + i, bytes);
            i += bytes + 1;
        }
    }
}

void progress_load(Progress *p, bool keep)
{
    *p = (Progress){.path = keep ? find_path() : NULL};
    Str text = {0};
    Error error = {0};
    size_t current = (size_t)-1;
    if (p->path && file_read(p->path, PROGRESS_MAX_BYTES, false, &text, &error)) {
        struct stat info;
        if (stat(p->path, &info) == 0 || errno != ENOENT) { /* what cannot be read is kept */
            free(p->path);
            p->path = NULL;
        }
    } else if (p->path) {
        const char *all = str_text(&text);
        for (size_t i = 0; i < text.length;) {
            const char *end = memchr(all + i, '\n', text.length - i);
            size_t bytes = end ? (size_t)(end - all) - i : text.length - i;
            read_line(p, all + i, bytes, &current);
            i += bytes + 1;
        }
    }
    error_clear(&error);
    str_clear(&text);
}

void progress_clear(Progress *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->items[i].lesson);
        free(p->items[i].place);
        id_list_clear(&p->items[i].seen);
    }
    free(p->items);
    free(p->path);
    free(p->latest);
    *p = (Progress){0};
}

bool progress_note(Progress *p, const char *lesson, const char *step, const char *place)
{
    LessonProgress *item = get(p, lesson, strlen(lesson));
    bool news = !has_id(&item->seen, step) || !p->latest || !text_equal(p->latest, lesson);
    if (!has_id(&item->seen, step))
        add_id(&item->seen, step, strlen(step));
    if (!p->latest || !text_equal(p->latest, lesson)) {
        free(p->latest);
        p->latest = memory_copy_text(lesson);
    }
    free(item->place);
    item->place = strchr(place, '\n') ? NULL : memory_copy_text(place);
    return news;
}

/* Makes every folder above path. */
static bool make_folders(const char *path)
{
    char *folder = memory_copy_text(path);
    bool made = true;
    for (char *at = strchr(folder + 1, '/'); at && made; at = strchr(at + 1, '/')) {
        *at = '\0';
        made = mkdir(folder, 0700) == 0 || errno == EEXIST;
        *at = '/';
    }
    free(folder);
    return made;
}

void progress_save(const Progress *p)
{
    if (!p->path || p->count == 0 || !make_folders(p->path))
        return;
    Str text = {0};
    Error error = {0};
    if (p->latest)
        str_addf(&text, "latest %s\n", p->latest);
    for (size_t i = 0; i < p->count; i++) {
        str_addf(&text, "lesson %s\n", p->items[i].lesson);
        if (p->items[i].place)
            str_addf(&text, "place %s\n", p->items[i].place);
        str_add(&text, "seen");
        for (size_t k = 0; k < p->items[i].seen.count; k++)
            str_addf(&text, " %s", p->items[i].seen.items[k]);
        str_add_char(&text, '\n');
    }
    if (file_write(p->path, str_text(&text), text.length, &error))
        error_clear(&error);
    str_clear(&text);
}

const LessonProgress *progress_find(const Progress *p, const char *lesson)
{
    for (size_t i = 0; i < p->count; i++)
        if (text_equal(p->items[i].lesson, lesson))
            return &p->items[i];
    return NULL;
}

size_t progress_seen(const Progress *p, const Lesson *lesson)
{
    const LessonProgress *item = progress_find(p, lesson->id);
    size_t seen = 0;
    for (size_t i = 0; item && i < lesson->step_count; i++)
        seen += has_id(&item->seen, lesson->steps[i].id);
    return seen;
}
