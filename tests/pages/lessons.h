/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lessons: all lessons of the course, loaded and run once a program, for tests that walk
 * them.  lessons_load and lessons_unload are cmocka's group set-up and tear-down; they own
 * what `lessons` holds. */
#ifndef TESTS_PAGES_LESSONS_H
#define TESTS_PAGES_LESSONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/str.h"
#include "core/start.h"
#include "lesson/find.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "lesson/trace.h"
#include "page/page.h"

typedef struct {
    Lesson *lesson;
    Trace *trace;
} Loaded;

typedef struct {
    Loaded *items;
    size_t count;
} Lessons;

static Lessons lessons;

/* The five lessons at the heart of the course, which are looked at most closely. */
static const char *const HEART[] = {"brackets", "factor", "recurrent", "interference", "delta"};
enum { HEART_COUNT = sizeof HEART / sizeof *HEART };

static inline bool is_heart(const char *id)
{
    for (size_t i = 0; i < HEART_COUNT; i++)
        if (strcmp(HEART[i], id) == 0)
            return true;
    return false;
}

static int lessons_load(void **state)
{
    (void)state;
    IdList ids = {0};
    Error error = {0};
    core_start();
    if (find_lessons(&ids, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    lessons.items = memory_zeros(ids.count, sizeof *lessons.items);
    for (size_t i = 0; i < ids.count; i++) {
        Loaded *l = &lessons.items[lessons.count++];
        if (lesson_load(ids.items[i], &l->lesson, &error) != STATUS_OK ||
            lesson_run(l->lesson, NULL, NULL, &l->trace, &error) != STATUS_OK)
            fail_msg("%s: %s", ids.items[i], error.message);
    }
    id_list_clear(&ids);
    assert_true(lessons.count >= HEART_COUNT);
    return 0;
}

static int lessons_unload(void **state)
{
    (void)state;
    for (size_t i = 0; i < lessons.count; i++) {
        trace_free(lessons.items[i].trace);
        lesson_free(lessons.items[i].lesson);
    }
    free(lessons.items);
    return 0;
}

/* Where a stop is looked at: its last frame. */
static inline Position position_at_stop(const Trace *trace, size_t stop)
{
    return (Position){stop, trace_stop(trace, stop)->last};
}

/* Appends the place of a position, as the bottom line of its page says it. */
static inline void add_place_of(Str *out, const Trace *trace, Position position)
{
    Place place = {0};
    trace_place(trace, position, &place);
    place_add_text(out, &place, false);
    place_clear(&place);
}

#endif
