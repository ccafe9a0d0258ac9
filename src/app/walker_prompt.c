/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_prompt: what is typed, and what becomes of it. */
#include <stdlib.h>
#include <string.h>

#include "app/export.h"
#include "app/folder.h"
#include "app/search.h"
#include "app/walker_state.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "lang/parse.h"
#include "lesson/eval.h"

/* ---- opening ---- */

/* The folder that w offers: brackets-scores-1. */
static void add_folder(const Walker *w, Str *out)
{
    size_t first;
    const Session *s = &w->session;
    trace_step_stops(s->trace, session_stop(s)->step, &first);
    str_addf(out, "%s-%s-%zu", s->lesson->id, session_step(s)->id, s->position.stop - first + 1);
}

static void add_label(const Walker *w, PromptKind kind, Str *out)
{
    const Param *params = w->session.lesson->params;
    switch (kind) {
    case PROMPT_PLACE: str_add(out, "go to: "); break;
    case PROMPT_SEARCH: str_add(out, "/"); break;
    case PROMPT_EVAL: str_add(out, ":"); break;
    case PROMPT_WRITE: str_add(out, "write to folder: "); break;
    case PROMPT_PARAM: str_addf(out, "%s = ", params[w->param].name); break;
    case PROMPT_GUESS: str_add(out, "your guess: "); break;
    case PROMPT_EDIT: {
        const Look *look = inspect_top(&w->inspect);
        const char *name = walker_bound_name(w, look->value);
        str_addf(out, "%s(%zu,%zu) = ", name, look->row + 1, look->col + 1);
        break;
    }
    case PROMPT_CLOSED: break;
    }
}

void walker_ask(Walker *w, PromptKind kind, const char *text)
{
    Str label = {0}, folder = {0};
    add_label(w, kind, &label);
    if (kind == PROMPT_WRITE)
        add_folder(w, &folder);
    prompt_open(&w->prompt, kind, str_text(&label), text ? text : str_text(&folder));
    str_clear(&label);
    str_clear(&folder);
    free(w->refused);
    w->refused = NULL;
}

/* ---- what was typed ---- */

/* Reads "12,34" or "(12,34)": a cell, from 1; no place looks like that. */
static bool read_cell(const char *text, size_t *row, size_t *col)
{
    size_t numbers[2] = {0, 0}, k = 0;
    bool bracket = *text == '(';
    for (text += bracket; *text && *text != ')'; text++) {
        if (*text == ',' && k == 0)
            k = 1;
        else if (*text >= '0' && *text <= '9' && numbers[k] < MATRIX_MAX_CELLS)
            numbers[k] = 10 * numbers[k] + (size_t)(*text - '0');
        else if (*text != ' ')
            return false;
    }
    *row = numbers[0];
    *col = numbers[1];
    return (bracket ? text_equal(text, ")") : *text == '\0') && *row > 0 && *col > 0;
}

/* The cursor to a cell of its matrix. */
static void enter_cell(Walker *w, size_t row, size_t col)
{
    const Look *look = inspect_top(&w->inspect);
    const Matrix *m = value_matrix(look->value);
    if (row > m->rows || col > m->cols)
        walker_say(w, "%s is %zux%zu: it has no cell (%zu,%zu)", look->name, m->rows, m->cols, row,
                   col);
    else
        walker_put_cursor(w, row - 1, col - 1);
}

static void enter_place(Walker *w, const char *text)
{
    Error error = {0};
    size_t row, col;
    if (inspect_is_open(&w->inspect) && read_cell(text, &row, &col)) {
        enter_cell(w, row, col);
        return;
    }
    const Lesson *before = w->session.lesson;
    /* What points into the lesson goes before it does. */
    walker_drop_result(w);
    inspect_close(&w->inspect);
    w->fresh = false;
    if (w->page.grid)
        page_clear(&w->page);
    if (session_go(&w->session, text, &error)) {
        walker_complain(w, &error);
        return;
    }
    if (w->session.lesson != before)
        walker_new_lesson(w);
    walker_arrive(w);
}

void walker_search(Walker *w, bool forward)
{
    const Position *here = &w->session.position;
    bool same = w->match > 0 && here->stop == w->match_position.stop;
    size_t from = same ? w->match : search_origin(&w->session), at;
    bool round;
    Position position;
    if (!w->words) {
        walker_say(w, "nothing was searched for yet: /");
        return;
    }
    if (!search_find(&w->session, w->words, from, forward, &at, &round, &position)) {
        walker_say(w, "'%s' is not in this lesson", w->words);
        return;
    }
    w->session.position = position;
    w->match = at;
    w->match_position = position;
    inspect_close(&w->inspect);
    walker_drop_result(w);
    walker_arrive(w);
    size_t line, column;
    source_position(w->session.lesson->source, at, &line, &column);
    walker_say(w, "'%s' in step %s%s", w->words, session_step(&w->session)->id,
               round ? " (went round)" : "");
}

static void enter_words(Walker *w, const char *text)
{
    if (*text) {
        free(w->words);
        w->words = memory_copy_text(text);
    }
    walker_search(w, true);
}

void walker_drop_result(Walker *w)
{
    if (w->result) /* a look at it would point into its code */
        inspect_close(&w->inspect);
    value_unref(w->result);
    if (w->result_code)
        code_free(w->result_code);
    if (w->result_source)
        source_free(w->result_source);
    free(w->result_name);
    w->result = NULL;
    w->result_code = NULL;
    w->result_source = NULL;
    w->result_name = NULL;
}

