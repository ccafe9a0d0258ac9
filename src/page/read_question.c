/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks, questions and predictions in `read`. */
#include <string.h>

#include "io/number.h"
#include "lesson/eval.h"
#include "page/read_part.h"

/* --- checks ----------------------------------------------------------------------- */

/* What a check measured: of approx (or !approx) a difference, of a comparison its
 * left side, which is returned. */
static const Expr *measured_side(const Expr *expr, bool *residual)
{
    *residual = false;
    if (expr->kind == EXPR_OPERATOR && expr->count == 1)
        expr = expr->args[0];
    if (expr->kind == EXPR_INDEX && expr->args[0]->kind == EXPR_NAME &&
        text_equal(expr->args[0]->text, "approx"))
        *residual = true;
    else if (expr->kind == EXPR_OPERATOR && expr->count == 2)
        return expr->args[0];
    return expr;
}

/* "   (residual 3e-16)", "   (rows(Q) = 4)", "   (not checked: n > 2 does not hold)" */
static void add_measure(const Reader *r, Str *out, const Check *check, const CheckResult *result)
{
    if (result->state == CHECK_SKIPPED) {
        str_add(out, "   (not checked, because this does not hold: ");
        reader_add_expr(r, out, check->guard->expr);
        str_add_char(out, ')');
        return;
    }
    if (result->has_measure) {
        bool residual;
        const Expr *side = measured_side(check->condition->expr, &residual);
        str_add(out, "   (");
        if (residual) {
            str_add(out, "residual ");
            number_add_format(out, result->measured, 'g', 3);
        } else {
            reader_add_expr(r, out, side);
            str_add(out, " = ");
            matrix_text_add_scalar(out, result->measured, r->digits);
        }
        str_add_char(out, ')');
    }
    if (result->reason) {
        str_add(out, "   ");
        reader_add_clean(r, out, result->reason, strlen(result->reason));
    }
}

static const char *check_mark(const Reader *r, CheckState state)
{
    if (state == CHECK_HELD)
        return r->ascii ? "[ok] " : "✓ ";
    if (state == CHECK_FAILED)
        return r->ascii ? "[FAILED] " : "✗ ";
    return r->ascii ? "[-] " : "– ";
}

Status reader_print_check(Reader *r, const Check *check, size_t frame)
{
    CheckResult result = {0};
    if (lesson_check(r->trace, frame, check, &result, r->error) != STATUS_OK)
        return STATUS_ERROR;
    Str text = {0};
    Status status = reader_add_runs(r, &text, &check->sentence, frame);
    if (status == STATUS_OK) {
        add_measure(r, &text, check, &result);
        reader_wrap(r, check_mark(r, result.state), str_text(&text));
    }
    str_clear(&text);
    check_result_clear(&result);
    return status;
}

/* --- questions ---------------------------------------------------------------------- */

/* a, b, … z, aa, ab, … as many as there are answers. */
static void add_letter(Str *out, size_t i)
{
    if (i >= 26)
        add_letter(out, i / 26 - 1); /* as deep as the number has digits */
    str_add_char(out, (char)('a' + i % 26));
}

static Status print_lettered(Reader *r, size_t i, const char *word, const Runs *runs, size_t frame)
{
    Str head = {0}, text = {0};
    str_add(&head, "  ");
    add_letter(&head, i);
    str_addf(&head, ") %s", word);
    Status status = reader_add_runs(r, &text, runs, frame);
    if (status == STATUS_OK)
        reader_wrap(r, str_text(&head), str_text(&text));
    str_clear(&head), str_clear(&text);
    return status;
}

Status reader_print_question(Reader *r, const Question *question, size_t frame)
{
    for (size_t i = 0; i < question->count; i++)
        if (print_lettered(r, i, "", &question->answers[i].text, frame) != STATUS_OK)
            return STATUS_ERROR;
    str_add(r->out, "\nAnswers:\n");
    for (size_t i = 0; i < question->count; i++) {
        const Answer *answer = &question->answers[i];
        const char *word = answer->right ? "right: " : "no: ";
        if (print_lettered(r, i, word, &answer->feedback, frame) != STATUS_OK)
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* --- predictions ---------------------------------------------------------------------- */

static Status print_trap(Reader *r, const Trap *trap)
{
    double value;
    Str head = {0}, text = {0};
    if (lesson_trap(r->trace, r->step, trap, &value, r->error) != STATUS_OK)
        return STATUS_ERROR;
    str_add(&head, "  ");
    matrix_text_add_scalar(&head, value, r->digits);
    str_add(&head, ": ");
    size_t frame = trace_step_frame(r->trace, r->step);
    Status status = reader_add_runs(r, &text, &trap->diagnosis, frame);
    if (status == STATUS_OK)
        reader_wrap(r, str_text(&head), str_text(&text));
    str_clear(&head), str_clear(&text);
    return status;
}

Status reader_print_prediction(Reader *r, const Prediction *prediction)
{
    double truth;
    Str text = {0}, answer = {0};
    size_t frame = trace_step_frame(r->trace, r->step);
    Status status = lesson_predict(r->trace, r->step, prediction, &truth, r->error);
    if (status == STATUS_OK)
        status = reader_add_runs(r, &text, &prediction->name, frame);
    if (status == STATUS_OK) {
        str_add(&text, "   (within ");
        matrix_text_add_scalar(&text, prediction->tolerance, 0);
        str_add_char(&text, ')');
        reader_wrap(r, "Predict: ", str_text(&text));
        reader_add_expr(r, &answer, prediction->code->expr);
        str_add(&answer, " = ");
        matrix_text_add_scalar(&answer, truth, r->digits);
        reader_wrap(r, "Truth: ", str_text(&answer));
    }
    for (size_t i = 0; status == STATUS_OK && i < prediction->trap_count; i++)
        status = print_trap(r, &prediction->traps[i]);
    str_clear(&text), str_clear(&answer);
    return status;
}
