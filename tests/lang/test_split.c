/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Separators of the small grammars around expressions: found outside brackets and strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lang/split.h"

enum { NONE = -1 };

typedef size_t Finder(const Source *source, Span span, const char *what);

/* Where find finds what in the text from byte start on, or NONE. */
static int place_of(Finder *find, const char *text, size_t length, size_t start, const char *what)
{
    Source *source = source_new("case", text, length);
    size_t at = find(source, (Span){start, length}, what);
    source_free(source);
    return at == length ? NONE : (int)at;
}

typedef struct {
    const char *text, *what;
    int place; /* from 0 */
} Case;

static void assert_places(Finder *find, const Case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        int place = place_of(find, cases[k].text, strlen(cases[k].text), 0, cases[k].what);
        if (place != cases[k].place)
            fail_msg("%s in %s is found at %d, expected %d", cases[k].what, cases[k].text, place,
                     cases[k].place);
    }
}

#define ASSERT_PLACES(find, cases) assert_places(find, cases, sizeof(cases) / sizeof *(cases))

static void brackets_hide(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"a, b", ",", 1},
        {"a b", ",", NONE},
        {"", ",", NONE},
        {"f(a, b), c", ",", 7},
        {"[a, b], c", ",", 6},
        {"{a, b}, c", ",", 6},
        {"[f(a, {b, c}), d], e", ",", 17},
        {"a; b, c", ",;", 1},
        {"(a, b", ",", NONE},
        {"a), b", ",", 2}, /* what closes nothing does not matter here: the parser says it */
        {"], b", ",", 1},
        {"}, b", ",", 1},
        {"(a], b", ",", 3},
    };
    ASSERT_PLACES(split_find, CASES);
}

static void strings_hide(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"'a, b', c", ",", 6},
        {"\"a, b\", c", ",", 6},
        {"f('a, b)'), c", ",", 10},
        {"'it''s, so', c", ",", 11},
        {"\"a\"\", b\", c", ",", 8},
        {"\"a\\\", b\", c", ",", 8}, /* a backslash escapes in double quotes, … */
        {"'a\\', b", ",", 4},        /* … not in single ones */
        {"'a, b", ",", NONE},
        {"\"a\\", ",", NONE},
        {"'a''", ",", NONE},
    };
    ASSERT_PLACES(split_find, CASES);
}

static void a_quote_after_an_operand_transposes(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"A', b'", ",", 2},        {"z_', b'", ",", 3},      {"Z', b'", ",", 2},
        {"a9', b'", ",", 3},       {"A.', b'", ",", 3},      {"A'', b'", ",", 3},
        {"(a)', b'", ",", 4},      {"[1]', b'", ",", 4},     {"A ', b'", ",", 3},
        {"A \t', b'", ",", 4},     {" ', b', c", ",", 6},    {"+', b', c", ",", 6},
        {"[a', b'], c", ",", 8},   {"[a ', b'], c", ",", 9}, /* a blank before it inside [ ]: a
                                                                string */
        {"[a\t', b'], c", ",", 9}, {"[a] ', b'", ",", 5},
    };
    ASSERT_PLACES(split_find, CASES);
}

static void a_sign_of_equality_is_no_comparison(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"a = b", "=", 2},      {"a=b", "=", 1},        {"=b", "=", 0},
        {"a=", "=", 1},         {"a == b", "=", NONE},  {"a ~= b", "=", NONE},
        {"a != b", "=", NONE},  {"a <= b", "=", NONE},  {"a >= b", "=", NONE},
        {"a == b = c", "=", 7}, {"a == b: c", "=:", 6}, {"(a = b) = c", "=", 8},
    };
    ASSERT_PLACES(split_find, CASES);
}

static void words_stand_alone(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"x when y", "when", 2},
        {"when y", "when", 0},
        {"x when", "when", 2},
        {"x whe", "when", NONE},
        {"whenever y", "when", NONE},
        {"when_ y", "when", NONE},
        {"when2 y", "when", NONE},
        {"xwhen y", "when", NONE},
        {"Zwhen y", "when", NONE},
        {"_when y", "when", NONE},
        {"9when y", "when", NONE},
        {"whenever when y", "when", 9},
        {"(x when y) when z", "when", 11},
        {"'when' when z", "when", 7},
        {"x' when z", "when", 3},
    };
    ASSERT_PLACES(split_find_word, CASES);
}

static void only_the_span_is_read(void **state)
{
    (void)state;
    assert_int_equal(place_of(split_find, "a, b, c", 7, 2, ","), 4);
    assert_int_equal(place_of(split_find, "a', b'", 6, 1, ","), NONE); /* a string from here */
    assert_int_equal(place_of(split_find_word, "xwhen", 5, 1, "when"), 1);
    assert_int_equal(place_of(split_find, "a\0, b", 5, 0, ","), 2);
    Source *source = source_new("case", "a == b", 6);
    assert_int_equal(split_find(source, (Span){0, 3}, "="), 2); /* the second = is outside */
    source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_hide),
        cmocka_unit_test(strings_hide),
        cmocka_unit_test(a_quote_after_an_operand_transposes),
        cmocka_unit_test(a_sign_of_equality_is_no_comparison),
        cmocka_unit_test(words_stand_alone),
        cmocka_unit_test(only_the_span_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
