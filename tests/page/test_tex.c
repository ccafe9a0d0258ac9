/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas: formulas.txt holds TeX source, its line in Unicode and in ASCII, and
 * the problems reported; the rest is limits and the form of the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/str.h"
#include "base/text.h"
#include "page/tex.h"

/* Everything formulas.txt says about one formula, made anew. */
static void describe(Str *out, const char *source)
{
    Tex *tex = tex_parse(source, strlen(source));
    str_addf(out, "%s\nU ", source);
    tex_add_linear(out, tex, TEX_UNICODE);
    str_add(out, "\nA ");
    tex_add_linear(out, tex, TEX_ASCII);
    for (size_t i = 0; i < tex->problem_count; i++)
        str_addf(out, "\n! %zu-%zu %s", tex->problems[i].span.start, tex->problems[i].span.end,
                 tex->problems[i].message);
    str_add(out, "\n");
    tex_free(tex);
}

static void test_formulas(void **state)
{
    (void)state;
    FILE *file = fopen(PROJECT_ROOT "/tests/page/formulas.txt", "r");
    assert_non_null(file);
    Str want = {0}, got = {0};
    size_t count = 0, failed = 0;
    static char line[4096];
    bool more = true;
    while (more) {
        more = fgets(line, sizeof line, file) != NULL;
        if (more && line[0] != '\n') {
            str_add(&want, line);
            if (!got.length) {
                line[strcspn(line, "\n")] = '\0';
                describe(&got, line);
                count++;
            }
            continue;
        }
        if (!text_equal(str_text(&want), str_text(&got))) {
            print_error("expected\n%sbut got\n%s\n", str_text(&want), str_text(&got));
            failed++;
        }
        str_cut(&want, 0), str_cut(&got, 0);
    }
    fclose(file);
    str_clear(&want), str_clear(&got);
    assert_int_equal(failed, 0);
    assert_true(count > 80);
}

/* ASCII means ASCII, and never more than one line. */
static void test_ascii_is_ascii(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "\\alpha\\Omega\\top\\infty\\sum\\prod\\int\\partial\\nabla\\forall\\exists\\dots\\cdots",
        "\\cdot\\times\\odot\\otimes\\circ\\le\\ge\\ne\\approx\\equiv\\propto\\in\\to\\mapsto",
        "\\langle\\rangle\\|x\\|\\sqrt[3]{x}\\sqrt y\\hat x\\tilde x\\bar x\\vec x x'",
        "\\mathbb{R}\\begin{cases}a&b\\\\c&d\\end{cases}\\underbrace{a}_{b}",
        "α · β × γ ≤ δ − ⊤",
        "a\n\n\\foo\n{b\nc}"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        Str out = {0};
        tex_add_source(&out, sources[i], strlen(sources[i]), TEX_ASCII);
        assert_true(out.length > 0);
        for (size_t j = 0; j < out.length; j++)
            if (out.data[j] < 32 || out.data[j] > 126)
                fail_msg("%s gives %s", sources[i], str_text(&out));
        str_clear(&out);
    }
}

/* x_i stays x_i where the reader asked for it. */
static void test_level(void **state)
{
    (void)state;
    Str out = {0};
    tex_add_source(&out, "k_t^{\\top} v_t", strlen("k_t^{\\top} v_t"), TEX_LEVEL);
    assert_string_equal(str_text(&out), "k_t^⊤v_t");
    str_clear(&out);
}

/* Spans point at what they name; a span lies inside its parent's. */
static void check_spans(const TexNode *node, size_t start, size_t end)
{
    assert_true(node->span.start >= start && node->span.end <= end &&
                node->span.start <= node->span.end);
    for (size_t i = 0; i < node->count; i++)
        if (node->children[i])
            check_spans(node->children[i], node->span.start, node->span.end);
}

