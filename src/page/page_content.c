/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_content: what is inside a page: the parts of a step and their places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/explain.h"
#include "page/draw_figure.h"
#include "page/memo.h"
#include "page/page_content.h"
#include "page/tex_layout.h"

enum {
    COLUMN_GAP = 3,
    VIEW_GAP = 3,       /* between views side by side */
    LEAST_PROSE = 36,   /* columns that prose keeps beside a formula */
    MOST_PROSE = 76,    /* longer lines are hard to read */
    LEAST_VIEW = 6,     /* rows a view keeps whatever else there is */
    SPARE_COLS = 160,   /* from here on matrices may show more digits */
    AIRY_ROWS = 30      /* from here on there are blank lines between paragraphs */
};

/* A place below and right of where the figures begin. */
typedef struct {
    int row, col;
} Spot;

typedef struct {
    StepContext step;
    const PageOptions *options;
    DrawContext draw;
    Size size;
    Tightness tight;
    Figure **figures;
    Spot *spots;        /* one a figure: where it stands among all */
    size_t figure_count;
    CellMark *marks;    /* the caller's, focus, and what is kept back */
    size_t mark_count, mark_room;
    Content *out;
} Layout;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* ---- what is kept back until it is guessed ---- */

static void add_mark(Layout *l, CellRange range, Mark mark, bool hidden)
{
    MEMORY_GROW(l->marks, l->mark_count, l->mark_room);
    l->marks[l->mark_count++] = (CellMark){range, mark, hidden};
}

/* True if that part of an explanation is one cell with the number of cell (row, col) of v:
 * the cell was copied from it, not computed. */
static bool is_copy(const ExplainPart *part, const Value *v, size_t row, size_t col)
{
    if (part->value->kind != VALUE_MATRIX || part->rows != 1 || part->cols != 1)
        return false;
    double x = matrix_at(value_matrix(v), row, col);
    double y = matrix_at(value_matrix(part->value), part->row, part->col);
    return x == y || (isnan(x) && isnan(y));
}

/* Hides the value and the cells it was copied from. */
static void hide_value(Layout *l, const Value *value)
{
    CellRange range = {value, 0, 1, 0, 1};
    for (int depth = 0; depth < 8; depth++) {
        const Value *v = range.value;
        add_mark(l, range, MARK_NONE, true);
        if (!v->origin || (v->origin->op->id != OP_INDEX && v->origin->op->id != OP_TRANSPOSE &&
                           v->origin->op->id != OP_SET_INDEX))
            return;
        Explanation explanation;
        explain_cell(v, "", range.row, range.col, 0, true, &explanation);
        bool one = explanation.count > 0 && v->kind == VALUE_MATRIX &&
                   is_copy(&explanation.parts[0], v, range.row, range.col);
        if (one) {
            const ExplainPart *p = &explanation.parts[0];
            range = (CellRange){p->value, p->row, p->rows, p->col, p->cols};
        }
        explanation_clear(&explanation);
        if (!one)
            return;
    }
}

static void hide_predictions(Layout *l)
{
    for (size_t b = 0; b < l->step.step->count; b++) {
        const Block *block = &l->step.step->blocks[b];
        const PageAnswer *given = step_find_answer(&l->step, b);
        if (block->kind != BLOCK_PREDICT || (given && (given->done || given->skipped)))
            continue;
        size_t frame = trace_step_frame(l->step.trace, l->step.step_index);
        const Fact *fact = memo_value(l->step.trace, frame, block->prediction.code);
        if (!fact->failed && fact->value->kind == VALUE_MATRIX && value_is_scalar(fact->value))
            hide_value(l, fact->value);
    }
}

/* ---- figures ---- */

/* The figures of the step, which the memo has, and those of extra values, which are ours. */
static void make_figures(Layout *l)
{
    size_t room = 0, count;
    Figure **views = memo_figures(l->step.trace, l->step.position, l->options->old, &l->draw,
                                  &count);
    for (; l->figure_count < count; l->figure_count++) {
        MEMORY_GROW(l->figures, l->figure_count, room);
        l->figures[l->figure_count] = views[l->figure_count];
    }
    for (size_t i = 0; i < l->options->extra_count; i++) {
        const NamedValue *extra = &l->options->extra[i];
        MEMORY_GROW(l->figures, l->figure_count, room);
        l->figures[l->figure_count++] = figure_of_value(extra->value, extra->name, &l->draw);
    }
    for (size_t i = 0; i < l->figure_count; i++)
        if (l->figures[i]->view->kind == VIEW_FOCUS && !l->figures[i]->error)
            figure_add_focus(l->figures[i], &l->marks, &l->mark_count, &l->mark_room);
    l->draw.marks = l->marks;
    l->draw.mark_count = l->mark_count;
}

