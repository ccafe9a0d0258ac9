/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/verify.h"

#include <math.h>
#include <stdlib.h>

#include "io/number.h"
#include "lang/interp.h"
#include "lesson/param.h"
#include "lesson/run.h"
#include "lesson/trace.h"

typedef struct {
    const Lesson *lesson;
    const VerifyReport *report;
    VerifyCounts counts;
    const char *setting; /* "" at the defaults, else "n=1" */
    const Trace *trace;
    size_t step, block;
    double work_before; /* done by runs of this process when it began */
    double own_work;    /* besides that of runs */
    bool exhausted;     /* all this was too much */
} Verifier;

/* What counts as work besides that of runs: the round of a setting, a run that fails (it
 * may have filled the memory with few operations), a block that is looked at. */
#define SETTING_WORK 1e6
#define FAILURE_WORK 5e8
#define BLOCK_WORK 1e4

/* Hands the error on, with the setting behind its message, and clears it. */
static void report(Verifier *v, Error *error)
{
    v->counts.errors++;
    if (*v->setting) {
        Str message = {0};
        str_addf(&message, "%s (with %s)", error->message, v->setting);
        free(error->message);
        error->message = str_take(&message);
    }
    if (v->report && v->report->failed)
        v->report->failed(v->report->context, v->setting, error);
    error_clear(error);
}

/* True once the work of all settings is too much; says so once. */
static bool is_exhausted(Verifier *v)
{
    if (interp_work_done() - v->work_before + v->own_work <= VERIFY_MAX_WORK)
        return false;
    if (!v->exhausted) {
        Error error = {0};
        error_in_file(&error, v->lesson->path, 0, 0,
                      "too much work: runs and checks at %zu settings took more than %.0f "
                      "operations (limit)",
                      v->counts.settings, VERIFY_MAX_WORK);
        report(v, &error);
    }
    v->exhausted = true;
    return true;
}

/* --- inline values ----------------------------------------------------------- */

static void verify_runs(Verifier *v, size_t frame, const Runs *runs)
{
    for (size_t i = 0; i < runs->count && !v->exhausted; i++) {
        Error error = {0};
        Str text = {0};
        if (runs->items[i].kind == RUN_VALUE &&
            lesson_eval_run(v->trace, frame, &runs->items[i], &text, &error) != STATUS_OK)
            report(v, &error);
        str_clear(&text);
        is_exhausted(v);
    }
}

static void verify_prose(Verifier *v, size_t frame, const Prose *prose)
{
    for (size_t i = 0; i < prose->count; i++)
        verify_runs(v, frame, &prose->items[i].runs);
}

static void verify_question(Verifier *v, size_t frame, const Question *question)
{
    for (size_t i = 0; i < question->count; i++) {
        verify_runs(v, frame, &question->answers[i].text);
        verify_runs(v, frame, &question->answers[i].feedback);
    }
}

/* --- checks ------------------------------------------------------------------ */

static void report_failed(Verifier *v, const Check *check, const CheckResult *result)
{
    Str text = {0};
    Error error = {0};
    runs_add_source(&text, &check->sentence);
    if (result->has_measure) {
        str_add(&text, "; measured ");
        number_add(&text, result->measured);
    }
    if (result->reason)
        str_addf(&text, "; %s", result->reason);
    error_at(&error, v->lesson->source, check->span, "check failed: %s", str_text(&text));
    str_clear(&text);
    report(v, &error);
}

static void verify_check(Verifier *v, size_t frame, const Check *check)
{
    CheckResult result;
    Error error = {0};
    if (lesson_check(v->trace, frame, check, &result, &error) != STATUS_OK) {
        v->counts.failed++;
        report(v, &error);
        return;
    }
    v->counts.held += result.state == CHECK_HELD;
    v->counts.failed += result.state == CHECK_FAILED;
    v->counts.skipped += result.state == CHECK_SKIPPED;
    if (v->report && v->report->checked)
        v->report->checked(v->report->context, v->setting, &v->lesson->steps[v->step], check,
                           &result);
    if (result.state == CHECK_FAILED)
        report_failed(v, check, &result);
    check_result_clear(&result);
    verify_runs(v, frame, &check->sentence);
}

/* --- predictions and views --------------------------------------------------- */

static void verify_trap(Verifier *v, const Prediction *prediction, double truth, const Trap *trap)
{
    Error error = {0};
    double value;
    if (lesson_trap(v->trace, v->step, trap, &value, &error) != STATUS_OK) {
        report(v, &error);
    } else if (!*v->setting && !(fabs(value - truth) > prediction->tolerance)) {
        Str text = {0};
        number_add(&text, value);
        str_add(&text, " against ");
        number_add(&text, truth);
        error_at(&error, v->lesson->source, trap->span,
                 "the trap does not differ from the truth by more than the tolerance: %s",
                 str_text(&text));
        str_clear(&text);
        report(v, &error);
    }
}

