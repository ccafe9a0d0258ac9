/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/explain.h"
#include "lang/poly.h"
#include "page/digest.h"

/* Numbers of other frames of the step that are looked at for one matrix; beyond that the
 * current one alone decides how it looks. */
enum {
    MAX_SCANNED = 1 << 18,
    MAX_SAMPLES = 12,   /* frames at which a view is evaluated to see how it will look */
    MAX_SAMPLED = 4096  /* … if its matrices are no larger than this */
};

void figure_add_size(Str *out, const Value *value, bool ascii)
{
    const char *times = ascii ? "x" : "×";
    bool named = value->rows.name && value->cols.name &&
                 !(poly_is_constant(value->rows.name, NULL) &&
                   poly_is_constant(value->cols.name, NULL));
    if (named) {
        poly_add_text(out, value->rows.name, ascii);
        str_add(out, times);
        poly_add_text(out, value->cols.name, ascii);
        str_add(out, " (");
    }
    const Matrix *m = value_matrix(value);
    str_addf(out, "%zu%s%zu", m->rows, times, m->cols);
    if (named)
        str_add_char(out, ')');
}

static const Matrix *matrix_of(const Value *v)
{
    return v && v->kind == VALUE_MATRIX ? value_matrix(v) : NULL;
}

/* ---- what looks alike ---- */

static void add_stats(NumberStats *stats, const Value *v, size_t *budget)
{
    const Matrix *m = matrix_of(v);
    if (!m || matrix_count(m) > *budget)
        return;
    *budget -= matrix_count(m);
    number_stats_merge(stats, digest_stats(m));
}

/* Adds every value that a name is bound to in the step. */
static void add_step_stats(NumberStats *stats, const Figure *figure, const char *name,
                           size_t *budget)
{
    size_t step = trace_stop(figure->trace, figure->position.stop)->step;
    for (size_t i = trace_step_frame(figure->trace, step); i > 0; i--) {
        const Frame *frame = trace_frame(figure->trace, i);
        if (frame->step != step)
            break;
        for (size_t k = 0; k < frame->bound_count; k++)
            if (text_equal(frame->bound[k].name, name))
                add_stats(stats, frame->bound[k].value, budget);
    }
}

/* What is seen of one argument at any frame of the step. */
static NumberStats stats_of(const Figure *figure, size_t i)
{
    NumberStats stats = {0};
    size_t budget = MAX_SCANNED;
    const Shown *shown = &figure->shown.items[i];
    const Matrix *m = matrix_of(shown->value);
    if (m && matrix_count(m) > budget)
        stats = *digest_stats(m);
    else
        add_stats(&stats, shown->value, &budget);
    if (i < figure->later.count)
        add_stats(&stats, figure->later.items[i].value, &budget);
    for (size_t k = 0; k < figure->sample_count; k++)
        if (i < figure->samples[k].count)
            add_stats(&stats, figure->samples[k].items[i].value, &budget);
    if (shown->expr && shown->expr->kind == EXPR_NAME)
        add_step_stats(&stats, figure, shown->expr->text, &budget);
    return stats;
}

/* ---- captions ---- */

static const Frame *current_frame(const Figure *figure)
{
    size_t i = figure->position.frame;
    return i > 0 && i <= trace_frame_count(figure->trace) ? trace_frame(figure->trace, i) : NULL;
}

/* What the running statement does with a name. */
static Role role_of_name(const Figure *figure, const Expr *expr)
{
    const Frame *frame = current_frame(figure);
    const Stop *stop = trace_stop(figure->trace, figure->position.stop);
    if (!frame || !expr || expr->kind != EXPR_NAME || figure->position.frame < stop->first)
        return ROLE_CAPTION;
    for (size_t i = 0; i < frame->bound_count; i++)
        if (text_equal(frame->bound[i].name, expr->text))
            return ROLE_WRITTEN;
    for (size_t i = 0; i < frame->read_count; i++)
        if (text_equal(frame->reads[i].name, expr->text))
            return ROLE_READ;
    return ROLE_CAPTION;
}

