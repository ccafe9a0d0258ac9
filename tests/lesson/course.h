/* SPDX-License-Identifier: GPL-3.0-or-later */
/* course: all lessons of the tree in the order of the course, for tests that hold each of
 * them to the same rules. */
#ifndef TESTS_LESSON_COURSE_H
#define TESTS_LESSON_COURSE_H

#include "lesson/cases.h"

#include "base/source.h"
#include "core/start.h"
#include "io/csv.h"
#include "lesson/find.h"
#include "lesson/lesson.h"

typedef struct {
    IdList ids;
    Lesson **lessons; /* one for each id */
} Course;

/* Loads every lesson; fails the test if one cannot be read. */
static inline void course_load(Course *course)
{
    Error error = {0};
    setenv("ATTNWALK_HOME", PROJECT_ROOT, 1);
    core_start();
    assert_int_equal(find_lessons(&course->ids, &error), STATUS_OK);
    assert_true(course->ids.count > 0);
    course->lessons = memory_zeros(course->ids.count, sizeof *course->lessons);
    for (size_t i = 0; i < course->ids.count; i++)
        if (lesson_load(course->ids.items[i], &course->lessons[i], &error))
            fail_msg("%s: %zu: %s", course->ids.items[i], error.line, error.message);
}

static inline void course_clear(Course *course)
{
    for (size_t i = 0; i < course->ids.count; i++)
        lesson_free(course->lessons[i]);
    free(course->lessons);
    id_list_clear(&course->ids);
    *course = (Course){0};
    core_end();
}

static inline const Lesson *course_find(const Course *course, const char *id)
{
    size_t i = id_list_find(&course->ids, id);
    return i < course->ids.count ? course->lessons[i] : NULL;
}

/* The table of TEST_DATA/name without its first row, which must be header; at least one row. */
static inline void course_read_table(const char *name, const char *header, CsvTable *table)
{
    Str path = {0}, bytes = {0};
    Error error = {0};
    str_addf(&path, TEST_DATA "/%s", name);
    assert_int_equal(file_read(str_text(&path), 10000000, false, &bytes, &error), STATUS_OK);
    size_t length = strcspn(str_text(&bytes), "\n");
    assert_int_equal(length, strlen(header));
    assert_memory_equal(str_text(&bytes), header, length);
    Source *source = source_new(name, str_text(&bytes), bytes.length);
    assert_int_equal(csv_read_table(source, (Span){length + 1, bytes.length}, table, &error),
                     STATUS_OK);
    assert_true(table->count > 0);
    source_free(source);
    str_clear(&path);
    str_clear(&bytes);
}

#endif
