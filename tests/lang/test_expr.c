/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of statements on one line, as explanations and pages quote it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "lang/parse.h"

typedef struct {
    const char *text, *line;
} Case;

static void assert_line(const Case *c)
{
    Source *source = source_new("case", c->text, strlen(c->text));
    Code *code = NULL;
    Error error = {0};
    Str line = {0};
    if (code_parse(source, (Span){0, source->length}, &code, &error) != STATUS_OK)
        fail_msg("%s: %s", c->text, error.message);
    assert_int_equal(code->body.count, 1);
    stmt_add_text(&line, code->body.items[0]);
    if (strcmp(str_text(&line), c->line) != 0)
        fail_msg("%s: got '%s', expected '%s'", c->text, str_text(&line), c->line);
    str_clear(&line);
    code_free(code);
    source_free(source);
}

static void assert_lines(const Case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        assert_line(&cases[k]);
}

#define ASSERT_LINES(cases) assert_lines(cases, sizeof(cases) / sizeof *(cases))

static void blanks(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"x  =\t1", "x = 1"},
        {"x=1", "x=1"},
        {"x = [ 1 2 ];", "x = [1 2]"},
        {"x = f( 1 ,  2 );", "x = f( 1 , 2 )"},
        {"for  t = 1:3\n  x = t;\nend", "for t = 1:3"},
    };
    ASSERT_LINES(CASES);
}

static void line_ends_and_comments(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"x = [1 2\n     3 4];", "x = [1 2; 3 4]"},
        {"x = [1 2\r\n     3 4];", "x = [1 2; 3 4]"},
        {"x = [1 2;\n     3 4];", "x = [1 2; 3 4]"},
        {"x = [\n  1 2\n  3 4\n];", "x = [1 2; 3 4]"},
        {"x = [1 2 % one\n 3 4 # two\n];", "x = [1 2; 3 4]"},
        {"x = [1 2 % one\r 3 4];", "x = [1 2; 3 4]"},
        {"x = [1 ... more\n 2];", "x = [1 2]"},
        {"x = 1 + ... more\n  2", "x = 1 + 2"},
        {"x = [1 -...\n2 +...\n 3]", "x = [1 -2 +3]"},
        {"x = [1 - ...\n2]", "x = [1 - 2]"},
        {"x = 1 + ...\r  2", "x = 1 + 2"},
        {"x = (1 +\n  2)", "x = (1 + 2)"},
        {"x = max(1, % one\n  [2]);", "x = max(1, [2])"},
    };
    ASSERT_LINES(CASES);
}

/* A quote after an operand transposes; what is between the quotes of a string stays. */
static void quotes(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"x = A'  *  B'", "x = A' * B'"},
        {"x = (A)'  *  [B]'", "x = (A)' * [B]'"},
        {"x = A.'  *  B''", "x = A.' * B''"},
        {"x = 3'  +  z_'  +  Z'", "x = 3' + z_' + Z'"},
        {"x = norm(A,'a  b')", "x = norm(A,'a  b')"},
        {"x = norm(A,  'a  %  b')", "x = norm(A, 'a  %  b')"},
        {"x = norm(A,  \"a  '  b\")", "x = norm(A, \"a  '  b\")"},
    };
    ASSERT_LINES(CASES);
}

static void one_expression(void **state)
{
    (void)state;
    Source *source = source_new("case", "y = (a  + b);", 13);
    Code *code = NULL;
    Error error = {0};
    Str text = {0};
    assert_int_equal(code_parse(source, (Span){0, 13}, &code, &error), STATUS_OK);
    str_add(&text, "x");
    expr_add_text(&text, code->body.items[0]->value);
    assert_string_equal(str_text(&text), "x(a + b)");
    str_clear(&text);
    code_free(code);
    code_free(NULL);
    source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks),
        cmocka_unit_test(line_ends_and_comments),
        cmocka_unit_test(quotes),
        cmocka_unit_test(one_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
