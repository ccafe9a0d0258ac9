/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"

/* The arrays are ours, though a page may only read them. */
static bool *chosen_of(const PageAnswer *answer)
{
    return (bool *)answer->chosen;
}

void answers_clear(Answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        free((void *)answers->items[i].chosen);
        free((void *)answers->items[i].typed);
    }
    free(answers->items);
    *answers = (Answers){0};
}

static PageAnswer *find(const Answers *answers, size_t step, size_t block)
{
    for (size_t i = 0; i < answers->count; i++)
        if (answers->items[i].step == step && answers->items[i].block == block)
            return &answers->items[i];
    return NULL;
}

PageAnswer *answers_get(Answers *answers, const Lesson *lesson, size_t step, size_t block)
{
    PageAnswer *found = find(answers, step, block);
    if (found)
        return found;
    const Block *asked = &lesson->steps[step].blocks[block];
    MEMORY_GROW(answers->items, answers->count, answers->room);
    PageAnswer *fresh = &answers->items[answers->count++];
    *fresh = (PageAnswer){.step = step, .block = block};
    if (asked->kind == BLOCK_QUESTION)
        fresh->chosen = memory_zeros(asked->question.count, sizeof *fresh->chosen);
    return fresh;
}

bool answers_is_settled(const Answers *answers, size_t step, size_t block)
{
    const PageAnswer *answer = find(answers, step, block);
    return answer && (answer->done || answer->skipped);
}

bool answers_is_several(const Question *question)
{
    size_t right = 0;
    for (size_t i = 0; i < question->count; i++)
        right += question->answers[i].right;
    return right > 1;
}

void answers_choose(PageAnswer *answer, const Question *question, size_t k)
{
    bool *chosen = chosen_of(answer);
    bool was = chosen[k];
    if (!answers_is_several(question))
        memset(chosen, 0, question->count * sizeof *chosen);
    chosen[k] = !was || !answers_is_several(question);
    answer->pointer = k;
}

bool answers_is_wrong(const PageAnswer *answer, const Question *question)
{
    if (!answer->done)
        return answer->skipped;
    for (size_t i = 0; i < question->count; i++)
        if (answer->chosen[i] != question->answers[i].right)
            return true;
    return false;
}

void answers_confirm(PageAnswer *answer, const Question *question)
{
    bool any = false;
    for (size_t i = 0; i < question->count; i++)
        any = any || answer->chosen[i];
    if (!any)
        chosen_of(answer)[answer->pointer] = true;
    answer->done = true;
    answer->skipped = false;
}

bool answers_guess(PageAnswer *answer, const char *text)
{
    double x;
    if (number_read(text, strlen(text), &x) != NUMBER_OK)
        return false;
    free((void *)answer->typed);
    answer->typed = memory_copy_text(text);
    answer->number = x;
    answer->done = true;
    answer->skipped = false;
    return true;
}

void answers_reopen(PageAnswer *answer, const Block *block)
{
    if (block->kind == BLOCK_QUESTION)
        memset(chosen_of(answer), 0, block->question.count * sizeof *answer->chosen);
    free((void *)answer->typed);
    answer->typed = NULL;
    answer->done = answer->skipped = false;
}
