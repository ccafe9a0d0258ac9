/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/walker.h"

#include <stdarg.h>
#include <stdlib.h>

#include "app/walker_state.h"
#include "base/memory.h"
#include "base/text.h"

enum { STAT_EVERY = 500 /* ms */, FIRST_SECONDS = 4 };

Walker *walker_new(const WalkerOptions *options)
{
    Walker *w = memory_zeros(1, sizeof *w);
    w->options = *options;
    w->scroll = PAGE_SCROLL_AUTO;
    w->seconds = FIRST_SECONDS;
    w->inspect.ascii = options->ascii;
    w->inspect.digits = 0;
    progress_load(&w->progress, options->keep);
    return w;
}

static void drop_page(Walker *w)
{
    w->fresh = false;
    if (w->page.grid)
        page_clear(&w->page);
}

void walker_free(Walker *w)
{
    progress_save(&w->progress);
    drop_page(w);
    walker_drop_result(w);
    inspect_close(&w->inspect);
    answers_clear(&w->answers);
    session_close(&w->session);
    progress_clear(&w->progress);
    bench_free(w->bench);
    prompt_close(&w->prompt);
    list_clear(&w->list);
    walker_free_menu(w);
    walker_free_words(w);
    str_clear(&w->message);
    free(w->words);
    free(w->again);
    free(w->refused);
    free(w);
}

Status walker_open(Walker *w, const Place *place, Error *error)
{
    drop_page(w);
    walker_drop_result(w);
    inspect_close(&w->inspect);
    if (session_open(&w->session, place, error))
        return STATUS_ERROR;
    walker_new_lesson(w);
    return STATUS_OK;
}

/* ---- what all parts use ---- */

void walker_say(Walker *w, const char *format, ...)
{
    Str text = {0};
    va_list list;
    va_start(list, format);
    str_add_list(&text, format, list);
    va_end(list);
    str_clear(&w->message);
    text_add_visible(&w->message, str_text(&text), text.length);
    w->is_error = false;
    str_clear(&text);
}

void walker_complain(Walker *w, Error *error)
{
    if (error->file && error->line)
        walker_say(w, "%s:%zu:%zu: %s", error->file, error->line, error->column, error->message);
    else
        walker_say(w, "%s", error->message);
    w->is_error = true;
    error_clear(error);
}

void walker_arrive(Walker *w)
{
    w->scroll = PAGE_SCROLL_AUTO;
    w->next_play = w->now + 1000LL * w->seconds;
    if (w->session.by_path)
        return;
    Str place = {0};
    session_add_place(&w->session, &place);
    if (progress_note(&w->progress, w->session.lesson->id, session_step(&w->session)->id,
                      str_text(&place)))
        progress_save(&w->progress);
    str_clear(&place);
}

void walker_rerun(Walker *w)
{
    walker_drop_result(w);
    if (inspect_is_open(&w->inspect)) {
        const Look *look = inspect_top(&w->inspect);
        char *name = memory_copy_text(look->name);
        size_t row = look->row, col = look->col;
        inspect_close(&w->inspect);
        walker_look_again(w, name, row, col);
        free(name);
    }
    walker_arrive(w);
}

void walker_new_lesson(Walker *w)
{
    drop_page(w);
    answers_clear(&w->answers);
    walker_close_list(w);
    w->params = false;
    w->param = 0;
    w->match = 0;
    walker_arrive(w);
}

/* ---- inputs ---- */

static void scroll(Walker *w, int rows)
{
    int most = w->page.content_rows - w->page.visible_rows;
    int at = w->page.scroll + rows;
    w->scroll = at > most ? most : at;
    if (w->scroll < 0)
        w->scroll = 0;
}

static void mouse(Walker *w, Input input)
{
    enum { WHEEL = 3 };
    int rows = input.kind == INPUT_WHEEL_UP ? -WHEEL : WHEEL;
    if (input.kind == INPUT_CLICK && w->list_kind)
        walker_list_click(w, input.row);
    else if (input.kind == INPUT_CLICK)
        walker_click(w, input.row, input.col);
    else if (w->list_kind)
        list_move(&w->list, rows);
    else
        scroll(w, rows);
}

static void move_param(Walker *w, int steps)
{
    Error error = {0};
    bool moved;
    if (session_move_param(&w->session, w->param, steps, &moved, &error))
        walker_complain(w, &error);
    else if (moved)
        walker_rerun(w);
    else
        walker_say(w, "%s stands at the end of its range",
                   w->session.lesson->params[w->param].name);
}

/* True if id was an action of the list of parameters. */
static bool params_act(Walker *w, ActionId id)
{
    size_t count = w->session.lesson->param_count;
    switch (id) {
    case ACTION_PARAM_LAST: w->param -= w->param > 0; break;
    case ACTION_PARAM_NEXT: w->param += w->param + 1 < count; break;
    case ACTION_PARAM_LESS: move_param(w, -1); break;
    case ACTION_PARAM_MORE: move_param(w, 1); break;
    case ACTION_PARAM_TYPE: walker_ask(w, PROMPT_PARAM, ""); break;
    case ACTION_PARAM_DONE: w->params = false; break;
    default: return false;
    }
    return true;
}

