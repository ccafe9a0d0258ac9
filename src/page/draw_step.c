/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/draw_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "page/draw_number.h"
#include "page/memo.h"

RunContext step_run_context(const StepContext *context, size_t block)
{
    size_t frame = trace_block_frame(context->trace, context->step_index, block);
    return (RunContext){context->trace, frame, context->position.frame >= frame};
}

const PageAnswer *step_find_answer(const StepContext *context, size_t block)
{
    for (size_t i = 0; i < context->answer_count; i++)
        if (context->answers[i].step == context->step_index && context->answers[i].block == block)
            return &context->answers[i];
    return NULL;
}

bool step_has_reached(const StepContext *context, size_t block)
{
    size_t first, count = trace_step_stops(context->trace, context->step_index, &first);
    for (size_t i = first; i < first + count && i <= context->position.stop; i++) {
        const Stop *stop = trace_stop(context->trace, i);
        if ((stop->kind == STOP_QUESTION || stop->kind == STOP_PREDICTION) && stop->block == block)
            return true;
    }
    return false;
}

/* A grid as large as the one given (which is freed), with nothing in it. */
static Grid *blank_of(Grid *grid)
{
    Grid *blank = grid_new(grid->rows, grid->cols, grid->ascii);
    grid_free(grid);
    return blank;
}

/* ---- checks ---- */

enum { CHECK_GAP = 3 }; /* between two that share a row */

static bool is_approx(const Check *check)
{
    const Expr *e = check->condition->expr;
    return e->kind == EXPR_INDEX && e->count > 0 && e->args[0]->kind == EXPR_NAME &&
           text_equal(e->args[0]->text, "approx");
}

static void add_measure(Rich *rich, const StepContext *c, const Check *check,
                        const CheckResult *result, bool reached)
{
    Str text = {0};
    if (result->state == CHECK_SKIPPED)
        str_add(&text, "does not apply here");
    else if (result->state == CHECK_FAILED && result->reason)
        str_add(&text, result->reason);
    else if (result->has_measure && is_approx(check))
        str_add(&text, "difference ");
    else if (result->has_measure)
        str_add(&text, "measured ");
    if (result->state != CHECK_SKIPPED && !result->reason && result->has_measure)
        number_add_short(&text, result->measured, c->digits);
    if (text.length == 0)
        return;
    Str shown = {0};
    str_addf(&shown, "(%s)", str_text(&text));
    rich_add(rich, "  ", ROLE_PROSE);
    if (!reached) /* as much space */
        memset(shown.data, ' ', shown.length);
    rich_add_whole(rich, str_text(&shown), reached ? ROLE_LABEL : ROLE_PLAIN);
    str_clear(&text);
    str_clear(&shown);
}

static Grid *check_layout(const StepContext *c, const Check *check, const RunContext *run,
                          int width)
{
    static const char *const marks[] = {"✓ ", "✗ ", "– "};
    static const char *const ascii_marks[] = {"+ ", "! ", "- "};
    static const Role roles[] = {ROLE_HELD, ROLE_FAILED, ROLE_SKIPPED};
    Rich rich = {.ascii = c->ascii};
    const Fact *fact = memo_check(c->trace, run->frame, check);
    if (fact->failed) {
        rich_add(&rich, fact->text ? fact->text : "cannot be checked", ROLE_ERROR);
    } else if (!run->reached) {
        rich_add(&rich, c->ascii ? ". " : "· ", ROLE_SKIPPED);
        rich_add_runs(&rich, &check->sentence, run, ROLE_SKIPPED);
        add_measure(&rich, c, check, &fact->check, false);
    } else {
        CheckState state = fact->check.state;
        rich_add(&rich, (c->ascii ? ascii_marks : marks)[state], roles[state]);
        rich_add_runs(&rich, &check->sentence, run,
                      state == CHECK_SKIPPED ? ROLE_SKIPPED : ROLE_PROSE);
        add_measure(&rich, c, check, &fact->check, true);
    }
    Grid *grid = rich_layout(&rich, width, 2);
    rich_clear(&rich);
    return grid;
}

