/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/scan.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "lesson/build.h"
#include "lesson/markdown.h"

static Span line_at(const Scanner *s, size_t at)
{
    const char *end = memchr(s->source->text + at, '\n', s->source->length - at);
    return (Span){at, end ? (size_t)(end - s->source->text) : s->source->length};
}

/* The beginning of the line after one. */
static size_t behind(const Scanner *s, Span line)
{
    return line.end < s->source->length ? line.end + 1 : line.end;
}

static bool at_end(const Scanner *s, size_t at)
{
    return at >= s->source->length;
}

static bool is_empty(Span span)
{
    return span.start == span.end;
}

static bool line_is(const Scanner *s, Span line, const char *text)
{
    Span t = build_trim(s->source, line);
    return t.start == line.start && t.end - t.start == strlen(text) &&
           memcmp(s->source->text + t.start, text, t.end - t.start) == 0;
}

bool scan_is_blank(const Scanner *s)
{
    for (size_t i = s->at; i < s->source->length; i++)
        if (!strchr(" \t\n", s->source->text[i]) || !s->source->text[i])
            return false;
    return true;
}

/* --- front matter ------------------------------------------------------------ */

static Status read_front_line(Scanner *s, Span line,
                              Status (*read)(void *context, Span key, Span value, Error *error),
                              void *context, Error *error)
{
    const char *text = s->source->text;
    Span trimmed = build_trim(s->source, line);
    if (is_empty(trimmed))
        return error_at(error, s->source, line, "a blank line in the front matter");
    if (trimmed.start > line.start)
        return error_at(error, s->source, line,
                        "a line of the front matter begins with its key, not with a %s",
                        text[line.start] == '\t' ? "tab" : "blank");
    const char *colon = memchr(text + line.start, ':', line.end - line.start);
    if (!colon)
        return error_at(error, s->source, trimmed, "a line of the front matter is 'key: value'");
    size_t at = (size_t)(colon - text);
    Span key = build_trim(s->source, (Span){line.start, at});
    return read(context, key, build_trim(s->source, (Span){at + 1, line.end}), error);
}

Status scan_front_matter(Scanner *s,
                         Status (*read)(void *context, Span key, Span value, Error *error),
                         void *context, Error *error)
{
    Span first = line_at(s, 0);
    if (scan_is_blank(s))
        return error_at(error, s->source, first,
                        "the file has no steps: a step begins with '## Title {#id}'");
    if (!line_is(s, first, "---"))
        return error_at(
            error, s->source, first,
            "a lesson begins with its front matter: '---', 'title: …', 'about: …', '---'");
    size_t at = behind(s, first);
    while (!at_end(s, at) && !line_is(s, line_at(s, at), "---"))
        at = behind(s, line_at(s, at));
    if (at_end(s, at))
        return error_at(error, s->source, first,
                        "the front matter that begins here is not closed by a line '---'");
    size_t close = at;
    for (at = behind(s, first); at < close; at = behind(s, line_at(s, at)))
        if (read_front_line(s, line_at(s, at), read, context, error) != STATUS_OK)
            return STATUS_ERROR;
    s->at = behind(s, line_at(s, close));
    return STATUS_OK;
}

/* --- fences ------------------------------------------------------------------ */

/* The length of the run of backticks or tildes that begins line, if it is a fence
 * (three or more; behind backticks no further one), else 0. */
static size_t fence_length(const Scanner *s, Span line)
{
    const char *text = s->source->text + line.start;
    size_t length = line.end - line.start, n = 0;
    if (length == 0 || (text[0] != '`' && text[0] != '~'))
        return 0;
    while (n < length && text[n] == text[0])
        n++;
    if (n < 3 || (text[0] == '`' && memchr(text + n, '`', length - n)))
        return 0;
    return n;
}

static bool closes_fence(const Scanner *s, Span line, char c, size_t length)
{
    size_t n = fence_length(s, line);
    return n >= length && s->source->text[line.start] == c &&
           is_empty(build_trim(s->source, (Span){line.start + n, line.end}));
}

static Status read_fence(Scanner *s, Span open, size_t length, Piece *out, Error *error)
{
    char c = s->source->text[open.start];
    out->kind = PIECE_FENCE;
    out->info = build_trim(s->source, (Span){open.start + length, open.end});
    out->inner.start = behind(s, open);
    for (size_t at = out->inner.start; !at_end(s, at); at = behind(s, line_at(s, at))) {
        Span line = line_at(s, at);
        if (!closes_fence(s, line, c, length))
            continue;
        out->inner.end = at;
        out->span = (Span){open.start, line.end};
        s->at = behind(s, line);
        return STATUS_OK;
    }
    return error_at(error, s->source, open, "the fence that begins here is not closed");
}

/* --- formulas ---------------------------------------------------------------- */

static bool begins_math(const Scanner *s, Span line)
{
    const char *text = s->source->text + line.start;
    return line.end - line.start >= 2 && text[0] == '$' && text[1] == '$';
}

static bool is_heading(const Scanner *s, Span line)
{
    const char *text = s->source->text + line.start;
    return line.end - line.start >= 3 && memcmp(text, "##", 2) == 0 &&
           (text[2] == ' ' || text[2] == '\t');
}

/* The first "$$" in line from offset at on that no backslash precedes, or line.end. */
static size_t find_dollars(const Scanner *s, Span line, size_t at)
{
    const char *text = s->source->text;
    for (; at + 1 < line.end; at++) {
        if (text[at] == '\\')
            at++;
        else if (text[at] == '$' && text[at + 1] == '$')
            return at;
    }
    return line.end;
}

