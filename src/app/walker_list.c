/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_list: the menu of lessons, the list of steps, the list of keys. */
#include <stdlib.h>
#include <string.h>

#include "app/walker_state.h"
#include "base/memory.h"
#include "lesson/find.h"

/* ---- the menu ---- */

void walker_free_menu(Walker *w)
{
    for (size_t i = 0; i < w->menu_count; i++) {
        free(w->menu[i].id);
        free(w->menu[i].error);
        if (w->menu[i].lesson)
            lesson_free(w->menu[i].lesson);
    }
    free(w->menu);
    w->menu = NULL;
    w->menu_count = 0;
}

void walker_load_menu(Walker *w)
{
    IdList ids = {0};
    Error error = {0};
    if (w->menu)
        return;
    if (find_lessons(&ids, &error)) {
        walker_complain(w, &error);
        return;
    }
    w->menu = memory_zeros(ids.count + 1, sizeof *w->menu);
    for (size_t i = 0; i < ids.count; i++) {
        MenuLesson *item = &w->menu[w->menu_count++];
        item->id = memory_copy_text(ids.items[i]);
        if (lesson_load(item->id, &item->lesson, &error)) {
            item->error = memory_copy_text(error.message);
            error_clear(&error);
        }
    }
    id_list_clear(&ids);
}

static void add_menu_line(Walker *w, size_t i)
{
    const MenuLesson *item = &w->menu[i];
    Str right = {0};
    if (item->lesson) {
        size_t seen = progress_seen(&w->progress, item->lesson);
        if (seen > 0)
            str_addf(&right, "%zu of %zu", seen, item->lesson->step_count);
        else
            str_addf(&right, "%zu steps", item->lesson->step_count);
    }
    list_add(&w->list, item->id, item->lesson ? item->lesson->title : item->error, str_text(&right),
             false, i);
    str_clear(&right);
    if (w->progress.latest && text_equal(w->progress.latest, item->id))
        list_to(&w->list, w->list.count - 1);
}

/* In the order of the course. */
static void fill_menu(Walker *w)
{
    walker_load_menu(w);
    for (size_t i = 0; i < w->menu_count; i++)
        add_menu_line(w, i);
}

/* Opens the lesson where it was left (or at its beginning). */
static void open_lesson(Walker *w, const MenuLesson *item, bool begin)
{
    const LessonProgress *known = progress_find(&w->progress, item->id);
    Place place = {0};
    Error error = {0};
    bool left = !begin && known && known->place;
    char *text = memory_copy_text(left ? known->place : item->id);
    Status status = place_parse(text, &place, &error);
    if (!status)
        status = walker_open(w, &place, &error);
    place_clear(&place);
    free(text);
    if (status && left) { /* the step is no longer there */
        error_clear(&error);
        open_lesson(w, item, true);
    } else if (status) {
        walker_complain(w, &error);
    } else if (left) {
        walker_say(w, "where you stopped; Home is the beginning");
    }
}

/* ---- the steps ---- */

static void fill_steps(Walker *w)
{
    const Lesson *lesson = w->session.lesson;
    const LessonProgress *known = progress_find(&w->progress, lesson->id);
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Step *step = &lesson->steps[i];
        Str left = {0}, heading = {0};
        bool seen = false;
        for (size_t k = 0; known && k < known->seen.count; k++)
            seen = seen || text_equal(known->seen.items[k], step->id);
        str_addf(&left, "%2zu  %s", i + 1, step->id);
        runs_add_source(&heading, &step->heading);
        list_add(&w->list, str_text(&left), str_text(&heading), seen ? "seen" : NULL, false, i);
        str_clear(&left);
        str_clear(&heading);
    }
    list_to(&w->list, session_stop(&w->session)->step);
}

/* ---- the keys ---- */

static void fill_keys(Walker *w)
{
    for (int context = 0; context < CONTEXT_COUNT; context++) {
        if (context > 0)
            list_add(&w->list, "", NULL, NULL, true, 0);
        list_add(&w->list, action_context_title((ActionContext)context), NULL, NULL, true, 0);
        for (int id = ACTION_NONE + 1; id < ACTION_COUNT; id++) {
            const Action *action = action_get((ActionId)id);
            if ((int)action->context != context)
                continue;
            Str keys = {0}, help = {0};
            action_add_keys(&keys, (ActionId)id, w->options.ascii);
            str_addf(&help, "%s: %s", action->name, action->help);
            list_add(&w->list, str_text(&keys), str_text(&help), NULL, false, (size_t)id);
            str_clear(&keys);
            str_clear(&help);
        }
    }
}

