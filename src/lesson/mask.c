/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/mask.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Planes 15 and 16 of Unicode are for private use. */
enum { FIRST_MARK = 0xF0000, LAST_MARK = 0x10FFFD };

/* Longer runs of backticks are text, as in MD4C. */
enum { MAX_BACKTICKS = 32 };

typedef struct {
    const Source *source;
    const char *text;
    size_t at, end;
    Masked *out;
    Error *error;
} Masker;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool is_punctuation(char c)
{
    return c && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c);
}

static void add_mark(Str *out, size_t number)
{
    unsigned long c = FIRST_MARK + number;
    str_add_char(out, (char)(0xF0 | (c >> 18)));
    str_add_char(out, (char)(0x80 | ((c >> 12) & 0x3F)));
    str_add_char(out, (char)(0x80 | ((c >> 6) & 0x3F)));
    str_add_char(out, (char)(0x80 | (c & 0x3F)));
}

/* Puts one mark for span and goes on behind it. */
static Status add_mask(Masker *m, MaskKind kind, Span span, Span inner)
{
    Masked *out = m->out;
    if (out->count > LAST_MARK - FIRST_MARK)
        return error_at(m->error, m->source, span,
                        "more than %d formulas and code spans in one piece of text",
                        LAST_MARK - FIRST_MARK + 1);
    MEMORY_GROW(out->items, out->count, out->room);
    out->items[out->count] =
        (Mask){.kind = kind, .span = span, .inner = inner, .at = out->text.length};
    add_mark(&out->text, out->count);
    out->count++;
    m->at = span.end;
    return STATUS_OK;
}

/* True if the line that begins behind the newline at i is blank: a paragraph ends. */
static bool ends_paragraph(const Masker *m, size_t i)
{
    for (i++; i < m->end && (m->text[i] == ' ' || m->text[i] == '\t' || m->text[i] == '>'); i++)
        continue;
    return i >= m->end || m->text[i] == '\n';
}

static size_t count_backticks(const Masker *m, size_t i)
{
    size_t n = 0;
    while (i + n < m->end && m->text[i + n] == '`')
        n++;
    return n;
}

/* The start of the run of exactly n backticks that closes a code span whose inside
 * begins at i, or m->end. */
static size_t find_close(const Masker *m, size_t i, size_t n)
{
    while (i < m->end) {
        if (m->text[i] == '\n' && ends_paragraph(m, i))
            return m->end;
        if (m->text[i] != '`') {
            i++;
            continue;
        }
        size_t run = count_backticks(m, i);
        if (run == n)
            return i;
        i += run;
    }
    return m->end;
}

/* A run of backticks: a code span if it is closed, else text. */
static Status mask_backticks(Masker *m)
{
    size_t n = count_backticks(m, m->at), close = m->end;
    if (n <= MAX_BACKTICKS)
        close = find_close(m, m->at + n, n);
    if (close == m->end) {
        str_add_repeat(&m->out->text, '`', n);
        m->at += n;
        return STATUS_OK;
    }
    Span span = {m->at, close + n}, inner = {m->at + n, close};
    bool padded = inner.end - inner.start >= 2 && is_blank(m->text[inner.start]) &&
                  is_blank(m->text[inner.end - 1]);
    if (padded) {
        inner.start++;
        inner.end--;
    }
    if (inner.start < inner.end && m->text[inner.start] == '=')
        return add_mask(m, MASK_VALUE, span, (Span){inner.start + 1, inner.end});
    return add_mask(m, MASK_CODE, span, inner);
}

/* The '$' that closes the formula opened at m->at, or m->end. */
static size_t find_dollar(const Masker *m)
{
    for (size_t i = m->at + 1; i < m->end; i++) {
        char c = m->text[i];
        if (c == '\n' && ends_paragraph(m, i))
            return m->end;
        if (c == '\\' && i + 1 < m->end) {
            i++;
        } else if (c == '$') {
            char before = m->text[i - 1], after = i + 1 < m->end ? m->text[i + 1] : ' ';
            bool closes = !is_blank(before) && !(after >= '0' && after <= '9');
            return closes ? i : m->end;
        }
    }
    return m->end;
}

static Status mask_dollar(Masker *m)
{
    char next = m->at + 1 < m->end ? m->text[m->at + 1] : ' ';
    if (next == '$')
        return error_at(m->error, m->source, (Span){m->at, m->at + 2},
                        "'$$' begins a formula only as the first thing of a line");
    if (!is_blank(next)) {
        size_t close = find_dollar(m);
        if (close < m->end)
            return add_mask(m, MASK_MATH, (Span){m->at, close + 1}, (Span){m->at + 1, close});
        if (!(next >= '0' && next <= '9')) {
            MEMORY_GROW(m->out->loose, m->out->loose_count, m->out->loose_room);
            m->out->loose[m->out->loose_count++] = (Span){m->at, m->at + 1};
        }
    }
    str_add(&m->out->text, "\\$");
    m->at++;
    return STATUS_OK;
}

static Status mask_other(Masker *m)
{
    size_t n = text_next(m->text + m->at, m->end - m->at);
    if (text_decode(m->text + m->at, n) >= FIRST_MARK)
        return add_mask(m, MASK_LITERAL, (Span){m->at, m->at + n}, (Span){m->at, m->at + n});
    if (m->text[m->at] == '\\' && m->at + 1 < m->end && is_punctuation(m->text[m->at + 1]))
        n = 2;
    str_add_bytes(&m->out->text, m->text + m->at, n);
    m->at += n;
    return STATUS_OK;
}

Status mask_text(const Source *source, Span span, Masked *out, Error *error)
{
    Masker m = {.source = source,
                .text = source->text,
                .at = span.start,
                .end = span.end,
                .out = out,
                .error = error};
    out->start = span.start;
    while (m.at < m.end) {
        char c = m.text[m.at];
        Status status = c == '`' ? mask_backticks(&m) : c == '$' ? mask_dollar(&m) : mask_other(&m);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void mask_begin_line(Span span, Masked *out)
{
    Span nothing = {span.start, span.start};
    Masker m = {.out = out};
    add_mask(&m, MASK_LITERAL, nothing, nothing);
}

void masked_clear(Masked *masked)
{
    str_clear(&masked->text);
    free(masked->items);
    free(masked->loose);
    *masked = (Masked){0};
}

/* The number of masks whose characters begin before offset. */
static size_t count_before(const Masked *masked, size_t offset)
{
    size_t low = 0, high = masked->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (masked->items[middle].at < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const Mask *mask_find(const Masked *masked, size_t offset)
{
    size_t i = count_before(masked, offset);
    return i < masked->count && masked->items[i].at == offset ? &masked->items[i] : NULL;
}

size_t masked_raw(const Masked *masked, size_t offset)
{
    size_t i = count_before(masked, offset);
    if (i == 0)
        return masked->start + offset;
    const Mask *mask = &masked->items[i - 1];
    return mask->span.end + (offset - mask->at - MASK_BYTES);
}