static Status read_math(Scanner *s, Span open, Piece *out, Error *error)
{
    size_t at = open.start + 2;
    Span line = open;
    out->kind = PIECE_MATH;
    for (;;) {
        size_t close = find_dollars(s, line, at);
        if (close < line.end) {
            Span rest = build_trim(s->source, (Span){close + 2, line.end});
            if (!is_empty(rest))
                return error_at(error, s->source, rest,
                                "text behind the '$$' that closes a formula");
            out->span = (Span){open.start, close + 2};
            out->inner = (Span){open.start + 2, close};
            s->at = behind(s, line);
            return STATUS_OK;
        }
        at = behind(s, line);
        if (at_end(s, at))
            break;
        line = line_at(s, at);
        if (is_heading(s, line) || fence_length(s, line))
            break;
    }
    return error_at(error, s->source, (Span){open.start, open.start + 2},
                    "the formula that begins here is not closed by '$$'");
}

/* --- headings ---------------------------------------------------------------- */

static Status read_heading(Scanner *s, Span line, Piece *out, Error *error)
{
    const char *text = s->source->text;
    Span inner = build_trim(s->source, (Span){line.start + 2, line.end});
    out->kind = PIECE_HEADING;
    out->span = line;
    size_t brace = inner.end;
    if (!is_empty(inner) && text[inner.end - 1] == '}')
        while (brace > inner.start && text[brace] != '{')
            brace--;
    if (brace + 3 > inner.end || text[brace] != '{' || text[brace + 1] != '#')
        return error_at(error, s->source, inner,
                        "a step has an id: '## Title {#id}', of small letters, digits and '-'");
    out->info = (Span){brace + 2, inner.end - 1};
    out->inner = build_trim(s->source, (Span){inner.start, brace});
    if (!lesson_is_id(text + out->info.start, out->info.end - out->info.start))
        return error_at(error, s->source, out->info,
                        "the id of a step is a small letter, then small letters, digits and '-'");
    if (is_empty(out->inner))
        return error_at(error, s->source, inner, "a step without a title");
    s->at = behind(s, line);
    return STATUS_OK;
}

/* --- text -------------------------------------------------------------------- */

/* The offset behind the marks of lists and quotations that begin line; *count of them. */
static size_t skip_marks(const Scanner *s, Span line, size_t *count)
{
    const char *text = s->source->text;
    size_t at = line.start;
    for (*count = 0;; ++*count) {
        while (at < line.end && (text[at] == ' ' || text[at] == '\t'))
            at++;
        size_t digits = at;
        while (digits < line.end && text[digits] >= '0' && text[digits] <= '9')
            digits++;
        bool blank_behind = at + 1 < line.end && (text[at + 1] == ' ' || text[at + 1] == '\t');
        if (at < line.end && text[at] == '>')
            at++;
        else if (at < line.end && strchr("-+*", text[at]) && text[at] && blank_behind)
            at++;
        else if (digits > at && digits + 1 < line.end &&
                 (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ')
            at = digits + 1;
        else
            return at;
    }
}

/* True if line is of '=' or '-' only: under text, the mark of a heading. */
static bool is_underline(const Scanner *s, Span line)
{
    Span t = build_trim(s->source, line);
    char c = is_empty(t) ? ' ' : s->source->text[t.start];
    if (c != '=' && c != '-')
        return false;
    for (size_t i = t.start; i < t.end; i++)
        if (s->source->text[i] != c)
            return false;
    return true;
}

static Status check_text_line(const Scanner *s, Span line, bool under_text, Error *error)
{
    size_t marks, at = skip_marks(s, line, &marks);
    Span rest = {at, line.end};
    if (under_text && is_underline(s, line))
        return error_at(error, s->source, line,
                        "a line of '%c' under text would make it a heading: leave a blank line "
                        "between, or write '## Title {#id}'",
                        s->source->text[build_trim(s->source, line).start]);
    if (at > line.start && fence_length(s, rest))
        return error_at(error, s->source, rest, "a fence begins in column 1, outside lists");
    if (at > line.start && begins_math(s, rest))
        return error_at(error, s->source, rest, "a '$$' formula begins in column 1, outside lists");
    if (marks > MARKDOWN_MAX_DEPTH)
        return error_at(error, s->source, line, "lists and quotations nest more than %d deep",
                        MARKDOWN_MAX_DEPTH);
    if (line.end - line.start >= 2 && s->source->text[line.start] == '#' &&
        strchr(" \t", s->source->text[line.start + 1]))
        return error_at(
            error, s->source, line,
            "a step begins with '## Title {#id}'; the title of the lesson stands in its "
            "front matter");
    return STATUS_OK;
}

static Status read_text(Scanner *s, Piece *out, Error *error)
{
    bool under_text = false;
    out->kind = PIECE_TEXT;
    out->span = (Span){s->at, s->at};
    while (!at_end(s, s->at)) {
        Span line = line_at(s, s->at);
        if (fence_length(s, line) || begins_math(s, line) || is_heading(s, line))
            break;
        if (check_text_line(s, line, under_text, error) != STATUS_OK)
            return STATUS_ERROR;
        under_text = !is_empty(build_trim(s->source, line));
        s->at = behind(s, line);
        out->span.end = s->at;
    }
    out->inner = out->span;
    return STATUS_OK;
}

Status scan_next(Scanner *s, Piece *out, Error *error)
{
    *out = (Piece){.kind = PIECE_END};
    if (at_end(s, s->at))
        return STATUS_OK;
    Span line = line_at(s, s->at);
    size_t fence = fence_length(s, line);
    if (fence)
        return read_fence(s, line, fence, out, error);
    if (begins_math(s, line))
        return read_math(s, line, out, error);
    if (is_heading(s, line))
        return read_heading(s, line, out, error);
    return read_text(s, out, error);
}
