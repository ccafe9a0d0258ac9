/* SPDX-License-Identifier: GPL-3.0-or-later */
/* str: a growable byte string, always NUL-terminated once anything was added.
 *
 * Str s = {0}; is an empty string; str_clear frees it and makes it empty again.
 * The owner of the Str owns its bytes.  Content is UTF-8 where it is text, but
 * any byte may be held: length is authoritative, not the NUL. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *data;    /* NULL while nothing was added */
    size_t length; /* bytes, without the final NUL */
    size_t room;   /* bytes allocated */
} Str;

/* Appends the length bytes at bytes. */
void str_add_bytes(Str *s, const char *bytes, size_t length);

/* Appends the NUL-terminated text. */
void str_add(Str *s, const char *text);

/* Appends one byte. */
void str_add_char(Str *s, char c);

/* Appends count copies of c. */
void str_add_repeat(Str *s, char c, size_t count);

/* Appends as printf does.  Numbers of the program's data never go through %f %g
 * (the locale's decimal mark); see io/number.h. */
void str_addf(Str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_add_list(Str *s, const char *format, va_list list) __attribute__((format(printf, 2, 0)));

/* The text of s, "" when nothing was added; valid until s changes. */
const char *str_text(const Str *s);

/* Hands the bytes to the caller (to be freed with free) and leaves s empty. */
char *str_take(Str *s);

/* Cuts s to length bytes; length <= s->length. */
void str_cut(Str *s, size_t length);

/* Frees the bytes; s is empty afterwards. */
void str_clear(Str *s);

/* True if the two NUL-terminated texts are the same. */
bool text_equal(const char *a, const char *b);

/* True if text begins with prefix. */
bool text_starts(const char *text, const char *prefix);

#endif
