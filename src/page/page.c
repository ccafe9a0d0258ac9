/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "page/draw_text.h"
#include "page/page_content.h"

/* ---- the frame around the content ---- */

/* How many rows what stands around the content takes. */
typedef struct {
    bool top, bottom;      /* the lines themselves */
    bool top_rule, bottom_rule;
} Frames;

enum { ROWS_FOR_BOTTOM = 3, ROWS_FOR_TOP = 6, ROWS_FOR_RULES = 16 };

static Frames choose_frames(const PageOptions *options, int rows)
{
    Frames f = {rows >= ROWS_FOR_TOP, rows >= ROWS_FOR_BOTTOM, rows >= ROWS_FOR_RULES,
                rows >= ROWS_FOR_RULES};
    if (options->projector)
        f.top = f.top_rule = f.bottom_rule = false;
    return f;
}

static void put_rule(Grid *grid, int row)
{
    for (int j = 0; j < grid->cols; j++)
        grid_put_either(grid, grid_rect(grid), row, j, "─", "-", ROLE_RULE);
}

static int width_of(const Grid *grid, const char *text)
{
    return grid_text_width(grid, text, strlen(text));
}

/* Text cut to `room` cells, with "…" where something was left out. */
static void put_cut(Grid *grid, int row, int col, int room, const char *text, Role role)
{
    Rect clip = {row, col, 1, room};
    if (room <= 0)
        return;
    if (width_of(grid, text) <= room) {
        grid_put(grid, clip, row, col, text, role);
        return;
    }
    const char *more = grid->ascii ? "~" : "…";
    clip.cols = room - 1;
    grid_put(grid, clip, row, col, text, role);
    clip.cols = room;
    grid_put(grid, clip, row, col + room - 1, more, role);
}

/* "step 3 of 9 · frame 4 of 17": the frame among those of its step.  Returns the width
 * of the longest such text in the step, so that what stands before it does not move. */
static int add_where(Str *out, const Trace *trace, Position position, bool ascii)
{
    const Stop *stop = trace_stop(trace, position.stop);
    size_t steps = trace_lesson(trace)->step_count;
    size_t begin = stop->step ? trace_step_frame(trace, stop->step - 1) : 0;
    size_t end = trace_step_frame(trace, stop->step), frames = end - begin;
    size_t at = position.frame < end ? position.frame : end;
    size_t before = at > begin ? at - begin : 0;
    str_addf(out, "step %zu of %zu", stop->step + 1, steps);
    if (frames > 1 && before > 0)
        str_addf(out, " %s frame %zu of %zu", ascii ? "-" : "·", before, frames);
    Str widest = {0};
    str_addf(&widest, "step %zu of %zu", stop->step + 1, steps);
    if (frames > 1)
        str_addf(&widest, " - frame %zu of %zu", frames, frames);
    int width = (int)widest.length;
    str_clear(&widest);
    return width;
}

static void draw_top(Grid *grid, const Trace *trace, Position position)
{
    const Lesson *lesson = trace_lesson(trace);
    const Step *step = &lesson->steps[trace_stop(trace, position.stop)->step];
    RunContext run = {trace, position.frame, true};
    Rich heading = {.ascii = grid->ascii};
    Str where = {0}, title = {0};
    rich_add_runs(&heading, &step->heading, &run, ROLE_STEP);
    int right = add_where(&where, trace, position, grid->ascii);
    int room = grid->cols - right - 3;
    if (room < grid->cols / 3) { /* too narrow for both: the place is in the bottom line */
        room = grid->cols - 1;
        right = 0;
    }
    int named = width_of(grid, lesson->title), step_width = rich_width(&heading);
    int col = 1;
    if (named + 3 + step_width <= room) {
        col += grid_put(grid, grid_rect(grid), 0, col, lesson->title, ROLE_STEP);
        col += grid_put_either(grid, grid_rect(grid), 0, col, " › ", " > ", ROLE_RULE);
    }
    put_cut(grid, 0, col, room - col + 1, str_text(&heading.text), ROLE_TITLE);
    if (right)
        grid_put(grid, grid_rect(grid), 0, grid->cols - width_of(grid, str_text(&where)) - 1,
                 str_text(&where), ROLE_STEP);
    rich_clear(&heading);
    str_clear(&where);
    str_clear(&title);
}

