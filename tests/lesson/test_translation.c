/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include "core/start.h"
#include "lesson/lesson.h"
#include "lesson/translation.h"
#include "lesson/verify.h"

#define ORIGINAL TEST_DATA "/lessons/translated.md"

static Lesson *load(void)
{
    Lesson *lesson = NULL;
    Error error = {0};
    assert_int_equal(lesson_load(ORIGINAL, &lesson, &error), STATUS_OK);
    return lesson;
}

static void on_differs(void *context, const Error *error)
{
    const char *slash = strrchr(error->file, '/');
    str_addf(context, "%s:", slash + 1);
    cases_add_error(context, error);
}

/* All texts of a lesson, one a line. */
static void add_texts(Str *out, const Lesson *lesson)
{
    str_addf(out, "%s\n%s\n", lesson->title, lesson->about);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Step *step = &lesson->steps[i];
        runs_add_source(out, &step->heading);
        str_add(out, "\n");
        for (size_t k = 0; k < step->count; k++) {
            const Block *block = &step->blocks[k];
            for (size_t j = 0; j < block->prose.count; j++, str_add(out, "\n"))
                runs_add_source(out, &block->prose.items[j].runs);
            if (block->tex)
                str_addf(out, "%s\n", block->tex);
            for (size_t j = 0; j < block->check_count; j++, str_add(out, "\n"))
                runs_add_source(out, &block->checks[j].sentence);
            for (size_t j = 0; j < block->question.count; j++, str_add(out, "\n")) {
                runs_add_source(out, &block->question.answers[j].text);
                str_add(out, " / ");
                runs_add_source(out, &block->question.answers[j].feedback);
            }
            if (block->kind == BLOCK_PREDICT) {
                runs_add_source(out, &block->prediction.name);
                str_add(out, " / ");
                runs_add_source(out, &block->prediction.traps[0].diagnosis);
                str_add(out, "\n");
            }
        }
    }
}

static void test_whole(void **state)
{
    (void)state;
    Lesson *lesson = load();
    Error error = {0};
    Str differences = {0}, texts = {0};
    TranslationReport report = {.context = &differences, .differs = on_differs};
    assert_int_equal(translation_load(lesson, "de", &report, &error), STATUS_OK);
    assert_string_equal(str_text(&differences), "");
    add_texts(&texts, lesson);
    assert_string_equal(str_text(&texts),
                        "Zwei und zwei\nEine Summe.\nErstens\n"
                        "Ein Absatz. Die Zahl ist `=n * 1`.\nZwei Absätze.\nx = \\text{zwei}\n"
                        "Drei Absätze.\ndoppelt\n`=x + 0` ist positiv\nSag es.\n"
                        "Zweitens\nWas ist es?\nEins. / Nein.\nVier. / Ja.\n"
                        "die Summe / zu viel\nDrittens\nAllein.\n");
    VerifyCounts counts;
    assert_int_equal(lesson_verify(lesson, NULL, &counts), STATUS_OK);
    assert_int_equal(counts.checks, 2);
    str_clear(&differences);
    str_clear(&texts);
    lesson_free(lesson);
}

/* What does not fit is said; those steps keep the original's words. */
static void test_differences(void **state)
{
    (void)state;
    Lesson *lesson = load();
    Error error = {0};
    Str differences = {0}, texts = {0};
    TranslationReport report = {.context = &differences, .differs = on_differs};
    assert_int_equal(translation_load(lesson, "xx", &report, &error), STATUS_OK);
    assert_string_equal(str_text(&differences),
                        "translated.xx.md:6:1: step first: the original has 2 sentences of checks, "
                        "the translation 3\n"
                        "translated.xx.md:30:3: the choices are not marked as in the original\n"
                        "translated.md:45:1: this step is not translated\n"
                        "translated.xx.md:38:1: the original has no step of this id\n");
    add_texts(&texts, lesson);
    assert_non_null(strstr(str_text(&texts), "One paragraph. The number is `=n`."));
    assert_non_null(strstr(str_text(&texts), "Alone."));
    assert_int_equal(lesson_verify(lesson, NULL, NULL), STATUS_OK);
    str_clear(&differences);
    str_clear(&texts);
    lesson_free(lesson);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"---\ntitle: T\nabout: A.\n---\n## S {#first}\n```octave\nx = 1;\n```\n",
         "6:1: a translation holds the sentences of check, predict and notes; all else comes from "
         "the original\n"},
        {"---\ntitle: T\nabout: A.\n---\n```notes\nx\n```\n",
         "5:1: nothing but the front matter stands before the first step\n"},
        {"---\ntitle: T\n---\n## S {#first}\n", "1:1: the front matter has no 'about:'\n"},
        {"---\ntitle: T\nabout: A.\n---\n## S {#first}\n`=1 +`\n",
         "6:6: parse error: an expression expected, the text ends here\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Lesson *lesson = load();
        Error error = {0};
        Str got = {0};
        assert_int_equal(translation_apply(lesson, "t.de.md", cases[i].text, strlen(cases[i].text),
                                           NULL, &error),
                         STATUS_ERROR);
        cases_add_error(&got, &error);
        assert_string_equal(str_text(&got), cases[i].message);
        assert_string_equal(lesson->title, "Two and two");
        str_clear(&got);
        error_clear(&error);
        lesson_free(lesson);
    }
}

static void test_list(void **state)
{
    (void)state;
    IdList list = {0};
    Error error = {0};
    assert_int_equal(translation_list(ORIGINAL, &list, &error), STATUS_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0], "de");
    assert_string_equal(list.items[1], "xx");
    id_list_clear(&list);
}

int main(void)
{
    core_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
