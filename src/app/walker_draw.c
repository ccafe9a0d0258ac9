/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_draw: all of it as a grid. */
#include <stdlib.h>
#include <string.h>

#include "app/walker_state.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/number.h"
#include "page/matrix_text.h"

/* ---- what stands below the page ---- */

static void add_key(const Walker *w, Str *out, ActionId id, const char *name)
{
    Input key;
    if (out->length)
        str_add(out, "  ");
    if (action_key(id, 0, &key))
        input_add_name(out, key, w->options.ascii);
    str_addf(out, " %s", name ? name : action_get(id)->name);
}

/* "p n=6": what the first parameter stands at. */
static void add_param_key(const Walker *w, Str *out)
{
    if (w->session.lesson->param_count == 0)
        return;
    Str text = {0};
    const ParamValue *value = trace_param(w->session.trace, 0);
    str_addf(&text, "%s=", value->param->name);
    param_add_text(&text, value);
    add_key(w, out, ACTION_PARAMS, str_text(&text));
    str_clear(&text);
}

/* The keys that matter now. */
void walker_add_keys(const Walker *w, Str *out)
{
    bool below = inspect_is_open(&w->inspect) || w->params || w->result; /* has its own keys */
    const char *pause = w->options.ascii ? "||" : "‖", *play = w->options.ascii ? "|>" : "▶";
    if (w->playing) {
        str_addf(out, "%s %d s ", walker_is_asked(w) ? pause : play, w->seconds);
        add_key(w, out, ACTION_AUTOPLAY, walker_is_asked(w) ? "waits for you" : "pauses");
    } else if (walker_is_asked(w)) {
        bool question = session_block(&w->session)->kind == BLOCK_QUESTION;
        str_add(out, question ? "a b c … answer" : "type a number");
        add_key(w, out, ACTION_SKIP, NULL);
    } else if (!below) {
        add_key(w, out, ACTION_NEXT_STOP, NULL);
        add_key(w, out, ACTION_LAST_STOP, NULL);
        add_key(w, out, ACTION_LOOK, walker_is_wrong(w) ? "again" : NULL);
        add_param_key(w, out);
    }
    add_key(w, out, ACTION_HELP, NULL);
}

/* "1..64", "0..", "elu1 | relu | exp" */
static void add_range(Str *out, const Param *param)
{
    for (size_t k = 0; k < param->choice_count; k++)
        str_addf(out, "%s%s", k ? " | " : "", param->choices[k].text);
    if (param->kind == PARAM_CHOICE)
        return;
    if (param->has_low)
        number_add(out, param->low);
    str_add(out, "..");
    if (param->has_high)
        number_add(out, param->high);
}

/* The widest name and value of the list of parameters. */
static void measure_params(const Walker *w, int *name, int *value)
{
    *name = *value = 0;
    for (size_t i = 0; i < w->session.lesson->param_count; i++) {
        const ParamValue *param = trace_param(w->session.trace, i);
        Str text = {0};
        param_add_text(&text, param);
        int length = (int)strlen(param->param->name);
        *name = length > *name ? length : *name;
        *value = (int)text.length > *value ? (int)text.length : *value;
        str_clear(&text);
    }
}

/* The lines of the list of parameters that fit in rows. */
static void add_params(const Walker *w, Str *out, int rows)
{
    const Lesson *lesson = w->session.lesson;
    size_t most = rows > 1 ? (size_t)rows : 1;
    size_t first = w->param >= most ? w->param - most + 1 : 0;
    int name, width;
    measure_params(w, &name, &width);
    str_add(out, "Parameters");
    for (size_t i = first; i < lesson->param_count && i < first + most; i++) {
        const ParamValue *value = trace_param(w->session.trace, i);
        const char *pointer = w->options.ascii ? ">" : "▸";
        Str text = {0};
        param_add_text(&text, value);
        str_addf(out, "\n%s %-*s = %-*s   ", i == w->param ? pointer : " ", name,
                 value->param->name, width, str_text(&text));
        add_range(out, value->param);
        str_addf(out, "   %s", value->param->help);
        str_clear(&text);
    }
}

