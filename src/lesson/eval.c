/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/measure.h"
#include "io/number.h"
#include "lang/interp.h"
#include "lesson/eval_at.h"
#include "lesson/run.h"
#include "lesson/setup.h"

/* --- one expression ---------------------------------------------------------- */

static const Value *on_find(void *context, const char *name)
{
    const EvalPlace *place = context;
    if (place->name && strcmp(place->name, name) == 0)
        return place->instead;
    return trace_find(place->trace, place->frame, name, NULL);
}

static Status on_before(void *context, const Expr *at, const char *name, Value **out, Error *error)
{
    const EvalPlace *place = context;
    const Value *value = trace_before(place->trace, place->stop, name);
    if (!value)
        return error_at(error, at->source, at->span, "%s is not bound before this stop", name);
    *out = value_ref(value);
    return STATUS_OK;
}

static Status on_load(void *context, const char *path, Matrix **out, Error *error)
{
    const EvalPlace *place = context;
    return setup_load_data(trace_lesson(place->trace), path, RUN_MAX_CELLS, out, error);
}

size_t eval_stop_of(const Trace *trace, size_t frame)
{
    return frame == 0 ? 0 : trace_frame(trace, frame)->stop;
}

Status eval_at(const EvalPlace *place, const Expr *expr, unsigned flags, Value **out, Error *error)
{
    InterpHost host = {.context = (void *)place,
                       .find = on_find,
                       .load = on_load,
                       .before = flags & EVAL_BEFORE ? on_before : NULL};
    InterpLimits limits = {.origins = (flags & EVAL_ORIGINS) != 0,
                           .max_cells = trace_max_cells(place->trace),
                           .max_statements = RUN_MAX_STATEMENTS,
                           .max_work = RUN_MAX_WORK,
                           .max_bytes = run_max_bytes(trace_max_cells(place->trace))};
    Interp *interp = interp_new(&host, &limits);
    Status status = interp_eval(interp, expr, out, error);
    interp_free(interp);
    return status;
}

Status lesson_eval_expr(const Trace *trace, size_t frame, const Expr *expr, unsigned flags,
                        Value **out, Error *error)
{
    EvalPlace place = {.trace = trace, .frame = frame, .stop = eval_stop_of(trace, frame)};
    return eval_at(&place, expr, flags, out, error);
}

Status lesson_eval(const Trace *trace, size_t frame, const Code *code, unsigned flags, Value **out,
                   Error *error)
{
    return lesson_eval_expr(trace, frame, code->expr, flags, out, error);
}

/* The value of code, which must be a matrix; `what` says what it is for. */
static Status eval_matrix(const Trace *trace, size_t frame, const Code *code, const char *what,
                          unsigned flags, Value **out, Error *error)
{
    if (lesson_eval(trace, frame, code, flags, out, error) != STATUS_OK)
        return STATUS_ERROR;
    if ((*out)->kind == VALUE_MATRIX)
        return STATUS_OK;
    value_unref(*out);
    *out = NULL;
    return error_at(error, code->source, code->expr->span, "%s must be a matrix of numbers", what);
}

/* --- inline values ----------------------------------------------------------- */

static void add_number(Str *out, const Run *run, double x)
{
    if (run->format)
        number_add_format(out, x, run->format, run->precision);
    else if (x == floor(x))
        number_add(out, x);
    else
        number_add_format(out, x, 'g', 6);
}

Status lesson_eval_run(const Trace *trace, size_t frame, const Run *run, Str *out, Error *error)
{
    enum { MOST_NUMBERS = 64 };
    size_t count = 0;
    Value *value;
    if (eval_matrix(trace, frame, run->code, "an inline value", EVAL_PLAIN, &value, error) !=
        STATUS_OK)
        return STATUS_ERROR;
    const Matrix *m = value_matrix(value);
    bool one = value_is_scalar(value);
    str_add(out, one ? "" : "[");
    for (size_t i = 0; i < m->rows && count < MOST_NUMBERS; i++)
        for (size_t j = 0; j < m->cols && count < MOST_NUMBERS; j++, count++) {
            str_add(out, j > 0 ? " " : i > 0 ? "; " : "");
            add_number(out, run, matrix_at(m, i, j));
        }
    str_add(out, count < matrix_count(m) ? " …" : "");
    str_add(out, one ? "" : "]");
    value_unref(value);
    return STATUS_OK;
}

/* --- measures ---------------------------------------------------------------- */

