/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The course: its order, and what every lesson of it must have. */
#include "lesson/course.h"

#include "lesson/eval.h"
#include "lesson/place.h"
#include "lesson/run.h"
#include "lesson/trace.h"

static Course course;

static int set_up(void **state)
{
    (void)state;
    course_load(&course);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    course_clear(&course);
    return 0;
}

/* ---- order ---- */

static void test_order(void **state)
{
    (void)state;
    static const char *const syllabus[] = {
        "shapes",    "softmax",         "selector",     "brackets",  "kernels", "factor",
        "recurrent", "chunks",          "interference", "delta",     "decay",   "gated-delta",
        "sharpness", "random-features", "position",     "selective", "hybrids", "cost",
        "review"};
    size_t count = sizeof syllabus / sizeof *syllabus;
    assert_true(course.ids.count >= count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(course.ids.items[i], syllabus[i]);
}

/* Marks what lesson at requires, directly or by way of others. */
static void mark_required(size_t at, bool *marks)
{
    const char *text = course.lessons[at]->requires;
    for (text = text ? text : ""; *text;) {
        size_t length = strcspn(text, ", ");
        char *id = memory_copy_slice(text, length);
        size_t i = id_list_find(&course.ids, id);
        if (length && i >= at) /* so the recursion ends */
            fail_msg("%s requires %s, which comes %s", course.ids.items[at], id,
                     i == course.ids.count ? "nowhere" : "not before it");
        if (length && !marks[i]) {
            marks[i] = true;
            mark_required(i, marks);
        }
        free(id);
        text += length;
        text += strspn(text, ", ");
    }
}

/* requires never points forward; all but the first lesson build on the first; and the
 * review on what it asks about. */
static void test_requires(void **state)
{
    (void)state;
    for (size_t i = 0; i < course.ids.count; i++) {
        bool *marks = memory_zeros(course.ids.count, sizeof *marks);
        mark_required(i, marks);
        assert_int_equal(marks[0], i > 0);
        if (text_equal(course.ids.items[i], "review"))
            for (size_t j = 0; j < i; j++)
                if (!marks[j])
                    fail_msg("review does not build on %s", course.ids.items[j]);
        free(marks);
    }
}

/* ---- what a lesson must have ---- */

enum { MIN_PREDICTIONS = 2, MIN_TRAPS = 2, MIN_QUESTIONS = 2 };

static bool has_feedback(const Question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (!question->answers[i].feedback.count)
            return false;
    return question->count > 0;
}

static void test_predictions_and_questions(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < course.ids.count; i++) {
        const Lesson *lesson = course.lessons[i];
        size_t predictions = 0, questions = 0, mute = 0;
        for (size_t j = 0; j < lesson->step_count; j++)
            for (size_t k = 0; k < lesson->steps[j].count; k++) {
                const Block *block = &lesson->steps[j].blocks[k];
                predictions += block->kind == BLOCK_PREDICT &&
                               block->prediction.trap_count >= MIN_TRAPS;
                questions += block->kind == BLOCK_QUESTION && has_feedback(&block->question);
                mute += block->kind == BLOCK_QUESTION && !has_feedback(&block->question);
            }
        if (predictions >= MIN_PREDICTIONS && questions >= MIN_QUESTIONS && !mute)
            continue;
        print_error("%s: %zu predictions with two traps or more, %zu questions with feedback for "
                    "every choice, %zu without\n",
                    lesson->id, predictions, questions, mute);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void test_notes(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < course.ids.count; i++)
        for (size_t j = 0; j < course.lessons[i]->step_count; j++) {
            const Step *step = &course.lessons[i]->steps[j];
            bool has = false;
            for (size_t k = 0; k < step->count; k++)
                has = has || (step->blocks[k].kind == BLOCK_NOTES && step->blocks[k].prose.count);
            if (!has)
                print_error("%s:%s has no notes\n", course.ids.items[i], step->id);
            wrong += !has;
        }
    assert_int_equal(wrong, 0);
}

/* ---- inverse tasks ---- */

enum { MAX_CHECKS = 32 };

/* The states of the checks of a step, in their order, in a run with one edit or none. */
typedef struct {
    CheckState items[MAX_CHECKS];
    size_t count;
} States;

static States run_step(const Lesson *lesson, const char *id, const char *edit)
{
    Settings settings = {0};
    Error error = {0};
    Trace *trace = NULL;
    States states = {.count = 0};
    size_t index;
    const Step *step = lesson_find_step(lesson, id, &index);
    assert_non_null(step);
    if (edit)
        assert_int_equal(settings_add(&settings, edit, &error), STATUS_OK);
    if (lesson_run(lesson, &settings, NULL, &trace, &error))
        fail_msg("%s with %s: %s", lesson->id, edit ? edit : "nothing", error.message);
    for (size_t i = 0; i < step->count; i++) {
        const Block *block = &step->blocks[i];
        for (size_t j = 0; block->kind == BLOCK_CHECK && j < block->check_count; j++) {
            CheckResult result = {0};
            size_t frame = trace_block_frame(trace, index, i);
            assert_int_equal(lesson_check(trace, frame, &block->checks[j], &result, &error),
                             STATUS_OK);
            assert_true(states.count < MAX_CHECKS);
            states.items[states.count++] = result.state;
            check_result_clear(&result);
        }
    }
    trace_free(trace);
    settings_clear(&settings);
    return states;
}

/* As given nothing fails; then a right edit wakes guarded checks, all of which hold, and a
 * wrong one wakes some of which one fails; checks without a guard hold in either case. before:
 * the states as given. */
static bool task_is_right(char *const *row, const States *before)
{
    const Lesson *lesson = course_find(&course, row[0]);
    bool solved = text_equal(row[3], "yes"), right = true;
    size_t woken = 0, woken_failed = 0;
    assert_true(solved || text_equal(row[3], "no"));
    States after = run_step(lesson, row[1], row[2]);
    assert_int_equal(before->count, after.count);
    for (size_t i = 0; i < after.count; i++) {
        bool was_asleep = before->items[i] == CHECK_SKIPPED;
        woken += was_asleep && after.items[i] != CHECK_SKIPPED;
        woken_failed += was_asleep && after.items[i] == CHECK_FAILED;
        right = right && before->items[i] != CHECK_FAILED;
        right = right && (was_asleep || after.items[i] != CHECK_FAILED);
    }
    right = right && woken && (woken_failed == 0) == solved;
    if (!right)
        print_error("%s:%s %s: %zu checks woken, %zu of them failed\n", row[0], row[1], row[2],
                    woken, woken_failed);
    return right;
}

static void test_tasks(void **state)
{
    (void)state;
    CsvTable tasks;
    States before = {.count = 0};
    size_t wrong = 0;
    course_read_table("lessons/tasks.csv", "lesson,step,edit,solved", &tasks);
    for (size_t i = 0; i < tasks.count; i++) {
        char **row = tasks.rows[i];
        assert_int_equal(tasks.counts[i], 4);
        assert_non_null(course_find(&course, row[0]));
        if (!i || !text_equal(row[0], tasks.rows[i - 1][0]) ||
            !text_equal(row[1], tasks.rows[i - 1][1]))
            before = run_step(course_find(&course, row[0]), row[1], NULL);
        wrong += !task_is_right(row, &before);
    }
    assert_int_equal(wrong, 0);
    static const char *const hearts[] = {"brackets", "factor", "recurrent", "interference",
                                         "delta"};
    for (size_t i = 0; i < sizeof hearts / sizeof *hearts; i++) {
        size_t right = 0, refused = 0;
        for (size_t j = 0; j < tasks.count; j++)
            if (text_equal(tasks.rows[j][0], hearts[i])) {
                right += text_equal(tasks.rows[j][3], "yes");
                refused += text_equal(tasks.rows[j][3], "no");
            }
        if (!right || !refused)
            fail_msg("%s has no inverse task", hearts[i]);
    }
    csv_table_clear(&tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_requires),
        cmocka_unit_test(test_predictions_and_questions), cmocka_unit_test(test_notes),
        cmocka_unit_test(test_tasks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
