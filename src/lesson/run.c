/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/interp.h"
#include "lesson/setup.h"
#include "lesson/trace.h"
#include "lesson/trace_build.h"

/* A growable list of names and values, each with a reference. */
typedef struct {
    Binding *items;
    size_t count, room;
} BindingList;

typedef struct {
    Setup *setup;
    const RunHooks *hooks;
    bool discovers;   /* runs only to learn what the loads will replace */
    bool has_learned; /* … and knows it now */
    Trace *trace;
    Interp *interp;
    size_t base_bytes;
    size_t step, block;
    const Stmt *top;      /* the top-level statement under way, or NULL: a fold block */
    size_t top_iteration; /* of a top-level for: the iteration whose stop is open */
    LoopCounter *seen;    /* loop counters as of the last frame */
    size_t seen_count, seen_room;
    BindingList moved; /* scratch */
    BindingList fold_reads, fold_bound;
} Runner;

static void list_add(BindingList *list, const char *name, const Value *value)
{
    MEMORY_GROW(list->items, list->count, list->room);
    list->items[list->count++] = (Binding){memory_copy_text(name), value ? value_ref(value) : NULL};
}

static bool list_has(const BindingList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return true;
    return false;
}

static void list_empty(BindingList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        value_unref(list->items[i].value);
    }
    list->count = 0;
}

static void list_clear(BindingList *list)
{
    list_empty(list);
    free(list->items);
    *list = (BindingList){0};
}

/* --- what the interpreter calls ---------------------------------------------- */

static Status on_load(void *context, const char *path, Matrix **out, Error *error)
{
    const Runner *run = context;
    return setup_load_data(run->setup->lesson, path, RUN_MAX_CELLS, out, error);
}

static Status on_binding(void *context, const Stmt *stmt, const char *name, Value **value,
                         Error *error)
{
    Runner *run = context;
    if (run->discovers) {
        size_t i = setup_find_load(run->setup, name);
        if (i < run->setup->settings->load_count)
            setup_learn(run->setup, i, *value);
        run->has_learned = setup_knows_all(run->setup);
        return run->has_learned ? error_set(error, "the names are known") : STATUS_OK;
    }
    return setup_replace(run->setup, stmt, name, run->top != NULL, value, error);
}

static Status on_drawn(void *context, size_t call, const char *function, const Matrix *m,
                       Error *error)
{
    const Runner *run = context;
    if (!run->hooks || !run->hooks->drawn || run->discovers)
        return STATUS_OK;
    return run->hooks->drawn(run->hooks->context, call, function, m, error);
}

/* Loop variables that stand elsewhere than at the last frame, into run->moved. */
static void collect_moved(Runner *run, const FrameEvent *event)
{
    list_empty(&run->moved);
    for (size_t i = 0; i < event->loop_count; i++) {
        const LoopCounter *now = &event->loops[i];
        const LoopCounter *then = i < run->seen_count ? &run->seen[i] : NULL;
        if (!then || then->stmt != now->stmt || then->iteration != now->iteration ||
            then->value != now->value)
            list_add(&run->moved, now->stmt->name, now->value);
    }
    run->seen_count = 0;
    for (size_t i = 0; i < event->loop_count; i++) {
        MEMORY_GROW(run->seen, run->seen_count, run->seen_room);
        run->seen[run->seen_count++] = event->loops[i];
    }
}

/* Opens the stop of the iteration that event belongs to; iterations that assigned
 * nothing get stops without frames. */
static void follow_iterations(Runner *run, const FrameEvent *event)
{
    if (run->top->kind != STMT_FOR || event->loop_count == 0)
        return;
    while (run->top_iteration < event->loops[0].iteration) {
        Stop *stop = trace_add_stop(run->trace, STOP_ITERATION, run->step, run->block);
        stop->stmt = run->top;
        stop->iteration = ++run->top_iteration;
    }
}

/* In a fold block frames are not kept, only what was read from outside and bound. */
static void fold_event(Runner *run, const FrameEvent *event)
{
    for (size_t i = 0; i < event->loop_count; i++)
        if (!list_has(&run->fold_bound, event->loops[i].stmt->name))
            list_add(&run->fold_bound, event->loops[i].stmt->name, NULL);
    for (size_t i = 0; i < event->read_count; i++)
        if (!list_has(&run->fold_bound, event->reads[i].name) &&
            !list_has(&run->fold_reads, event->reads[i].name))
            list_add(&run->fold_reads, event->reads[i].name, event->reads[i].value);
    if (!list_has(&run->fold_bound, event->name))
        list_add(&run->fold_bound, event->name, NULL);
}