static void add_result(const Walker *w, Str *out, Size size)
{
    const MatrixTextStyle style = {.width = size.cols > 6 ? (size_t)size.cols - 6 : 1,
                                   .max_rows = size.rows > 12 ? (size_t)size.rows / 3 - 4 : 1,
                                   .digits = w->digits, .ascii = w->options.ascii};
    matrix_text_add(out, w->result_name, w->result, &style);
    if (out->length && out->data[out->length - 1] == '\n')
        str_cut(out, out->length - 1);
}

/* Where one is, and the keys of the cursor. */
static void add_look_trail(const Walker *w, Str *out)
{
    const Look *look = inspect_top(&w->inspect);
    const ExplainPart *part = inspect_part(&w->inspect);
    if (part && !walker_is_kept_back(w)) {
        Str into = {0};
        str_addf(&into, "into %s", part->name);
        add_key(w, out, ACTION_INTO, str_text(&into));
        if (look->why.count > 1)
            add_key(w, out, ACTION_OPERAND, "another");
        str_clear(&into);
    } else if (trace_is_input(look->value)) {
        add_key(w, out, ACTION_EDIT, NULL);
    }
    if (w->inspect.count > 1)
        add_key(w, out, ACTION_OUT, NULL);
    add_key(w, out, ACTION_LEAVE, NULL);
    str_add(out, "     ");
    inspect_add_trail(&w->inspect, out);
}

/* The text above the bottom line, and the line below it. */
static void add_foot(const Walker *w, Size size, Str *text, Str *trail)
{
    if (inspect_is_open(&w->inspect)) {
        walker_add_explanation(w, text);
        add_look_trail(w, trail);
    } else if (w->params) {
        add_params(w, text, size.rows / 3 - 2);
        add_key(w, trail, ACTION_PARAM_LESS, NULL);
        add_key(w, trail, ACTION_PARAM_MORE, NULL);
        add_key(w, trail, ACTION_PARAM_TYPE, NULL);
        add_key(w, trail, ACTION_PARAM_DONE, NULL);
    } else if (w->result) {
        add_result(w, text, size);
        add_key(w, trail, ACTION_LOOK, NULL);
        add_key(w, trail, ACTION_UNMARK, "done");
    }
}

/* ---- the page ---- */

static bool is_on_page(const Page *page, const Value *value)
{
    const Matrix *m = value_matrix(value);
    const CellRange all = {value, 0, m->rows, 0, m->cols};
    CellRange found;
    for (size_t i = 0; i < page->hits.count; i++)
        if (cell_range_in(&all, page->hits.items[i].value, &found))
            return true;
    return false;
}

static void draw_again(Walker *w, const PageOptions *options)
{
    if (w->page.grid)
        page_clear(&w->page);
    page_draw(w->session.trace, w->session.position, options, &w->page);
}

/* Marks the number under the cursor and what it was made of; a matrix that is not on
 * the page is shown below it. */
static void draw_look(Walker *w, PageOptions *options)
{
    const Look *look = inspect_top(&w->inspect);
    bool secret = walker_is_kept_back(w);
    CellMark *marks = memory_zeros(look->why.count + 1, sizeof *marks);
    options->mark_count = page_marks(look->value, look->row, look->col, secret ? NULL : &look->why,
                                     marks);
    options->marks = marks;
    draw_again(w, options);
    if (!is_on_page(&w->page, look->value)) {
        const NamedValue extra = {look->value, look->name};
        options->extra = &extra;
        options->extra_count = 1;
        draw_again(w, options);
        options->extra_count = 0;
        options->extra = NULL;
    }
    options->mark_count = 0;
    options->marks = NULL;
    free(marks);
}

