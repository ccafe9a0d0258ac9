/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/csv.h"
#include "io/file.h"
#include "lesson/build.h"
#include "lesson/find.h"

static void add_text(Labels *labels, size_t *room, char *text)
{
    MEMORY_GROW(labels->texts, labels->count, *room);
    labels->texts[labels->count++] = text;
}

void labels_free(Labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        free(labels->texts[i]);
    free(labels->texts);
    free(labels->name);
    free(labels);
}

/* A quoted text at *at, with doubled quotes inside; *at is left behind it. */
static Status read_quoted(const Source *source, size_t *at, size_t end, Str *out, Error *error)
{
    size_t open = (*at)++;
    for (; *at < end; ++*at) {
        if (source->text[*at] != '"') {
            str_add_char(out, source->text[*at]);
        } else if (*at + 1 < end && source->text[*at + 1] == '"') {
            str_add_char(out, '"');
            ++*at;
        } else {
            ++*at;
            return STATUS_OK;
        }
    }
    return error_at(error, source, (Span){open, open + 1}, "this quote is never closed");
}

/* text, "text", … : blanks around a text are not part of it. */
static Status read_list(const Source *source, Span span, Labels *labels, Error *error)
{
    size_t room = 0;
    for (size_t at = span.start;; at++) {
        while (at < span.end && (source->text[at] == ' ' || source->text[at] == '\t'))
            at++;
        Str text = {0};
        str_add(&text, "");
        if (at < span.end && source->text[at] == '"') {
            if (read_quoted(source, &at, span.end, &text, error) != STATUS_OK) {
                str_clear(&text);
                return STATUS_ERROR;
            }
        }
        size_t comma = at;
        while (comma < span.end && source->text[comma] != ',')
            comma++;
        Span plain = build_trim(source, (Span){at, comma});
        if (text.length > 0 && plain.start < plain.end) {
            str_clear(&text);
            return error_at(error, source, plain, "text behind a closing quote");
        }
        str_add_bytes(&text, source->text + plain.start, plain.end - plain.start);
        add_text(labels, &room, str_take(&text));
        at = comma;
        if (at >= span.end)
            return STATUS_OK;
    }
}

static char *copy_valid(const char *text)
{
    Str out = {0};
    str_add(&out, "");
    build_add_valid(&out, text, strlen(text));
    return str_take(&out);
}

static Status read_table(const char *path, Labels *labels, Error *error)
{
    Str bytes = {0};
    if (file_read_real(path, LESSON_MAX_BYTES, &bytes, error) != STATUS_OK) {
        str_clear(&bytes);
        return STATUS_ERROR;
    }
    Source *source = source_new(path, str_text(&bytes), bytes.length);
    CsvTable table = {0};
    Status status = csv_read_table(source, (Span){0, source->length}, &table, error);
    size_t room = 0;
    for (size_t i = 0; i < table.count; i++)
        for (size_t j = 0; j < table.counts[i]; j++)
            add_text(labels, &room, copy_valid(table.rows[i][j]));
    csv_table_clear(&table);
    source_free(source);
    str_clear(&bytes);
    return status;
}

static Status read_file(const Lesson *lesson, Span span, Labels *labels, Error *error)
{
    char *name = build_copy(lesson->source, span);
    char *folder = build_folder(lesson->path);
    Str path = {0};
    Status status = find_data(folder, name, &path, error);
    if (status == STATUS_OK)
        status = read_table(str_text(&path), labels, error);
    if (status != STATUS_OK)
        error_locate(error, lesson->source, span);
    str_clear(&path);
    free(folder);
    free(name);
    return status;
}

static Status read_labels(void *context, Span line, Error *error)
{
    Lesson *lesson = context;
    const char *text = lesson->source->text;
    Span name, rest;
    if (build_name(lesson->source, line, "labels are 'name = text, text' or 'name = file path'",
                   &name, &rest, error) != STATUS_OK)
        return STATUS_ERROR;
    if (lesson->label_count == LESSON_MAX_LABELS)
        return error_at(error, lesson->source, name, "more than %d sets of labels (limit)",
                        LESSON_MAX_LABELS);
    Labels *labels = memory_zeros(1, sizeof *labels);
    labels->name = build_copy(lesson->source, name);
    labels->span = name;
    Status status;
    if (lesson_find_labels(lesson, labels->name))
        status =
            error_at(error, lesson->source, name, "the labels %s stand here twice", labels->name);
    else if (rest.end - rest.start > 5 && memcmp(text + rest.start, "file", 4) == 0 &&
             (text[rest.start + 4] == ' ' || text[rest.start + 4] == '\t'))
        status = read_file(lesson, build_trim(lesson->source, (Span){rest.start + 4, rest.end}),
                           labels, error);
    else
        status = read_list(lesson->source, rest, labels, error);
    if (status != STATUS_OK) {
        labels_free(labels);
        return status;
    }
    MEMORY_GROW(lesson->labels, lesson->label_count, lesson->label_room);
    lesson->labels[lesson->label_count++] = labels;
    return STATUS_OK;
}

Status labels_read_block(Lesson *lesson, Span span, Error *error)
{
    return build_each_line(lesson->source, span, read_labels, lesson, error);
}