/* Joins neighbours that fit in one row of width together. */
static void join_checks(Grid **parts, size_t count, int width, bool ascii)
{
    size_t into = 0;
    for (size_t i = 1; i < count; i++) {
        Grid *a = parts[into], *b = parts[i];
        if (a->rows != 1 || b->rows != 1 || a->cols + CHECK_GAP + b->cols > width) {
            into = i;
            continue;
        }
        Grid *both = grid_new(1, a->cols + CHECK_GAP + b->cols, ascii);
        grid_copy(both, grid_rect(both), 0, 0, a, grid_rect(a));
        grid_copy(both, grid_rect(both), 0, a->cols + CHECK_GAP, b, grid_rect(b));
        grid_free(a);
        grid_free(b);
        parts[into] = both;
        parts[i] = NULL;
    }
}

/* True while something of the step is still to be guessed or answered: what the checks say
 * would give it away. */
static bool is_waiting(const StepContext *context)
{
    for (size_t b = 0; b < context->step->count; b++) {
        BlockKind kind = context->step->blocks[b].kind;
        const PageAnswer *given = step_find_answer(context, b);
        if ((kind == BLOCK_QUESTION || kind == BLOCK_PREDICT) &&
            !(given && (given->done || given->skipped)))
            return true;
    }
    return false;
}

/* A line in place of the checks (which are freed), and as much room as they take. */
static Grid *checks_kept_back(const StepContext *context, Grid *checks)
{
    Grid *blank = blank_of(checks);
    grid_put(blank, grid_rect(blank), 0, 0, context->ascii ? ". ..." : "· …", ROLE_SKIPPED);
    return blank;
}

Grid *checks_layout(const StepContext *context, size_t block, int width, bool tight)
{
    const Block *b = &context->step->blocks[block];
    RunContext run = step_run_context(context, block);
    Grid **parts = memory_zeros(b->check_count + 1, sizeof(Grid *));
    for (size_t i = 0; i < b->check_count; i++)
        parts[i] = check_layout(context, &b->checks[i], &run, width);
    if (tight)
        join_checks(parts, b->check_count, width, context->ascii);
    Grid *all = grid_stack(parts, b->check_count, 0, context->ascii);
    free(parts);
    return all && is_waiting(context) ? checks_kept_back(context, all) : all;
}

/* ---- questions ---- */

static Grid *answer_layout(const StepContext *c, const Question *question, size_t i,
                           const PageAnswer *given, const RunContext *run, int width)
{
    const Answer *answer = &question->answers[i];
    bool done = given && (given->done || given->skipped);
    bool chosen = given && given->chosen && given->chosen[i];
    bool here = given && !done && given->pointer == i;
    bool judged =
        done && (chosen || given->skipped); /* a wrong choice keeps the right one hidden */
    Rich rich = {.ascii = c->ascii};
    char letter[] = {(char)('a' + (int)(i % 26)), ' ', ' ', '\0'};
    Role role = chosen ? ROLE_CHOSEN : ROLE_ANSWER;
    rich_add_whole(&rich, here ? (c->ascii ? "> " : "▸ ") : "  ", ROLE_POINTER);
    rich_add_whole(&rich, chosen ? (c->ascii ? "[x] " : "● ") : c->ascii ? "[ ] " : "○ ", role);
    rich_add_whole(&rich, letter, role);
    rich_add_runs(&rich, &answer->text, run, role);
    if (judged && answer->right)
        rich_add_whole(&rich, c->ascii ? "  right" : "  ✓ right", ROLE_HELD);
    else if (judged && chosen)
        rich_add_whole(&rich, c->ascii ? "  no" : "  ✗ no", ROLE_FAILED);
    if (judged && answer->feedback.count > 0 && (chosen || answer->right)) {
        rich_add(&rich, "  ", ROLE_FEEDBACK);
        rich_add_runs(&rich, &answer->feedback, run, ROLE_FEEDBACK);
    }
    Grid *grid = rich_layout(&rich, width, 7);
    rich_clear(&rich);
    return grid;
}