/* Gives the figures their places: below each other, or where l->tight, as many side by side
 * as there are columns for.  Returns the size of all. */
static Size place_figures(Layout *l, int cols)
{
    Size all = {0, 0};
    int col = 0, row = 0;
    for (size_t i = 0; i < l->figure_count; i++) {
        Size size = l->figures[i]->size;
        if (size.rows == 0)
            continue;
        if (col > 0 && (!l->tight || col + VIEW_GAP + size.cols > cols)) {
            row = all.rows + (l->tight < TIGHT_DENSE);
            col = 0;
        }
        col += col > 0 ? VIEW_GAP : 0;
        l->spots[i] = (Spot){row, col};
        col += size.cols;
        all.rows = larger(all.rows, row + size.rows);
        all.cols = larger(all.cols, col);
    }
    return all;
}

/* Figures of the line that begins with figure i; *rows is its height. */
static size_t line_end(const Layout *l, size_t i, int *rows)
{
    int row = l->spots[i].row;
    *rows = 0;
    for (; i < l->figure_count; i++) {
        if (l->figures[i]->size.rows > 0 && l->spots[i].row != row)
            break;
        *rows = larger(*rows, l->figures[i]->size.rows);
    }
    return i;
}

/* Fits all figures in the room, lines of them below each other, the largest giving way
 * first; returns the size of all. */
static Size fit_figures(Layout *l, Size room)
{
    for (size_t i = 0; i < l->figure_count; i++)
        figure_fit(l->figures[i], &l->draw, room);
    Size all = place_figures(l, room.cols);
    if (all.rows <= room.rows)
        return all;
    int lines = 0, rows;
    for (size_t i = 0; i < l->figure_count; i = line_end(l, i, &rows))
        lines++;
    int left = room.rows - (l->tight < TIGHT_DENSE ? lines - 1 : 0);
    for (size_t i = 0, end; i < l->figure_count; i = end) {
        int fair = larger(left / larger(lines--, 1), LEAST_VIEW), height = 0;
        bool alone = true;
        end = line_end(l, i, &rows);
        for (size_t k = i + 1; k < end; k++)
            alone = alone && l->figures[k]->size.rows == 0;
        for (size_t k = i; k < end; k++) {
            Figure *f = l->figures[k];
            if (f->size.rows > fair)
                figure_fit(f, &l->draw, (Size){fair, alone ? room.cols : f->size.cols});
            height = larger(height, f->size.rows);
        }
        left -= height;
    }
    return place_figures(l, room.cols);
}

/* Rows the figures need at least. */
static int least_figures(const Layout *l)
{
    int rows = 0;
    for (size_t i = 0; i < l->figure_count; i++)
        rows += l->figures[i]->view->kind == VIEW_FOCUS ? 0 : LEAST_VIEW + 1;
    return rows;
}

static void draw_figures(Layout *l, Grid *grid, int row, int col)
{
    l->draw.hits = &l->out->hits;
    for (size_t i = 0; i < l->figure_count; i++) {
        const Figure *f = l->figures[i];
        if (f->size.rows == 0)
            continue;
        figure_draw(f, &l->draw, grid, grid_rect(grid), row + l->spots[i].row,
                    col + l->spots[i].col);
    }
}

/* ---- the other parts ---- */

/* All formulas of the step below each other, at most width wide. */
static Grid *formulas_layout(const Layout *l, int width)
{
    Grid **parts = memory_zeros(l->step.step->count + 1, sizeof(Grid *));
    TexLook look = {l->options->ascii, l->options->projector, l->options->term};
    size_t count = 0;
    for (size_t b = 0; b < l->step.step->count; b++) {
        const Block *block = &l->step.step->blocks[b];
        if (block->kind != BLOCK_MATH)
            continue;
        Tex *tex = tex_parse(block->tex, strlen(block->tex));
        parts[count++] = tex_layout(tex, &look, width, NULL);
        tex_free(tex);
    }
    Grid *all = grid_stack(parts, count, 0, l->options->ascii);
    free(parts);
    return all;
}

