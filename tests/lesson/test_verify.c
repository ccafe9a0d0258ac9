/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include "core/start.h"
#include "lesson/verify.h"

static void on_failed(void *context, const char *setting, const Error *error)
{
    (void)setting;
    cases_add_error(context, error);
}

/* The failures of a lesson, then what was counted. */
static void verify(const char *text, size_t length, Str *out)
{
    Lesson *lesson = NULL;
    Error error = {0};
    if (lesson_parse(TEST_DATA "/lessons/lesson.md", text, length, &lesson, &error) != STATUS_OK) {
        cases_add_error(out, &error);
        error_clear(&error);
        return;
    }
    VerifyReport report = {.context = out, .failed = on_failed};
    VerifyCounts counts;
    Status status = lesson_verify(lesson, &report, &counts);
    assert_int_equal(status, counts.errors ? STATUS_ERROR : STATUS_OK);
    str_addf(out,
             "%zu checks, %zu predictions, %zu questions; %zu settings: %zu held, %zu failed, "
             "%zu skipped; %zu errors\n",
             counts.checks, counts.predictions, counts.questions, counts.settings, counts.held,
             counts.failed, counts.skipped, counts.errors);
    lesson_free(lesson);
}

static void test_cases(void **state)
{
    (void)state;
    CaseList list = {0};
    int failed = 0;
    cases_read(TEST_DATA "/lessons/verify.txt", &list);
    for (size_t i = 0; i < list.count; i++) {
        Str got = {0};
        verify(str_text(&list.items[i].input), list.items[i].input.length, &got);
        failed += cases_compare(&list.items[i], &got);
        str_clear(&got);
    }
    cases_clear(&list);
    assert_int_equal(failed, 0);
}

int main(void)
{
    core_start();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
