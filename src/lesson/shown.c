/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/op.h"
#include "lesson/eval.h"
#include "lesson/eval_at.h"

/* How far a result may be from what it should be, and a value outside its scale. */
static const double tolerance = 1e-9;

typedef struct {
    EvalPlace place;
    const View *view;
    bool strict; /* the step's last frame: what is absent or wrong is an error */
    ShownList *out;
    size_t room;
    Error *error;
} Viewer;

/* --- names that are not bound yet -------------------------------------------- */

static bool is_ever_bound(const Trace *trace, const char *name)
{
    return trace_find(trace, trace_frame_count(trace), name, NULL) != NULL;
}

/* A name that the run binds, but not yet; e is a variable where a lesson binds it. */
static bool is_unbound(const Viewer *v, const char *name)
{
    const EvalPlace *place = &v->place;
    if (place->name && text_equal(place->name, name))
        return place->instead == NULL;
    if (trace_find(place->trace, place->frame, name, NULL))
        return false;
    return is_ever_bound(place->trace, name) || !op_find(name);
}

static bool is_param_of(const Expr *function, const char *name)
{
    for (size_t i = 0; function && i < function->name_count; i++)
        if (text_equal(function->names[i], name))
            return true;
    return false;
}

typedef struct {
    const char *unbound; /* the first name that is not bound yet, or NULL */
    bool before;         /* … before the stop: it stands in before(…) */
    bool stale;          /* a name's value is left over from an earlier iteration */
} Names;

/* Recursion is bounded by CODE_MAX_HEIGHT.  function: the anonymous one around, or NULL. */
static void look_at_names(const Viewer *v, const Expr *expr, const Expr *function, Names *names)
{
    bool calls_before = expr->kind == EXPR_INDEX && expr->count == 2 &&
                        expr->args[0]->kind == EXPR_NAME && expr->args[1]->kind == EXPR_NAME &&
                        text_equal(expr->args[0]->text, "before") &&
                        !is_ever_bound(v->place.trace, "before");
    if (calls_before) {
        if (!trace_before(v->place.trace, v->place.stop, expr->args[1]->text) && !names->unbound) {
            names->unbound = expr->args[1]->text;
            names->before = true;
        }
        return;
    }
    if (expr->kind == EXPR_NAME && !is_param_of(function, expr->text)) {
        if (is_unbound(v, expr->text) && !names->unbound)
            names->unbound = expr->text;
        bool instead = v->place.name && text_equal(v->place.name, expr->text);
        if (!instead && trace_is_stale(v->place.trace, v->place.frame, expr->text))
            names->stale = true;
    }
    for (size_t i = 0; i < expr->count; i++)
        look_at_names(v, expr->args[i], expr->kind == EXPR_FUNCTION ? expr : function, names);
}

/* --- one argument ------------------------------------------------------------ */

static Status refuse(Viewer *v, const Expr *expr, const char *message)
{
    return error_at(v->error, expr->source, expr->span, "%s", message);
}

/* Evaluates expr; where that is not possible before the step's end, it is absent. */
static Status add_shown(Viewer *v, ShownRole role, const Expr *expr)
{
    ShownList *out = v->out;
    MEMORY_GROW(out->items, out->count, v->room);
    Shown *shown = &out->items[out->count++];
    *shown = (Shown){.role = role, .state = SHOWN_ABSENT, .expr = expr};
    Names names = {0};
    look_at_names(v, expr, NULL, &names);
    if (names.unbound && v->strict)
        return error_at(v->error, expr->source, expr->span,
                        names.before ? "%s is not bound before the last stop of this step"
                                     : "%s is not bound by the end of this step",
                        names.unbound);
    if (names.unbound)
        return STATUS_OK;
    Error error = {0};
    if (eval_at(&v->place, expr, EVAL_ORIGINS | EVAL_BEFORE, &shown->value, &error) != STATUS_OK) {
        shown->value = NULL;
        if (v->strict) {
            error_move(v->error, &error);
            return STATUS_ERROR;
        }
        error_clear(&error);
        return STATUS_OK;
    }
    if (shown->value->kind != VALUE_MATRIX)
        return refuse(v, expr, "a view shows matrices; this is none");
    shown->state = names.stale ? SHOWN_STALE : SHOWN_PRESENT;
    return STATUS_OK;
}

