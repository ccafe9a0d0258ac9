/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/token.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/text.h"
#include "io/number.h"

/* Brackets may nest this deep while scanning; the parser's own limit is lower. */
enum { SCAN_MAX_BRACKETS = 1024 };

typedef struct {
    const Source *source;
    const char *text;
    size_t at, end;
    TokenList *list;
    char *brackets; /* the open ones, '(' or '[' */
    size_t depth;
    Error *error;
} Scanner;

/* Longest first: the scanner takes the first that fits. */
static const char *const operators[] = {
    "...", "&&", "||", "==", "~=", "!=", "<=", ">=",  "+=", "-=", "*=", "/=",
    "^=",  "|=", "&=", "++", "--", ".*", "./", ".\\", ".^", ".'", "**", "+",
    "-",   "*",  "/",  "\\", "^",  "'",  "<",  ">",   "=",  "!",  "~",  "&",
    "|",   ":",  "(",  ")",  "[",  "]",  "{",  "}",   "@",  ".",
};

static const char *const keywords[] = {
    "for",
    "while",
    "if",
    "elseif",
    "else",
    "end",
    "endfor",
    "endwhile",
    "endif",
    "break",
    "continue",
    "function",
    "endfunction",
    "switch",
    "case",
    "otherwise",
    "endswitch",
    "do",
    "until",
    "try",
    "catch",
    "end_try_catch",
    "unwind_protect",
    "unwind_protect_cleanup",
    "end_unwind_protect",
    "global",
    "persistent",
    "return",
    "parfor",
    "endparfor",
    "spmd",
    "endspmd",
    "classdef",
    "endclassdef",
    "endarguments",
    "endenumeration",
    "endevents",
    "endmethods",
    "endproperties",
    "__FILE__",
    "__LINE__",
};

bool token_is(const Token *token, const char *spelling)
{
    return (token->kind == TOKEN_OPERATOR || token->kind == TOKEN_KEYWORD) &&
           strcmp(token->spelling, spelling) == 0;
}

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name_char(char c)
{
    return is_name_start(c) || isdigit((unsigned char)c);
}

static char peek(const Scanner *s, size_t ahead)
{
    return s->at + ahead < s->end ? s->text[s->at + ahead] : '\0';
}

static bool in_matrix(const Scanner *s)
{
    return s->depth > 0 && s->brackets[s->depth - 1] == '[';
}

static Token *add(Scanner *s, TokenKind kind, size_t length, bool space)
{
    MEMORY_GROW(s->list->items, s->list->count, s->list->room);
    Token *token = &s->list->items[s->list->count++];
    *token = (Token){.kind = kind, .span = {s->at, s->at + length}, .space_before = space};
    s->at += length;
    return token;
}

/* True if the last token ends an operand, so that a quote after it transposes. */
static bool after_operand(const Scanner *s)
{
    if (s->list->count == 0)
        return false;
    const Token *last = &s->list->items[s->list->count - 1];
    switch (last->kind) {
    case TOKEN_NUMBER:
    case TOKEN_TEXT:
    case TOKEN_NAME:
        return true;
    case TOKEN_KEYWORD:
        return s->depth > 0 && strcmp(last->spelling, "end") == 0; /* of an index */
    case TOKEN_OPERATOR:
        return strcmp(last->spelling, ")") == 0 || strcmp(last->spelling, "]") == 0 ||
               strcmp(last->spelling, "}") == 0 || strcmp(last->spelling, "'") == 0 ||
               strcmp(last->spelling, ".'") == 0;
    default:
        return false;
    }
}

/* After a blank inside [ ]: does what stands at s->at begin a new element? */
static bool begins_element(const Scanner *s)
{
    char c = peek(s, 0), next = peek(s, 1);
    bool next_blank = next == ' ' || next == '\t' || next == '\0' || next == '\n' || next == '\r';
    if (c == '+' || c == '-')
        return !next_blank && next != '=';
    if (c == '!' || c == '~')
        return next != '=';
    if (c == '.')
        return isdigit((unsigned char)next);
    return is_name_char(c) || c == '\'' || c == '"' || c == '(' || c == '[' || c == '{' ||
           c == '@' || (unsigned char)c >= 0x80;
}

/* Skips to the end of the line; the line end stays. */
static void skip_comment(Scanner *s)
{
    while (s->at < s->end && s->text[s->at] != '\n' && s->text[s->at] != '\r')
        s->at++;
}

static void skip_line_end(Scanner *s)
{
    if (peek(s, 0) == '\r' && peek(s, 1) == '\n')
        s->at++;
    s->at++;
}

/* Skips blanks and `...` continuations (and, inside parentheses, line ends and
 * comments); true if there were any. */
