/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read: golden texts of small lessons, and properties of the real ones.
 *
 * To write the golden texts anew, then look at the difference:
 *
 *     ATTNWALK_REGENERATE=1 ctest -R test_read
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "core/start.h"
#include "lesson/find.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "page/formula.h"
#include "page/read.h"

static void read_file(Str *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    char buffer[4096];
    size_t got;
    if (!file)
        fail_msg("cannot open %s", path);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        str_add_bytes(out, buffer, got);
    fclose(file);
}

static void fail_with(const Error *error)
{
    Str text = {0};
    error_print(error, &text);
    fail_msg("%s", str_text(&text));
}

/* The lesson at path (or of that id) as read prints it. */
static void print_lesson(Str *out, const char *path, const ReadStyle *style)
{
    Error error = {0};
    Lesson *lesson = NULL;
    Trace *trace = NULL;
    if (lesson_load(path, &lesson, &error) != STATUS_OK ||
        lesson_run(lesson, NULL, NULL, &trace, &error) != STATUS_OK ||
        read_add_lesson(out, trace, style, &error) != STATUS_OK)
        fail_with(&error);
    trace_free(trace);
    lesson_free(lesson);
}

static void compare_golden(const char *lesson, const char *golden, const ReadStyle *style)
{
    Str got = {0}, want = {0}, path = {0};
    str_addf(&path, PROJECT_ROOT "/tests/page/%s", lesson);
    print_lesson(&got, str_text(&path), style);
    str_cut(&path, 0);
    str_addf(&path, PROJECT_ROOT "/tests/page/%s", golden);
    if (getenv("ATTNWALK_REGENERATE")) {
        FILE *file = fopen(str_text(&path), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(got.data, 1, got.length, file), got.length);
        assert_int_equal(fclose(file), 0);
    }
    read_file(&want, str_text(&path));
    assert_string_equal(str_text(&got), str_text(&want));
    str_clear(&got), str_clear(&want), str_clear(&path);
}

static void test_golden(void **state)
{
    (void)state;
    compare_golden("small.md", "small.txt", &(ReadStyle){.width = 80});
    compare_golden("small.md", "small-ascii-notes.txt",
                   &(ReadStyle){.width = 60, .ascii = true, .notes = true, .digits = 3});
}

/* No line is wider than asked for (a matrix has at least one column and a single word
 * may not fit, so the widths tried are reasonable); no blanks at line ends; nothing
 * that could act on a terminal. */
static void check_lines(const Str *text, size_t width, bool ascii, const char *id)
{
    for (const char *line = str_text(text); *line;) {
        size_t length = strcspn(line, "\n");
        if (text_width(line, length) > width)
            fail_msg("%s: too wide: %.*s", id, (int)length, line);
        if (length && line[length - 1] == ' ')
            fail_msg("%s: blank at the end: '%.*s'", id, (int)length, line);
        for (size_t i = 0; i < length; i += text_next(line + i, length - i)) {
            int32_t c = text_decode(line + i, length - i);
            assert_false(text_is_control(c));
            assert_true(!ascii || c < 127);
        }
        line += length + (line[length] == '\n');
    }
}

static void test_lessons(void **state)
{
    (void)state;
    static const ReadStyle styles[] = {
        {.width = 80}, {.width = 60, .ascii = true, .notes = true}, {.width = 120, .notes = true}};
    Error error = {0};
    IdList ids = {0};
    if (find_lessons(&ids, &error) != STATUS_OK)
        fail_with(&error);
    assert_true(ids.count >= 5);
    for (size_t i = 0; i < ids.count; i++)
        for (size_t j = 0; j < sizeof styles / sizeof *styles; j++) {
            Str out = {0};
            print_lesson(&out, ids.items[i], &styles[j]);
            check_lines(&out, styles[j].width, styles[j].ascii, ids.items[i]);
            if (strstr(str_text(&out), styles[j].ascii ? "[FAILED]" : "✗"))
                fail_msg("%s: a check fails", ids.items[i]);
            str_clear(&out);
        }
    id_list_clear(&ids);
}

/* A lesson full of control characters: none of them reaches the output. */
static const char hostile[] = "---\ntitle: T\x1B[31m\nabout: A\xC2\x9B"
                              "1m \xE2\x80\xAE\n---\n\n"
                              "```params\nn = 2  1..3  he\x07lp\n```\n\n"
                              "```labels\ntok = \"a\x1B[2J\", b\n```\n\n"
                              "## St\x1B"
                              "ep {#a}\n\n"
                              "Pro\x08se `co\x1B"
                              "de` $x\x1B_1 + \\foo\x7F$ and `=n`.\n\n"
                              "$$\n\\text{a\x1B"
                              "b} \\bad{\x1B}\n$$\n\n"
                              "```octave\nA = [0.25 0.75];\n```\n\n"
                              "```view\nbars A(1,:) cols=tok\n```\n\n"
                              "```check\nn == 2 : sen\x1Btence\n```\n\n"
                              "- [x] Y\x1B"
                              "es. — fe\x1B"
                              "ed\n";