/* ---- all of them ---- */

void walker_open_list(Walker *w, ListKind kind)
{
    list_clear(&w->list);
    w->list_kind = kind;
    if (kind == LIST_MENU)
        fill_menu(w);
    else if (kind == LIST_STEPS)
        fill_steps(w);
    else if (kind == LIST_KEYS)
        fill_keys(w);
    else if (kind == LIST_WORDS)
        walker_fill_words(w);
}

void walker_close_list(Walker *w)
{
    list_clear(&w->list);
    w->list_kind = LIST_NONE;
    walker_need_menu(w);
}

/* Reading all lessons takes longer than opening one. */
void walker_need_menu(Walker *w)
{
    if (!w->session.trace && !w->list_kind)
        walker_open_list(w, LIST_MENU);
}

static void leave(Walker *w)
{
    if (w->list_kind == LIST_MENU && !w->session.trace)
        w->done = true;
    else
        walker_close_list(w);
}

void walker_to_step(Walker *w, size_t step)
{
    walker_close_list(w);
    inspect_close(&w->inspect);
    walker_drop_result(w);
    session_to_step(&w->session, step);
    walker_arrive(w);
}

static void choose(Walker *w, bool begin)
{
    if (w->list.count == 0)
        return;
    size_t target = w->list.lines[w->list.at].target;
    if (w->list_kind == LIST_MENU) {
        open_lesson(w, &w->menu[target], begin);
    } else if (w->list_kind == LIST_STEPS) {
        walker_to_step(w, target);
    } else if (w->list_kind == LIST_WORDS && !w->list.lines[w->list.at].heading) {
        walker_open_word(w, target);
    } else {
        walker_close_list(w);
    }
}

void walker_list_act(Walker *w, ActionId id)
{
    long page = (long)w->list.page;
    switch (id) {
    case ACTION_LIST_UP: list_move(&w->list, -1); break;
    case ACTION_LIST_DOWN: list_move(&w->list, 1); break;
    case ACTION_LIST_PAGE_UP: list_move(&w->list, -page); break;
    case ACTION_LIST_PAGE_DOWN: list_move(&w->list, page); break;
    case ACTION_LIST_FIRST: list_move(&w->list, -(long)w->list.count); break;
    case ACTION_LIST_LAST: list_move(&w->list, (long)w->list.count); break;
    case ACTION_LIST_CHOOSE: choose(w, false); break;
    case ACTION_LIST_BEGIN: choose(w, true); break;
    case ACTION_LIST_HELP:
        if (w->list_kind != LIST_KEYS)
            walker_open_list(w, LIST_KEYS);
        break;
    case ACTION_LIST_THEME: w->options.theme = (w->options.theme + 1) % THEME_COUNT; break;
    case ACTION_LIST_LEAVE: leave(w); break;
    default: break;
    }
}

void walker_list_click(Walker *w, int row)
{
    size_t line = list_line_at(&w->list, row);
    if (line == w->list.count || w->list.lines[line].heading)
        return;
    list_to(&w->list, line);
    if (w->list_kind != LIST_KEYS)
        choose(w, false);
}

void walker_draw_list(Walker *w, Grid *grid)
{
    static const char *const titles[] = {"", "attnwalk", "Steps", "Keys", "Words"};
    const char *title = titles[w->list_kind];
    if (w->list_kind == LIST_STEPS)
        title = w->session.lesson->title;
    const char *bottom = w->list_kind == LIST_MENU ? "lessons" : titles[w->list_kind];
    Str keys = {0};
    static const ActionId shown[] = {ACTION_LIST_CHOOSE, ACTION_LIST_BEGIN, ACTION_LIST_HELP,
                                     ACTION_LIST_LEAVE};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        Input key;
        bool fits = w->list_kind == LIST_MENU || shown[i] == ACTION_LIST_LEAVE ||
                    (w->list_kind != LIST_KEYS && shown[i] == ACTION_LIST_CHOOSE);
        if (!fits || !action_key(shown[i], 0, &key))
            continue;
        str_add(&keys, keys.length ? "  " : "");
        input_add_name(&keys, key, grid->ascii);
        str_addf(&keys, " %s", action_get(shown[i])->name);
    }
    list_draw(&w->list, grid, title, bottom, str_text(&keys));
    str_clear(&keys);
}