bool eval_approx(const Matrix *a, const Matrix *b, double tolerance, double *difference)
{
    double largest = 0, found = (double)NAN;
    bool same_places = false;
    if (a->rows == b->rows && a->cols == b->cols)
        found = measure_difference(a, b, &largest, &same_places);
    if (!same_places)
        found = (double)NAN;
    if (difference)
        *difference = found;
    return found <= tolerance * fmax(1, largest);
}

static bool is_comparison(const Expr *expr)
{
    return expr->kind == EXPR_OPERATOR && expr->count == 2 &&
           (expr->op == OP_EQUAL || expr->op == OP_NOT_EQUAL || expr->op == OP_LESS ||
            expr->op == OP_LESS_EQUAL || expr->op == OP_GREATER || expr->op == OP_GREATER_EQUAL);
}

/* approx(A, B, tol), with or without a '!' before it, or NULL. */
static const Expr *find_approx(const Expr *expr)
{
    if (expr->kind == EXPR_OPERATOR && expr->op == OP_NOT)
        expr = expr->args[0];
    bool call = expr->kind == EXPR_INDEX && expr->count == 4 && expr->args[0]->kind == EXPR_NAME;
    return call && text_equal(expr->args[0]->text, "approx") ? expr : NULL;
}

/* The two sides of what condition compares, evaluated once more; false if there is
 * nothing to measure. */
static bool measure(const Trace *trace, size_t frame, const Expr *condition, double *out)
{
    const Expr *approx = find_approx(condition);
    Value *a = NULL, *b = NULL;
    Error error = {0};
    bool measured = false;
    if (approx) {
        if (lesson_eval_expr(trace, frame, approx->args[1], EVAL_PLAIN, &a, &error) == STATUS_OK &&
            lesson_eval_expr(trace, frame, approx->args[2], EVAL_PLAIN, &b, &error) == STATUS_OK &&
            a->kind == VALUE_MATRIX && b->kind == VALUE_MATRIX) {
            eval_approx(value_matrix(a), value_matrix(b), 0, out);
            measured = true;
        }
    } else if (is_comparison(condition) &&
               lesson_eval_expr(trace, frame, condition->args[0], EVAL_PLAIN, &a, &error) ==
                   STATUS_OK &&
               value_is_scalar(a)) {
        *out = value_number(a);
        measured = true;
    }
    value_unref(a);
    value_unref(b);
    error_clear(&error);
    return measured;
}

/* --- max over NaN ------------------------------------------------------------ */

/* Values to look at, and the set of those seen: a hash table of pointers. */
typedef struct {
    const Value **work;
    size_t count, room;
    const Value **seen;
    size_t seen_count, slots;
} Walk;

static size_t seen_slot(const Walk *walk, const Value *value)
{
    size_t i = ((uintptr_t)value >> 4) * 2654435761u & (walk->slots - 1);
    while (walk->seen[i] && walk->seen[i] != value)
        i = (i + 1) & (walk->slots - 1);
    return i;
}

static void grow_seen(Walk *walk)
{
    const Value **old = walk->seen;
    size_t slots = walk->slots;
    walk->slots = slots ? 2 * slots : 64;
    walk->seen = memory_zeros(walk->slots, sizeof *walk->seen);
    for (size_t i = 0; i < slots; i++)
        if (old[i])
            walk->seen[seen_slot(walk, old[i])] = old[i];
    free(old);
}

static void visit(Walk *walk, const Value *value)
{
    if (2 * walk->seen_count >= walk->slots)
        grow_seen(walk);
    size_t i = seen_slot(walk, value);
    if (walk->seen[i])
        return;
    walk->seen[i] = value;
    walk->seen_count++;
    MEMORY_GROW(walk->work, walk->count, walk->room);
    walk->work[walk->count++] = value;
}

static bool has_nan(const Value *value)
{
    if (value->kind != VALUE_MATRIX)
        return false;
    const Matrix *m = value_matrix(value);
    for (size_t i = 0; i < matrix_count(m); i++)
        if (isnan(m->cells[i]))
            return true;
    return false;
}