static void draw_page(Walker *w, Size size)
{
    Str text = {0}, trail = {0}, keys = {0};
    add_foot(w, size, &text, &trail);
    walker_add_keys(w, &keys);
    const Inset inset = walker_bench_inset(w);
    PageOptions options = {
        .inset = &inset, .size = size, .ascii = w->options.ascii, .projector = w->options.projector,
        .show_code = w->show_code, .show_notes = w->show_notes, .digits = w->digits,
        .scroll = w->scroll, .answers = w->answers.items, .answer_count = w->answers.count,
        .old = w->session.old, .keys = str_text(&keys),
        .explanation = text.length ? str_text(&text) : NULL,
        .trail = trail.length ? str_text(&trail) : NULL,
    };
    if (inspect_is_open(&w->inspect))
        draw_look(w, &options);
    else
        draw_again(w, &options);
    str_clear(&text);
    str_clear(&trail);
    str_clear(&keys);
}

void walker_refresh(Walker *w)
{
    if (w->fresh)
        return;
    draw_page(w, w->size);
    if (walker_find_again(w)) /* now that the new page is there */
        draw_page(w, w->size);
    w->fresh = true;
}

/* ---- the bottom line ---- */

static void clear_bottom(Grid *grid, int rows)
{
    Rect bottom = {grid->rows - rows, 0, rows, grid->cols};
    grid_fill(grid, grid_rect(grid), bottom, " ", ROLE_PLAIN);
}

/* The cursor is drawn as a cell of the page: a terminal's own would have to be switched
 * on and off, and blinks. */
static void draw_prompt(const Walker *w, Grid *grid, int *row, int *col)
{
    Str line = {0};
    int margin = grid->cols > 10;
    clear_bottom(grid, 1);
    prompt_add_line(&w->prompt, &line, grid->cols - margin, col);
    grid_put(grid, grid_rect(grid), grid->rows - 1, margin, str_text(&line), ROLE_QUESTION);
    *row = grid->rows - 1;
    *col += margin;
    if (*col >= grid->cols)
        *col = grid->cols - 1;
    grid_set_mark(grid, grid_rect(grid), (Rect){*row, *col, 1, 1}, MARK_CURSOR);
    str_clear(&line);
}

/* A message that is longer than a line takes more of them, over the page. */
static void draw_message(const Walker *w, Grid *grid)
{
    int margin = grid->cols > 10, rows = 1;
    Str text = {0};
    text_add_wrapped(&text, str_text(&w->message), (size_t)(grid->cols - margin), 0);
    for (const char *at = str_text(&text); (at = strchr(at, '\n')); at++)
        rows++;
    if (rows > (grid->rows + 1) / 2)
        rows = (grid->rows + 1) / 2;
    clear_bottom(grid, rows);
    const char *at = str_text(&text);
    for (int row = grid->rows - rows; row < grid->rows; row++) {
        size_t length = strcspn(at, "\n");
        grid_put_bytes(grid, grid_rect(grid), row, margin, at, length,
                       w->is_error ? ROLE_ERROR : ROLE_FEEDBACK);
        at += length + (at[length] == '\n');
    }
    str_clear(&text);
}

static Grid *copy_of(const Grid *grid)
{
    Grid *copy = grid_new(grid->rows, grid->cols, grid->ascii);
    grid_copy(copy, grid_rect(copy), 0, 0, grid, grid_rect(grid));
    return copy;
}

Grid *walker_draw(Walker *w, Size size, int *cursor_row, int *cursor_col)
{
    Grid *grid;
    walker_need_menu(w);
    *cursor_row = *cursor_col = -1;
    size.rows = size.rows < 1 ? 1 : size.rows;
    size.cols = size.cols < 1 ? 1 : size.cols;
    if (w->size.rows != size.rows || w->size.cols != size.cols)
        w->fresh = false;
    w->size = size;
    if (w->list_kind) {
        grid = grid_new(size.rows, size.cols, w->options.ascii);
        walker_draw_list(w, grid);
    } else {
        walker_refresh(w);
        grid = copy_of(w->page.grid);
    }
    if (w->prompt.kind != PROMPT_CLOSED && w->message.length == 0)
        draw_prompt(w, grid, cursor_row, cursor_col);
    else if (w->message.length)
        draw_message(w, grid);
    return grid;
}