static void test_tree(void **state)
{
    (void)state;
    static const char source[] = "S_{t-1}^2 + \\frac{a}{b} \\left( \\sqrt[3]{x} \\right)";
    Tex *tex = tex_parse(source, strlen(source));
    assert_int_equal(tex->root->kind, TEX_ROW);
    assert_int_equal(tex->root->count, 4);
    const TexNode *scripts = tex->root->children[0], *fraction = tex->root->children[2];
    const TexNode *fenced = tex->root->children[3];
    assert_int_equal(scripts->kind, TEX_SCRIPTS);
    assert_int_equal(scripts->count, 3);
    assert_int_equal(scripts->span.end, strlen("S_{t-1}^2"));
    assert_string_equal(scripts->children[0]->unicode, "S");
    assert_int_equal(scripts->children[1]->count, 3);
    assert_string_equal(scripts->children[2]->unicode, "2");
    assert_int_equal(tex->root->children[1]->class, TEX_BINARY);
    assert_int_equal(fraction->kind, TEX_FRACTION);
    assert_int_equal(fraction->span.start, strlen("S_{t-1}^2 + "));
    assert_int_equal(fenced->kind, TEX_FENCED);
    assert_string_equal(fenced->open, "(");
    check_spans(tex->root, 0, strlen(source));
    tex_free(tex);

    static const char grid[] = "\\begin{pmatrix} a & b \\\\ c \\end{pmatrix}";
    tex = tex_parse(grid, strlen(grid));
    assert_int_equal(tex->problem_count, 0);
    assert_int_equal(tex->root->children[0]->kind, TEX_GRID);
    assert_int_equal(tex->root->children[0]->columns, 2);
    assert_int_equal(tex->root->children[0]->count, 4);
    assert_null(tex->root->children[0]->children[3]);
    check_spans(tex->root, 0, strlen(grid));
    tex_free(tex);
    tex_free(NULL);
}

static void add_many(Str *out, const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++)
        str_add(out, piece);
}

/* What nests (before the innermost x, and after it) beyond the limit is an error;
 * twenty thousand levels take no longer than reading them. */
static void test_depth(void **state)
{
    (void)state;
    static const size_t depths[] = {TEX_MAX_DEPTH, TEX_MAX_DEPTH + 1, 20000};
    static const char *const pieces[][2] = {{"{", "}"},
                                            {"\\sqrt ", ""},
                                            {"x^{", "}"},
                                            {"\\frac{", "}y"},
                                            {"\\left(", "\\right)"},
                                            {"\\hat ", ""},
                                            {"\\begin{matrix}", "\\end{matrix}"},
                                            {"\\begin{cases}a+b&", "\\end{cases}"}};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        for (size_t j = 0; j < sizeof depths / sizeof *depths; j++) {
            size_t deep = depths[j];
            Str source = {0}, out = {0};
            add_many(&source, pieces[i][0], deep);
            str_add(&source, "x");
            add_many(&source, pieces[i][1], deep);
            clock_t start = clock();
            Tex *tex = tex_parse(str_text(&source), source.length);
            tex_add_linear(&out, tex, TEX_UNICODE);
            assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
            assert_int_equal(tex->problem_count, deep > TEX_MAX_DEPTH ? 1 : 0);
            if (deep > TEX_MAX_DEPTH) {
                assert_string_equal(tex->problems[0].message,
                                    "the formula nests deeper than 64 levels");
                assert_int_equal(tex->root->kind, TEX_SOURCE);
                assert_int_equal(text_width(str_text(&out), out.length),
                                 text_width(str_text(&source), source.length) -
                                     (str_text(&source)[source.length - 1] == ' '));
            }
            tex_free(tex);
            str_clear(&source), str_clear(&out);
        }
}

/* Random strings of pieces: never a crash, and nothing is reported without being
 * shown. */
static void test_random_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {"{",
                                         "}",
                                         "^",
                                         "_",
                                         "\\frac",
                                         "\\left(",
                                         "\\right)",
                                         "&",
                                         "\\\\",
                                         "\\begin{cases}",
                                         "\\end{cases}",
                                         "\\sqrt",
                                         "[",
                                         "]",
                                         "x",
                                         "12",
                                         "'",
                                         "\\foo",
                                         "\\text{a b}",
                                         "\\",
                                         "%",
                                         "\\hat",
                                         "注",
                                         " ",
                                         "\\sum",
                                         "|",
                                         "\\|",
                                         "./",
                                         "\\underbrace",
                                         "\\operatorname",
                                         "\xFF",
                                         "\x1B"};
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        Str source = {0}, out = {0};
        for (int i = 0; i < 12; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            str_add(&source, pieces[seed % (sizeof pieces / sizeof *pieces)]);
        }
        Tex *tex = tex_parse(str_text(&source), source.length);
        tex_add_linear(&out, tex, round % 2 ? TEX_UNICODE : TEX_ASCII);
        check_spans(tex->root, 0, source.length);
        assert_true(tex->problem_count > 0 || tex->root->kind == TEX_ROW);
        for (size_t i = 0; i < tex->problem_count; i++)
            assert_true(tex->problems[i].span.start < tex->problems[i].span.end &&
                        tex->problems[i].span.end <= source.length);
        for (size_t i = 0; i < out.length; i++)
            assert_true((unsigned char)out.data[i] >= 32);
        tex_free(tex);
        str_clear(&source), str_clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas), cmocka_unit_test(test_ascii_is_ascii),
        cmocka_unit_test(test_level),    cmocka_unit_test(test_tree),
        cmocka_unit_test(test_depth),    cmocka_unit_test(test_random_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
