/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

/* A range of code points, both ends included. */
typedef struct {
    int32_t first, last;
} Range;

/* Characters that are shown by their number: they would move the cursor, break
 * the line, reorder what stands around them, or carry what nobody sees.  (C0 has
 * pictures of its own.)  Invisible characters that orthography needs, and that only
 * join or part their neighbours, are not among them: U+200B to U+200D and the
 * variation selectors U+FE00 to U+FE0F. */
static const Range hidden[] = {
    {0x7F, 0x9F},       /* DEL and C1 */
    {0xAD, 0xAD},       /* soft hyphen: seen on some terminals only */
    {0x61C, 0x61C},     /* Arabic letter mark */
    {0x180E, 0x180E},   /* Mongolian vowel separator */
    {0x200E, 0x200F},   /* left-to-right and right-to-left mark */
    {0x2028, 0x202E},   /* line and paragraph separator; bidi embeddings, overrides */
    {0x2060, 0x206F},   /* word joiner, invisible operators, bidi isolates, shaping */
    {0xFEFF, 0xFEFF},   /* byte-order mark */
    {0xFFF9, 0xFFFB},   /* interlinear annotation */
    {0xE0000, 0xE0FFF}, /* tags, supplementary variation selectors */
};

/* Hangul vowels and finals that join the syllable before them, where utf8proc
 * 2.8 still says 1. */
static const Range joining_jamo[] = {{0x1160, 0x11FF}, {0xD7B0, 0xD7FF}};

/* Scripts that are broken between any two characters: Han, kana, bopomofo, Yi,
 * and the full-width forms that go with them. */
static const Range breaks_anywhere[] = {
    {0x2E80, 0x312F}, {0x3190, 0xA4CF}, {0xF900, 0xFAFF},   {0xFE30, 0xFE4F},
    {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x20000, 0x3FFFD},
};

/* What never begins a line, and what never ends one (GB/T 15834, and JIS X 4051
 * for the iteration and length marks). */
static const char never_first[] = "!%),.:;?]}¢°·’”†‡›℃‰—…‥、。〃々〉》」』】〕〗〙〛〞〟ー"
                                  "﹐﹑﹒﹔﹕﹖﹗﹚﹜﹞！％），．：；？］｝～｠￠";
static const char never_last[] = "([{£¥‘“‹〈《「『【〔〖〘〚〝﹙﹛﹝＄（［｛｟￡￥";

static bool in_ranges(int32_t c, const Range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

#define IN(c, ranges) in_ranges((c), (ranges), sizeof(ranges) / sizeof *(ranges))

static bool is_plain_ascii(char c)
{
    return c >= ' ' && c <= '~';
}

/* The code point at text and, in *bytes, its length; -1 and 1 if it is invalid. */
static int32_t decode(const char *text, size_t length, size_t *bytes)
{
    assert(length > 0);
    utf8proc_int32_t c = -1;
    utf8proc_ssize_t size = length < 4 ? (utf8proc_ssize_t)length : 4;
    utf8proc_ssize_t got = utf8proc_iterate((const utf8proc_uint8_t *)text, size, &c);
    *bytes = got > 0 ? (size_t)got : 1;
    return got > 0 ? c : -1;
}

size_t text_next(const char *text, size_t length)
{
    size_t bytes;
    decode(text, length, &bytes);
    return bytes;
}

int32_t text_decode(const char *text, size_t length)
{
    size_t bytes;
    return decode(text, length, &bytes);
}

size_t text_next_grapheme(const char *text, size_t length)
{
    size_t bytes;
    int32_t before = decode(text, length, &bytes);
    utf8proc_int32_t state = 0;
    while (before >= 0 && bytes < length) {
        if (before < 0x80 && is_plain_ascii((char)before) && is_plain_ascii(text[bytes]))
            break;
        size_t more;
        int32_t c = decode(text + bytes, length - bytes, &more);
        if (c < 0 || utf8proc_grapheme_break_stateful(before, c, &state))
            break;
        bytes += more;
        before = c;
    }
    return bytes;
}

size_t text_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; count++)
        i += text_next(text + i, length - i);
    return count;
}

/* Cells of one code point, as text_add_visible would show it. */
static size_t code_point_width(int32_t c)
{
    if (c < 0x20) /* a picture, or U+FFFD for an invalid byte */
        return 1;
    if (IN(c, hidden))
        return c < 0x10000 ? strlen("<U+0000>") : strlen("<U+00000>");
    if (IN(c, joining_jamo))
        return 0;
    int width = utf8proc_charwidth(c);
    return width > 0 ? (size_t)width : 0;
}

