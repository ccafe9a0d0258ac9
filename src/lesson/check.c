/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/check.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/split.h"
#include "lesson/build.h"
#include "lesson/markdown.h"

typedef struct {
    Lesson *lesson;
    const Source *source;
    Block *block;
    size_t room;
    bool has_prediction;
} Reader;

/* Splits line at its first ':' into code and text; neither may be missing. */
static Status split_line(Reader *r, Span line, const char *what, Span *code, Runs *text,
                         Error *error)
{
    size_t colon = split_find(r->source, line, ":");
    Span sentence = build_trim(r->source, (Span){colon < line.end ? colon + 1 : colon, line.end});
    if (sentence.start == sentence.end)
        return error_at(error, r->source, line, "%s", what);
    *code = build_trim(r->source, (Span){line.start, colon});
    return markdown_read_line(r->lesson, sentence, text, error);
}

/* --- checks ------------------------------------------------------------------ */

static Status read_check(void *context, Span line, Error *error)
{
    Reader *r = context;
    Block *block = r->block;
    MEMORY_GROW(block->checks, block->check_count, r->room);
    Check *check = &block->checks[block->check_count++];
    *check = (Check){0};
    Span code;
    if (split_line(r, line, "a check is 'condition : sentence'; the sentence is missing", &code,
                   &check->sentence, error) != STATUS_OK)
        return STATUS_ERROR;
    size_t when = split_find_word(r->source, code, "when");
    check->span = build_trim(r->source, (Span){code.start, when});
    if (build_expr(r->source, (Span){code.start, when}, "a condition", &check->condition, error) !=
        STATUS_OK)
        return STATUS_ERROR;
    if (when == code.end)
        return STATUS_OK;
    return build_expr(r->source, (Span){when + strlen("when"), code.end}, "a guard", &check->guard,
                      error);
}

Status check_read_block(Lesson *lesson, Span span, Block *block, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .block = block};
    return build_each_line(lesson->source, span, read_check, &r, error);
}

/* --- predictions ------------------------------------------------------------- */

static bool begins_with_word(const Source *source, Span line, const char *word)
{
    size_t n = strlen(word);
    const char *text = source->text + line.start;
    return line.end - line.start > n && memcmp(text, word, n) == 0 &&
           (text[n] == ' ' || text[n] == '\t');
}

static Status read_trap(Reader *r, Span line, Error *error)
{
    Prediction *prediction = &r->block->prediction;
    if (!r->has_prediction)
        return error_at(error, r->source, line, "a trap without a prediction above it");
    MEMORY_GROW(prediction->traps, prediction->trap_count, r->room);
    Trap *trap = &prediction->traps[prediction->trap_count++];
    *trap = (Trap){0};
    Span code;
    if (split_line(r, line, "a trap is 'trap expression : diagnosis'; the diagnosis is missing",
                   &code, &trap->diagnosis, error) != STATUS_OK)
        return STATUS_ERROR;
    Span expr = {code.start + strlen("trap"), code.end};
    trap->span = build_trim(r->source, expr);
    return build_expr(r->source, expr, "an expression", &trap->code, error);
}

static Status read_tolerance(Reader *r, Span span, double *out, Error *error)
{
    Span number = build_trim(r->source, span);
    if (number_read(r->source->text + number.start, number.end - number.start, out) != NUMBER_OK ||
        !isfinite(*out) || *out < 0)
        return error_at(error, r->source, number.start < number.end ? number : span,
                        "the tolerance behind 'within' is a number from 0 up");
    return STATUS_OK;
}

static Status read_prediction_line(void *context, Span line, Error *error)
{
    Reader *r = context;
    Prediction *prediction = &r->block->prediction;
    if (begins_with_word(r->source, line, "trap"))
        return read_trap(r, line, error);
    if (r->has_prediction)
        return error_at(error, r->source, line,
                        "a second prediction in one block: only traps follow the first");
    r->has_prediction = true;
    Span code;
    static const char what[] =
        "a prediction is 'expression within tolerance : name'; the name is missing";
    if (split_line(r, line, what, &code, &prediction->name, error) != STATUS_OK)
        return STATUS_ERROR;
    size_t within = split_find_word(r->source, code, "within");
    if (within == code.end)
        return error_at(error, r->source, code,
                        "a prediction needs 'within' and a tolerance behind its expression");
    prediction->span = build_trim(r->source, (Span){code.start, within});
    if (build_expr(r->source, (Span){code.start, within}, "an expression", &prediction->code,
                   error) != STATUS_OK)
        return STATUS_ERROR;
    return read_tolerance(r, (Span){within + strlen("within"), code.end}, &prediction->tolerance,
                          error);
}

Status check_read_prediction(Lesson *lesson, Span span, Block *block, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .block = block};
    Status status = build_each_line(lesson->source, span, read_prediction_line, &r, error);
    if (status == STATUS_OK && !r.has_prediction)
        return error_at(error, lesson->source, block->span,
                        "a prediction block without prediction");
    return status;
}
