/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text: UTF-8, widths on a terminal, and the one sink that makes control
 * characters visible.
 *
 * Widths come from Unicode's tables (utf8proc), never from the locale: the same
 * page has the same layout everywhere.  Bytes that are not UTF-8 count as one
 * character of width 1 and are shown as U+FFFD.  Everything that came from
 * outside (lessons, CSV, file names) passes text_add_visible on its way to a
 * terminal, so content can never act. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Bytes of the first character of the length bytes at text (length > 0): 1 for
 * a byte that begins no valid UTF-8 sequence. */
size_t text_next(const char *text, size_t length);

/* The code point of the first character, or -1 if it is not valid UTF-8. */
int32_t text_decode(const char *text, size_t length);

/* Bytes of the first grapheme cluster: a base and all marks that stay with it. */
size_t text_next_grapheme(const char *text, size_t length);

/* Number of characters (code points; an invalid byte counts as one). */
size_t text_count(const char *text, size_t length);

/* Terminal cells that text takes: 0 for marks, 2 for wide characters.  Control
 * characters and invalid bytes count what text_add_visible makes of them, so text
 * and its visible form have the same width. */
size_t text_width(const char *text, size_t length);

/* True if the bytes are valid UTF-8; otherwise *bad is the offset of the first
 * byte that is not (bad may be NULL). */
bool text_is_utf8(const char *text, size_t length, size_t *bad);

/* True if text_add_visible shows the code point c as something else, because as
 * itself it would act on the terminal or could not be seen. */
bool text_is_control(int32_t c);

/* Appends text with control characters made visible: C0 as U+2400 pictures
 * (newline and tab too), DEL, C1, line and paragraph separators, bidirectional
 * controls, the byte-order mark, tags and other invisible format characters as
 * <U+XXXX>, invalid bytes as U+FFFD. */
void text_add_visible(Str *out, const char *text, size_t length);

/* Appends text wrapped to width cells: lines are broken at blanks, between Han
 * characters (closing punctuation never begins a line, opening never ends one),
 * and, if nothing else fits, inside a word; '\n' in text is a hard break.  Every
 * line but the first begins with indent blanks; lines are separated by '\n' and
 * the last has none.  Blanks at the end of a line are dropped.  A width of 0 counts
 * as 1, and indent is cut to width - 1; only a character wider than a line makes a
 * line wider than width. */
void text_add_wrapped(Str *out, const char *text, size_t width, size_t indent);

#endif
