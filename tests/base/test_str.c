/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growable strings and positions in a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/source.h"
#include "base/str.h"

static void test_str(void **state)
{
    (void)state;
    Str s = {0};
    assert_string_equal(str_text(&s), "");
    str_add(&s, "ab");
    str_add_char(&s, 'c');
    str_add_repeat(&s, '-', 3);
    str_addf(&s, "%d|%s", 42, "x");
    assert_string_equal(str_text(&s), "abc---42|x");
    str_cut(&s, 3);
    assert_string_equal(str_text(&s), "abc");
    str_add_bytes(&s, "\0d", 2);
    assert_int_equal(s.length, 5);
    assert_memory_equal(s.data, "abc\0d", 6);
    for (int i = 0; i < 100000; i++)
        str_add_char(&s, 'z');
    assert_int_equal(s.length, 100005);
    assert_int_equal(strspn(s.data + 4, "dz"), 100001);
    char *taken = str_take(&s);
    assert_null(s.data);
    free(taken);
    taken = str_take(&s);
    assert_string_equal(taken, "");
    free(taken);
    str_clear(&s);
    assert_true(text_equal("a", "a") && !text_equal("a", "b"));
    assert_true(text_starts("abc", "ab") && !text_starts("a", "ab"));
}

/* LF, CRLF and CR end a line; columns count characters. */
static void test_positions(void **state)
{
    (void)state;
    const char *text = "ab\nc\r\n注意x\ry";
    Source *source = source_new("name", text, strlen(text));
    static const struct {
        size_t offset, line, column, start, end;
    } cases[] = {
        {0, 1, 1, 0, 2},   {1, 1, 2, 0, 2},    {2, 1, 3, 0, 2},    {3, 2, 1, 3, 4},
        {4, 2, 2, 3, 4},   {6, 3, 1, 6, 13},   {9, 3, 2, 6, 13},   {12, 3, 3, 6, 13},
        {13, 3, 4, 6, 13}, {14, 4, 1, 14, 15}, {15, 4, 2, 14, 15}, {99, 4, 2, 14, 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t line, column;
        source_position(source, cases[i].offset, &line, &column);
        assert_int_equal(line, cases[i].line);
        assert_int_equal(column, cases[i].column);
        Span span = source_line(source, cases[i].offset);
        assert_int_equal(span.start, cases[i].start);
        assert_int_equal(span.end, cases[i].end);
    }
    source_free(source);
    source_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_str),
        cmocka_unit_test(test_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
