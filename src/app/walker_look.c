/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_look: the cursor on a number, its explanation, and editing an input. */
#include <stdlib.h>

#include "app/walker_state.h"
#include "base/memory.h"
#include "io/number.h"
#include "page/draw_number.h"

static bool has_cells(const Value *value)
{
    return value->kind == VALUE_MATRIX && matrix_count(value_matrix(value)) > 0;
}

const char *walker_bound_name(const Walker *w, const Value *value)
{
    size_t count;
    const Session *s = &w->session;
    const char *const *names = trace_names(s->trace, &count);
    for (size_t i = 0; i < count; i++)
        if (trace_find(s->trace, s->position.frame, names[i], NULL) == value)
            return names[i];
    for (size_t i = 0; i < count; i++) /* a computed name of the same numbers */
        for (size_t f = 1; f <= trace_frame_count(s->trace); f++) {
            const Frame *frame = trace_frame(s->trace, f);
            for (size_t b = 0; b < frame->bound_count; b++)
                if (frame->bound[b].value == value)
                    return frame->bound[b].name;
        }
    return NULL;
}

/* ---- putting the cursor somewhere ---- */

/* True if numbers of a matrix are visible there; its overview is no matrix of its own. */
static bool is_visible(const Hit *hit)
{
    return hit->at.rows > 0 && hit->at.cols > 0 && has_cells(hit->value) && !hit->block_rows;
}

/* The first matrix on the page that the statement wrote, else the first one. */
static const Hit *first_hit(const Walker *w)
{
    const HitList *hits = &w->page.hits;
    const Hit *first = NULL;
    size_t frame = w->session.position.frame;
    const Frame *now = frame ? trace_frame(w->session.trace, frame) : NULL;
    for (size_t i = 0; i < hits->count; i++) {
        const Hit *hit = &hits->items[i];
        if (!is_visible(hit))
            continue;
        for (size_t b = 0; now && b < now->bound_count; b++)
            if (now->bound[b].value == hit->value)
                return hit;
        if (!first)
            first = hit;
    }
    return first;
}

static void put_cursor(Walker *w, const Hit *hit, size_t row, size_t col)
{
    w->params = false;
    inspect_open(&w->inspect, hit->value, hit->name, row, col);
    w->scroll = PAGE_SCROLL_AUTO;
}

void walker_put_cursor(Walker *w, size_t row, size_t col)
{
    inspect_go(&w->inspect, row, col);
    w->scroll = PAGE_SCROLL_AUTO;
}

/* What the statement bound, where the page does not show it. */
static const FrameValue *bound_here(const Walker *w)
{
    size_t frame = w->session.position.frame;
    const Frame *now = frame ? trace_frame(w->session.trace, frame) : NULL;
    for (size_t b = 0; now && b < now->bound_count; b++)
        if (has_cells(now->bound[b].value))
            return &now->bound[b];
    return NULL;
}

void walker_look(Walker *w)
{
    const Hit *hit = first_hit(w);
    const FrameValue *bound = bound_here(w);
    if (w->result && has_cells(w->result)) {
        w->params = false;
        inspect_open(&w->inspect, w->result, w->result_name, 0, 0);
    } else if (hit) {
        put_cursor(w, hit, hit->row, hit->col);
    } else if (bound) {
        w->params = false;
        inspect_open(&w->inspect, bound->value, bound->name, 0, 0);
    } else {
        walker_say(w, "there is no number to look at on this page");
    }
}

/* A click on a number looks at it, on an answer chooses it. */
void walker_click(Walker *w, int row, int col)
{
    size_t i, j;
    const Hit *hit = hit_list_find(&w->page.hits, row, col, &i, &j);
    if (hit && has_cells(hit->value)) {
        put_cursor(w, hit, i, j);
        return;
    }
    inspect_close(&w->inspect);
    for (size_t k = 0; k < w->page.answers.count; k++) {
        const PlacedAnswer *placed = &w->page.answers.items[k];
        Input letter = {.kind = INPUT_CHAR, .c = (uint32_t)('a' + placed->answer)};
        if (row >= placed->row && row < placed->row + placed->rows && walker_is_asked(w) &&
            placed->block == session_stop(&w->session)->block)
            walker_answer(w, letter);
    }
}