static void verify_prediction(Verifier *v, const Prediction *prediction)
{
    Error error = {0};
    double truth;
    if (lesson_predict(v->trace, v->step, prediction, &truth, &error) != STATUS_OK) {
        report(v, &error);
        return;
    }
    for (size_t i = 0; i < prediction->trap_count && !is_exhausted(v); i++)
        verify_trap(v, prediction, truth, &prediction->traps[i]);
}

/* The step's views as they stand at its last stop and frame. */
static void verify_views(Verifier *v, const Block *block)
{
    size_t first, stops = trace_step_stops(v->trace, v->step, &first);
    Position position = {first + stops - 1, trace_step_frame(v->trace, v->step)};
    for (size_t i = 0; i < block->view_count && !is_exhausted(v); i++) {
        Error error = {0};
        ShownList shown;
        if (lesson_view(v->trace, position, &block->views[i], &shown, &error) != STATUS_OK)
            report(v, &error);
        else
            shown_list_clear(&shown);
    }
}

/* --- a run ------------------------------------------------------------------- */

static void verify_block(Verifier *v, const Block *block)
{
    v->own_work += BLOCK_WORK;
    size_t frame = trace_block_frame(v->trace, v->step, v->block);
    verify_prose(v, frame, &block->prose);
    for (size_t i = 0; i < block->check_count && !is_exhausted(v); i++)
        verify_check(v, frame, &block->checks[i]);
    verify_question(v, frame, &block->question);
    if (block->kind == BLOCK_VIEW)
        verify_views(v, block);
    if (block->kind == BLOCK_PREDICT) {
        size_t end = trace_step_frame(v->trace, v->step);
        verify_prediction(v, &block->prediction);
        verify_runs(v, end, &block->prediction.name);
        for (size_t i = 0; i < block->prediction.trap_count; i++)
            verify_runs(v, end, &block->prediction.traps[i].diagnosis);
    }
}

static void verify_setting(Verifier *v, const Settings *settings, const char *setting)
{
    Error error = {0};
    Trace *trace = NULL;
    if (is_exhausted(v))
        return;
    v->own_work += SETTING_WORK;
    v->setting = setting;
    v->counts.settings++;
    if (lesson_run(v->lesson, settings, NULL, &trace, &error) != STATUS_OK) {
        v->own_work += FAILURE_WORK;
        report(v, &error);
        return;
    }
    v->trace = trace;
    for (v->step = 0; v->step < v->lesson->step_count; v->step++) {
        const Step *step = &v->lesson->steps[v->step];
        for (v->block = 0; v->block < step->count && !is_exhausted(v); v->block++)
            verify_block(v, &step->blocks[v->block]);
    }
    v->trace = NULL;
    trace_free(trace);
}

static void verify_value(Verifier *v, const ParamValue *value)
{
    Str text = {0}, setting = {0};
    Settings settings = {0};
    param_add_text(&text, value);
    settings_set_param(&settings, value->param->name, str_text(&text));
    str_addf(&setting, "%s=%s", value->param->name, str_text(&text));
    verify_setting(v, &settings, str_text(&setting));
    settings_clear(&settings);
    str_clear(&text);
    str_clear(&setting);
}

/* Both ends of the range, every choice; not the default again. */
static void verify_param(Verifier *v, const Param *param)
{
    ParamValue value = param_default(param);
    for (size_t i = 0; i < param->choice_count; i++) {
        value.choice = i;
        if (i != param->choice)
            verify_value(v, &value);
    }
    value.number = param->low;
    if (param->has_low && param->low != param->number)
        verify_value(v, &value);
    value.number = param->high;
    if (param->has_high && param->high != param->number && param->high != param->low)
        verify_value(v, &value);
}

static void count_blocks(Verifier *v)
{
    v->counts.steps = v->lesson->step_count;
    for (size_t i = 0; i < v->lesson->step_count; i++)
        for (size_t j = 0; j < v->lesson->steps[i].count; j++) {
            const Block *block = &v->lesson->steps[i].blocks[j];
            v->counts.checks += block->check_count;
            v->counts.predictions += block->kind == BLOCK_PREDICT;
            v->counts.questions += block->kind == BLOCK_QUESTION;
        }
}

Status lesson_verify(const Lesson *lesson, const VerifyReport *report_to, VerifyCounts *counts)
{
    Verifier v = {.lesson = lesson, .report = report_to, .work_before = interp_work_done()};
    count_blocks(&v);
    verify_setting(&v, NULL, "");
    for (size_t i = 0; i < lesson->param_count; i++)
        verify_param(&v, &lesson->params[i]);
    if (counts)
        *counts = v.counts;
    return v.counts.errors ? STATUS_ERROR : STATUS_OK;
}