static bool skip_blanks(Scanner *s)
{
    size_t start = s->at;
    bool in_parentheses = s->depth > 0 && !in_matrix(s);
    while (s->at < s->end) {
        char c = s->text[s->at];
        if (c == ' ' || c == '\t') {
            s->at++;
        } else if (c == '.' && peek(s, 1) == '.' && peek(s, 2) == '.') {
            skip_comment(s);
            if (s->at < s->end)
                skip_line_end(s);
        } else if (in_parentheses && (c == '\n' || c == '\r')) {
            skip_line_end(s);
        } else if (in_parentheses && (c == '%' || c == '#')) {
            skip_comment(s);
        } else {
            break;
        }
    }
    return s->at > start;
}

/* digits [ . digits ] [ (e|E|d|D) [+-] digits ]; a dot before an operator
 * (3.*x) belongs to the operator. */
static Status scan_number(Scanner *s, bool space)
{
    size_t n = 0;
    if (peek(s, 0) == '0' && strchr("xXbB", peek(s, 1)) && peek(s, 1)) {
        Span span = {s->at, s->at + 2};
        return error_at(s->error, s->source, span,
                        "hexadecimal and binary literals are not part of this language");
    }
    while (isdigit((unsigned char)peek(s, n)))
        n++;
    char after = peek(s, n + 1);
    if (peek(s, n) == '.' && !(after && strchr("*/\\^'", after)) &&
        !(after == '.' && peek(s, n + 2) == '.')) {
        n++;
        while (isdigit((unsigned char)peek(s, n)))
            n++;
    }
    size_t exponent = 0;
    if (peek(s, n) && strchr("eEdD", peek(s, n))) {
        size_t m = n + 1;
        if (peek(s, m) == '+' || peek(s, m) == '-')
            m++;
        if (!isdigit((unsigned char)peek(s, m)))
            return error_at(s->error, s->source, (Span){s->at, s->at + m},
                            "parse error: a number's exponent needs digits");
        exponent = n;
        while (isdigit((unsigned char)peek(s, m)))
            m++;
        n = m;
    }
    char next = peek(s, n);
    if ((next && strchr("iIjJ", next)) && !is_name_char(peek(s, n + 1)))
        return error_at(s->error, s->source, (Span){s->at, s->at + n + 1},
                        "imaginary literals such as 2i are not part of this language");
    if (is_name_char(next))
        return error_at(s->error, s->source, (Span){s->at + n, s->at + n + 1},
                        "parse error: a name cannot follow a number directly");
    Str digits = {0};
    str_add_bytes(&digits, s->text + s->at, n);
    if (exponent)
        digits.data[exponent] = 'e'; /* 1d5 is Octave's other spelling of 1e5 */
    double x;
    if (number_read(digits.data, digits.length, &x) != NUMBER_OK) /* too large: there is no junk */
        x = INFINITY; /* as Octave reads 1e400 in a program; in data it is refused */
    str_clear(&digits);
    add(s, TOKEN_NUMBER, n, space)->number = x;
    return STATUS_OK;
}

/* The byte that \c stands for in a double-quoted string. */
static char unescape(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'a':
        return '\a';
    case '0':
        return '\0';
    default:
        return c;
    }
}

static Status scan_text(Scanner *s, bool space)
{
    char quote = peek(s, 0);
    Str value = {0};
    size_t n = 1;
    for (;;) {
        char c = peek(s, n);
        if (s->at + n >= s->end || c == '\n' || c == '\r') {
            str_clear(&value);
            return error_at(s->error, s->source, (Span){s->at, s->at + n},
                            "parse error: the string is not closed");
        }
        if (c == quote && peek(s, n + 1) == quote) {
            str_add_char(&value, quote);
            n += 2;
        } else if (c == quote) {
            break;
        } else if (quote == '"' && c == '\\' && s->at + n + 1 < s->end) {
            str_add_char(&value, unescape(peek(s, n + 1)));
            n += 2;
        } else {
            str_add_char(&value, c);
            n++;
        }
    }
    if (value.length && memchr(value.data, '\0', value.length)) {
        str_clear(&value);
        return error_at(s->error, s->source, (Span){s->at, s->at + n + 1},
                        "a string must not hold a NUL");
    }
    add(s, TOKEN_TEXT, n + 1, space)->text = str_take(&value);
    return STATUS_OK;
}

static void scan_name(Scanner *s, bool space)
{
    size_t n = 1;
    while (is_name_char(peek(s, n)))
        n++;
    const char *start = s->text + s->at;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i]) == n && memcmp(keywords[i], start, n) == 0) {
            add(s, TOKEN_KEYWORD, n, space)->spelling = keywords[i];
            return;
        }
    char *name = memory_copy_slice(start, n);
    add(s, TOKEN_NAME, n, space)->text = name;
}