/* The next matrix on the page, from the one the cursor is in. */
static void next_matrix(Walker *w)
{
    const HitList *hits = &w->page.hits;
    const Value *value = w->inspect.levels[0].value;
    size_t at = hits->count;
    for (size_t i = 0; i < hits->count && at == hits->count; i++)
        if (hits->items[i].value->matrix == value->matrix &&
            text_equal(hits->items[i].name, w->inspect.levels[0].name))
            at = i;
    for (size_t k = 1; k <= hits->count; k++) {
        const Hit *hit = &hits->items[(at + k) % hits->count];
        if (is_visible(hit)) {
            put_cursor(w, hit, hit->row, hit->col);
            return;
        }
    }
}

void walker_look_again(Walker *w, const char *name, size_t row, size_t col)
{
    const Session *s = &w->session;
    const Value *value = trace_find(s->trace, s->position.frame, name, NULL);
    free(w->again);
    w->again = NULL;
    if (value && has_cells(value)) {
        inspect_open(&w->inspect, value, name, row, col);
        return;
    }
    w->again = memory_copy_text(name);
    w->again_row = row;
    w->again_col = col;
}

bool walker_find_again(Walker *w)
{
    char *name = w->again;
    bool found = false;
    w->again = NULL;
    for (size_t i = 0; name && i < w->page.hits.count && !found; i++) {
        const Hit *hit = &w->page.hits.items[i];
        found = text_equal(hit->name, name) && is_visible(hit);
        if (found)
            put_cursor(w, hit, w->again_row, w->again_col);
    }
    free(name);
    return found;
}

/* ---- moving it ---- */

/* Where the cursor's matrix stands on the page, or NULL. */
static const Hit *cursor_hit(const Walker *w)
{
    const Look *look = inspect_top(&w->inspect);
    for (size_t i = 0; i < w->page.hits.count; i++) {
        const Hit *hit = &w->page.hits.items[i];
        if (is_visible(hit) && hit->value->matrix == look->value->matrix)
            return hit;
    }
    return NULL;
}

/* A row of weights that runs down the page is walked along with up and down. */
static void move(Walker *w, int rows, int cols)
{
    const Hit *hit = cursor_hit(w);
    bool turned = hit && hit->turned;
    inspect_move(&w->inspect, turned ? cols : rows, turned ? rows : cols);
    w->scroll = PAGE_SCROLL_AUTO;
}

/* The same by as many numbers as are visible below each other, or side by side. */
static void move_window(Walker *w, int down, int right)
{
    const Hit *hit = cursor_hit(w);
    int rows = hit ? hit->at.rows / hit->cell.rows : 1;
    int cols = hit ? hit->at.cols / hit->cell.cols : 1;
    move(w, down * rows, right * cols);
}

/* To the first or the last number of the row. */
static void move_in_row(Walker *w, bool last)
{
    const Look *look = inspect_top(&w->inspect);
    walker_put_cursor(w, look->row, last ? value_matrix(look->value)->cols - 1 : 0);
}

static void into(Walker *w)
{
    if (walker_is_kept_back(w))
        walker_say(w, "this number is kept back until you have guessed it, or s to skip");
    else if (!inspect_into(&w->inspect))
        walker_say(w, trace_is_input(inspect_top(&w->inspect)->value)
                          ? "this is an input: e changes it"
                          : "nothing lies behind this number");
    w->scroll = PAGE_SCROLL_AUTO;
}

