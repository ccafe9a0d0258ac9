/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every page of the course is seen whole at 80x24 at the default parameters: at every stop,
 * and after every answer to its question or trap of its prediction.  scrolling.txt holds the
 * steps that may scroll, a line each: the place, a blank, the reason. */
#include <stdio.h>

#include "lessons.h"

#include "io/file.h"
#include "lesson/eval.h"

enum { FILE_LIMIT = 1 << 20 };

static const Size SMALL = {24, 80};
static char *allowed; /* scrolling.txt, after a line end */

static int set_up(void **state)
{
    Str bytes = {0};
    Error error = {0};
    str_add(&bytes, "\n");
    if (file_read(PROJECT_ROOT "/tests/pages/scrolling.txt", FILE_LIMIT, false, &bytes, &error) !=
        STATUS_OK)
        fail_msg("%s", error.message);
    allowed = str_take(&bytes);
    return lessons_load(state);
}

static int tear_down(void **state)
{
    free(allowed);
    return lessons_unload(state);
}

static bool may_scroll(const char *place)
{
    Str line = {0};
    str_addf(&line, "\n%s ", place);
    bool found = strstr(allowed, str_text(&line)) != NULL;
    str_clear(&line);
    return found;
}

/* Rows of the page that do not fit; answer may be NULL. */
static int rows_missing(const Trace *trace, Position position, const PageAnswer *answer)
{
    PageOptions options = {.size = SMALL,
                           .scroll = PAGE_SCROLL_AUTO,
                           .answers = answer,
                           .answer_count = answer != NULL};
    Page page;
    page_draw(trace, position, &options, &page);
    int missing = page.content_rows - page.visible_rows;
    page_clear(&page);
    return missing > 0 ? missing : 0;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* … after the answer to a question that reveals most. */
static int missing_after_choice(const Trace *trace, Position position, size_t step, size_t block)
{
    const Question *question = &trace_lesson(trace)->steps[step].blocks[block].question;
    bool *chosen = memory_zeros(question->count + 1, sizeof *chosen);
    int most = 0;
    for (size_t i = 0; i < question->count; i++) {
        PageAnswer answer = {.step = step, .block = block, .done = true, .chosen = chosen};
        chosen[i] = true;
        most = larger(most, rows_missing(trace, position, &answer));
        chosen[i] = false;
    }
    free(chosen);
    return most;
}

/* … after the guess whose diagnosis is longest. */
static int missing_after_guess(const Trace *trace, Position position, size_t step, size_t block)
{
    const Prediction *prediction = &trace_lesson(trace)->steps[step].blocks[block].prediction;
    int most = 0;
    for (size_t i = 0; i < prediction->trap_count; i++) {
        PageAnswer answer = {.step = step, .block = block, .done = true};
        Error error = {0};
        if (lesson_trap(trace, step, &prediction->traps[i], &answer.number, &error) == STATUS_OK)
            most = larger(most, rows_missing(trace, position, &answer));
        error_clear(&error);
    }
    return most;
}

static int missing_at(const Trace *trace, size_t stop)
{
    Position position = position_at_stop(trace, stop);
    size_t step = trace_stop(trace, stop)->step;
    const Step *s = &trace_lesson(trace)->steps[step];
    int most = rows_missing(trace, position, NULL);
    if (stop + 1 < trace_stop_count(trace) && trace_stop(trace, stop + 1)->step == step)
        return most; /* answers are given later in the step */
    for (size_t b = 0; b < s->count; b++) {
        if (s->blocks[b].kind == BLOCK_QUESTION)
            most = larger(most, missing_after_choice(trace, position, step, b));
        else if (s->blocks[b].kind == BLOCK_PREDICT)
            most = larger(most, missing_after_guess(trace, position, step, b));
    }
    return most;
}

static void pages_are_seen_whole_at_80x24(void **state)
{
    (void)state;
    Str wrong = {0};
    for (size_t l = 0; l < lessons.count; l++) {
        const Trace *trace = lessons.items[l].trace;
        int most = 0;
        for (size_t i = 0; i < trace_stop_count(trace); i++) {
            size_t step = trace_stop(trace, i)->step;
            most = larger(most, missing_at(trace, i));
            if (i + 1 < trace_stop_count(trace) && trace_stop(trace, i + 1)->step == step)
                continue;
            Str place = {0};
            str_addf(&place, "%s:%s", lessons.items[l].lesson->id,
                     trace_lesson(trace)->steps[step].id);
            if (most > 0 && !may_scroll(str_text(&place)))
                str_addf(&wrong, "\n%s needs %d rows more", str_text(&place), most);
            else if (most == 0 && may_scroll(str_text(&place)))
                str_addf(&wrong, "\n%s fits: scrolling.txt need not name it", str_text(&place));
            str_clear(&place);
            most = 0;
        }
    }
    if (wrong.length > 0)
        fail_msg("at 80x24:%s", str_text(&wrong));
}

/* Going on within a step moves nothing: all its pages have one height. */
static void a_step_keeps_its_height(void **state)
{
    (void)state;
    for (size_t l = 0; l < lessons.count; l++) {
        const Trace *trace = lessons.items[l].trace;
        int before = -1;
        for (size_t i = 0; i < trace_stop_count(trace); i++) {
            PageOptions options = {.size = SMALL, .scroll = PAGE_SCROLL_AUTO};
            Position position = position_at_stop(trace, i);
            Page page;
            page_draw(trace, position, &options, &page);
            if (before >= 0 && page.content_rows != before) {
                Str place = {0};
                add_place_of(&place, trace, position);
                fail_msg("%s has %d rows, the stop before it %d", str_text(&place),
                         page.content_rows, before);
            }
            bool last = i + 1 == trace_stop_count(trace) ||
                        trace_stop(trace, i + 1)->step != trace_stop(trace, i)->step;
            before = last ? -1 : page.content_rows;
            page_clear(&page);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_seen_whole_at_80x24),
        cmocka_unit_test(a_step_keeps_its_height),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
