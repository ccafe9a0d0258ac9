/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widths, graphemes, control characters and wrapping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void test_decode(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        int32_t c;
    } cases[] = {
        {"a", 1, 'a'},
        {"é", 2, 0xE9},
        {"注", 3, 0x6CE8},
        {"😀", 4, 0x1F600},
        {"\x80", 1, -1},             /* a continuation byte alone */
        {"\xC3", 1, -1},             /* cut short */
        {"\xE6\xB3", 1, -1},         /* cut short */
        {"\xC0\x80", 1, -1},         /* overlong */
        {"\xED\xA0\x80", 1, -1},     /* a surrogate */
        {"\xF4\x90\x80\x80", 1, -1}, /* above U+10FFFF */
        {"\xFF", 1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        assert_int_equal(text_next(cases[i].text, length), cases[i].bytes);
        assert_int_equal(text_decode(cases[i].text, length), cases[i].c);
    }
    assert_int_equal(text_decode("\0", 1), 0);
    assert_int_equal(text_next("\0x", 2), 1);
}

static void test_is_utf8(void **state)
{
    (void)state;
    size_t bad = 99;
    assert_true(text_is_utf8("", 0, &bad));
    assert_true(text_is_utf8("线性 attention", strlen("线性 attention"), &bad));
    assert_int_equal(bad, 99);
    assert_false(text_is_utf8("ab\xFFz", 4, &bad));
    assert_int_equal(bad, 2);
    assert_false(text_is_utf8("\xE6\xB3", 2, NULL));
}

