/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "io/number.h"

Json json_begin(Str *out)
{
    return (Json){.out = out, .first = true};
}

#ifndef NDEBUG /* only assertions ask */
static bool in_object(const Json *json)
{
    return json->depth > 0 && (json->objects >> (json->depth - 1) & 1);
}
#endif

/* What stands before a value: a comma, unless the value is the first here or
 * belongs to a key. */
static void begin_value(Json *json)
{
    assert(json->after_key == in_object(json)); /* an object's value follows a key */
    assert(json->depth > 0 || json->first);     /* one value at the top */
    if (!json->first && !json->after_key)
        str_add_char(json->out, ',');
    json->first = false;
    json->after_key = false;
}

static void open_container(Json *json, bool object)
{
    begin_value(json);
    assert(json->depth < JSON_MAX_DEPTH);
    uint64_t bit = (uint64_t)1 << json->depth++;
    json->objects = object ? json->objects | bit : json->objects & ~bit;
    json->first = true;
    str_add_char(json->out, object ? '{' : '[');
}

static void close_container(Json *json, bool object)
{
    assert(json->depth > 0 && in_object(json) == object && !json->after_key);
    json->depth--;
    json->first = false;
    str_add_char(json->out, object ? '}' : ']');
}

void json_open_object(Json *json)
{
    open_container(json, true);
}

void json_close_object(Json *json)
{
    close_container(json, true);
}

void json_open_array(Json *json)
{
    open_container(json, false);
}

void json_close_array(Json *json)
{
    close_container(json, false);
}

/* Appends text as a JSON string (RFC 8259).  Everything that could act on a
 * terminal is escaped, too, although JSON only demands it of C0. */
static void add_string(Str *out, const char *text)
{
    size_t length = strlen(text);
    str_add_char(out, '"');
    for (size_t i = 0; i < length;) {
        size_t bytes = text_next(text + i, length - i);
        int32_t c = text_decode(text + i, length - i);
        if (c == '"' || c == '\\') {
            str_add_char(out, '\\');
            str_add_char(out, (char)c);
        } else if (c == '\n')
            str_add(out, "\\n");
        else if (c == '\t')
            str_add(out, "\\t");
        else if (c < 0)
            str_add(out, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (text_is_control(c) && c < 0x10000)
            str_addf(out, "\\u%04x", (unsigned)c);
        else if (text_is_control(c)) /* as two surrogates */
            str_addf(out, "\\u%04x\\u%04x", 0xD7C0 + ((unsigned)c >> 10),
                     0xDC00 + ((unsigned)c & 0x3FF));
        else
            str_add_bytes(out, text + i, bytes);
        i += bytes;
    }
    str_add_char(out, '"');
}

void json_key(Json *json, const char *key)
{
    assert(in_object(json) && !json->after_key);
    if (!json->first)
        str_add_char(json->out, ',');
    add_string(json->out, key);
    str_add_char(json->out, ':');
    json->first = false;
    json->after_key = true;
}

void json_text(Json *json, const char *text)
{
    begin_value(json);
    add_string(json->out, text);
}

void json_number(Json *json, double x)
{
    begin_value(json);
    if (isfinite(x))
        number_add(json->out, x);
    else
        str_add(json->out, "null");
}

void json_bool(Json *json, bool x)
{
    begin_value(json);
    str_add(json->out, x ? "true" : "false");
}

void json_null(Json *json)
{
    begin_value(json);
    str_add(json->out, "null");
}

void json_matrix(Json *json, const Matrix *m)
{
    json_open_array(json);
    for (size_t i = 0; i < m->rows; i++) {
        json_open_array(json);
        for (size_t j = 0; j < m->cols; j++)
            json_number(json, matrix_at(m, i, j));
        json_close_array(json);
    }
    json_close_array(json);
}