static Status check_budget(const Runner *run, const Stmt *stmt, Error *error)
{
    size_t bytes = value_live_bytes() - run->base_bytes + run->trace->bytes;
    size_t most = run_max_bytes(run->trace->max_cells);
    if (bytes <= most)
        return STATUS_OK;
    return error_at(error, stmt->source, stmt->span,
                    "the trace of the lesson is larger than %zu MB (limit)", most >> 20);
}

static Status on_frame(void *context, const FrameEvent *event, Error *error)
{
    Runner *run = context;
    if (!run->top) {
        fold_event(run, event);
        return STATUS_OK;
    }
    follow_iterations(run, event);
    collect_moved(run, event);
    Binding bound = {(char *)event->name, (Value *)event->value}; /* copied by trace_add_frame */
    FrameDraft draft = {.stmt = event->stmt,
                        .step = run->step,
                        .block = run->block,
                        .stop = run->trace->stop_count - 1,
                        .loops = event->loops,
                        .loop_count = event->loop_count,
                        .reads = event->reads,
                        .read_count = event->read_count,
                        .moved = run->moved.items,
                        .moved_count = run->moved.count,
                        .bound = &bound,
                        .bound_count = 1};
    trace_add_frame(run->trace, &draft);
    return check_budget(run, event->stmt, error);
}

/* --- blocks ------------------------------------------------------------------ */

/* A loop may end with iterations that assign nothing: its variable went on all the
 * same. */
static void catch_up(Runner *run, const Stmt *stmt)
{
    const Value *value = interp_find(run->interp, stmt->name);
    if (value && value != trace_newest(run->trace, stmt->name))
        trace_bind(run->trace, run->trace->frame_count, stmt->name, value);
}

static Status run_statement(Runner *run, const Stmt *stmt, Error *error)
{
    run->top = stmt;
    run->top_iteration = 0;
    run->seen_count = 0;
    if (stmt->kind != STMT_FOR)
        trace_add_stop(run->trace, STOP_STATEMENT, run->step, run->block)->stmt = stmt;
    Status status = interp_run_stmt(run->interp, stmt, error);
    if (status == STATUS_OK && stmt->kind == STMT_FOR)
        catch_up(run, stmt);
    return status;
}

/* Gives every value a fold block bound the block itself as origin: of all that was read. */
static void finish_fold(Runner *run)
{
    size_t count = run->fold_reads.count;
    Value **reads = memory_zeros(count, sizeof *reads);
    for (size_t i = 0; i < count; i++)
        reads[i] = run->fold_reads.items[i].value;
    for (size_t i = 0; i < run->fold_bound.count; i++) {
        Binding *bound = &run->fold_bound.items[i];
        const Value *old = interp_find(run->interp, bound->name);
        Value *value = value_share(old);
        value->bound = old->bound;
        value_set_origin(value, op_get(OP_FOLD), old->bound ? old->bound->value : NULL, NULL, reads,
                         count);
        interp_bind(run->interp, bound->name, value);
        bound->value = value;
    }
    free(reads);
}

static Status run_fold(Runner *run, const Code *code, Error *error)
{
    run->top = NULL;
    trace_add_stop(run->trace, STOP_FOLD, run->step, run->block);
    interp_set_origins(run->interp, false);
    Status status = interp_run(run->interp, code, NULL, error);
    interp_set_origins(run->interp, true);
    if (status == STATUS_OK && run->fold_bound.count > 0) {
        finish_fold(run);
        FrameDraft draft = {.step = run->step,
                            .block = run->block,
                            .stop = run->trace->stop_count - 1,
                            .reads = run->fold_reads.items,
                            .read_count = run->fold_reads.count,
                            .bound = run->fold_bound.items,
                            .bound_count = run->fold_bound.count};
        trace_add_frame(run->trace, &draft);
    }
    list_empty(&run->fold_reads);
    list_empty(&run->fold_bound);
    return status;
}

static Status run_block(Runner *run, const Block *block, Error *error)
{
    if (block->kind == BLOCK_QUESTION)
        trace_add_stop(run->trace, STOP_QUESTION, run->step, run->block);
    if (block->kind == BLOCK_PREDICT)
        trace_add_stop(run->trace, STOP_PREDICTION, run->step, run->block);
    if (block->kind != BLOCK_CODE)
        return STATUS_OK;
    if (block->fold)
        return run_fold(run, block->code, error);
    for (size_t i = 0; i < block->code->body.count; i++)
        if (run_statement(run, block->code->body.items[i], error) != STATUS_OK)
            return STATUS_ERROR;
    return STATUS_OK;
}