static void page_input(Walker *w, Input input)
{
    ActionId id = ACTION_NONE;
    if (w->params && params_act(w, action_find(CONTEXT_PARAMS, input)))
        return;
    if (inspect_is_open(&w->inspect) && walker_look_act(w, action_find(CONTEXT_LOOK, input)))
        return;
    if (!inspect_is_open(&w->inspect) && walker_answer(w, input))
        return;
    id = action_find(CONTEXT_WALK, input);
    if (id == ACTION_SCROLL_DOWN)
        scroll(w, input.kind == INPUT_PAGE_DOWN ? w->page.visible_rows - 1 : 1);
    else if (id == ACTION_SCROLL_UP)
        scroll(w, input.kind == INPUT_PAGE_UP ? 1 - w->page.visible_rows : -1);
    else if (id != ACTION_NONE)
        walker_act(w, id);
}

/* A paste is text for a prompt, or nothing. */
static bool is_paste(Walker *w, Input input)
{
    if (input.kind == INPUT_PASTE_BEGIN || input.kind == INPUT_PASTE_END) {
        w->pasting = input.kind == INPUT_PASTE_BEGIN;
        return true;
    }
    return w->pasting && w->prompt.kind == PROMPT_CLOSED;
}

void walker_input(Walker *w, Input input)
{
    walker_need_menu(w);
    if (input.kind == INPUT_NONE || input.kind == INPUT_RESIZE || is_paste(w, input))
        return;
    str_clear(&w->message);
    bool was_measuring = w->measuring;
    w->measuring = false; /* whatever is done ends it */
    bool typed = w->prompt.kind != PROMPT_CLOSED && input.kind != INPUT_ENTER;
    if (w->session.trace && !w->list_kind && !typed)
        walker_refresh(w); /* what follows may ask what is on the page */
    w->fresh = false;
    bool wheel = input.kind == INPUT_WHEEL_UP || input.kind == INPUT_WHEEL_DOWN;
    if (w->prompt.kind != PROMPT_CLOSED)
        walker_prompt_input(w, input);
    else if (wheel || input.kind == INPUT_CLICK)
        mouse(w, input);
    else if (w->list_kind)
        walker_list_act(w, action_find(CONTEXT_LIST, input));
    else if (!was_measuring || action_find(CONTEXT_WALK, input) != ACTION_BENCH)
        page_input(w, input);
}

/* ---- time ---- */

void walker_set_time(Walker *w, long long now)
{
    w->now = now;
}

static bool shows_page(const Walker *w)
{
    return w->session.trace && !w->list_kind;
}

/* Autoplay stands still while something waits for the reader. */
static bool is_playing(const Walker *w)
{
    return w->playing && shows_page(w) && w->prompt.kind == PROMPT_CLOSED && !w->params &&
           !inspect_is_open(&w->inspect) && !walker_is_asked(w);
}

int walker_timeout(const Walker *w)
{
    long long due = -1;
    if (w->measuring)
        return 0;
    if (is_playing(w))
        due = w->next_play - w->now;
    if (shows_page(w) && w->session.by_path && (due < 0 || w->next_stat - w->now < due))
        due = w->next_stat - w->now;
    else if (due < 0 && !is_playing(w))
        return -1;
    return due < 0 ? 0 : (int)due;
}

static bool reload(Walker *w)
{
    if (w->now < w->next_stat || !w->session.by_path || !shows_page(w))
        return false;
    w->next_stat = w->now + STAT_EVERY;
    if (!session_is_outdated(&w->session))
        return false;
    Error error = {0};
    drop_page(w);
    walker_drop_result(w);
    inspect_close(&w->inspect);
    if (session_reload(&w->session, &error)) {
        walker_complain(w, &error);
        return true;
    }
    answers_clear(&w->answers);
    if (w->param >= w->session.lesson->param_count)
        w->param = 0;
    w->params = w->params && w->session.lesson->param_count > 0;
    walker_arrive(w);
    walker_say(w, "the lesson has changed and was read again");
    return true;
}

bool walker_tick(Walker *w)
{
    bool changed = reload(w) || w->measuring;
    if (w->measuring)
        walker_bench_tick(w);
    if (is_playing(w) && w->now >= w->next_play) {
        walker_play(w);
        changed = true;
    }
    w->fresh = w->fresh && !changed;
    return changed;
}

/* ---- what the screen asks ---- */

bool walker_is_done(const Walker *w)
{
    return w->done;
}

ThemeKind walker_theme(const Walker *w)
{
    return w->options.theme;
}

bool walker_is_projector(const Walker *w)
{
    return w->options.projector;
}

bool walker_take_redraw(Walker *w)
{
    bool redraw = w->redraw;
    w->redraw = false;
    return redraw;
}

void walker_add_place(const Walker *w, Str *out)
{
    if (w->session.trace)
        session_add_place(&w->session, out);
}
