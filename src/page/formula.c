/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/formula.h"

#include <string.h>

#include "page/tex.h"

typedef struct {
    const Lesson *lesson;
    const FormulaReport *report;
    size_t count, problems;
} Walk;

/* Where in the source tex begins, somewhere in span: delimiters and blanks stand
 * before it. */
static size_t find_start(const Walk *walk, Span span, const char *tex)
{
    const char *text = walk->lesson->source->text;
    size_t length = strlen(tex);
    for (size_t at = span.start; at + length <= span.end; at++)
        if (memcmp(text + at, tex, length) == 0)
            return at;
    return span.start;
}

static void check_formula(Walk *walk, const char *text, Span span)
{
    Tex *tex = tex_parse(text, strlen(text));
    size_t start = find_start(walk, span, text);
    walk->count++;
    walk->problems += tex->problem_count;
    for (size_t i = 0; i < tex->problem_count; i++) {
        const TexProblem *problem = &tex->problems[i];
        Error error = {0};
        error_at(&error, walk->lesson->source,
                 (Span){start + problem->span.start, start + problem->span.end}, "formula: %s",
                 problem->message);
        if (walk->report && walk->report->problem)
            walk->report->problem(walk->report->context, &error);
        error_clear(&error);
    }
    tex_free(tex);
}

static void check_runs(Walk *walk, const Runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].kind == RUN_MATH)
            check_formula(walk, runs->items[i].text, runs->items[i].span);
}

static void check_prediction(Walk *walk, const Prediction *prediction)
{
    check_runs(walk, &prediction->name);
    for (size_t i = 0; i < prediction->trap_count; i++)
        check_runs(walk, &prediction->traps[i].diagnosis);
}

static void check_block(Walk *walk, const Block *block)
{
    if (block->kind == BLOCK_MATH)
        check_formula(walk, block->tex, block->inner);
    if (block->kind == BLOCK_PREDICT)
        check_prediction(walk, &block->prediction);
    for (size_t i = 0; i < block->prose.count; i++)
        check_runs(walk, &block->prose.items[i].runs);
    for (size_t i = 0; i < block->check_count; i++)
        check_runs(walk, &block->checks[i].sentence);
    for (size_t i = 0; i < block->question.count; i++) {
        check_runs(walk, &block->question.answers[i].text);
        check_runs(walk, &block->question.answers[i].feedback);
    }
}

size_t formula_check_lesson(const Lesson *lesson, const FormulaReport *report, size_t *count)
{
    Walk walk = {.lesson = lesson, .report = report};
    for (size_t i = 0; i < lesson->step_count; i++) {
        check_runs(&walk, &lesson->steps[i].heading);
        for (size_t j = 0; j < lesson->steps[i].count; j++)
            check_block(&walk, &lesson->steps[i].blocks[j]);
    }
    if (count)
        *count = walk.count;
    return walk.problems;
}