static Status add_arguments(Viewer *v)
{
    for (size_t i = 0; i < v->view->count; i++)
        if (add_shown(v, SHOWN_ARGUMENT, v->view->args[i]->expr) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

/* The value of expr against what it should be. */
static Status check_result(Viewer *v, const Expr *expr, const Value *result, const char *what)
{
    Value *value;
    if (eval_at(&v->place, expr, EVAL_BEFORE, &value, v->error) != STATUS_OK)
        return STATUS_ERROR;
    double difference;
    bool same = value->kind == VALUE_MATRIX &&
                eval_approx(value_matrix(value), value_matrix(result), tolerance, &difference);
    Str sizes = {0};
    value_add_size(&sizes, value);
    str_add(&sizes, " and ");
    value_add_size(&sizes, result);
    value_unref(value);
    if (!same)
        error_at(v->error, expr->source, v->view->span,
                 "the %s is not what stands on the other side of '=' (%s)", what, str_text(&sizes));
    str_clear(&sizes);
    return same ? STATUS_OK : STATUS_ERROR;
}

/* --- products and updates ---------------------------------------------------- */

static Status view_product(Viewer *v)
{
    const Expr *product = v->view->args[0]->expr;
    if (add_shown(v, SHOWN_LEFT, product->args[0]) != STATUS_OK ||
        add_shown(v, SHOWN_RIGHT, product->args[1]) != STATUS_OK)
        return STATUS_ERROR;
    const Expr *result = v->view->count > 1 ? v->view->args[1]->expr : product;
    if (add_shown(v, SHOWN_RESULT, result) != STATUS_OK)
        return STATUS_ERROR;
    if (!v->strict || v->view->count == 1)
        return STATUS_OK;
    return check_result(v, product, v->out->items[2].value, "product");
}

/* The stop whose update is shown: the current one if it ever writes name, else the one
 * that wrote it last. */
static size_t updating_stop(const Viewer *v, const char *name)
{
    const Trace *trace = v->place.trace;
    size_t bound = 0, last = trace_stop(trace, v->place.stop)->last;
    if (!trace_find(trace, last, name, &bound) || bound == 0)
        return v->place.stop;
    return trace_frame(trace, bound)->stop;
}

static Status view_update(Viewer *v)
{
    const Expr *target = v->view->args[0]->expr, *sum = v->view->args[1]->expr;
    const Trace *trace = v->place.trace;
    size_t stop = updating_stop(v, target->text), bound;
    if (stop != v->place.stop)
        v->place.frame = trace_stop(trace, stop)->last;
    v->place.stop = stop;
    v->place.name = target->text;
    v->place.instead = trace_before(trace, stop, target->text);
    if (add_shown(v, SHOWN_OLD, sum->args[0]) != STATUS_OK ||
        add_shown(v, SHOWN_ADDED, sum->args[1]) != STATUS_OK)
        return STATUS_ERROR;
    const Value *now = trace_find(trace, v->place.frame, target->text, &bound);
    bool written = now && bound >= trace_stop(trace, stop)->first;
    EvalPlace old = v->place;
    v->place.instead = written ? now : NULL;
    Status status = add_shown(v, SHOWN_NEW, target);
    v->place = old;
    if (status != STATUS_OK || !v->strict)
        return status;
    return check_result(v, sum, v->out->items[2].value, "sum");
}

/* --- shapes and scales ------------------------------------------------------- */

static Status check_scale_01(Viewer *v, const Shown *shown)
{
    const Matrix *m = value_matrix(shown->value);
    for (size_t i = 0; i < matrix_count(m); i++) {
        double x = m->cells[i];
        if (isfinite(x) && (x < -tolerance || x > 1 + tolerance))
            return error_at(v->error, shown->expr->source, shown->expr->span,
                            "the scale is 0..1, but cell (%zu,%zu) lies outside", i / m->cols + 1,
                            i % m->cols + 1);
    }
    return STATUS_OK;
}

static Status check_vectors(Viewer *v)
{
    const Value *first = v->out->items[0].value;
    for (size_t i = 0; i < v->out->count; i++) {
        const Shown *shown = &v->out->items[i];
        const Value *value = shown->value;
        if (value->rows.n != 1 && value->cols.n != 1)
            return refuse(v, shown->expr, "this view takes vectors");
        if (value->rows.n * value->cols.n != first->rows.n * first->cols.n)
            return refuse(v, shown->expr, "the vectors of this view are of different lengths");
    }
    return STATUS_OK;
}

/* What a view promises, once all its values are there. */
static Status check_shapes(Viewer *v)
{
    const ShownList *out = v->out;
    const View *view = v->view;
    if (view->kind == VIEW_BARS || view->kind == VIEW_PLOT || view->kind == VIEW_TABLE)
        if (check_vectors(v) != STATUS_OK)
            return STATUS_ERROR;
    if (view->kind == VIEW_DIFF && (out->items[0].value->rows.n != out->items[1].value->rows.n ||
                                    out->items[0].value->cols.n != out->items[1].value->cols.n))
        return refuse(v, out->items[1].expr, "what is compared has different sizes");
    bool distribution = view->kind == VIEW_BARS || view->scale == SCALE_01;
    for (size_t i = 0; distribution && i < out->count; i++)
        if (check_scale_01(v, &out->items[i]) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

Status lesson_view(const Trace *trace, Position position, const View *view, ShownList *out,
                   Error *error)
{
    *out = (ShownList){0};
    const Stop *stop = trace_stop(trace, position.stop);
    Viewer v = {.place = {.trace = trace, .frame = position.frame, .stop = position.stop},
                .view = view,
                .strict = position.frame == trace_step_frame(trace, stop->step),
                .out = out,
                .error = error};
    Status status = view->kind == VIEW_PRODUCT  ? view_product(&v)
                    : view->kind == VIEW_UPDATE ? view_update(&v)
                                                : add_arguments(&v);
    if (status == STATUS_OK && v.strict)
        status = check_shapes(&v);
    if (status != STATUS_OK)
        shown_list_clear(out);
    return status;
}

void shown_list_clear(ShownList *list)
{
    for (size_t i = 0; i < list->count; i++)
        value_unref(list->items[i].value);
    free(list->items);
    *list = (ShownList){0};
}