Grid *question_layout(const StepContext *context, size_t block, int width, int *heights)
{
    const Question *question = &context->step->blocks[block].question;
    const PageAnswer *given = step_find_answer(context, block);
    RunContext run = step_run_context(context, block);
    Grid **parts = memory_zeros(question->count + 1, sizeof(Grid *));
    for (size_t i = 0; i < question->count; i++) {
        parts[i] = answer_layout(context, question, i, given, &run, width);
        if (heights)
            heights[i] = parts[i]->rows;
    }
    Grid *all = grid_stack(parts, question->count, 0, context->ascii);
    free(parts);
    return step_has_reached(context, block) ? all : blank_of(all);
}

/* ---- predictions ---- */

/* The diagnosis of the first trap that the guess falls into. */
static void add_diagnosis(Rich *rich, const StepContext *c, const Prediction *p, double guess,
                          const RunContext *run)
{
    for (size_t i = 0; i < p->trap_count; i++) {
        const Fact *trap = memo_trap(c->trace, c->step_index, &p->traps[i]);
        if (trap->failed || !(fabs(guess - trap->number) <= p->tolerance))
            continue;
        rich_add(rich, "   ", ROLE_PROSE);
        rich_add_runs(rich, &p->traps[i].diagnosis, run, ROLE_FEEDBACK);
        return;
    }
}

/* The guess beside the truth. */
static void add_verdict(Rich *rich, const StepContext *c, const Prediction *p,
                        const PageAnswer *given, const RunContext *run)
{
    const Fact *fact = memo_truth(c->trace, c->step_index, p);
    Str text = {0};
    if (fact->failed) {
        rich_add(rich, fact->text ? fact->text : "cannot be computed", ROLE_ERROR);
        return;
    }
    double truth = fact->number;
    if (!given->skipped) {
        str_add(&text, "you: ");
        number_add_short(&text, given->number, 4);
        rich_add_whole(rich, str_text(&text), ROLE_CHOSEN);
        rich_add(rich, "   ", ROLE_PROSE);
        str_cut(&text, 0);
    }
    str_add(&text, "true: ");
    number_add_short(&text, truth, 4);
    rich_add_whole(rich, str_text(&text), ROLE_VALUE);
    double off = given->number > truth ? given->number - truth : truth - given->number;
    if (!given->skipped && off <= p->tolerance)
        rich_add_whole(rich, c->ascii ? "  right" : "  ✓ right", ROLE_HELD);
    else if (!given->skipped)
        add_diagnosis(rich, c, p, given->number, run);
    str_clear(&text);
}

Grid *prediction_layout(const StepContext *context, size_t block, int width)
{
    const Prediction *p = &context->step->blocks[block].prediction;
    const PageAnswer *given = step_find_answer(context, block);
    RunContext run = step_run_context(context, block);
    run.reached = true;
    Rich head = {.ascii = context->ascii}, line = {.ascii = context->ascii};
    rich_add(&head, "Your guess: ", ROLE_LABEL);
    rich_add_runs(&head, &p->name, &run, ROLE_QUESTION);
    if (given && (given->done || given->skipped)) {
        add_verdict(&line, context, p, given, &run);
    } else {
        rich_add_whole(&line, context->ascii ? "> " : "▸ ", ROLE_POINTER);
        rich_add_whole(&line, given && given->typed ? given->typed : "", ROLE_CHOSEN);
        rich_add_whole(&line, "_", ROLE_CHOSEN);
    }
    Grid *parts[2] = {rich_layout(&head, width, 0), rich_layout(&line, width, 2)};
    Grid *all = grid_stack(parts, 2, 0, context->ascii);
    rich_clear(&head);
    rich_clear(&line);
    return step_has_reached(context, block) ? all : blank_of(all);
}
