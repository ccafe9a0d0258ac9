/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text to tokens: what expressions.txt cannot hold, such as line ends and control characters,
 * and what the parser hides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "io/number.h"
#include "lang/token.h"

static void add_token(Str *out, const Token *token)
{
    switch (token->kind) {
    case TOKEN_END_OF_TEXT:
        break;
    case TOKEN_NUMBER:
        number_add(out, token->number);
        break;
    case TOKEN_TEXT:
        str_addf(out, "'%s'", token->text);
        break;
    case TOKEN_NAME:
        str_add(out, token->text);
        break;
    case TOKEN_KEYWORD:
    case TOKEN_OPERATOR:
        str_add(out, token->spelling);
        break;
    case TOKEN_COMMA:
        str_add_char(out, ',');
        break;
    case TOKEN_SEMICOLON:
        str_add_char(out, ';');
        break;
    case TOKEN_NEWLINE:
        str_add(out, "end of line");
        break;
    }
}

typedef struct {
    const char *text;
    const char *tokens;  /* each followed by a blank, or the message */
    size_t line, column; /* of the error; 0 without */
} Case;

static void assert_case(const Case *c)
{
    Source *source = source_new("case", c->text, strlen(c->text));
    TokenList list = {0};
    Error error = {0};
    Str got = {0};
    Status status = token_scan(source, (Span){0, source->length}, &list, &error);
    for (size_t i = 0; i < list.count; i++) {
        add_token(&got, &list.items[i]);
        if (i + 2 < list.count)
            str_add_char(&got, ' ');
    }
    if (status != STATUS_OK) {
        assert_int_equal(list.count, 0);
        str_add(&got, error.message);
    }
    if (strcmp(str_text(&got), c->tokens) != 0)
        fail_msg("%s: got '%s', expected '%s'", c->text, str_text(&got), c->tokens);
    if (error.line != c->line || error.column != c->column)
        fail_msg("%s: points at %zu:%zu, expected %zu:%zu", c->text, error.line, error.column,
                 c->line, c->column);
    str_clear(&got);
    error_clear(&error);
    token_list_clear(&list);
    source_free(source);
}

static void assert_cases(const Case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        assert_case(&cases[k]);
}

#define ASSERT_CASES(cases) assert_cases(cases, sizeof(cases) / sizeof *(cases))

static void quotes(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"a'", "a '", 0, 0},
        {"a '", "a '", 0, 0},
        {"[a' b']", "[ a ' , b ' ]", 0, 0},
        {"[a 'b']", "[ a , 'b' ]", 0, 0},
        {"3'", "3 '", 0, 0},
        {"'s''", "parse error: the string is not closed", 1, 1},
        {"\"s\"'", "'s' '", 0, 0},
        {"x}'", "x } '", 0, 0},
        {"a''", "a ' '", 0, 0},
        {"a.''", "a .' '", 0, 0},
        {"(a)'", "( a ) '", 0, 0},
        {"[a]'", "[ a ] '", 0, 0},
        {"x(end')", "x ( end ' )", 0, 0},
        {"end 'a'", "end 'a'", 0, 0},
        {"+'a'", "+ 'a'", 0, 0},
        {"a,'b'", "a , 'b'", 0, 0},
    };
    ASSERT_CASES(CASES);
}

static void strings(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"'it''s'", "'it's'", 0, 0},
        {"'a\\tb\"'", "'a\\tb\"'", 0, 0},
        {"\"a\"\"b'\"", "'a\"b''", 0, 0},
        {"\"\\t\\n\\r\\a\\\\\\\"\\q\"", "'\t\n\r\a\\\"q'", 0, 0},
        {"''", "''", 0, 0},
        {"\"a\\0b\"", "a string must not hold a NUL", 1, 1},
        {"x = 'a", "parse error: the string is not closed", 1, 5},
        {"'a\nb'", "parse error: the string is not closed", 1, 1},
        {"'a\rb'", "parse error: the string is not closed", 1, 1},
        {"\"a\\", "parse error: the string is not closed", 1, 1},
    };
    ASSERT_CASES(CASES);
}

static void numbers(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"1.5e-3", "0.0015", 0, 0},
        {"1D+2", "100", 0, 0},
        {"1e999", "inf", 0, 0},
        {"3.", "3", 0, 0},
        {"3.'", "3 .'", 0, 0},
        {"3.*2", "3 .* 2", 0, 0},
        {"3./2", "3 ./ 2", 0, 0},
        {"3.\\2", "3 .\\ 2", 0, 0},
        {"3.^2", "3 .^ 2", 0, 0},
        {"3..^2", "3 .^ 2", 0, 0},
        {"3...\n+2", "3 + 2", 0, 0},
        {"3e", "parse error: a number's exponent needs digits", 1, 1},
        {"3e-", "parse error: a number's exponent needs digits", 1, 1},
        {"0", "0", 0, 0},
        {"0xA", "hexadecimal and binary literals are not part of this language", 1, 1},
        {"2i", "imaginary literals such as 2i are not part of this language", 1, 1},
        {"2J+1", "imaginary literals such as 2i are not part of this language", 1, 1},
        {"2if", "parse error: a name cannot follow a number directly", 1, 2},
        {"2_", "parse error: a name cannot follow a number directly", 1, 2},
    };
    ASSERT_CASES(CASES);
}