/* The caption without the size: "S before", "+ b*k'*e", "A". */
static void add_what(Str *out, const Figure *figure, const Shown *shown)
{
    if (shown->role == SHOWN_ADDED) {
        const Expr *sum = figure->view->args[figure->view->count - 1]->expr;
        str_add(out, sum->kind == EXPR_OPERATOR && sum->op == OP_SUBTRACT ? "- " : "+ ");
    }
    if (shown->expr)
        expr_add_text(out, shown->expr);
    if (shown->role == SHOWN_OLD)
        str_add(out, " before");
    if (shown->role == SHOWN_NEW)
        str_add(out, " after");
}

/* How far the matrix is from what it was in the run before: "Δ 0.5". */
static void add_change(Str *out, const Matrix *m, const Matrix *old, bool ascii)
{
    double largest = 0;
    if (!m || !old || m->rows != old->rows || m->cols != old->cols)
        return;
    for (size_t i = 0; i < matrix_count(m); i++) {
        double d = fabs(m->cells[i] - old->cells[i]);
        if (d > largest || (isnan(d) && isnan(m->cells[i]) != isnan(old->cells[i])))
            largest = d;
    }
    if (largest == 0)
        return;
    str_add(out, ascii ? "  change " : "  Δ ");
    number_add_short(out, largest, 2);
}

static void set_captions(Figure *figure, Panel *panel, const Shown *shown, const Value *sized,
                         bool ascii)
{
    Str full = {0}, brief = {0};
    panel->caption_role = role_of_name(figure, shown->expr);
    if (shown->role == SHOWN_OLD)
        panel->caption_role = ROLE_READ;
    add_what(&full, figure, shown);
    str_add_bytes(&brief, str_text(&full), full.length);
    if (matrix_of(sized)) {
        str_add(&full, "  ");
        figure_add_size(&full, sized, ascii);
        const Matrix *m = value_matrix(sized);
        str_addf(&brief, "  %zu%s%zu", m->rows, ascii ? "x" : "×", m->cols);
    }
    if (shown->role == SHOWN_RESULT) {
        str_add(&full, "  = ");
        expr_add_text(&full, figure->view->args[0]->expr);
    }
    if (shown->state == SHOWN_STALE)
        str_add(&full, " (old)");
    add_change(&full, matrix_of(shown->value), panel->old, ascii);
    add_change(&brief, matrix_of(shown->value), panel->old, ascii);
    panel->caption = str_take(&full);
    panel->short_caption = str_take(&brief);
}

/* ---- panels ---- */

/* The first row in which the value that the running statement wrote differs from the
 * one before; 0 if it is another matrix altogether. */
static size_t first_new_row(const Figure *figure, const Shown *shown, const Matrix *m)
{
    if (role_of_name(figure, shown->expr) != ROLE_WRITTEN)
        return 0;
    const Value *before = trace_find(figure->trace, figure->position.frame - 1, shown->expr->text,
                                     NULL);
    const Matrix *old = matrix_of(before);
    if (!old || old->rows != m->rows || old->cols != m->cols)
        return 0;
    for (size_t i = 0; i < m->rows; i++)
        if (memcmp(matrix_row(m, i), matrix_row(old, i), m->cols * sizeof(double)) != 0)
            return i;
    return 0;
}

static void fill_panel(Figure *figure, size_t i, const DrawContext *context)
{
    Panel *panel = &figure->placed[i].panel;
    const Shown *shown = &figure->shown.items[i];
    const Value *later = i < figure->later.count ? figure->later.items[i].value : NULL;
    const Matrix *m = matrix_of(shown->value), *expected = matrix_of(later);
    panel->value = m ? shown->value : NULL;
    panel->state = shown->state;
    panel->rows = m ? m->rows : 0;
    panel->cols = m ? m->cols : 0;
    if (expected && expected->rows > panel->rows)
        panel->rows = expected->rows;
    if (expected && expected->cols > panel->cols)
        panel->cols = expected->cols;
    panel->stats = stats_of(figure, i);
    panel->news = m ? first_new_row(figure, shown, m) : 0;
    panel->row_names = figure->view->rows;
    panel->col_names = figure->view->cols;
    Str name = {0};
    if (shown->expr)
        expr_add_text(&name, shown->expr);
    panel->name = str_take(&name);
    if (i < figure->old.count)
        panel->old = matrix_of(figure->old.items[i].value);
    set_captions(figure, panel, shown, m ? shown->value : later, context->ascii);
}

static void set_scale(Figure *figure, size_t i, const NumberStats *stats)
{
    Panel *panel = &figure->placed[i].panel;
    const Value *later = i < figure->later.count ? figure->later.items[i].value : NULL;
    panel->scale = heat_scale(figure->view->scale, later ? later : panel->value, stats);
}