static void draw_bottom(Grid *grid, int row, const Trace *trace, Position position,
                        const PageOptions *options, int more_above, int more_below)
{
    Str left = {0}, more = {0};
    Place place = {0};
    trace_place(trace, position, &place);
    if (options->message)
        str_add(&left, options->message);
    else
        place_add_text(&left, &place, false);
    place_clear(&place);
    if (more_below > 0)
        str_addf(&more, "%s %d more line%s", grid->ascii ? "v" : "▼", more_below,
                 more_below == 1 ? "" : "s");
    else if (more_above > 0)
        str_addf(&more, "%s %d above", grid->ascii ? "^" : "▲", more_above);
    int right = grid->cols - 1, left_width = width_of(grid, str_text(&left));
    Str of = {0};
    if (options->projector)
        str_addf(&of, "%zu of %zu", trace_stop(trace, position.stop)->step + 1,
                 trace_lesson(trace)->step_count);
    const char *keys = options->projector ? str_text(&of) : options->keys ? options->keys : "";
    int keys_width = width_of(grid, keys), more_width = width_of(grid, str_text(&more));
    int needed = 1 + left_width + 2 + (more_width ? more_width + 2 : 0) + keys_width;
    if (keys_width > 0 && needed <= right) {
        right -= keys_width;
        grid_put(grid, grid_rect(grid), row, right, keys, ROLE_KEYS);
        right -= 2;
    }
    if (more_width > 0) {
        right -= more_width;
        if (right < 0)
            right = 0;
        grid_put(grid, grid_rect(grid), row, right, str_text(&more), ROLE_MORE);
        right -= 2;
    }
    int col = grid->cols > 10 ? 1 : 0;
    put_cut(grid, row, col, right - col, str_text(&left),
            options->message ? ROLE_ERROR : ROLE_PLACE);
    str_clear(&of);
    str_clear(&left);
    str_clear(&more);
}

/* Lines of text (separated by newlines) below each other, each wrapped. */
static Grid *lines_layout(const char *text, int width, Role role, bool ascii)
{
    Grid *all = grid_new(0, 0, ascii);
    while (text) {
        const char *end = strchr(text, '\n');
        Str line = {0};
        Rich rich = {.ascii = ascii};
        str_add_bytes(&line, text, end ? (size_t)(end - text) : strlen(text));
        rich_add(&rich, str_text(&line), role);
        Grid *parts[2] = {all, rich_layout(&rich, width, 2)};
        all = grid_stack(parts, 2, 0, ascii);
        rich_clear(&rich);
        str_clear(&line);
        text = end ? end + 1 : NULL;
    }
    return all;
}

/* The sentence of an explanation and the line below it. */
static Grid *explanation_layout(const PageOptions *options, int width, int most)
{
    if (!options->explanation)
        return grid_new(0, 0, options->ascii);
    Grid *parts[2] = {lines_layout(options->explanation, width, ROLE_EXPLAIN, options->ascii),
                      lines_layout(options->trail ? options->trail : "", width, ROLE_TRAIL,
                                   options->ascii)};
    Grid *all = grid_stack(parts, 2, 0, options->ascii);
    if (all->rows > most) {
        Grid *cut = grid_new(most, all->cols, options->ascii);
        grid_copy(cut, grid_rect(cut), 0, 0, all, grid_rect(all));
        grid_free(all);
        return cut;
    }
    return all;
}

/* ---- scrolling ---- */

/* The rows that have to be visible: the cursor, or a question that waits. */
static bool focus_rows(const Content *content, const PageOptions *options, int *row, int *rows)
{
    for (size_t k = 0; k < options->mark_count; k++) {
        if (options->marks[k].mark != MARK_CURSOR)
            continue;
        for (size_t i = 0; i < content->hits.count; i++) {
            CellRange r;
            Rect at;
            if (!cell_range_in(&options->marks[k].range, content->hits.items[i].value, &r) ||
                !hit_cell(&content->hits.items[i], r.row, r.col, &at))
                continue;
            *row = at.row;
            *rows = at.rows;
            return true;
        }
    }
    *row = content->focus;
    *rows = content->focus_rows;
    return content->focus_rows > 0;
}

static int choose_scroll(const Content *content, const PageOptions *options, int visible)
{
    int most = content->grid->rows - visible, scroll = options->scroll, row, rows;
    if (most < 0)
        most = 0;
    if (scroll == PAGE_SCROLL_AUTO) {
        scroll = 0;
        if (focus_rows(content, options, &row, &rows) && row + rows > visible) {
            scroll = row + rows - visible;
            if (rows > visible)
                scroll = row;
        }
    }
    return scroll > most ? most : scroll < 0 ? 0 : scroll;
}

/* Moves the answers into the window; those that are not in it are dropped. */
static void move_answers(PlacedAnswers *answers, int rows, Rect window)
{
    size_t kept = 0;
    for (size_t i = 0; i < answers->count; i++) {
        PlacedAnswer a = answers->items[i];
        Rect at = rect_common((Rect){a.row + rows, window.col, a.rows, 1}, window);
        if (at.rows == 0)
            continue;
        answers->items[kept++] = (PlacedAnswer){a.block, a.answer, at.row, at.rows};
    }
    answers->count = kept;
}

