/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From TeX source to the tree.
 *
 * Characters are read straight from the source.  An unknown command becomes a
 * TEX_SOURCE node; a mistake in the structure (texparser_fail()) gives up on the tree as a
 * whole, so every parse function returns NULL after one. */
#include "page/tex_parser.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static TexNode *parse_atom(TexParser *p, bool single);

void *texparser_own(Tex *tex, void *p)
{
    MEMORY_GROW(tex->owned, tex->owned_count, tex->owned_room);
    return tex->owned[tex->owned_count++] = p;
}

const char *texparser_own_slice(TexParser *p, size_t start, size_t end)
{
    return texparser_own(p->tex, memory_copy_slice(p->text + start, end - start));
}

TexNode *texparser_node(TexParser *p, TexKind kind, size_t start, size_t end)
{
    TexNode *node = texparser_own(p->tex, memory_zeros(1, sizeof *node));
    node->kind = kind;
    node->span = (Span){start, end};
    node->unicode = node->ascii = "";
    node->open = node->close = node->ascii_open = node->ascii_close = "";
    return node;
}

void texparser_set_children(TexParser *p, TexNode *node, TexNode *const *children, size_t count)
{
    node->children = texparser_own(p->tex, memory_zeros(count, sizeof *children));
    if (count)
        memcpy(node->children, children, count * sizeof *children);
    node->count = count;
}

void texparser_add_problem(TexParser *p, Span span, const char *format, ...)
{
    Tex *tex = p->tex;
    Str message = {0};
    va_list list;
    va_start(list, format);
    str_add_list(&message, format, list);
    va_end(list);
    MEMORY_GROW(tex->problems, tex->problem_count, tex->problem_room);
    tex->problems[tex->problem_count++] = (TexProblem){span, str_take(&message)};
}

/* A broken structure; the first one is reported.  Always NULL. */
TexNode *texparser_fail(TexParser *p, size_t start, size_t end, const char *message)
{
    if (end <= start)
        end = start + 1; /* nothing between braces: point at the closing one */
    if (end > p->length) {
        end = p->length;
        start = start < end ? start : end - 1;
    }
    if (!p->broken)
        texparser_add_problem(p, (Span){start, end}, "%s", message);
    p->broken = true;
    return NULL;
}

void texparser_skip_blanks(TexParser *p)
{
    while (p->at < p->length && strchr(" \t\r\n", p->text[p->at]) && p->text[p->at])
        p->at++;
}