/* What an expression is called: itself if it is a name, else in brackets. */
static char *name_of(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    Str name = {0};
    bool plain = text[strspn(text, letters)] == '\0';
    str_addf(&name, plain ? "%s" : "(%s)", text);
    return str_take(&name);
}

static void enter_expression(Walker *w, const char *text)
{
    Error error = {0};
    walker_drop_result(w);
    if (!*text)
        return;
    w->result_source = source_new("expression", text, strlen(text));
    w->result_name = name_of(text);
    Span all = {0, w->result_source->length};
    if (code_parse_expr(w->result_source, all, &w->result_code, &error) ||
        lesson_eval(w->session.trace, w->session.position.frame, w->result_code, EVAL_ORIGINS,
                    &w->result, &error)) {
        walker_complain(w, &error);
        walker_drop_result(w);
        return;
    }
    inspect_close(&w->inspect);
    w->params = false;
}

static void enter_number(Walker *w, const char *text)
{
    double x;
    Error error = {0};
    const Look *look = inspect_top(&w->inspect);
    if (number_read(text, strlen(text), &x) != NUMBER_OK) {
        walker_say(w, "'%s' is no number", text);
        return;
    }
    char *name = memory_copy_text(walker_bound_name(w, look->value));
    if (session_edit(&w->session, name, look->row, look->col, x, &error)) {
        walker_complain(w, &error);
    } else {
        size_t row = look->row, col = look->col;
        inspect_close(&w->inspect);
        walker_drop_result(w);
        walker_look_again(w, name, row, col);
        walker_arrive(w);
    }
    free(name);
}

static void enter_param(Walker *w, const char *text)
{
    Error error = {0};
    if (!*text)
        return;
    if (session_set_param(&w->session, w->param, text, &error))
        walker_complain(w, &error);
    else
        walker_rerun(w);
}

static void enter_guess(Walker *w, const char *text)
{
    const Stop *stop = session_stop(&w->session);
    PageAnswer *answer = answers_get(&w->answers, w->session.lesson, stop->step, stop->block);
    if (!answers_guess(answer, text))
        walker_say(w, "'%s' is no number", text);
}

/* ---- writing matrices ---- */

/* True if the value is on the page, upright or on its side. */
static bool is_shown(const Walker *w, const Value *value)
{
    const Matrix *m = value_matrix(value);
    const CellRange all = {value, 0, m->rows, 0, m->cols};
    CellRange found;
    for (size_t k = 0; k < w->page.hits.count; k++)
        if (cell_range_in(&all, w->page.hits.items[k].value, &found))
            return true;
    return false;
}

/* The matrices on the page under the names they are bound to, each once: what `dump
 * PLACE -m NAME` writes, into NAME.csv. */
static size_t write_shown(Walker *w, const char *folder, Error *error)
{
    const Session *s = &w->session;
    size_t count, written = 0;
    const char *const *names = trace_names(s->trace, &count);
    for (size_t i = 0; i < count; i++) {
        const Value *value = trace_find(s->trace, s->position.frame, names[i], NULL);
        if (!value || value->kind != VALUE_MATRIX || !is_shown(w, value))
            continue;
        Str bytes = {0}, file = {0};
        str_addf(&file, "%s.csv", names[i]);
        export_add_matrix(&bytes, value_matrix(value), EXPORT_CSV);
        Status status = folder_write(folder, str_text(&file), &bytes, error);
        str_clear(&bytes);
        str_clear(&file);
        if (status)
            return written;
        written++;
    }
    return written;
}

/* False if the prompt stays open. */
static bool enter_folder(Walker *w, const char *text)
{
    Error error = {0};
    bool force = w->refused && text_equal(w->refused, text);
    free(w->refused);
    w->refused = NULL;
    if (!*text)
        return true;
    if (folder_prepare(text, force, &error)) {
        error_clear(&error);
        w->refused = memory_copy_text(text);
        walker_say(w, "not empty, or no folder: Enter again writes into it, Esc leaves");
        return false;
    }
    size_t written = write_shown(w, text, &error);
    if (error.message)
        walker_complain(w, &error);
    else
        walker_say(w, "%zu matri%s written to %s", written, written == 1 ? "x" : "ces", text);
    return true;
}

static void enter(Walker *w)
{
    PromptKind kind = w->prompt.kind;
    char *text = memory_copy_text(str_text(&w->prompt.text));
    bool closes = kind != PROMPT_WRITE || enter_folder(w, text);
    if (closes)
        prompt_close(&w->prompt);
    switch (kind) {
    case PROMPT_PLACE:
        if (*text)
            enter_place(w, text);
        break;
    case PROMPT_SEARCH: enter_words(w, text); break;
    case PROMPT_EVAL: enter_expression(w, text); break;
    case PROMPT_EDIT: enter_number(w, text); break;
    case PROMPT_PARAM: enter_param(w, text); break;
    case PROMPT_GUESS: enter_guess(w, text); break;
    case PROMPT_WRITE:
    case PROMPT_CLOSED: break;
    }
    free(text);
}

void walker_prompt_input(Walker *w, Input input)
{
    PromptState state = prompt_input(&w->prompt, input, w->pasting);
    if (state == PROMPT_LEFT)
        prompt_close(&w->prompt);
    else if (state == PROMPT_ENTERED)
        enter(w);
}
