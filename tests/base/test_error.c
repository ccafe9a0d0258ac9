/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What error_print shows: place, message, line and caret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/text.h"

/* Reports what error_print makes of the span [start, end) of text. */
static void expect(const char *text, size_t start, size_t end, const char *shown)
{
    Source *source = source_new("a.csv", text, strlen(text));
    Error error = {0};
    assert_int_equal(error_at(&error, source, (Span){start, end}, "bad %s", "thing"), STATUS_ERROR);
    source_free(source); /* the error outlives it */
    Str out = {0};
    error_print(&error, &out);
    assert_string_equal(str_text(&out), shown);
    str_clear(&out);
    error_clear(&error);
    assert_null(error.message);
}

static void test_carets(void **state)
{
    (void)state;
    expect("1,x,3", 2, 3, "a.csv:1:3: bad thing\n  1,x,3\n    ^\n");
    expect("1,xyz,3", 2, 5, "a.csv:1:3: bad thing\n  1,xyz,3\n    ^^^\n");
    expect("1,2\n3,y\n", 6, 7, "a.csv:2:3: bad thing\n  3,y\n    ^\n");
    expect("1\n", 1, 1, "a.csv:1:2: bad thing\n  1\n   ^\n");
    expect("", 0, 0, "a.csv:1:1: bad thing\n  \n  ^\n");
    expect("ab\ncd", 1, 5, "a.csv:1:2: bad thing\n  ab\n   ^\n"); /* to the line's end */
    expect("1\r2,z", 4, 5, "a.csv:2:3: bad thing\n  2,z\n    ^\n");
}

static void test_carets_under_wide_and_control_characters(void **state)
{
    (void)state;
    /* 注意 takes four cells, so the caret stands in the fifth. */
    expect("注意x", 6, 7, "a.csv:1:3: bad thing\n  注意x\n      ^\n");
    expect("\tx", 1, 2, "a.csv:1:2: bad thing\n  ␉x\n   ^\n");
    expect("\x1B[1mx", 4, 5, "a.csv:1:5: bad thing\n  ␛[1mx\n      ^\n");
    expect("\xFFx", 1, 2, "a.csv:1:2: bad thing\n  \xEF\xBF\xBDx\n   ^\n");
    expect("\xC2\x9Bx", 2, 3, "a.csv:1:2: bad thing\n  <U+009B>x\n          ^\n");
    expect("e\xCC\x81x", 3, 4, "a.csv:1:3: bad thing\n  e\xCC\x81x\n   ^\n");
}

static void test_long_lines_are_cut(void **state)
{
    (void)state;
    Str text = {0};
    str_add_repeat(&text, 'a', 5000);
    str_add_char(&text, '!');
    str_add_repeat(&text, 'b', 5000);
    Source *source = source_new("a.csv", str_text(&text), text.length);
    Error error = {0};
    error_at(&error, source, (Span){5000, 5001}, "bad");
    Str out = {0};
    error_print(&error, &out);
    const char *line = strchr(str_text(&out), '\n') + 1;
    const char *caret = strchr(line, '\n') + 1;
    assert_true(out.length < 400);
    const char *mark = strchr(line, '!');
    size_t before = text_width(line, (size_t)(mark - line));
    assert_int_equal(strspn(caret, " "), before);
    assert_string_equal(caret + before, "^\n");
    str_clear(&out), str_clear(&text);
    error_clear(&error);
    source_free(source);
}

static void test_places(void **state)
{
    (void)state;
    Error error = {0}, moved = {0};
    Str out = {0};
    assert_int_equal(error_set(&error, "n is %d", 3), STATUS_ERROR);
    error_move(&moved, &error);
    assert_null(error.message);
    error_print(&moved, &out);
    assert_string_equal(str_text(&out), "n is 3\n");
    Source *source = source_new("b", "xy", 2);
    error_locate(&moved, source, (Span){1, 2});
    error_locate(&moved, source, (Span){0, 1}); /* the first place wins */
    str_clear(&out);
    error_print(&moved, &out);
    assert_string_equal(str_text(&out), "b:1:2: n is 3\n  xy\n   ^\n");
    source_free(source);
    error_clear(&moved);
    str_clear(&out);
    error_in_file(&error, "dir\x1B/f.npy", 0, 0, "cannot\x07 open");
    error_print(&error, &out);
    assert_string_equal(str_text(&out), "dir␛/f.npy: cannot␇ open\n");
    error_clear(&error);
    str_clear(&out);
    error_in_file(&error, "f", 7, 0, "m");
    error_print(&error, &out);
    assert_string_equal(str_text(&out), "f:7: m\n");
    error_clear(&error);
    str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carets),
        cmocka_unit_test(test_carets_under_wide_and_control_characters),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
