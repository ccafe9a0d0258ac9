/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void reserve(Str *s, size_t more)
{
    if (more >= SIZE_MAX / 2 - s->length)
        memory_exhausted();
    size_t need = s->length + more + 1;
    if (need <= s->room)
        return;
    size_t room = s->room ? s->room : 32;
    while (room < need)
        room *= 2;
    s->data = memory_resize(s->data, room, 1);
    s->room = room;
}

void str_add_bytes(Str *s, const char *bytes, size_t length)
{
    reserve(s, length);
    if (length)
        memcpy(s->data + s->length, bytes, length);
    s->length += length;
    s->data[s->length] = '\0';
}

void str_add(Str *s, const char *text)
{
    str_add_bytes(s, text, strlen(text));
}

void str_add_char(Str *s, char c)
{
    str_add_bytes(s, &c, 1);
}

void str_add_repeat(Str *s, char c, size_t count)
{
    reserve(s, count);
    memset(s->data + s->length, c, count);
    s->length += count;
    s->data[s->length] = '\0';
}

void str_add_list(Str *s, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        memory_exhausted(); /* a wide field is put together on the heap */
    reserve(s, (size_t)length);
    if (vsnprintf(s->data + s->length, (size_t)length + 1, format, list) != length)
        memory_exhausted();
    s->length += (size_t)length;
}

void str_addf(Str *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    str_add_list(s, format, list);
    va_end(list);
}

const char *str_text(const Str *s)
{
    return s->data ? s->data : "";
}

char *str_take(Str *s)
{
    char *data = s->data ? s->data : memory_copy_text("");
    *s = (Str){0};
    return data;
}

void str_cut(Str *s, size_t length)
{
    assert(length <= s->length);
    s->length = length;
    if (s->data)
        s->data[length] = '\0';
}

void str_clear(Str *s)
{
    free(s->data);
    *s = (Str){0};
}

bool text_equal(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool text_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}
