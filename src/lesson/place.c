/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lesson/lesson.h"

/* --- settings ---------------------------------------------------------------- */

void settings_set_param(Settings *settings, const char *name, const char *value)
{
    for (size_t i = 0; i < settings->param_count; i++) {
        ParamSetting *param = &settings->params[i];
        if (text_equal(param->name, name)) {
            char *copy = memory_copy_text(value);
            free(param->value);
            param->value = copy;
            return;
        }
    }
    MEMORY_GROW(settings->params, settings->param_count, settings->param_room);
    settings->params[settings->param_count++] =
        (ParamSetting){memory_copy_text(name), memory_copy_text(value)};
}

void settings_set_cell(Settings *settings, const char *name, size_t row, size_t col, double value)
{
    for (size_t i = 0; i < settings->edit_count; i++) {
        Edit *edit = &settings->edits[i];
        if (text_equal(edit->name, name) && edit->row == row && edit->col == col) {
            edit->value = value;
            return;
        }
    }
    MEMORY_GROW(settings->edits, settings->edit_count, settings->edit_room);
    settings->edits[settings->edit_count++] = (Edit){memory_copy_text(name), row, col, value};
}

Status settings_add_load(Settings *settings, const char *name, const char *file, Error *error)
{
    for (size_t i = 0; i < settings->load_count; i++)
        if (text_equal(settings->loads[i].name, name))
            return error_set(error, "%s is loaded twice: from %s and from %s", name,
                             settings->loads[i].file, file);
    MEMORY_GROW(settings->loads, settings->load_count, settings->load_room);
    settings->loads[settings->load_count++] =
        (Load){memory_copy_text(name), memory_copy_text(file)};
    return STATUS_OK;
}

