/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lang/parse.h"

Block *build_add_block(Step *step, BlockKind kind)
{
    MEMORY_GROW(step->blocks, step->count, step->room);
    Block *block = &step->blocks[step->count++];
    *block = (Block){.kind = kind};
    return block;
}

void build_add_remark(Lesson *lesson, Span span, const char *format, ...)
{
    Str text = {0};
    va_list list;
    va_start(list, format);
    str_add_list(&text, format, list);
    va_end(list);
    MEMORY_GROW(lesson->remarks, lesson->remark_count, lesson->remark_room);
    lesson->remarks[lesson->remark_count++] = (Remark){str_take(&text), span};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

Span build_trim(const Source *source, Span span)
{
    while (span.start < span.end && is_blank(source->text[span.start]))
        span.start++;
    while (span.end > span.start && is_blank(source->text[span.end - 1]))
        span.end--;
    return span;
}

char *build_copy(const Source *source, Span span)
{
    return memory_copy_slice(source->text + span.start, span.end - span.start);
}

Span build_runs_span(const Runs *runs)
{
    if (runs->count == 0)
        return (Span){0, 0};
    return (Span){runs->items[0].span.start, runs->items[runs->count - 1].span.end};
}

Span build_prose_span(const Prose *prose)
{
    Span span = {0, 0};
    for (size_t i = 0; i < prose->count; i++) {
        Span runs = build_runs_span(&prose->items[i].runs);
        if (runs.end == 0)
            continue;
        if (span.end == 0)
            span.start = runs.start;
        span.end = runs.end;
    }
    return span;
}

Status build_expr(const Source *source, Span span, const char *what, Code **out, Error *error)
{
    Span inner = build_trim(source, span);
    if (inner.start == inner.end) {
        Span at = {span.start, span.start + 1};
        return error_at(error, source, at, "%s is missing here", what);
    }
    return code_parse_expr(source, inner, out, error);
}

static bool is_name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

Status build_name(const Source *source, Span line, const char *what, Span *name, Span *rest,
                  Error *error)
{
    const char *text = source->text;
    const char *equals = memchr(text + line.start, '=', line.end - line.start);
    if (!equals)
        return error_at(error, source, line, "%s", what);
    *name = build_trim(source, (Span){line.start, (size_t)(equals - text)});
    *rest = build_trim(source, (Span){(size_t)(equals - text) + 1, line.end});
    for (size_t i = name->start; i < name->end; i++)
        if (!is_name_char(text[i], i == name->start))
            return error_at(error, source, *name, "this is no name: letters, digits and '_'");
    if (name->start == name->end || rest->start == rest->end)
        return error_at(error, source, line, "%s", what);
    return STATUS_OK;
}

/* %[.N](f|e|g) in span. */
static Status read_format(const Source *source, Span span, Run *run, Error *error)
{
    const char *text = source->text + span.start;
    size_t length = span.end - span.start, i = 1;
    if (i < length && text[i] == '.') {
        run->precision = 0;
        for (i++; i < length && text[i] >= '0' && text[i] <= '9' && run->precision < 100; i++)
            run->precision = 10 * run->precision + (text[i] - '0');
        if (text[i - 1] == '.')
            run->precision = 100;
    }
    if (i + 1 != length || !strchr("feg", text[i]) || run->precision > 17)
        return error_at(error, source, span,
                        "a format is %%f, %%e or %%g, with up to 17 digits as in %%.3f");
    run->format = text[i];
    return STATUS_OK;
}

Status build_value(const Source *source, Span *span, Run *run, Error *error)
{
    size_t bar = span->end;
    while (bar > span->start && source->text[bar - 1] != '|')
        bar--;
    Span format = build_trim(source, (Span){bar, span->end});
    bool has_format =
        bar > span->start && format.start < format.end && source->text[format.start] == '%';
    if (has_format && read_format(source, format, run, error) != STATUS_OK)
        return STATUS_ERROR;
    Span whole = *span;
    *span = build_trim(source, (Span){whole.start, has_format ? bar - 1 : whole.end});
    if (span->start == span->end)
        return error_at(error, source, run->span, "an expression is missing after '='");
    return code_parse_expr(source, *span, &run->code, error);
}

Status build_each_line(const Source *source, Span span,
                       Status (*read)(void *context, Span line, Error *error), void *context,
                       Error *error)
{
    for (size_t at = span.start; at < span.end;) {
        const char *end = memchr(source->text + at, '\n', span.end - at);
        size_t stop = end ? (size_t)(end - source->text) : span.end;
        Span line = build_trim(source, (Span){at, stop});
        if (line.start < line.end && read(context, line, error) != STATUS_OK)
            return STATUS_ERROR;
        at = stop + 1;
    }
    return STATUS_OK;
}

void build_clear_question(Question *question)
{
    for (size_t i = 0; i < question->count; i++) {
        runs_clear(&question->answers[i].text);
        runs_clear(&question->answers[i].feedback);
    }
    free(question->answers);
    *question = (Question){0};
}

static void clear_prediction(Prediction *prediction)
{
    for (size_t i = 0; i < prediction->trap_count; i++) {
        code_free(prediction->traps[i].code);
        runs_clear(&prediction->traps[i].diagnosis);
    }
    free(prediction->traps);
    code_free(prediction->code);
    runs_clear(&prediction->name);
}

void build_clear_block(Block *block)
{
    prose_clear(&block->prose);
    free(block->tex);
    code_free(block->code);
    for (size_t i = 0; i < block->view_count; i++) {
        for (size_t j = 0; j < block->views[i].count; j++)
            code_free(block->views[i].args[j]);
        free(block->views[i].args);
    }
    free(block->views);
    for (size_t i = 0; i < block->check_count; i++) {
        code_free(block->checks[i].condition);
        code_free(block->checks[i].guard);
        runs_clear(&block->checks[i].sentence);
    }
    free(block->checks);
    build_clear_question(&block->question);
    clear_prediction(&block->prediction);
}

void build_add_valid(Str *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t n = text_next(text + i, length - i);
        int32_t c = text_decode(text + i, length - i);
        if (c <= 0)
            str_add(out, "\uFFFD");
        else
            str_add_bytes(out, text + i, n);
        i += n;
    }
}

char *build_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return memory_copy_text(".");
    return memory_copy_slice(path, slash == path ? 1 : (size_t)(slash - path));
}