/* The name of a max or min behind value that skipped a NaN, or NULL. */
static const char *find_skipped_nan(const Value *value)
{
    Walk walk = {0};
    const char *found = NULL;
    visit(&walk, value);
    while (walk.count > 0 && !found) {
        const Origin *origin = walk.work[--walk.count]->origin;
        if (!origin)
            continue;
        bool skips = origin->op->id == OP_MAX || origin->op->id == OP_MIN;
        for (size_t i = 0; i < origin->count; i++) {
            if (skips && has_nan(origin->operands[i]))
                found = origin->op->name;
            visit(&walk, origin->operands[i]);
        }
    }
    free(walk.work);
    free(walk.seen);
    return found;
}

/* The same for a condition: && and || do not say what they rest on, so their sides are
 * looked at. Recursion is bounded by CODE_MAX_HEIGHT. */
static const char *find_skipping(const Trace *trace, size_t frame, const Expr *expr)
{
    Value *value = NULL;
    Error error = {0};
    const char *found = NULL;
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR) {
        found = find_skipping(trace, frame, expr->args[0]);
        if (found || lesson_eval_expr(trace, frame, expr->args[0], EVAL_PLAIN, &value, &error) !=
                         STATUS_OK) {
            error_clear(&error);
            return found;
        }
        bool decided = value_holds(value) == (expr->kind == EXPR_OR);
        value_unref(value);
        return decided ? NULL : find_skipping(trace, frame, expr->args[1]);
    }
    if (lesson_eval_expr(trace, frame, expr, EVAL_ORIGINS, &value, &error) == STATUS_OK)
        found = find_skipped_nan(value);
    error_clear(&error);
    value_unref(value);
    return found;
}

/* --- checks ------------------------------------------------------------------ */

static Status check_guard(const Trace *trace, size_t frame, const Check *check, bool *holds,
                          Error *error)
{
    Value *value;
    *holds = true;
    if (!check->guard)
        return STATUS_OK;
    if (eval_matrix(trace, frame, check->guard, "a guard", EVAL_PLAIN, &value, error) != STATUS_OK)
        return STATUS_ERROR;
    bool nan = has_nan(value);
    *holds = value_holds(value);
    value_unref(value);
    if (nan)
        return error_at(error, check->guard->source, check->guard->expr->span,
                        "invalid conversion from NaN to logical");
    return STATUS_OK;
}

Status lesson_check(const Trace *trace, size_t frame, const Check *check, CheckResult *out,
                    Error *error)
{
    *out = (CheckResult){.state = CHECK_SKIPPED};
    bool guarded;
    if (check_guard(trace, frame, check, &guarded, error) != STATUS_OK)
        return STATUS_ERROR;
    if (!guarded)
        return STATUS_OK;
    Value *value;
    if (eval_matrix(trace, frame, check->condition, "a condition", EVAL_PLAIN, &value, error) !=
        STATUS_OK)
        return STATUS_ERROR;
    const Expr *condition = check->condition->expr;
    bool nan = has_nan(value);
    out->state = value_holds(value) && !nan ? CHECK_HELD : CHECK_FAILED;
    out->has_measure = measure(trace, frame, condition, &out->measured);
    value_unref(value);
    const char *skipping = find_skipping(trace, frame, condition);
    if (nan) {
        out->reason = memory_copy_text("the condition is NaN");
    } else if (skipping) {
        Str reason = {0};
        str_addf(&reason, "it rests on a %s over NaN, which %s skips", skipping, skipping);
        out->reason = str_take(&reason);
        out->state = CHECK_FAILED;
    }
    return STATUS_OK;
}

void check_result_clear(CheckResult *result)
{
    free(result->reason);
    *result = (CheckResult){0};
}

/* --- predictions ------------------------------------------------------------- */

static Status eval_guess(const Trace *trace, size_t step, const Code *code, double *out,
                         Error *error)
{
    Value *value;
    size_t frame = trace_step_frame(trace, step);
    if (lesson_eval(trace, frame, code, EVAL_PLAIN, &value, error) != STATUS_OK)
        return STATUS_ERROR;
    bool number = value_is_scalar(value);
    if (number)
        *out = value_number(value);
    value_unref(value);
    if (!number || isnan(*out))
        return error_at(error, code->source, code->expr->span,
                        "what is predicted must be one number%s", number ? ", not NaN" : "");
    return STATUS_OK;
}

Status lesson_predict(const Trace *trace, size_t step, const Prediction *prediction, double *truth,
                      Error *error)
{
    return eval_guess(trace, step, prediction->code, truth, error);
}

Status lesson_trap(const Trace *trace, size_t step, const Trap *trap, double *value, Error *error)
{
    return eval_guess(trace, step, trap->code, value, error);
}