static Status add_settings(Settings *to, const Settings *from, Error *error)
{
    for (size_t i = 0; i < from->param_count; i++)
        settings_set_param(to, from->params[i].name, from->params[i].value);
    for (size_t i = 0; i < from->edit_count; i++)
        settings_set_cell(to, from->edits[i].name, from->edits[i].row, from->edits[i].col,
                          from->edits[i].value);
    for (size_t i = 0; i < from->load_count; i++)
        if (settings_add_load(to, from->loads[i].name, from->loads[i].file, error) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

void settings_copy(Settings *to, const Settings *from)
{
    Error error = {0};
    *to = (Settings){0};
    add_settings(to, from, &error); /* from holds no load twice */
    error_clear(&error);
}

void settings_clear(Settings *settings)
{
    for (size_t i = 0; i < settings->param_count; i++) {
        free(settings->params[i].name);
        free(settings->params[i].value);
    }
    for (size_t i = 0; i < settings->edit_count; i++)
        free(settings->edits[i].name);
    for (size_t i = 0; i < settings->load_count; i++) {
        free(settings->loads[i].name);
        free(settings->loads[i].file);
    }
    free(settings->params);
    free(settings->edits);
    free(settings->loads);
    *settings = (Settings){0};
}

/* --- parsing ----------------------------------------------------------------- */

typedef struct {
    const Source *source;
    Place *place;
    Error *error;
} Reader;

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return length > 0;
}

/* A number from 1 in span; errors say what it counts. */
static Status read_count(const Reader *r, Span span, const char *what, size_t *out)
{
    const char *text = r->source->text;
    size_t x = 0;
    for (size_t i = span.start; i < span.end && x < 100000000; i++) {
        if (text[i] < '0' || text[i] > '9') {
            x = 0;
            break;
        }
        x = 10 * x + (size_t)(text[i] - '0');
    }
    *out = x;
    if (x > 0 && x < 100000000)
        return STATUS_OK;
    return error_at(r->error, r->source, span, "%s is a number from 1 up", what);
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* span with %XX decoded. */
static Status read_escaped(const Reader *r, Span span, char **out)
{
    Str s = {0};
    const char *text = r->source->text;
    str_add(&s, "");
    for (size_t i = span.start; i < span.end; i++) {
        int high = -1, low = -1;
        if (text[i] == '%' && i + 2 < span.end) {
            high = hex_digit(text[i + 1]);
            low = hex_digit(text[i + 2]);
        }
        if (text[i] != '%') {
            str_add_char(&s, text[i]);
        } else if (high < 0 || low < 0 || high + low == 0) {
            str_clear(&s);
            return error_at(r->error, r->source, (Span){i, i + 1},
                            "'%%' is followed by two hexadecimal digits (%%25 is '%%' itself)");
        } else {
            str_add_char(&s, (char)(16 * high + low));
            i += 2;
        }
    }
    *out = str_take(&s);
    return STATUS_OK;
}

/* name(i,j) = x */
static Status read_edit(const Reader *r, Span left, Span right, Settings *settings)
{
    const char *text = r->source->text;
    const char *open = memchr(text + left.start, '(', left.end - left.start);
    size_t bracket = open ? (size_t)(open - text) : left.end;
    Span inner = {bracket + 1, left.end - 1};
    const char *comma = open && inner.start < inner.end
                            ? memchr(text + inner.start, ',', inner.end - inner.start)
                            : NULL;
    if (!comma || text[left.end - 1] != ')' || !is_name(text + left.start, bracket - left.start))
        return error_at(r->error, r->source, left, "a setting is n=8, Q(2,3)=0.5 or Q=@file");
    size_t row, col;
    size_t at = (size_t)(comma - text);
    if (read_count(r, (Span){inner.start, at}, "a row", &row) != STATUS_OK ||
        read_count(r, (Span){at + 1, inner.end}, "a column", &col) != STATUS_OK)
        return STATUS_ERROR;
    double x;
    if (number_read(text + right.start, right.end - right.start, &x) != NUMBER_OK)
        return error_at(r->error, r->source, right.start < right.end ? right : left,
                        "a cell is set to a number");
    char *name = memory_copy_slice(text + left.start, bracket - left.start);
    settings_set_cell(settings, name, row, col, x);
    free(name);
    return STATUS_OK;
}

static Status read_setting(const Reader *r, Span span, Settings *settings)
{
    const char *text = r->source->text;
    const char *equals = memchr(text + span.start, '=', span.end - span.start);
    if (!equals)
        return error_at(r->error, r->source, span, "a setting is n=8, Q(2,3)=0.5 or Q=@file");
    size_t at = (size_t)(equals - text);
    Span left = {span.start, at}, right = {at + 1, span.end};
    if (!is_name(text + left.start, left.end - left.start))
        return read_edit(r, left, right, settings);
    if (right.start == right.end)
        return error_at(r->error, r->source, span, "a value is missing behind '='");
    bool load = text[right.start] == '@';
    right.start += load;
    char *value = NULL;
    if (read_escaped(r, right, &value) != STATUS_OK)
        return STATUS_ERROR;
    char *name = memory_copy_slice(text + left.start, left.end - left.start);
    Status status = STATUS_OK;
    if (load)
        status = settings_add_load(settings, name, value, r->error);
    else
        settings_set_param(settings, name, value);
    if (status != STATUS_OK)
        error_locate(r->error, r->source, span);
    free(name);
    free(value);
    return status;
}

Status settings_add(Settings *settings, const char *text, Error *error)
{
    Source *source = source_new("setting", text, strlen(text));
    Reader r = {.source = source, .error = error};
    Status status = read_setting(&r, (Span){0, source->length}, settings);
    source_free(source);
    return status;
}

static Status read_query(const Reader *r, Span query)
{
    for (size_t at = query.start; at < query.end;) {
        const char *end = memchr(r->source->text + at, '&', query.end - at);
        size_t stop = end ? (size_t)(end - r->source->text) : query.end;
        if (read_setting(r, (Span){at, stop}, &r->place->settings) != STATUS_OK)
            return STATUS_ERROR;
        at = stop + 1;
    }
    return STATUS_OK;
}

/* Where the name of the lesson ends: at the ':' behind ".md", or behind the last '/'. */
static size_t lesson_end(const Source *source, size_t end)
{
    const char *text = source->text;
    size_t slash = 0;
    for (size_t i = 0; i < end; i++) {
        if (text[i] == '/')
            slash = i;
        if (i + 3 <= end && memcmp(text + i, ".md", 3) == 0 && (i + 3 == end || text[i + 3] == ':'))
            return i + 3;
    }
    const char *colon = memchr(text + slash, ':', end - slash);
    return colon ? (size_t)(colon - text) : end;
}

/* step[:stop[.statement]] */
static Status read_where(const Reader *r, Span span)
{
    const char *text = r->source->text;
    const char *colon = memchr(text + span.start, ':', span.end - span.start);
    size_t step_end = colon ? (size_t)(colon - text) : span.end;
    Place *place = r->place;
    if (span.start == step_end)
        return error_at(r->error, r->source, span, "the id of a step is missing behind ':'");
    if (!(text[span.start] >= '0' && text[span.start] <= '9') &&
        !lesson_is_id(text + span.start, step_end - span.start))
        return error_at(r->error, r->source, (Span){span.start, step_end},
                        "the id of a step is of small letters, digits and '-'");
    place->step = memory_copy_slice(text + span.start, step_end - span.start);
    if (!colon)
        return STATUS_OK;
    size_t at = step_end + 1;
    const char *dot = memchr(text + at, '.', span.end - at);
    size_t stop_end = dot ? (size_t)(dot - text) : span.end;
    if (read_count(r, (Span){at, stop_end}, "a stop", &place->stop) != STATUS_OK)
        return STATUS_ERROR;
    if (!dot)
        return STATUS_OK;
    return read_count(r, (Span){stop_end + 1, span.end}, "a statement", &place->statement);
}

static Status read_place(const Reader *r)
{
    const Source *source = r->source;
    const char *question = memchr(source->text, '?', source->length);
    size_t end = question ? (size_t)(question - source->text) : source->length;
    size_t name = lesson_end(source, end);
    if (name == 0)
        return error_at(r->error, source, (Span){0, end ? end : 1}, "a lesson's name is missing");
    bool is_path = memchr(source->text, '/', name) ||
                   (name > 3 && memcmp(source->text + name - 3, ".md", 3) == 0);
    if (!is_path && !lesson_is_id(source->text, name))
        return error_at(r->error, source, (Span){0, name},
                        "neither the id of a lesson nor a path with a '/' in it");
    r->place->lesson = memory_copy_slice(source->text, name);
    if (name < end && read_where(r, (Span){name + 1, end}) != STATUS_OK)
        return STATUS_ERROR;
    return question ? read_query(r, (Span){end + 1, source->length}) : STATUS_OK;
}

Status place_parse(const char *text, Place *place, Error *error)
{
    *place = (Place){0};
    Source *source = source_new("place", text, strlen(text));
    Reader r = {source, place, error};
    Status status = read_place(&r);
    if (status != STATUS_OK)
        place_clear(place);
    source_free(source);
    return status;
}

void place_clear(Place *place)
{
    free(place->lesson);
    free(place->step);
    settings_clear(&place->settings);
    *place = (Place){0};
}

/* --- printing ---------------------------------------------------------------- */

static void add_escaped(Str *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&' || *text == '%')
            str_addf(out, "%%%02X", (unsigned)*text);
        else
            str_add_char(out, *text);
    }
}

static void add_settings_text(Str *out, const Settings *settings)
{
    const char *mark = "?";
    for (size_t i = 0; i < settings->param_count; i++, mark = "&") {
        const char *value = settings->params[i].value;
        bool at = *value == '@'; /* written as it is it would name a file */
        str_addf(out, "%s%s=%s", mark, settings->params[i].name, at ? "%40" : "");
        add_escaped(out, value + at);
    }
    for (size_t i = 0; i < settings->edit_count; i++, mark = "&") {
        const Edit *edit = &settings->edits[i];
        str_addf(out, "%s%s(%zu,%zu)=", mark, edit->name, edit->row, edit->col);
        number_add(out, edit->value);
    }
    for (size_t i = 0; i < settings->load_count; i++, mark = "&") {
        str_addf(out, "%s%s=@", mark, settings->loads[i].name);
        add_escaped(out, settings->loads[i].file);
    }
}

/* In single quotes where a character means something to a shell. */
static void add_quoted(Str *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./:,@%+=-";
    if (text[strspn(text, plain)] == '\0' && *text) {
        str_add(out, text);
        return;
    }
    str_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            str_add(out, "'\\''");
        else
            str_add_char(out, *text);
    }
    str_add_char(out, '\'');
}

void place_add_text(Str *out, const Place *place, bool for_shell)
{
    Str text = {0};
    str_add(&text, place->lesson);
    if (place->step)
        str_addf(&text, ":%s", place->step);
    if (place->step && place->stop)
        str_addf(&text, ":%zu", place->stop);
    if (place->step && place->stop && place->statement)
        str_addf(&text, ".%zu", place->statement);
    add_settings_text(&text, &place->settings);
    if (for_shell)
        add_quoted(out, str_text(&text));
    else
        str_add(out, str_text(&text));
    str_clear(&text);
}