/* Parses, runs and prints text; with an error the message goes to out. */
static Status print_text(Str *out, const char *text, const ReadStyle *style, Str *message)
{
    Error error = {0};
    Lesson *lesson = NULL;
    Trace *trace = NULL;
    Status status = lesson_parse("t.md", text, strlen(text), &lesson, &error);
    if (status == STATUS_OK)
        status = lesson_run(lesson, NULL, NULL, &trace, &error);
    if (status == STATUS_OK)
        status = read_add_lesson(out, trace, style, &error);
    if (status != STATUS_OK)
        error_print(&error, message);
    error_clear(&error);
    trace_free(trace);
    lesson_free(lesson);
    return status;
}

static void test_hostile(void **state)
{
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++) {
        Str out = {0}, message = {0};
        const ReadStyle style = {.width = 80, .ascii = ascii, .notes = true};
        if (print_text(&out, hostile, &style, &message) != STATUS_OK)
            fail_msg("%s", str_text(&message));
        check_lines(&out, 80, ascii, "hostile");
        assert_non_null(strstr(str_text(&out), "\\foo"));
        assert_non_null(strstr(str_text(&out), ascii ? "[ok] sen" : "✓ sen"));
        str_clear(&out), str_clear(&message);
    }
}

/* Any width ends, and loses no word. */
static void test_narrow(void **state)
{
    (void)state;
    for (size_t width = 1; width < 30; width += 4) {
        Str out = {0};
        print_lesson(&out, PROJECT_ROOT "/tests/page/small.md", &(ReadStyle){.width = width});
        assert_true(out.length > 2000);
        str_clear(&out);
    }
}

/* What cannot be evaluated is an error with its place. */
static void test_errors(void **state)
{
    (void)state;
    static const char text[] = "---\ntitle: T\nabout: A\n---\n\n## S {#a}\n\n"
                               "```octave\nA = [1 2];\n```\n\n"
                               "```check\nA * A == 1 : wrong shapes\n```\n";
    Str out = {0}, message = {0};
    assert_int_equal(print_text(&out, text, &(ReadStyle){.width = 80}, &message), STATUS_ERROR);
    assert_true(text_starts(str_text(&message), "t.md:13:3: operator *: nonconformant"));
    assert_non_null(strstr(str_text(&out), "A  1×2   1  2"));
    str_clear(&out), str_clear(&message);
}

/* Every formula of every lesson is understood. */
static void print_problem(void *context, const Error *error)
{
    (void)context;
    Str text = {0};
    error_print(error, &text);
    print_error("%s", str_text(&text));
    str_clear(&text);
}

static void test_lesson_formulas(void **state)
{
    (void)state;
    const FormulaReport report = {.problem = print_problem};
    Error error = {0};
    IdList ids = {0};
    if (find_lessons(&ids, &error) != STATUS_OK)
        fail_with(&error);
    for (size_t i = 0; i < ids.count; i++) {
        Lesson *lesson;
        size_t count;
        if (lesson_load(ids.items[i], &lesson, &error) != STATUS_OK)
            fail_with(&error);
        assert_int_equal(formula_check_lesson(lesson, &report, &count), 0);
        assert_true(count > 20);
        lesson_free(lesson);
    }
    id_list_clear(&ids);
}

/* A problem has the place in the file of what is wrong. */
static void keep_problem(void *context, const Error *error)
{
    Str *out = context;
    str_addf(out, "%zu:%zu %s\n", error->line, error->column, error->message);
}

static void test_problem_places(void **state)
{
    (void)state;
    static const char text[] = "---\ntitle: T\nabout: A\n---\n\n"
                               "## A $\\foo$ title {#a}\n\n"
                               "Prose é $x + \\nosuch{y}$ and $a^b^c$.\n\n"
                               "$$\n\\frac{a}{\n$$\n\n"
                               "- [x] $\\left( x$. — Yes $x_{$.\n";
    Error error = {0};
    Lesson *lesson;
    Str out = {0};
    if (lesson_parse("t.md", text, strlen(text), &lesson, &error) != STATUS_OK)
        fail_with(&error);
    size_t count;
    const FormulaReport report = {.context = &out, .problem = keep_problem};
    assert_int_equal(formula_check_lesson(lesson, &report, &count), 6);
    assert_int_equal(count, 6);
    assert_string_equal(str_text(&out), "6:7 formula: \\foo is not known in formulas\n"
                                        "8:14 formula: \\nosuch is not known in formulas\n"
                                        "8:34 formula: two superscripts on one symbol\n"
                                        "11:9 formula: this { is not closed\n"
                                        "14:8 formula: \\left without \\right\n"
                                        "14:28 formula: this { is not closed\n");
    str_clear(&out);
    lesson_free(lesson);
}

static int start(void **state)
{
    (void)state;
    core_start();
    return 0;
}

static int end(void **state)
{
    (void)state;
    core_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_lessons),
        cmocka_unit_test(test_hostile),        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_lesson_formulas),
        cmocka_unit_test(test_problem_places),
    };
    return cmocka_run_group_tests(tests, start, end);
}
