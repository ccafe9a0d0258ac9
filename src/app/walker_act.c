/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_act: walking, answering, changing, showing. */
#include <string.h>

#include "app/walker_state.h"

enum { MOST_DIGITS = 15, FEWEST_DIGITS = 1, DIGITS_USUAL = 3, SLOWEST = 60 };

/* ---- questions and predictions ---- */

/* The block the reader is asked about here, or NULL. */
static const Block *asked_block(const Walker *w)
{
    const Stop *stop = session_stop(&w->session);
    bool asks = stop->kind == STOP_QUESTION || stop->kind == STOP_PREDICTION;
    return asks ? session_block(&w->session) : NULL;
}

bool walker_is_asked(const Walker *w)
{
    const Stop *stop = session_stop(&w->session);
    return asked_block(w) && !answers_is_settled(&w->answers, stop->step, stop->block);
}

static PageAnswer *answer_here(Walker *w)
{
    const Stop *stop = session_stop(&w->session);
    return answers_get(&w->answers, w->session.lesson, stop->step, stop->block);
}

/* One right answer: choosing is answering. */
static void choose(PageAnswer *answer, const Question *question, size_t k)
{
    answers_choose(answer, question, k);
    if (!answers_is_several(question))
        answers_confirm(answer, question);
}

static bool answer_question(Walker *w, const Question *question, Input input)
{
    PageAnswer *answer = answer_here(w);
    size_t letter = input.kind == INPUT_CHAR ? input.c - 'a' : question->count;
    if (letter < question->count)
        choose(answer, question, letter);
    else if (input.kind == INPUT_UP)
        answer->pointer -= answer->pointer > 0;
    else if (input.kind == INPUT_DOWN)
        answer->pointer += answer->pointer + 1 < question->count;
    else if (input.kind == INPUT_CHAR && input.c == ' ')
        choose(answer, question, answer->pointer);
    else if (input.kind == INPUT_ENTER && answers_is_several(question))
        answers_confirm(answer, question);
    else if (input.kind == INPUT_ENTER)
        choose(answer, question, answer->pointer);
    else
        return false;
    return true;
}

bool walker_is_wrong(const Walker *w)
{
    const Block *block = asked_block(w);
    const Stop *stop = session_stop(&w->session);
    if (!block || block->kind != BLOCK_QUESTION)
        return false;
    for (size_t i = 0; i < w->answers.count; i++) {
        const PageAnswer *a = &w->answers.items[i];
        if (a->step == stop->step && a->block == stop->block)
            return answers_is_wrong(a, &block->question);
    }
    return false;
}

static bool begins_number(Input input)
{
    return input.kind == INPUT_CHAR && input.c < 0x80 && strchr("0123456789+-.", (int)input.c);
}

bool walker_answer(Walker *w, Input input)
{
    const Block *block = asked_block(w);
    if (!block)
        return false;
    bool open = walker_is_asked(w);
    if (open && block->kind == BLOCK_QUESTION)
        return answer_question(w, &block->question, input);
    if (open && (begins_number(input) || input.kind == INPUT_ENTER)) {
        char first[2] = {input.kind == INPUT_CHAR ? (char)input.c : '\0', '\0'};
        walker_ask(w, PROMPT_GUESS, first);
        return true;
    }
    if (open || !walker_is_wrong(w))
        return false;
    bool letter = input.kind == INPUT_CHAR && input.c >= 'a' &&
                  input.c - 'a' < block->question.count;
    if (!letter && input.kind != INPUT_ENTER)
        return false;
    answers_reopen(answer_here(w), block);
    return !letter || answer_question(w, &block->question, input);
}

static void skip(Walker *w)
{
    if (!walker_is_asked(w))
        return;
    answer_here(w)->skipped = true;
    walker_say(w, "skipped");
}

/* ---- walking ---- */

static void walk(Walker *w, bool (*move)(Session *), bool forward)
{
    if (forward && walker_is_asked(w)) {
        walker_say(w, asked_block(w)->kind == BLOCK_QUESTION
                          ? "choose an answer first, or s to skip"
                          : "type your guess first, or s to skip");
        return;
    }
    if (!move(&w->session)) {
        walker_say(w, forward ? "this is the end of the lesson: m for the menu"
                              : "this is the beginning of the lesson");
        return;
    }
    inspect_close(&w->inspect);
    walker_drop_result(w);
    walker_arrive(w);
}

static void jump(Walker *w, void (*move)(Session *))
{
    move(&w->session);
    inspect_close(&w->inspect);
    walker_drop_result(w);
    walker_arrive(w);
}

void walker_play(Walker *w)
{
    walk(w, session_next_stop, true);
    Session *s = &w->session;
    if (s->position.stop + 1 >= trace_stop_count(s->trace))
        w->playing = false;
}

static void autoplay(Walker *w)
{
    w->playing = !w->playing;
    w->next_play = w->now + 1000LL * w->seconds;
}

static void set_seconds(Walker *w, int seconds)
{
    if (seconds >= 1 && seconds <= SLOWEST)
        w->seconds = seconds;
    w->next_play = w->now + 1000LL * w->seconds;
    walker_say(w, "autoplay: %d s a stop", w->seconds);
}