static Status run_step(Runner *run, const Step *step, Error *error)
{
    Trace *trace = run->trace;
    trace->step_stops[run->step] = trace->stop_count;
    for (run->block = 0; run->block < step->count; run->block++) {
        if (run_block(run, &step->blocks[run->block], error) != STATUS_OK)
            return STATUS_ERROR;
        trace->block_frames[run->step][run->block] = trace->frame_count;
    }
    if (trace->stop_count == trace->step_stops[run->step])
        trace_add_stop(trace, STOP_NONE, run->step, step->count ? step->count - 1 : 0);
    trace->step_frames[run->step] = trace->frame_count;
    trace->step_stops[run->step + 1] = trace->stop_count;
    return STATUS_OK;
}

/* --- a run ------------------------------------------------------------------- */

static void bind_params(Runner *run)
{
    for (size_t i = 0; i < run->setup->lesson->param_count; i++) {
        Value *value = param_make(&run->setup->params[i]);
        interp_bind(run->interp, run->setup->lesson->params[i].name, value);
        trace_bind(run->trace, 0, run->setup->lesson->params[i].name, value);
        value_unref(value);
    }
}

/* A matrix from a file may be larger than one that a lesson computes, and so may then what
 * is made in its size. */
static size_t max_cells(const Setup *setup)
{
    size_t most = RUN_MAX_CELLS;
    for (size_t i = 0; i < setup->settings->load_count; i++)
        if (matrix_count(setup->loads[i].matrix) > most)
            most = matrix_count(setup->loads[i].matrix);
    return most;
}

size_t run_max_bytes(size_t max_cells)
{
    enum { COPIES = 4 };
    size_t copies = COPIES * max_cells * sizeof(double);
    return copies > RUN_MAX_BYTES ? copies : RUN_MAX_BYTES;
}

static Interp *make_interp(Runner *run)
{
    InterpHost host = {.context = run,
                       .load = on_load,
                       .binding = on_binding,
                       .frame = on_frame,
                       .drawn = on_drawn};
    InterpLimits limits = {.origins = true,
                           .random = true,
                           .seed = setup_seed(run->setup),
                           .max_cells = run->trace->max_cells,
                           .max_statements = RUN_MAX_STATEMENTS,
                           .max_work = RUN_MAX_WORK,
                           .max_bytes = run_max_bytes(run->trace->max_cells)};
    return interp_new(&host, &limits);
}

/* Runs all steps; the trace goes to *out. */
static Status run_once(Setup *setup, const RunHooks *hooks, bool discovers, Trace **out,
                       Error *error)
{
    const Lesson *lesson = setup->lesson;
    Runner run = {.setup = setup,
                  .hooks = hooks,
                  .discovers = discovers,
                  .trace = trace_new(lesson, setup->settings, setup->params),
                  .base_bytes = value_live_bytes()};
    run.trace->max_cells = max_cells(setup);
    run.interp = make_interp(&run);
    bind_params(&run);
    Status status = STATUS_OK;
    for (run.step = 0; status == STATUS_OK && run.step < lesson->step_count; run.step++)
        status = run_step(&run, &lesson->steps[run.step], error);
    if (run.has_learned) {
        error_clear(error);
        status = STATUS_OK;
    }
    interp_free(run.interp);
    list_clear(&run.moved);
    list_clear(&run.fold_reads);
    list_clear(&run.fold_bound);
    free(run.seen);
    if (status == STATUS_OK && !discovers)
        *out = run.trace;
    else
        trace_free(run.trace);
    return status;
}

Status lesson_run(const Lesson *lesson, const Settings *settings, const RunHooks *hooks,
                  Trace **out, Error *error)
{
    static const Settings defaults;
    Setup setup;
    Status status = setup_begin(lesson, settings ? settings : &defaults, &setup, error);
    if (status == STATUS_OK && setup.settings->load_count > 0) {
        status = run_once(&setup, NULL, true, NULL, error);
        if (status == STATUS_OK)
            status = setup_check_learned(&setup, error);
        if (status == STATUS_OK)
            status = setup_fit_params(&setup, error);
    }
    if (status == STATUS_OK)
        status = run_once(&setup, hooks, false, out, error);
    if (status == STATUS_OK && setup_check_done(&setup, error) != STATUS_OK) {
        trace_free(*out);
        *out = NULL;
        status = STATUS_ERROR;
    }
    setup_clear(&setup);
    return status;
}
