/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/formulas.h"

#include <string.h>

#include "page/tex.h"

typedef struct {
    const Lesson *lesson;
    void (*report)(const Error *error);
    size_t problems;
} Survey;

/* Where tex (which stands somewhere in span) begins in the source; span.start if
 * the lesson's parser changed it on the way. */
static size_t find_start(const Source *source, Span span, const char *tex)
{
    size_t length = strlen(tex);
    for (size_t i = span.start; i + length <= span.end; i++)
        if (memcmp(source->text + i, tex, length) == 0)
            return i;
    return span.start;
}

static Span clamp(Span span, Span outer)
{
    if (span.start > outer.end)
        span.start = outer.end;
    if (span.end > outer.end)
        span.end = outer.end;
    return span;
}

static void survey_tex(Survey *s, const char *text, Span span)
{
    Tex *tex = tex_parse(text, strlen(text));
    size_t base = find_start(s->lesson->source, span, text);
    for (size_t i = 0; i < tex->problem_count; i++) {
        const TexProblem *problem = &tex->problems[i];
        Span at = {base + problem->span.start, base + problem->span.end};
        Error error = {0};
        error_at(&error, s->lesson->source, clamp(at, span), "formula: %s", problem->message);
        s->report(&error);
        s->problems++;
        error_clear(&error);
    }
    tex_free(tex);
}

static void survey_runs(Survey *s, const Runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].kind == RUN_MATH)
            survey_tex(s, runs->items[i].text, runs->items[i].span);
}

static void survey_prose(Survey *s, const Prose *prose)
{
    for (size_t i = 0; i < prose->count; i++)
        survey_runs(s, &prose->items[i].runs);
}

static void survey_prediction(Survey *s, const Prediction *prediction)
{
    survey_runs(s, &prediction->name);
    for (size_t i = 0; i < prediction->trap_count; i++)
        survey_runs(s, &prediction->traps[i].diagnosis);
}

static void survey_block(Survey *s, const Block *block)
{
    switch (block->kind) {
    case BLOCK_PROSE:
    case BLOCK_NOTES:
        survey_prose(s, &block->prose);
        break;
    case BLOCK_MATH:
        survey_tex(s, block->tex, block->inner);
        break;
    case BLOCK_CHECK:
        for (size_t i = 0; i < block->check_count; i++)
            survey_runs(s, &block->checks[i].sentence);
        break;
    case BLOCK_QUESTION:
        for (size_t i = 0; i < block->question.count; i++) {
            survey_runs(s, &block->question.answers[i].text);
            survey_runs(s, &block->question.answers[i].feedback);
        }
        break;
    case BLOCK_PREDICT:
        survey_prediction(s, &block->prediction);
        break;
    case BLOCK_CODE:
    case BLOCK_VIEW:
        break;
    }
}

size_t formulas_check(const Lesson *lesson, void (*report)(const Error *error))
{
    Survey survey = {.lesson = lesson, .report = report};
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Step *step = &lesson->steps[i];
        survey_runs(&survey, &step->heading);
        for (size_t k = 0; k < step->count; k++)
            survey_block(&survey, &step->blocks[k]);
    }
    return survey.problems;
}