/* The numbers before, added and after share one format and one scale. */
static void share_update(Figure *figure)
{
    NumberStats all = {0};
    for (size_t i = 0; i < figure->count; i++)
        number_stats_merge(&all, &figure->placed[i].panel.stats);
    for (size_t i = 0; i < figure->count; i++) {
        figure->placed[i].panel.stats = all;
        set_scale(figure, i, &all);
    }
}

/* One legend for panels of one scale: the last of them carries it. */
static void choose_legends(Figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        Panel *panel = &figure->placed[i].panel;
        panel->plain = panel->rows <= 1 && panel->cols <= 1;
        panel->legend = !panel->plain;
        for (size_t k = i + 1; k < figure->count; k++) {
            const Panel *other = &figure->placed[k].panel;
            if (heat_scale_same(&panel->scale, &other->scale) && other->rows * other->cols > 1)
                panel->legend = false;
        }
    }
}

static void make_panels(Figure *figure, const DrawContext *context)
{
    figure->count = figure->shown.count;
    figure->placed = memory_zeros(figure->count + 1, sizeof *figure->placed);
    for (size_t i = 0; i < figure->count; i++) {
        fill_panel(figure, i, context);
        set_scale(figure, i, &figure->placed[i].panel.stats);
    }
    if (figure->view->kind == VIEW_UPDATE)
        share_update(figure);
    choose_legends(figure);
}

/* ---- differences ---- */

/* a - b where they have the same size, else NULL. */
static Value *subtract(const Value *a, const Value *b)
{
    const Matrix *p = matrix_of(a), *q = matrix_of(b);
    if (!p || !q || p->rows != q->rows || p->cols != q->cols)
        return NULL;
    Matrix *d = matrix_new(p->rows, p->cols);
    double *cells = matrix_fill(d);
    for (size_t i = 0; i < matrix_count(p); i++)
        cells[i] = p->cells[i] - q->cells[i];
    return value_new(d);
}

static void note_largest(Figure *figure, const Matrix *d, const DrawContext *context)
{
    size_t best = 0, undefined = 0;
    Str note = {0};
    for (size_t i = 0; i < matrix_count(d); i++) {
        undefined += isnan(d->cells[i]);
        if (isnan(d->cells[best]) || fabs(d->cells[i]) > fabs(d->cells[best]))
            best = i;
    }
    if (matrix_count(d) == 0)
        return;
    str_add(&note, "largest difference ");
    number_add_short(&note, d->cells[best], context->digits);
    if (d->cells[best] != 0)
        str_addf(&note, " at (%zu,%zu)", best / d->cols + 1, best % d->cols + 1);
    if (undefined > 0 && undefined < matrix_count(d))
        str_addf(&note, ", undefined in %zu of %zu", undefined, matrix_count(d));
    figure->note = str_take(&note);
}

/* What the difference is at other frames of the step: only its numbers' width is kept
 * free, since a difference of 1e-16 has to be seen as such at its own frame. */
static void add_sample_differences(const Figure *figure, NumberStats *stats, size_t *budget)
{
    for (size_t k = 0; k < figure->sample_count; k++) {
        const ShownList *list = &figure->samples[k];
        Value *d = list->count == 2 ? subtract(list->items[0].value, list->items[1].value) : NULL;
        add_stats(stats, d, budget);
        value_unref(d);
    }
}

