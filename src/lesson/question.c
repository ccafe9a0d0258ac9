/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lesson/build.h"

static const char dash[] = " \u2014 ";

/* Blanks before and after the text are not part of it. */
static void trim_runs(Runs *runs)
{
    while (runs->count && runs->items[0].kind == RUN_TEXT) {
        char *text = runs->items[0].text;
        size_t blanks = strspn(text, " ");
        memmove(text, text + blanks, strlen(text + blanks) + 1);
        if (*text)
            break;
        free(text);
        free(runs->items[0].link);
        memmove(runs->items, runs->items + 1, --runs->count * sizeof *runs->items);
    }
    while (runs->count && runs->items[runs->count - 1].kind == RUN_TEXT) {
        Run *last = &runs->items[runs->count - 1];
        size_t n = strlen(last->text);
        while (n && last->text[n - 1] == ' ')
            last->text[--n] = '\0';
        if (n)
            break;
        free(last->text);
        free(last->link);
        runs->count--;
    }
}

/* Moves what stands behind byte `at` of run i, and all later runs, to the feedback. */
static void split_answer(Answer *answer, size_t i, size_t at)
{
    Runs *text = &answer->text, *feedback = &answer->feedback;
    const Run *run = &text->items[i];
    Run rest = *run;
    size_t cut = at + strlen(dash);
    rest.text = memory_copy_text(run->text + cut);
    rest.link = run->link ? memory_copy_text(run->link) : NULL;
    rest.span.start = run->span.start + cut < run->span.end ? run->span.start + cut : run->span.end;
    feedback->room = text->count - i;
    feedback->items = memory_alloc(feedback->room * sizeof rest);
    feedback->items[0] = rest;
    feedback->count = feedback->room;
    memcpy(feedback->items + 1, text->items + i + 1, (feedback->count - 1) * sizeof rest);
    text->count = i + 1;
    text->items[i].text[at] = '\0';
    text->items[i].span.end = rest.span.start;
    trim_runs(text);
    trim_runs(feedback);
}

static Status finish_answer(const Source *source, Answer *answer, Error *error)
{
    if (answer->text.count && strncmp(answer->text.items[0].text, dash + 1, strlen(dash + 1)) == 0)
        return error_at(error, source, answer->span, "a choice without text");
    for (size_t i = 0; i < answer->text.count; i++) {
        const Run *run = &answer->text.items[i];
        const char *found = run->kind == RUN_TEXT ? strstr(run->text, dash) : NULL;
        if (!found)
            continue;
        split_answer(answer, i, (size_t)(found - run->text));
        break;
    }
    if (answer->text.count == 0)
        return error_at(error, source, answer->span, "a choice without text");
    if (answer->feedback.count == 0)
        return error_at(error, source, answer->span,
                        "a choice without feedback: it follows after ' \u2014 '");
    return STATUS_OK;
}

Status question_finish(const Source *source, Block *block, Error *error)
{
    Question *question = &block->question;
    size_t right = 0;
    for (size_t i = 0; i < question->count; i++) {
        Answer *answer = &question->answers[i];
        if (finish_answer(source, answer, error) != STATUS_OK)
            return STATUS_ERROR;
        right += answer->right;
    }
    const Answer *last = &question->answers[question->count - 1];
    block->span = (Span){question->answers[0].span.start, build_runs_span(&last->feedback).end};
    block->inner = block->span;
    if (right == 0)
        return error_at(error, source, question->answers[0].span,
                        "no choice of the question is right: mark one with [x]");
    return STATUS_OK;
}