static Grid *all_prose_layout(const Layout *l, int width)
{
    Grid **parts = memory_zeros(l->step.step->count + 1, sizeof(Grid *));
    bool airy = l->size.rows >= AIRY_ROWS;
    for (size_t b = 0; b < l->step.step->count; b++) {
        const Block *block = &l->step.step->blocks[b];
        RunContext run = step_run_context(&l->step, b);
        if (block->kind == BLOCK_PROSE)
            parts[b] = prose_layout(&block->prose, &run, width, airy, l->options->ascii);
    }
    Grid *all = grid_stack(parts, l->step.step->count, airy, l->options->ascii);
    free(parts);
    return all;
}

static Grid *notes_layout(const Layout *l, int width)
{
    Grid **parts = memory_zeros(l->step.step->count + 1, sizeof(Grid *));
    for (size_t b = 0; b < l->step.step->count && l->options->show_notes; b++) {
        const Block *block = &l->step.step->blocks[b];
        RunContext run = step_run_context(&l->step, b);
        if (block->kind == BLOCK_NOTES)
            parts[b] = prose_layout(&block->prose, &run, width, false, l->options->ascii);
    }
    Grid *all = grid_stack(parts, l->step.step->count, 0, l->options->ascii);
    grid_set_role(all, grid_rect(all), grid_rect(all), ROLE_TRAIL);
    free(parts);
    return all;
}

/* The checks, and below them the notes if they are wanted. */
static Grid *all_checks_layout(const Layout *l, int width)
{
    Grid **parts = memory_zeros(l->step.step->count + 1, sizeof(Grid *));
    for (size_t b = 0; b < l->step.step->count; b++)
        if (l->step.step->blocks[b].kind == BLOCK_CHECK)
            parts[b] = checks_layout(&l->step, b, width, l->tight);
    Grid *both[2] = {grid_stack(parts, l->step.step->count, 0, l->options->ascii),
                     notes_layout(l, smaller(width, MOST_PROSE))};
    free(parts);
    return grid_stack(both, 2, 1, l->options->ascii);
}

/* Lays a question out and notes where its answers are, below row `row` of all. */
static Grid *place_question(const Layout *l, size_t block, int width, int row)
{
    size_t count = l->step.step->blocks[block].question.count;
    PlacedAnswers *placed = &l->out->answers;
    int *heights = memory_zeros(count + 1, sizeof *heights);
    Grid *grid = question_layout(&l->step, block, width, heights);
    for (size_t i = 0; i < count && step_has_reached(&l->step, block); i++) {
        MEMORY_GROW(placed->items, placed->count, placed->room);
        placed->items[placed->count++] = (PlacedAnswer){block, i, row, heights[i]};
        row += heights[i];
    }
    free(heights);
    return grid;
}

/* Questions and predictions; *waiting is the row of the one the reader is at, *rows
 * its height (0: none). */
static Grid *questions_layout(const Layout *l, int width, int *waiting, int *rows)
{
    const Stop *stop = trace_stop(l->step.trace, l->step.position.stop);
    Grid **parts = memory_zeros(l->step.step->count + 1, sizeof(Grid *));
    int row = 0;
    *waiting = *rows = 0;
    for (size_t b = 0; b < l->step.step->count; b++) {
        BlockKind kind = l->step.step->blocks[b].kind;
        if (kind == BLOCK_QUESTION)
            parts[b] = place_question(l, b, width, row);
        else if (kind == BLOCK_PREDICT)
            parts[b] = prediction_layout(&l->step, b, width);
        else
            continue;
        if ((stop->kind == STOP_QUESTION || stop->kind == STOP_PREDICTION) && stop->block == b) {
            *waiting = row;
            *rows = parts[b]->rows;
        }
        row += parts[b]->rows + 1;
    }
    Grid *all = grid_stack(parts, l->step.step->count, 1, l->options->ascii);
    free(parts);
    return all;
}