static Status open_or_close(Scanner *s, const char *spelling, Span span)
{
    char c = spelling[0];
    if (spelling[1])
        return STATUS_OK;
    if (c == '(' || c == '[') {
        if (s->depth == SCAN_MAX_BRACKETS)
            return error_at(s->error, s->source, span, "nested too deeply (limit %d)",
                            SCAN_MAX_BRACKETS);
        s->brackets[s->depth++] = c;
    } else if (c == ')' || c == ']') {
        char open = c == ')' ? '(' : '[';
        if (s->depth == 0 || s->brackets[s->depth - 1] != open)
            return error_at(s->error, s->source, span, "parse error: '%c' closes nothing", c);
        s->depth--;
    }
    return STATUS_OK;
}

static Status scan_operator(Scanner *s, bool space)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i]);
        if (n <= s->end - s->at && memcmp(operators[i], s->text + s->at, n) == 0) {
            Token *token = add(s, TOKEN_OPERATOR, n, space);
            token->spelling = operators[i];
            return open_or_close(s, operators[i], token->span);
        }
    }
    size_t n = text_next(s->text + s->at, s->end - s->at);
    Str shown = {0};
    text_add_visible(&shown, s->text + s->at, n);
    error_at(s->error, s->source, (Span){s->at, s->at + n},
             "parse error: unexpected character '%s'", str_text(&shown));
    str_clear(&shown);
    return STATUS_ERROR;
}

/* A line end: a row separator inside [ ], a statement's end outside. */
static void scan_line_end(Scanner *s, bool space)
{
    size_t n = peek(s, 0) == '\r' && peek(s, 1) == '\n' ? 2 : 1;
    add(s, in_matrix(s) ? TOKEN_SEMICOLON : TOKEN_NEWLINE, n, space);
}

static Status scan_one(Scanner *s)
{
    bool space = skip_blanks(s);
    if (s->at >= s->end)
        return STATUS_OK;
    char c = peek(s, 0);
    if (c == '%' || c == '#') {
        skip_comment(s);
        return STATUS_OK;
    }
    if (space && in_matrix(s) && after_operand(s) && begins_element(s)) {
        add(s, TOKEN_COMMA, 0, true);
        space = true;
    }
    if (c == '\n' || c == '\r')
        scan_line_end(s, space);
    else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(s, 1))))
        return scan_number(s, space);
    else if (is_name_start(c))
        scan_name(s, space);
    else if (c == '"' || (c == '\'' && !after_operand(s)))
        return scan_text(s, space);
    else if (c == ',')
        add(s, TOKEN_COMMA, 1, space);
    else if (c == ';')
        add(s, TOKEN_SEMICOLON, 1, space);
    else
        return scan_operator(s, space);
    return STATUS_OK;
}

/* Refuses a line that is nothing but %{ or #{: to Octave everything from there to the
 * line %} is a comment, so reading on would run what Octave does not. */
static Status refuse_block_comment(const Scanner *s)
{
    for (size_t at = s->at, end; at < s->end; at = end + 1) {
        end = at;
        while (end < s->end && s->text[end] != '\n' && s->text[end] != '\r')
            end++;
        size_t first = at, last = end;
        while (first < last && (s->text[first] == ' ' || s->text[first] == '\t'))
            first++;
        while (last > first && (s->text[last - 1] == ' ' || s->text[last - 1] == '\t'))
            last--;
        if (last - first == 2 && s->text[first + 1] == '{' &&
            (s->text[first] == '%' || s->text[first] == '#'))
            return error_at(s->error, s->source, (Span){first, last},
                            "a block comment is not part of this language");
    }
    return STATUS_OK;
}

/* part: what stands in span stands inside parentheses. */
static Status scan(const Source *source, Span span, bool part, TokenList *list, Error *error)
{
    Scanner s = {.source = source,
                 .text = source->text,
                 .at = span.start,
                 .end = span.end,
                 .list = list,
                 .error = error};
    s.brackets = memory_alloc(SCAN_MAX_BRACKETS);
    if (part)
        s.brackets[s.depth++] = '(';
    Status status = refuse_block_comment(&s);
    while (status == STATUS_OK && s.at < s.end)
        status = scan_one(&s);
    if (status == STATUS_OK)
        add(&s, TOKEN_END_OF_TEXT, 0, true);
    else
        token_list_clear(list);
    free(s.brackets);
    return status;
}

Status token_scan(const Source *source, Span span, TokenList *list, Error *error)
{
    return scan(source, span, false, list, error);
}

Status token_scan_part(const Source *source, Span span, TokenList *list, Error *error)
{
    return scan(source, span, true, list, error);
}

void token_list_clear(TokenList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].text);
    free(list->items);
    *list = (TokenList){0};
}