/* Adds the panel of the difference behind those of the two arguments. */
static void add_difference(Figure *figure, const DrawContext *context)
{
    figure->difference = subtract(figure->shown.items[0].value, figure->shown.items[1].value);
    Value *later = figure->later.count == 2
                       ? subtract(figure->later.items[0].value, figure->later.items[1].value)
                       : NULL;
    Panel *panel = &figure->placed[figure->count].panel;
    const Matrix *d = matrix_of(figure->difference), *expected = matrix_of(later);
    size_t budget = MAX_SCANNED;
    Str caption = {0};
    NumberStats all;
    expr_add_text(&caption, figure->shown.items[0].expr);
    str_add(&caption, " - ");
    expr_add_text(&caption, figure->shown.items[1].expr);
    if (figure->old.count == 2)
        figure->old_difference = subtract(figure->old.items[0].value, figure->old.items[1].value);
    panel->value = figure->difference;
    panel->old = matrix_of(figure->old_difference);
    panel->state = SHOWN_PRESENT;
    panel->rows = d ? d->rows : expected ? expected->rows : 0;
    panel->cols = d ? d->cols : expected ? expected->cols : 0;
    if (d)
        panel->stats = *digest_stats(d);
    panel->rooms[0] = panel->stats;
    if (expected)
        panel->rooms[0] = *digest_stats(expected);
    add_sample_differences(figure, &panel->rooms[1], &budget);
    all = panel->stats;
    number_stats_merge(&all, &panel->rooms[0]);
    number_stats_merge(&all, &panel->rooms[1]);
    if (!d)
        panel->stats = panel->rooms[0];
    panel->scale = heat_scale(SCALE_SIGNED, NULL, &all);
    panel->row_names = figure->view->rows;
    panel->caption = memory_copy_text(str_text(&caption));
    panel->short_caption = str_take(&caption);
    panel->name = memory_copy_text(panel->short_caption);
    panel->caption_role = ROLE_CAPTION;
    figure->count++;
    if (d)
        note_largest(figure, d, context);
    else
        figure->note = memory_copy_text("");
    value_unref(later);
    choose_legends(figure);
}

/* ---- making ---- */

static void keep_error(Figure *figure, Error *error)
{
    figure->error = memory_copy_text(error->message ? error->message : "cannot be shown");
    error_clear(error);
}

/* Where the step ends: what a reader will have seen of it then. */
static Position step_end(const Trace *trace, Position position)
{
    size_t step = trace_stop(trace, position.stop)->step, first;
    size_t count = trace_step_stops(trace, step, &first);
    size_t last = trace_step_frame(trace, step);
    for (size_t k = first + count; k > first; k--) {
        const Stop *stop = trace_stop(trace, k - 1);
        if (stop->last >= stop->first)
            return (Position){k - 1, stop->last > last ? last : stop->last};
    }
    return (Position){position.stop, last};
}

/* The position whose frame is i: the stop that holds it. */
static Position position_of(const Trace *trace, size_t i)
{
    return (Position){trace_frame(trace, i)->stop, i};
}

/* True if the look of an argument depends on frames that only evaluating it there can
 * tell: one that is not just a name, and is small. */
static bool needs_samples(const Figure *figure)
{
    bool composed = figure->view->kind == VIEW_DIFF;
    if (figure->view->kind != VIEW_HEAT && figure->view->kind != VIEW_UPDATE && !composed)
        return false;
    for (size_t i = 0; i < figure->shown.count; i++) {
        const Shown *shown = &figure->shown.items[i];
        const Matrix *m = matrix_of(shown->value);
        if (m && matrix_count(m) > MAX_SAMPLED)
            return false;
        composed = composed || (shown->expr && shown->expr->kind != EXPR_NAME);
    }
    return composed;
}

/* Evaluates the view at all frames of the step, or at some of many. */
static void take_samples(Figure *figure)
{
    size_t step = trace_stop(figure->trace, figure->position.stop)->step;
    size_t last = trace_step_frame(figure->trace, step), first = last + 1;
    while (first > 1 && trace_frame(figure->trace, first - 1)->step == step)
        first--;
    size_t frames = last + 1 - first, count = frames < MAX_SAMPLES ? frames : MAX_SAMPLES;
    figure->samples = memory_zeros(count + 1, sizeof *figure->samples);
    for (size_t k = 0; k < count; k++) {
        Error error = {0};
        Position position = position_of(figure->trace, first + k * frames / count);
        if (lesson_view(figure->trace, position, figure->view,
                        &figure->samples[figure->sample_count], &error) == STATUS_OK)
            figure->sample_count++;
        else
            error_clear(&error);
    }
}