bool walker_look_act(Walker *w, ActionId id)
{
    switch (id) {
    case ACTION_CURSOR_LEFT: move(w, 0, -1); break;
    case ACTION_CURSOR_RIGHT: move(w, 0, 1); break;
    case ACTION_CURSOR_UP: move(w, -1, 0); break;
    case ACTION_CURSOR_DOWN: move(w, 1, 0); break;
    case ACTION_WINDOW_LEFT: move_window(w, 0, -1); break;
    case ACTION_WINDOW_RIGHT: move_window(w, 0, 1); break;
    case ACTION_WINDOW_UP: move_window(w, -1, 0); break;
    case ACTION_WINDOW_DOWN: move_window(w, 1, 0); break;
    case ACTION_ROW_BEGIN: move_in_row(w, false); break;
    case ACTION_ROW_END: move_in_row(w, true); break;
    case ACTION_OPERAND:
        if (!inspect_next_part(&w->inspect))
            next_matrix(w);
        break;
    case ACTION_MATRIX: next_matrix(w); break;
    case ACTION_INTO: into(w); break;
    case ACTION_OUT: inspect_out(&w->inspect); break;
    case ACTION_LEAVE:
        inspect_close(&w->inspect);
        walker_drop_result(w);
        break;
    default: return false;
    }
    return true;
}

bool walker_is_kept_back(const Walker *w)
{
    const Look *look = inspect_top(&w->inspect);
    Rect at;
    for (size_t i = 0; w->page.grid && i < w->page.hits.count; i++) {
        const Hit *hit = &w->page.hits.items[i];
        if (hit->value->matrix != look->value->matrix || !is_visible(hit) ||
            !hit_cell(hit, look->row, look->col, &at))
            continue;
        for (int col = at.col; col < at.col + at.cols && col < w->page.grid->cols; col++)
            if (grid_cell(w->page.grid, at.row, col)->role == ROLE_MASKED)
                return true;
    }
    return false;
}

/* ---- what is said ---- */

/* What the number was before the last change, where it is another. */
static void add_change(const Walker *w, const Look *look, Str *out)
{
    const Session *s = &w->session;
    const char *name = walker_bound_name(w, look->value);
    size_t bound;
    if (!s->old || !name || !trace_find(s->trace, s->position.frame, name, &bound))
        return;
    size_t frame = bound ? trace_counterpart(s->trace, bound, s->old) : 0;
    const Value *old = frame ? trace_find(s->old, frame, name, NULL) : NULL;
    if (!old || old->kind != VALUE_MATRIX || look->row >= value_matrix(old)->rows ||
        look->col >= value_matrix(old)->cols)
        return;
    double was = matrix_at(value_matrix(old), look->row, look->col);
    double is = matrix_at(value_matrix(look->value), look->row, look->col);
    if (was == is)
        return;
    str_add(out, w->options.ascii ? "   (was " : "   (was ");
    number_add_short(out, was, 6);
    str_add(out, is - was > 0 ? ", changed by +" : ", changed by ");
    number_add_short(out, is - was, 6);
    str_add(out, ")");
}

void walker_add_explanation(const Walker *w, Str *out)
{
    const Look *look = inspect_top(&w->inspect);
    if (walker_is_kept_back(w)) {
        str_addf(out, "%s(%zu,%zu) is kept back until you have guessed", look->name, look->row + 1,
                 look->col + 1);
        return;
    }
    str_add(out, look->why.sentence);
    add_change(w, look, out);
}

/* ---- editing ---- */

void walker_edit(Walker *w)
{
    if (!inspect_is_open(&w->inspect)) {
        walker_say(w, "Enter first: the cursor on a cell of an input");
        return;
    }
    const Look *look = inspect_top(&w->inspect);
    const char *name = walker_bound_name(w, look->value);
    if (!trace_is_input(look->value) || !name) {
        walker_say(w, "%s is computed; Enter leads to the inputs behind it", look->name);
        return;
    }
    Str text = {0};
    number_add(&text, matrix_at(value_matrix(look->value), look->row, look->col));
    walker_ask(w, PROMPT_EDIT, str_text(&text));
    str_clear(&text);
}