/* ---- changing ---- */

static void undo(Walker *w)
{
    if (session_undo(&w->session))
        walker_rerun(w);
    else
        walker_say(w, "nothing to undo");
}

static void reset(Walker *w)
{
    Error error = {0};
    bool changed;
    if (session_reset(&w->session, &changed, &error)) {
        walker_complain(w, &error);
        return;
    }
    if (changed)
        walker_rerun(w);
    walker_say(w, changed ? "as the lesson says; u undoes it" : "nothing was changed");
}

static void open_params(Walker *w)
{
    if (w->session.lesson->param_count == 0) {
        walker_say(w, "this lesson has no parameters");
        return;
    }
    inspect_close(&w->inspect);
    walker_drop_result(w);
    w->params = true;
}

/* ---- showing ---- */

static void set_digits(Walker *w, int by)
{
    int digits = (w->digits ? w->digits : DIGITS_USUAL) + by;
    digits = digits > MOST_DIGITS ? MOST_DIGITS : digits;
    w->digits = digits < FEWEST_DIGITS ? FEWEST_DIGITS : digits;
    w->inspect.digits = w->digits > DIGITS_USUAL ? w->digits : 0;
    if (inspect_is_open(&w->inspect))
        inspect_move(&w->inspect, 0, 0); /* explained afresh */
}

static void toggle_notes(Walker *w)
{
    w->show_notes = !w->show_notes;
    if (w->show_notes && w->options.projector)
        walker_say(w, "notes are not shown in projector mode");
}

static void unmark(Walker *w)
{
    walker_drop_result(w);
    session_forget_old(&w->session);
}

static bool act_walk(Walker *w, ActionId id)
{
    switch (id) {
    case ACTION_NEXT_STOP: walk(w, session_next_stop, true); break;
    case ACTION_LAST_STOP: walk(w, session_last_stop, false); break;
    case ACTION_NEXT_FRAME: walk(w, session_next_frame, true); break;
    case ACTION_LAST_FRAME: walk(w, session_last_frame, false); break;
    case ACTION_NEXT_STEP: walk(w, session_next_step, true); break;
    case ACTION_LAST_STEP: walk(w, session_last_step, false); break;
    case ACTION_FIRST: jump(w, session_first); break;
    case ACTION_END: jump(w, session_end); break;
    case ACTION_SKIP: skip(w); break;
    case ACTION_AUTOPLAY: autoplay(w); break;
    case ACTION_FASTER: set_seconds(w, w->seconds - 1); break;
    case ACTION_SLOWER: set_seconds(w, w->seconds + 1); break;
    default: return false;
    }
    return true;
}

static bool act_change(Walker *w, ActionId id)
{
    switch (id) {
    case ACTION_LOOK: walker_look(w); break;
    case ACTION_PARAMS: open_params(w); break;
    case ACTION_EDIT: walker_edit(w); break;
    case ACTION_UNDO: undo(w); break;
    case ACTION_RESET: reset(w); break;
    case ACTION_UNMARK: unmark(w); break;
    case ACTION_GO: walker_ask(w, PROMPT_PLACE, ""); break;
    case ACTION_SEARCH: walker_ask(w, PROMPT_SEARCH, ""); break;
    case ACTION_SEARCH_NEXT: walker_search(w, true); break;
    case ACTION_SEARCH_LAST: walker_search(w, false); break;
    case ACTION_EVAL: walker_ask(w, PROMPT_EVAL, ""); break;
    case ACTION_WRITE: walker_ask(w, PROMPT_WRITE, NULL); break;
    default: return false;
    }
    return true;
}

static void act_show(Walker *w, ActionId id)
{
    switch (id) {
    case ACTION_STEPS: walker_open_list(w, LIST_STEPS); break;
    case ACTION_WORDS: walker_open_list(w, LIST_WORDS); break;
    case ACTION_HELP: walker_open_list(w, LIST_KEYS); break;
    case ACTION_MENU: walker_open_list(w, LIST_MENU); break;
    case ACTION_PROJECTOR: w->options.projector = !w->options.projector; break;
    case ACTION_CODE: w->show_code = !w->show_code; break;
    case ACTION_DIGITS_MORE: set_digits(w, 1); break;
    case ACTION_DIGITS_LESS: set_digits(w, -1); break;
    case ACTION_THEME: w->options.theme = (w->options.theme + 1) % THEME_COUNT; break;
    case ACTION_BENCH: walker_bench(w); break;
    case ACTION_NOTES: toggle_notes(w); break;
    case ACTION_REDRAW: w->redraw = true; break;
    case ACTION_QUIT: w->done = true; break;
    default: break;
    }
}

/* Space pauses what walks by itself, before it means anything else. */
void walker_act(Walker *w, ActionId id)
{
    if (id == ACTION_NEXT_STOP && w->playing) {
        w->playing = false;
        return;
    }
    if (!act_walk(w, id) && !act_change(w, id))
        act_show(w, id);
}