size_t text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        if (is_plain_ascii(text[i])) {
            width++;
            i++;
            continue;
        }
        size_t bytes;
        width += code_point_width(decode(text + i, length - i, &bytes));
        i += bytes;
    }
    return width;
}

bool text_is_control(int32_t c)
{
    return c < 0x20 || IN(c, hidden);
}

bool text_is_utf8(const char *text, size_t length, size_t *bad)
{
    for (size_t i = 0; i < length;) {
        size_t bytes;
        if (decode(text + i, length - i, &bytes) < 0) {
            if (bad)
                *bad = i;
            return false;
        }
        i += bytes;
    }
    return true;
}

/* ---- control characters made visible ---- */

void text_add_visible(Str *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t plain = i;
        while (plain < length && is_plain_ascii(text[plain]))
            plain++;
        if (plain > i) {
            str_add_bytes(out, text + i, plain - i);
            i = plain;
            continue;
        }
        size_t bytes;
        int32_t c = decode(text + i, length - i, &bytes);
        if (c < 0)
            str_add(out, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (c < 0x20) {
            char picture[] = {'\xE2', '\x90', (char)(0x80 + c)}; /* U+2400 + c */
            str_add_bytes(out, picture, sizeof picture);
        } else if (IN(c, hidden))
            str_addf(out, "<U+%04X>", (unsigned)c);
        else
            str_add_bytes(out, text + i, bytes);
        i += bytes;
    }
}

/* ---- wrapping ---- */

/* A blank at which a line may be broken, and which then disappears. */
static bool is_blank(int32_t c)
{
    return c == ' ' || c == '\t' || c == 0x200B || c == 0x3000;
}

/* True if c is one of the characters of the UTF-8 text set. */
static bool is_one_of(int32_t c, const char *set)
{
    for (size_t left = strlen(set); left > 0;) {
        size_t bytes;
        if (decode(set, left, &bytes) == c)
            return true;
        set += bytes;
        left -= bytes;
    }
    return false;
}

/* True if a line may be broken between the neighbours a and b, neither blank. */
static bool may_break(int32_t a, int32_t b)
{
    if (!IN(a, breaks_anywhere) && !IN(b, breaks_anywhere))
        return false;
    return !is_one_of(a, never_last) && !is_one_of(b, never_first);
}

/* What one line of output takes from text: [start, end) is shown, the next line
 * starts at next. */
typedef struct {
    size_t end, next;
} Piece;

/* The longest piece of the length bytes at text that fits width cells; blanks at
 * its end may stand over.  It is never empty, so wrapping always ends. */
static Piece next_piece(const char *text, size_t length, size_t width)
{
    Piece best = {0, 0};
    size_t used = 0, end = 0; /* end: after the last character that is not blank */
    int32_t before = -1;
    for (size_t i = 0; i < length;) {
        size_t bytes = text_next_grapheme(text + i, length - i);
        size_t cells = text_width(text + i, bytes);
        int32_t c = text_decode(text + i, bytes);
        if (is_blank(c)) {
            used += cells;
            i += bytes;
            if (end > 0)
                best = (Piece){end, i};
        } else {
            if (end == i && end > 0 && may_break(before, c))
                best = (Piece){i, i};
            if (used + cells > width && i > 0)
                return best.next ? best : (Piece){end, i};
            used += cells;
            i += bytes;
            end = i;
        }
        before = c;
    }
    return (Piece){end, length};
}

void text_add_wrapped(Str *out, const char *text, size_t width, size_t indent)
{
    if (width == 0)
        width = 1;
    if (indent >= width)
        indent = width - 1;
    bool first = true;
    for (;;) {
        size_t length = strcspn(text, "\n");
        size_t i = 0;
        do {
            size_t blanks = first ? 0 : indent;
            Piece piece = next_piece(text + i, length - i, width - blanks);
            if (!first)
                str_add_char(out, '\n');
            if (piece.end > 0) {
                str_add_repeat(out, ' ', blanks);
                str_add_bytes(out, text + i, piece.end);
            }
            first = false;
            i += piece.next;
        } while (i < length);
        if (!text[length])
            return;
        text += length + 1;
    }
}