/* Prose with the formula on its right, where both have room; else above it. */
static Grid *prose_and_formulas(const Layout *l, int width)
{
    Grid *formula = formulas_layout(l, width);
    int beside = width - formula->cols - COLUMN_GAP;
    if (formula->rows == 0 || beside < LEAST_PROSE || width < PAGE_NARROW) {
        Grid *parts[2] = {formula, all_prose_layout(l, smaller(width, MOST_PROSE))};
        return grid_stack(parts, 2, l->size.rows >= AIRY_ROWS, l->options->ascii);
    }
    Grid *prose = all_prose_layout(l, smaller(beside, MOST_PROSE));
    Grid *all = grid_new(larger(prose->rows, formula->rows), width, l->options->ascii);
    grid_copy(all, grid_rect(all), 0, 0, prose, grid_rect(prose));
    int left = larger(smaller(beside, MOST_PROSE) + COLUMN_GAP, 0);
    int col = left + (width - left - formula->cols) / 2;
    grid_copy(all, grid_rect(all), 0, col, formula, grid_rect(formula));
    grid_free(prose);
    grid_free(formula);
    return all;
}

/* Most rows that code may take: a window moves over what is longer. */
static int code_rows(const Layout *l)
{
    return larger(l->size.rows / 3 + 2, 4);
}

/* ---- three ways to put them together ---- */

static int height(const Grid *grid, int gap)
{
    return grid->rows > 0 ? grid->rows + gap : 0;
}

/* Copies part to row, col and returns the row below it and the gap; frees it. */
static int put_part(Grid *grid, int row, int col, Grid *part, int gap)
{
    grid_copy(grid, grid_rect(grid), row, col, part, grid_rect(part));
    int below = row + height(part, gap);
    grid_free(part);
    return below;
}

/* Says at which row the questions were put. */
static void set_focus(Layout *l, int row, int waiting, int rows)
{
    for (size_t i = 0; i < l->out->answers.count; i++)
        l->out->answers.items[i].row += row;
    l->out->focus = row + waiting;
    l->out->focus_rows = rows;
}

static void draw_single(Layout *l)
{
    int cols = l->size.cols, waiting, rows;
    Grid *head = prose_and_formulas(l, cols);
    Grid *code = code_layout(&l->step, cols, code_rows(l), l->tight);
    int fits_not = larger(l->size.rows, code_rows(l)) + 1; /* of more, no row need be drawn */
    Grid *whole = code_layout(&l->step, cols, fits_not, l->tight);
    Grid *checks = all_checks_layout(l, cols);
    Grid *questions = questions_layout(l, smaller(cols, MOST_PROSE), &waiting, &rows);
    int parts = (head->rows > 0) + (code->rows > 0) + (checks->rows > 0) + (questions->rows > 0) +
                (least_figures(l) > 0);
    int fixed = head->rows + code->rows + checks->rows + questions->rows;
    int gap = fixed + least_figures(l) + parts - 1 <= l->size.rows ? 1 : 0;
    int room = larger(l->size.rows - fixed - gap * larger(parts - 1, 0), least_figures(l));
    Size figures = fit_figures(l, (Size){larger(room, 1), cols});
    int longer = whole->rows - code->rows;
    if (longer > 0 && fixed + longer + figures.rows <= l->size.rows) { /* no window is needed */
        grid_free(code);
        code = whole;
        whole = NULL;
        fixed += longer;
        gap = 0;
    }
    l->out->cut = longer > 0 && whole;
    grid_free(whole);
    if (fixed + figures.rows + (parts - 1) <= l->size.rows)
        gap = 1;
    int total = height(head, gap) + height(code, gap) + height(checks, gap) +
                height(questions, gap) + (figures.rows ? figures.rows + gap : 0) - gap;
    Grid *grid = grid_new(larger(total, 0), cols, l->options->ascii);
    int row = put_part(grid, 0, 0, head, gap);
    row = put_part(grid, row, 0, code, gap);
    draw_figures(l, grid, row, 0);
    row += figures.rows ? figures.rows + gap : 0;
    row = put_part(grid, row, 0, checks, gap);
    set_focus(l, row, waiting, rows);
    put_part(grid, row, 0, questions, gap);
    l->out->grid = grid;
}