Figure *figure_new(const Trace *trace, Position position, const View *view, const Trace *old,
                   const DrawContext *context)
{
    Figure *figure = memory_zeros(1, sizeof *figure);
    Error error = {0};
    figure->view = view;
    figure->trace = trace;
    figure->position = position;
    if (lesson_view(trace, position, view, &figure->shown, &error) != STATUS_OK) {
        keep_error(figure, &error);
        return figure;
    }
    if (view->kind == VIEW_FOCUS)
        return figure;
    Position end = step_end(trace, position);
    if (end.frame != position.frame &&
        lesson_view(trace, end, view, &figure->later, &error) != STATUS_OK)
        error_clear(&error);
    if (needs_samples(figure))
        take_samples(figure);
    if (old && lesson_view(old, trace_match(trace, position, old), view, &figure->old, &error) !=
                   STATUS_OK)
        error_clear(&error);
    if (view->kind <= VIEW_UPDATE || view->kind == VIEW_DIFF)
        make_panels(figure, context);
    if (view->kind == VIEW_DIFF && figure->shown.count == 2)
        add_difference(figure, context);
    return figure;
}

Figure *figure_of_value(const Value *value, const char *name, const DrawContext *context)
{
    static const View heat = {.kind = VIEW_HEAT};
    Figure *figure = memory_zeros(1, sizeof *figure);
    Str caption = {0};
    figure->view = &heat;
    figure->placed = memory_zeros(1, sizeof *figure->placed);
    if (!matrix_of(value)) {
        figure->error = memory_copy_text("this value is not a matrix");
        return figure;
    }
    Panel *panel = &figure->placed[0].panel;
    const Matrix *m = value_matrix(value);
    str_add(&caption, name);
    str_add(&caption, "  ");
    figure_add_size(&caption, value, context->ascii);
    panel->stats = *digest_stats(m);
    panel->value = value;
    panel->state = SHOWN_PRESENT;
    panel->rows = m->rows;
    panel->cols = m->cols;
    panel->scale = heat_scale(SCALE_DEFAULT, value, &panel->stats);
    panel->caption_role = ROLE_CAPTION;
    panel->caption = str_take(&caption);
    panel->short_caption = memory_copy_text(name);
    panel->name = memory_copy_text(panel->short_caption);
    figure->count = 1;
    choose_legends(figure);
    return figure;
}

void figure_free(Figure *figure)
{
    if (!figure)
        return;
    for (size_t i = 0; i < figure->count; i++)
        panel_clear(&figure->placed[i].panel);
    free(figure->placed);
    shown_list_clear(&figure->shown);
    shown_list_clear(&figure->later);
    for (size_t k = 0; k < figure->sample_count; k++)
        shown_list_clear(&figure->samples[k]);
    free(figure->samples);
    shown_list_clear(&figure->old);
    value_unref(figure->difference);
    value_unref(figure->old_difference);
    free(figure->note);
    free(figure->error);
    free(figure);
}

bool figure_has_changed(const Figure *figure, size_t arg, size_t i, size_t j)
{
    const Matrix *old = arg < figure->old.count ? matrix_of(figure->old.items[arg].value) : NULL;
    const Matrix *now = matrix_of(figure->shown.items[arg].value);
    if (!old || !now || i >= old->rows || j >= old->cols)
        return false;
    double before = matrix_at(old, i, j), x = matrix_at(now, i, j);
    return before != x && !(isnan(before) && isnan(x));
}

/* ---- focus ---- */

/* The cell of a whole matrix behind cell (i, j) of v, which is an index into it. */
static bool find_behind(const Value *v, size_t i, size_t j, CellRange *out)
{
    Explanation explanation;
    explain_cell(v, "", i, j, 0, true, &explanation);
    bool found = explanation.count > 0;
    if (found)
        *out = (CellRange){explanation.parts[0].value, explanation.parts[0].row, 1,
                           explanation.parts[0].col, 1};
    explanation_clear(&explanation);
    return found;
}

void figure_add_focus(const Figure *figure, CellMark **marks, size_t *count, size_t *room)
{
    for (size_t k = 0; figure->view->kind == VIEW_FOCUS && k < figure->shown.count; k++) {
        const Value *v = figure->shown.items[k].value;
        const Matrix *m = matrix_of(v);
        if (!m || matrix_count(m) == 0)
            continue;
        CellRange range = {v, 0, m->rows, 0, m->cols}, last;
        if (v->origin && v->origin->op->id == OP_INDEX && find_behind(v, 0, 0, &range) &&
            find_behind(v, m->rows - 1, m->cols - 1, &last) && last.row >= range.row &&
            last.col >= range.col) {
            range.rows = last.row - range.row + 1;
            range.cols = last.col - range.col + 1;
        }
        MEMORY_GROW(*marks, *count, *room);
        (*marks)[(*count)++] = (CellMark){range, MARK_FOCUS, false};
    }
}