bool texparser_next_is(const TexParser *p, const char *token)
{
    size_t n = strlen(token);
    return p->length - p->at >= n && memcmp(p->text + p->at, token, n) == 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of the command whose backslash stands at offset start. */
size_t texparser_command_end(const TexParser *p, size_t start)
{
    size_t end = start + 1;
    if (end >= p->length)
        return end;
    if (!is_letter(p->text[end]))
        return end + text_next(p->text + end, p->length - end);
    while (end < p->length && is_letter(p->text[end]))
        end++;
    return end;
}

/* True if the command \name stands here. */
bool texparser_next_is_command(const TexParser *p, const char *name)
{
    return p->at < p->length && p->text[p->at] == '\\' &&
           texparser_command_end(p, p->at) - p->at - 1 == strlen(name) &&
           memcmp(p->text + p->at + 1, name, strlen(name)) == 0;
}

/* The offset behind the "}" that closes the "{" at start, or 0. */
size_t texparser_group_end(const TexParser *p, size_t start)
{
    size_t level = 0;
    for (size_t i = start; i < p->length; i++) {
        if (p->text[i] == '\\' && i + 1 < p->length)
            i++;
        else if (p->text[i] == '{')
            level++;
        else if (p->text[i] == '}' && --level == 0)
            return i + 1;
    }
    return 0;
}

TexNode *texparser_symbol(TexParser *p, size_t start, size_t end, const TexSymbol *symbol)
{
    TexNode *node = texparser_node(p, TEX_SYMBOL, start, end);
    if (symbol) {
        node->unicode = symbol->unicode;
        node->ascii = symbol->ascii;
        node->class = symbol->class;
        node->limits = symbol->limits;
    } else {
        node->unicode = node->ascii = texparser_own_slice(p, start, end);
    }
    return node;
}

/* --- arguments -------------------------------------------------------------- */

/* One level deeper: everything that calls itself again passes here. */
static bool enter(TexParser *p)
{
    if (p->depth >= TEX_MAX_DEPTH)
        return texparser_fail(p, p->at, p->at + 1, "the formula nests deeper than 64 levels");
    p->depth++;
    return true;
}

/* "{" row "}" */
static TexNode *parse_group(TexParser *p)
{
    size_t start = p->at++;
    TexNode *row = texparser_row(p, false);
    if (!row)
        return NULL;
    if (!texparser_next_is(p, "}"))
        return texparser_fail(p, start, start + 1, "this { is not closed");
    p->at++;
    row->span = (Span){start, p->at};
    return row;
}

/* A group, or one token with its own arguments; `of` is the command it belongs to. */
TexNode *texparser_argument(TexParser *p, size_t start, size_t end)
{
    texparser_skip_blanks(p);
    if (p->at >= p->length || strchr("}&^_", p->text[p->at]) ||
        texparser_next_is_command(p, "\\") || texparser_next_is_command(p, "right") ||
        texparser_next_is_command(p, "end"))
        return texparser_fail(p, start, end, "an argument is missing here");
    if (p->text[p->at] == '{')
        return parse_group(p); /* its row is the level */
    if (!enter(p))
        return NULL;
    TexNode *node = parse_atom(p, true);
    p->depth--;
    return node;
}

/* The text between "{" and "}", taken as it stands. */
bool texparser_raw(TexParser *p, size_t start, size_t end, Span *inside)
{
    texparser_skip_blanks(p);
    if (!texparser_next_is(p, "{")) {
        texparser_fail(p, start, end, "a { is missing after this");
        return false;
    }
    size_t close = texparser_group_end(p, p->at);
    if (!close) {
        texparser_fail(p, p->at, p->at + 1, "this { is not closed");
        return false;
    }
    *inside = (Span){p->at + 1, close - 1};
    p->at = close;
    return true;
}

/* --- characters ------------------------------------------------------------- */

/* digits [ "." digits ], or one digit where TeX takes one token */
static TexNode *parse_number(TexParser *p, bool single)
{
    size_t start = p->at++;
    while (!single && p->at < p->length && is_digit(p->text[p->at]))
        p->at++;
    if (!single && p->at + 1 < p->length && p->text[p->at] == '.' && is_digit(p->text[p->at + 1]))
        for (p->at++; p->at < p->length && is_digit(p->text[p->at]);)
            p->at++;
    return texparser_symbol(p, start, p->at, NULL);
}

static TexNode *parse_character(TexParser *p)
{
    size_t start = p->at;
    char c = p->text[start];
    size_t length = text_next(p->text + start, p->length - start);
    if (c == '.' && start + 1 < p->length && strchr("/*", p->text[start + 1]) && p->text[start + 1])
        length = 2; /* Octave's element-by-element operators */
    p->at = start + length;
    if (c == '~') {
        TexNode *node = texparser_node(p, TEX_SPACE, start, p->at);
        node->width = 1;
        return node;
    }
    if (c == '%' || c == '#' || c == '$') {
        texparser_add_problem(p, (Span){start, p->at}, "%c must be written \\%c in a formula", c,
                              c);
        TexNode *node = texparser_node(p, TEX_SOURCE, start, p->at);
        node->unicode = node->ascii = texparser_own_slice(p, start, p->at);
        return node;
    }
    return texparser_symbol(p, start, p->at, tex_symbol_find_character(p->text + start, length));
}

/* One thing that scripts can be put on: a group, a command with its arguments, a
 * number, a character.  single: as an argument without braces is taken. */
static TexNode *parse_atom(TexParser *p, bool single)
{
    char c = p->text[p->at];
    if (c == '{')
        return parse_group(p);
    if (c == '\\')
        return texparser_command(p);
    return is_digit(c) ? parse_number(p, single) : parse_character(p);
}

/* One "'" or more, as the superscript they are. */
static TexNode *parse_primes(TexParser *p)
{
    TexNodeList primes = {0};
    size_t start = p->at;
    for (; texparser_next_is(p, "'"); p->at++) {
        MEMORY_GROW(primes.items, primes.count, primes.room);
        primes.items[primes.count++] =
            texparser_symbol(p, p->at, p->at + 1, tex_symbol_find("prime", strlen("prime")));
    }
    TexNode *row = texparser_node(p, TEX_ROW, start, p->at);
    texparser_set_children(p, row, primes.items, primes.count);
    free(primes.items);
    return row;
}

/* Primes and a superscript behind them, as one row. */
static TexNode *join_scripts(TexParser *p, TexNode *primes, TexNode *up)
{
    TexNode *both[2] = {primes, up};
    TexNode *row = texparser_node(p, TEX_ROW, primes->span.start, up->span.end);
    texparser_set_children(p, row, both, 2);
    return row;
}

/* One script: "_" argument, "^" argument, or primes; stored in parts[1] or [2]. */
static bool parse_script(TexParser *p, TexNode **parts, bool *only_primes)
{
    size_t start = p->at;
    bool down = p->text[start] == '_';
    if (p->text[start] == '\'') {
        if (parts[2])
            return texparser_fail(p, start, start + 1, "two superscripts on one symbol");
        parts[2] = parse_primes(p);
        *only_primes = true;
        return true;
    }
    if (down ? parts[1] != NULL : parts[2] != NULL && !*only_primes)
        return texparser_fail(p, start, start + 1,
                              down ? "two subscripts on one symbol"
                                   : "two superscripts on one symbol");
    p->at++;
    TexNode *script = texparser_argument(p, start, start + 1);
    if (!script)
        return false;
    if (down)
        parts[1] = script;
    else
        parts[2] = parts[2] ? join_scripts(p, parts[2], script) : script;
    *only_primes = *only_primes && down;
    return true;
}

static bool at_script(TexParser *p)
{
    size_t at = p->at;
    texparser_skip_blanks(p);
    while (texparser_next_is_command(p, "limits") || texparser_next_is_command(p, "nolimits")) {
        p->at = texparser_command_end(p, p->at);
        texparser_skip_blanks(p);
    }
    if (p->at < p->length && strchr("_^'", p->text[p->at]) && p->text[p->at])
        return true;
    p->at = at;
    return false;
}

/* [ atom ] { "_" argument | "^" argument | "'" } */
static TexNode *parse_scripted(TexParser *p)
{
    size_t start = p->at;
    TexNode *parts[3] = {NULL, NULL, NULL};
    if (strchr("_^'", p->text[start]) && p->text[start])
        parts[0] = texparser_node(p, TEX_ROW, start, start); /* scripts on nothing */
    else if (!(parts[0] = parse_atom(p, false)))
        return NULL;
    bool only_primes = false;
    while (at_script(p))
        if (!parse_script(p, parts, &only_primes))
            return NULL;
    if (!parts[1] && !parts[2])
        return parts[0];
    TexNode *node = texparser_node(p, TEX_SCRIPTS, start, p->at);
    texparser_set_children(p, node, parts, 3);
    return node;
}

static bool at_row_end(const TexParser *p, bool to_bracket)
{
    if (p->at >= p->length)
        return true;
    char c = p->text[p->at];
    return c == '}' || c == '&' || (to_bracket && c == ']') ||
           (c == '\\' &&
            (texparser_next_is_command(p, "\\") || texparser_next_is_command(p, "right") ||
             texparser_next_is_command(p, "end")));
}

/* { scripted }, up to what ends a row; the caller looks at what that is. */
TexNode *texparser_row(TexParser *p, bool to_bracket)
{
    TexNodeList list = {0};
    size_t start = p->at;
    if (!enter(p))
        return NULL;
    for (texparser_skip_blanks(p); !at_row_end(p, to_bracket); texparser_skip_blanks(p)) {
        TexNode *node = parse_scripted(p);
        if (!node)
            break;
        MEMORY_GROW(list.items, list.count, list.room);
        list.items[list.count++] = node;
    }
    p->depth--;
    TexNode *row = NULL;
    if (!p->broken) {
        row = texparser_node(p, TEX_ROW, start, p->at);
        texparser_set_children(p, row, list.items, list.count);
    }
    free(list.items);
    return row;
}

Tex *tex_parse(const char *text, size_t length)
{
    Tex *tex = memory_zeros(1, sizeof *tex);
    tex->source = memory_copy_slice(text, length);
    tex->length = length;
    TexParser p = {.tex = tex, .text = tex->source, .length = length};
    p.depth = -1; /* the row of the whole formula is no level */
    tex->root = texparser_row(&p, false);
    if (tex->root && p.at < length) {
        size_t end = text[p.at] == '\\' ? texparser_command_end(&p, p.at) : p.at + 1;
        const char *message = text[p.at] == '}'       ? "a } that closes nothing"
                              : text[p.at] == '&'     ? "& outside of a matrix"
                              : end - p.at == 2       ? "\\\\ outside of a matrix"
                              : text[p.at + 1] == 'e' ? "\\end without \\begin"
                                                      : "\\right without \\left";
        texparser_fail(&p, p.at, end, message);
    }
    if (p.broken) {
        tex->root = texparser_node(&p, TEX_SOURCE, 0, length);
        tex->root->unicode = tex->root->ascii = tex->source;
    }
    return tex;
}

void tex_free(Tex *tex)
{
    if (!tex)
        return;
    for (size_t i = 0; i < tex->owned_count; i++)
        free(tex->owned[i]);
    for (size_t i = 0; i < tex->problem_count; i++)
        free(tex->problems[i].message);
    free(tex->owned);
    free(tex->problems);
    free(tex->source);
    free(tex);
}
