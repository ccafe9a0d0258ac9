/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/split.h"

#include <stdbool.h>
#include <string.h>

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* True if a quote at byte i would be a transpose: directly after an operand, or,
 * outside [ ], after an operand and blanks. */
static bool is_transpose(const char *text, size_t start, size_t i, bool in_matrix)
{
    size_t before = i;
    while (before > start && (text[before - 1] == ' ' || text[before - 1] == '\t'))
        before--;
    if (before == start || (in_matrix && before < i))
        return false;
    char c = text[before - 1];
    return is_word_char(c) || c == ')' || c == ']' || c == '\'' || c == '.';
}

/* The end of the string that begins at i, or end if it is not closed. */
static size_t skip_text(const char *text, size_t i, size_t end)
{
    char quote = text[i];
    for (i++; i < end; i++) {
        if (quote == '"' && text[i] == '\\' && i + 1 < end)
            i++;
        else if (text[i] == quote && i + 1 < end && text[i + 1] == quote)
            i++;
        else if (text[i] == quote)
            return i + 1;
    }
    return end;
}

/* True if the '=' at i assigns or separates rather than compares. */
static bool is_plain_equals(const char *text, size_t start, size_t i, size_t end)
{
    char before = i > start ? text[i - 1] : ' ', after = i + 1 < end ? text[i + 1] : ' ';
    return after != '=' && before != '=' && before != '~' && before != '!' && before != '<' &&
           before != '>';
}

/* Walks span at bracket depth 0; found(text, span, i, what) says where to stop. */
static size_t find_at_depth_0(const Source *source, Span span,
                              bool (*found)(const char *, Span, size_t, const char *),
                              const char *what)
{
    const char *text = source->text;
    size_t depth = 0, matrices = 0;
    for (size_t i = span.start; i < span.end;) {
        char c = text[i];
        if (c == '"' || (c == '\'' && !is_transpose(text, span.start, i, matrices > 0))) {
            i = skip_text(text, i, span.end);
            continue;
        }
        if (depth == 0 && found(text, span, i, what))
            return i;
        if (c == '(' || c == '[' || c == '{') {
            depth++;
            matrices += c == '[';
        } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
            depth--;
            matrices -= c == ']' && matrices > 0;
        }
        i++;
    }
    return span.end;
}

static bool is_in_set(const char *text, Span span, size_t i, const char *set)
{
    return text[i] && strchr(set, text[i]) &&
           (text[i] != '=' || is_plain_equals(text, span.start, i, span.end));
}

static bool is_word(const char *text, Span span, size_t i, const char *word)
{
    size_t n = strlen(word);
    return n <= span.end - i && memcmp(text + i, word, n) == 0 &&
           (i == span.start || !is_word_char(text[i - 1])) &&
           (i + n == span.end || !is_word_char(text[i + n]));
}

size_t split_find(const Source *source, Span span, const char *set)
{
    return find_at_depth_0(source, span, is_in_set, set);
}

size_t split_find_word(const Source *source, Span span, const char *word)
{
    return find_at_depth_0(source, span, is_word, word);
}