static void test_grapheme(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
    } cases[] = {
        {"ab", 1},
        {"e\xCC\x81x", 3}, /* e + combining acute */
        {"注意", 3},
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xABx", 9}, /* Hangul from three jamo */
        {"👩\xE2\x80\x8D🔬x", 11},                      /* joined by ZWJ */
        {"🇨🇳🇩🇪", 8},                                  /* two flags: one and one */
        {"\xFF\xCC\x81", 1},                          /* nothing joins an invalid byte */
        {"a\xFF", 1},
        {"\r\nx", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(text_next_grapheme(cases[i].text, strlen(cases[i].text)), cases[i].bytes);
}

static void test_width_and_visible(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count, width;
        const char *visible;
    } cases[] = {
        {"", 0, 0, ""},
        {"plain ~", 7, 7, "plain ~"},
        {"注意力", 3, 6, "注意力"},
        {"，", 1, 2, "，"},
        {"α⊤∑─", 4, 4, "α⊤∑─"},
        {"e\xCC\x81", 2, 1, "e\xCC\x81"},
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", 3, 2, "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"},
        {"a\tb\nc", 5, 5, "a␉b␊c"},
        {"\x1B[31m", 5, 5, "␛[31m"},
        {"\x7F", 1, 8, "<U+007F>"},
        {"\xC2\x9B", 1, 8, "<U+009B>"}, /* C1: control sequence introducer */
        {"\xE2\x80\xA8", 1, 8, "<U+2028>"},
        {"\xE2\x80\xAE", 1, 8, "<U+202E>"}, /* right-to-left override */
        {"\xE2\x81\xA6", 1, 8, "<U+2066>"},
        {"\xEF\xBB\xBF", 1, 8, "<U+FEFF>"},
        {"\xC2\xAD", 1, 8, "<U+00AD>"},
        {"\xE2\x81\xA3", 1, 8, "<U+2063>"},
        {"\xF3\xA0\x81\x81", 1, 9, "<U+E0041>"}, /* a tag: invisible text */
        {"\xE2\x80\x8B\xE2\x80\x8D\xEF\xB8\x8F", 3, 0,
         "\xE2\x80\x8B\xE2\x80\x8D\xEF\xB8\x8F"}, /* orthography: kept */
        {"x\x80y", 3, 3, "x\xEF\xBF\xBDy"},
        {"\x9B", 1, 1, "\xEF\xBF\xBD"}, /* a C1 byte that is not UTF-8 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);
        Str out = {0};
        text_add_visible(&out, cases[i].text, length);
        assert_string_equal(str_text(&out), cases[i].visible);
        assert_int_equal(text_count(cases[i].text, length), cases[i].count);
        assert_int_equal(text_width(cases[i].text, length), cases[i].width);
        assert_int_equal(text_width(str_text(&out), out.length), cases[i].width);
        str_clear(&out);
    }
    Str out = {0};
    text_add_visible(&out, "a\0b", 3);
    assert_string_equal(str_text(&out), "a␀b");
    str_clear(&out);
}

/* Every code point: what is shown is no control character, and the widths agree. */
static void test_nothing_acts(void **state)
{
    (void)state;
    for (int32_t c = 0; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        char b[4];
        size_t n;
        if (c < 0x80)
            b[0] = (char)c, n = 1;
        else if (c < 0x800)
            b[0] = (char)(0xC0 | c >> 6), b[1] = (char)(0x80 | (c & 63)), n = 2;
        else if (c < 0x10000)
            b[0] = (char)(0xE0 | c >> 12), b[1] = (char)(0x80 | (c >> 6 & 63)),
            b[2] = (char)(0x80 | (c & 63)), n = 3;
        else
            b[0] = (char)(0xF0 | c >> 18), b[1] = (char)(0x80 | (c >> 12 & 63)),
            b[2] = (char)(0x80 | (c >> 6 & 63)), b[3] = (char)(0x80 | (c & 63)), n = 4;
        assert_int_equal(text_decode(b, n), c);
        Str out = {0};
        text_add_visible(&out, b, n);
        int32_t first = text_decode(out.data, out.length);
        bool tag = first >= 0xE0000 && first < 0xE1000;
        if (first < 0x20 || (first >= 0x7F && first < 0xA0) || first == 0x2028 ||
            first == 0x202E || tag)
            fail_msg("U+%04X is not made visible", (unsigned)c);
        assert_int_equal(text_is_control(c), !(out.length == n && memcmp(out.data, b, n) == 0));
        assert_int_equal(text_width(b, n), text_width(out.data, out.length));
        str_clear(&out);
    }
}

static void test_wrapping(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t width, indent;
        const char *wrapped;
    } cases[] = {
        {"", 10, 0, ""},
        {"one two three", 80, 0, "one two three"},
        {"one two three", 7, 0, "one two\nthree"},
        {"one two three", 8, 0, "one two\nthree"},
        {"one two three", 6, 0, "one\ntwo\nthree"},
        {"one   two", 4, 0, "one\ntwo"},
        {"one   two", 9, 0, "one   two"},
        {"  kept", 10, 0, "  kept"},
        {"end  ", 10, 0, "end"},
        {"a b\n\nc", 10, 2, "a b\n\n  c"},
        {"a\n", 10, 2, "a\n"},
        {"one two three", 9, 2, "one two\n  three"},
        {"unbreakable", 4, 0, "unbr\neaka\nble"},
        {"an unbreakable", 6, 2, "an\n  unbr\n  eaka\n  ble"},
        {"abc", 0, 0, "a\nb\nc"},
        {"abc", 1, 5, "a\nb\nc"},
        {"abc", 2, 7, "ab\n c"},
        {"注意力机制", 4, 0, "注意\n力机\n制"},
        {"注意力机制", 5, 0, "注意\n力机\n制"},
        {"注意力机制", 1, 0, "注\n意\n力\n机\n制"},
        {"注意力，机制", 6, 0, "注意\n力，机\n制"},   /* the comma takes 力 with it */
        {"我们“注意”它", 4, 0, "我们\n“注\n意”\n它"}, /* quotes are 1 cell wide */
        {"看（注意）吧", 4, 0, "看\n（注\n意）\n吧"},
        {"注意attention力", 9, 0, "注意\nattention\n力"},
        {"S_(t-1) 状态", 9, 0, "S_(t-1)\n状态"},
        {"n\xCC\x81n\xCC\x81n\xCC\x81", 2, 0, "n\xCC\x81n\xCC\x81\nn\xCC\x81"},
        {"\xFF\xFF\xFF", 2, 0, "\xFF\xFF\n\xFF"},
        {"注意……力", 4, 0, "注\n意……\n力"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str out = {0};
        text_add_wrapped(&out, cases[i].text, cases[i].width, cases[i].indent);
        assert_string_equal(str_text(&out), cases[i].wrapped);
        str_clear(&out);
    }
}

/* The visible characters of text, blanks and line ends left out. */
static void add_solid(Str *out, const char *text)
{
    for (; *text; text++)
        if (!strchr(" \n", *text))
            str_add_char(out, *text);
}

/* Random texts at random widths: nothing is lost, nothing is too wide. */
static void test_wrapping_keeps_everything(void **state)
{
    (void)state;
    static const char *pieces[] = {"a",  "word", " ",           "  ", "注",        "意",
                                   "，", "（",   "）",          "\n", "e\xCC\x81", "\xFF",
                                   "“",  "”",    "longer-word", "。"};
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 3000; round++) {
        Str text = {0}, out = {0}, before = {0}, after = {0};
        for (int i = 0; i < 30; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            str_add(&text, pieces[seed % (sizeof pieces / sizeof *pieces)]);
        }
        size_t width = 2 + seed % 20, indent = seed / 32 % 4;
        text_add_wrapped(&out, str_text(&text), width, indent);
        add_solid(&before, str_text(&text));
        add_solid(&after, str_text(&out));
        assert_string_equal(str_text(&before), str_text(&after));
        const char *line = str_text(&out);
        size_t room = width > indent + 1 ? width : indent + 2;
        for (;;) {
            size_t length = strcspn(line, "\n");
            assert_true(text_width(line, length) <= room);
            assert_true(length == 0 || line[length - 1] != ' ');
            if (!line[length])
                break;
            line += length + 1;
        }
        str_clear(&text), str_clear(&out), str_clear(&before), str_clear(&after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_is_utf8),
        cmocka_unit_test(test_grapheme),
        cmocka_unit_test(test_width_and_visible),
        cmocka_unit_test(test_nothing_acts),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_wrapping_keeps_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