/* ---- the page ---- */

/* How well content does in the room: 2 if all of it is seen, 1 if only windows of
 * matrices, 0 if it has to be scrolled. */
static int rank_content(const Content *content, int room)
{
    return content->grid->rows > room ? 0 : content->cut ? 1 : 2;
}

/* Draws the content in size, or in that and the `rules` rows of the rules, more and more
 * tightly, until all of it is seen; what is worth less than whole matrices gives way
 * first.  Returns whether the rules stay. */
static bool fit_content(const Trace *trace, Position position, const PageOptions *options,
                        Size size, int rules, Content *out)
{
    static const Tightness tries[] = {TIGHT_NOT, TIGHT_SHARED, TIGHT_DENSE};
    const size_t count = options->projector ? 0 : sizeof tries / sizeof *tries;
    Size room = {size.rows + rules, size.cols};
    bool ruled = true;
    content_draw(trace, position, options, size, TIGHT_NOT, out);
    int rank = rank_content(out, size.rows);
    for (size_t i = rules > 0 ? 0 : 1; i < count && rank < 2; i++) {
        Content other;
        content_draw(trace, position, options, room, tries[i], &other);
        int now = rank_content(&other, room.rows);
        if (now > rank || (now == 0 && rank == 0)) {
            content_clear(out);
            *out = other;
            rank = now;
            ruled = false;
        } else {
            content_clear(&other);
        }
    }
    return ruled;
}

void page_draw(const Trace *trace, Position position, const PageOptions *options, Page *out)
{
    Size size = options->size;
    size.rows = size.rows < 1 ? 1 : size.rows;
    size.cols = size.cols < 1 ? 1 : size.cols;
    Frames f = choose_frames(options, size.rows);
    int margin = size.cols >= 20 ? 1 : 0, cols = size.cols - 2 * margin;
    int top = f.top + f.top_rule, bottom = f.bottom + f.bottom_rule;
    Grid *explanation = explanation_layout(options, size.cols - 2 * margin, size.rows / 3);
    int below = explanation->rows > 0 ? explanation->rows + 1 : 0;
    if (top + bottom + below >= size.rows)
        below = 0;
    Content content;
    if (!fit_content(trace, position, options, (Size){size.rows - top - bottom, cols},
                     f.top_rule + f.bottom_rule, &content)) {
        top -= f.top_rule;
        bottom -= f.bottom_rule;
        f.top_rule = f.bottom_rule = false;
    }
    int room = size.rows - top - bottom;
    int visible = room - below;
    *out = (Page){grid_new(size.rows, size.cols, options->ascii), content.hits, content.answers,
                  content.grid->rows, visible, choose_scroll(&content, options, visible)};
    content.hits = (HitList){0};
    content.answers = (PlacedAnswers){0};
    Rect window = {top, margin, visible, size.cols - margin};
    grid_copy(out->grid, window, top, margin, content.grid,
              (Rect){out->scroll, 0, visible, content.grid->cols});
    hit_list_move(&out->hits, top - out->scroll, margin, window);
    move_answers(&out->answers, top - out->scroll, window);
    if (f.top)
        draw_top(out->grid, trace, position);
    if (f.top_rule)
        put_rule(out->grid, 1);
    if (f.bottom_rule)
        put_rule(out->grid, size.rows - 2);
    if (below) {
        put_rule(out->grid, top + visible);
        grid_copy(out->grid, grid_rect(out->grid), top + visible + 1, margin, explanation,
                  grid_rect(explanation));
    }
    if (f.bottom)
        draw_bottom(out->grid, size.rows - 1, trace, position, options, out->scroll,
                    content.grid->rows - out->scroll - visible);
    grid_free(explanation);
    content_clear(&content);
}

void page_clear(Page *page)
{
    grid_free(page->grid);
    hit_list_clear(&page->hits);
    free(page->answers.items);
    *page = (Page){0};
}

size_t page_marks(const Value *value, size_t i, size_t j, const Explanation *explanation,
                  CellMark *marks)
{
    size_t count = 0;
    for (size_t k = 0; explanation && k < explanation->count; k++) {
        const ExplainPart *p = &explanation->parts[k];
        CellRange range = {p->value, p->row, p->rows, p->col, p->cols};
        marks[count++] = (CellMark){range, MARK_OPERAND, false};
    }
    marks[count++] = (CellMark){{value, i, 1, j, 1}, MARK_CURSOR, false};
    return count;
}