static void blanks_in_brackets(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"[1 -2]", "[ 1 , - 2 ]", 0, 0},    {"[1 - 2]", "[ 1 - 2 ]", 0, 0},
        {"[1 -\t2]", "[ 1 - 2 ]", 0, 0},    {"[1 -\r2]", "[ 1 - ; 2 ]", 0, 0},
        {"[1 -\n2]", "[ 1 - ; 2 ]", 0, 0},  {"[1 +", "[ 1 +", 0, 0},
        {"[1 +=2]", "[ 1 += 2 ]", 0, 0},    {"[1 !x]", "[ 1 , ! x ]", 0, 0},
        {"[1 ~x]", "[ 1 , ~ x ]", 0, 0},    {"[1 !=x]", "[ 1 != x ]", 0, 0},
        {"[1 ~=x]", "[ 1 ~= x ]", 0, 0},    {"[a .5]", "[ a , 0.5 ]", 0, 0},
        {"[a .*b]", "[ a .* b ]", 0, 0},    {"[a \"b\"]", "[ a , 'b' ]", 0, 0},
        {"[a (b)]", "[ a , ( b ) ]", 0, 0}, {"[a [b]]", "[ a , [ b ] ]", 0, 0},
        {"[a {b}]", "[ a , { b } ]", 0, 0}, {"[a @b]", "[ a , @ b ]", 0, 0},
        {"[a _b]", "[ a , _b ]", 0, 0},     {"[a ]", "[ a ]", 0, 0},
        {"[a , b]", "[ a , b ]", 0, 0},     {"[(a b)]", "[ ( a b ) ]", 0, 0},
    };
    ASSERT_CASES(CASES);
}

static void line_ends(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"a\nb", "a end of line b", 0, 0},
        {"a\rb", "a end of line b", 0, 0},
        {"a\r\nb", "a end of line b", 0, 0},
        {"a\n\rb", "a end of line end of line b", 0, 0},
        {"a % c\rb", "a end of line b", 0, 0},
        {"a # c", "a", 0, 0},
        {"[a\r\nb]", "[ a ; b ]", 0, 0},
        {"[a % c\nb]", "[ a ; b ]", 0, 0},
        {"(a\r\n+\r%c\n#d\n+b)", "( a + + b )", 0, 0},
        {"a ... c\r\n+ b", "a + b", 0, 0},
        {"a ...\r+ b", "a + b", 0, 0},
        {"a ...", "a", 0, 0},
        {"a ..", "a . .", 0, 0},
        {" \t", "", 0, 0},
    };
    ASSERT_CASES(CASES);
}

static void block_comments(void **state)
{
    (void)state;
    static const char MESSAGE[] = "a block comment is not part of this language";
    const Case cases[] = {
        {"%{\na\n%}", MESSAGE, 1, 1},       {"a\n \t#{\t \nb", MESSAGE, 2, 3},
        {"a\r%{\rb", MESSAGE, 2, 1},        {"%{", MESSAGE, 1, 1},
        {"%{ a\nb", "end of line b", 0, 0}, {"a %{\nb", "a end of line b", 0, 0},
        {"%}\nb", "end of line b", 0, 0},   {"a{\nb", "a { end of line b", 0, 0},
    };
    ASSERT_CASES(cases);
}

static void what_does_not_fit(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"a)", "parse error: ')' closes nothing", 1, 2},
        {"a]", "parse error: ']' closes nothing", 1, 2},
        {"(a]", "parse error: ']' closes nothing", 1, 3},
        {"[a)", "parse error: ')' closes nothing", 1, 3},
        {"a $ b", "parse error: unexpected character '$'", 1, 3},
        {"a \x01", "parse error: unexpected character '␁'", 1, 3},
        {"[a é]", "parse error: unexpected character 'é'", 1, 4},
    };
    ASSERT_CASES(CASES);
}

/* As deep as the limit, and one deeper. */
static void depth(void **state)
{
    (void)state;
    char text[1026];
    memset(text, '(', sizeof text);
    for (size_t count = 1024; count <= 1025; count++) {
        Source *source = source_new("case", text, count);
        TokenList list = {0};
        Error error = {0};
        Status status = token_scan(source, (Span){0, count}, &list, &error);
        assert_int_equal(status, count == 1024 ? STATUS_OK : STATUS_ERROR);
        assert_int_equal(list.count, count == 1024 ? count + 1 : 0);
        if (status != STATUS_OK) {
            assert_string_equal(error.message, "nested too deeply (limit 1024)");
            assert_int_equal(error.column, 1025);
        }
        error_clear(&error);
        token_list_clear(&list);
        source_free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes),
        cmocka_unit_test(strings),
        cmocka_unit_test(numbers),
        cmocka_unit_test(blanks_in_brackets),
        cmocka_unit_test(line_ends),
        cmocka_unit_test(block_comments),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