static void draw_wide(Layout *l)
{
    int waiting, rows, left = PAGE_LEFT;
    Grid *head = prose_and_formulas(l, left);
    Grid *code = code_layout(&l->step, left, code_rows(l), l->tight);
    Grid *checks = all_checks_layout(l, left);
    Grid *questions = questions_layout(l, left, &waiting, &rows);
    Size room = {l->size.rows, l->size.cols - left - COLUMN_GAP};
    Size figures = fit_figures(l, room);
    int fixed = head->rows + code->rows + checks->rows + questions->rows;
    int gap = fixed + 3 <= l->size.rows ? 1 : 0;
    int total = height(head, gap) + height(code, gap) + height(checks, gap) +
                height(questions, gap);
    Grid *grid = grid_new(larger(total - gap, figures.rows), l->size.cols, l->options->ascii);
    int row = put_part(grid, 0, 0, head, gap);
    row = put_part(grid, row, 0, code, gap);
    row = put_part(grid, row, 0, checks, gap);
    set_focus(l, row, waiting, rows);
    put_part(grid, row, 0, questions, gap);
    draw_figures(l, grid, 0, left + COLUMN_GAP);
    l->out->grid = grid;
}

/* Formula, matrices, and only what was asked for besides. */
static void draw_projector(Layout *l)
{
    int cols = l->size.cols, waiting, rows;
    const Stop *stop = trace_stop(l->step.trace, l->step.position.stop);
    bool asks = stop->kind == STOP_QUESTION || stop->kind == STOP_PREDICTION;
    Grid *formula = formulas_layout(l, cols);
    Grid *prose = asks || l->figure_count == 0 ? all_prose_layout(l, cols)
                                               : grid_new(0, 0, l->options->ascii);
    Grid *code = l->options->show_code ? code_layout(&l->step, cols, code_rows(l), l->tight)
                                       : grid_new(0, 0, l->options->ascii);
    Grid *questions = questions_layout(l, cols, &waiting, &rows);
    if (!asks) {
        grid_free(questions);
        questions = grid_new(0, 0, l->options->ascii);
        waiting = rows = 0;
        l->out->answers.count = 0;
    }
    int fixed = height(formula, 1) + height(prose, 1) + height(code, 1) + height(questions, 1);
    Size figures = fit_figures(l, (Size){larger(l->size.rows - fixed, LEAST_VIEW), cols});
    int total = fixed + figures.rows;
    Grid *grid = grid_new(total, cols, l->options->ascii);
    int shift = larger((cols - formula->cols) / 2, 0);
    int row = put_part(grid, 0, shift, formula, 1);
    row = put_part(grid, row, 0, prose, 1);
    row = put_part(grid, row, 0, code, 1);
    draw_figures(l, grid, row, larger((cols - figures.cols) / 2, 0));
    row += figures.rows;
    set_focus(l, row, waiting, rows);
    put_part(grid, row, 0, questions, 0);
    l->out->grid = grid;
}

/* ---- all of it ---- */

void content_draw(const Trace *trace, Position position, const PageOptions *options, Size size,
                  Tightness tight, Content *out)
{
    const Lesson *lesson = trace_lesson(trace);
    size_t step = trace_stop(trace, position.stop)->step;
    Layout l = {.options = options, .size = size, .tight = tight, .out = out};
    *out = (Content){0};
    l.size.cols = larger(size.cols, 1);
    l.step = (StepContext){trace, lesson, &lesson->steps[step], step, position, options->answers,
                           options->answer_count, options->ascii, options->digits};
    l.draw = (DrawContext){.ascii = options->ascii,
                           .projector = options->projector,
                           .digits = options->digits,
                           .inset = options->inset,
                           .tight = tight == TIGHT_DENSE,
                           .spare = size.cols >= SPARE_COLS && !options->projector};
    for (size_t i = 0; i < options->mark_count; i++)
        add_mark(&l, options->marks[i].range, options->marks[i].mark, options->marks[i].hidden);
    hide_predictions(&l);
    make_figures(&l);
    l.spots = memory_zeros(l.figure_count + 1, sizeof *l.spots);
    bool wide = options->size.cols >= PAGE_WIDE && l.figure_count > 0;
    if (options->projector)
        draw_projector(&l);
    else if (wide)
        draw_wide(&l);
    else
        draw_single(&l);
    for (size_t i = 0; i < l.figure_count; i++)
        out->cut = out->cut || figure_is_cut(l.figures[i]);
    for (size_t i = 0; i < options->extra_count; i++)
        figure_free(l.figures[l.figure_count - 1 - i]);
    free(l.figures);
    free(l.spots);
    free(l.marks);
}

void content_clear(Content *content)
{
    grid_free(content->grid);
    hit_list_clear(&content->hits);
    free(content->answers.items);
}
