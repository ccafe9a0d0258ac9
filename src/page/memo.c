/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/memo.h"

#include <stdlib.h>

#include "base/memory.h"

typedef enum { FACT_RUN, FACT_CHECK, FACT_TRUTH, FACT_TRAP, FACT_VALUE } FactKind;

/* A fact and what was asked: about what in the lesson, at which frame (of a step). */
typedef struct {
    FactKind kind;
    const void *about;
    size_t at;
    Fact fact;
} Entry;

/* What figures depend on besides the lesson. */
typedef struct {
    Position position;
    uint64_t old; /* the serial of the run before, or 0 */
    bool ascii;
    int digits;
} FigureKey;

typedef struct {
    Note note;
    Entry **entries; /* pointers: a Fact that was handed out stays where it is */
    size_t count, room; /* entries is a hash table: room is a power of 2 (or 0), half of it NULL */
    CodeLines *code;
    size_t code_step;
    int code_width;
    bool has_figures;
    FigureKey key;
    Figure **figures;
    size_t figure_count;
} Memo;

static void drop_figures(Memo *memo)
{
    for (size_t i = 0; i < memo->figure_count; i++)
        figure_free(memo->figures[i]);
    free(memo->figures);
    memo->figures = NULL;
    memo->figure_count = 0;
    memo->has_figures = false;
}

static void free_memo(Note *note)
{
    Memo *memo = (Memo *)note;
    for (size_t i = 0; i < memo->room; i++) {
        if (!memo->entries[i])
            continue;
        Fact *fact = &memo->entries[i]->fact;
        free(fact->text);
        check_result_clear(&fact->check);
        value_unref(fact->value);
        free(memo->entries[i]);
    }
    free(memo->entries);
    code_lines_free(memo->code);
    drop_figures(memo);
    free(memo);
}

static Memo *memo_of(const Trace *trace)
{
    Note **place = trace_note(trace);
    if (!*place) {
        Memo *memo = memory_zeros(1, sizeof *memo);
        memo->note.free = free_memo;
        *place = &memo->note;
    }
    return (Memo *)*place;
}

/* ---- facts ---- */

/* The place of a fact in the table: where it is, or NULL where it would be. */
static Entry **find_place(const Memo *memo, FactKind kind, const void *about, size_t at)
{
    const uint64_t spread = 0x9E3779B97F4A7C15; /* 2^64 divided by the golden ratio */
    uint64_t hash = (((uintptr_t)about * spread) ^ (at + (size_t)kind)) * spread;
    for (size_t i = (size_t)(hash >> 32);; i++) {
        Entry **place = &memo->entries[i & (memo->room - 1)];
        if (!*place ||
            ((*place)->kind == kind && (*place)->about == about && (*place)->at == at))
            return place;
    }
}

static void grow_table(Memo *memo)
{
    Entry **old = memo->entries;
    size_t old_room = memo->room;
    memo->room = memory_next_room(old_room);
    memo->entries = memory_zeros(memo->room, sizeof *memo->entries);
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            *find_place(memo, old[i]->kind, old[i]->about, old[i]->at) = old[i];
    free(old);
}

/* The fact that was found before; or, with *is_new set, one to be filled. */
static Fact *find_fact(const Trace *trace, FactKind kind, const void *about, size_t at,
                       bool *is_new)
{
    Memo *memo = memo_of(trace);
    if (2 * memo->count >= memo->room)
        grow_table(memo);
    Entry **place = find_place(memo, kind, about, at);
    *is_new = !*place;
    if (*is_new) {
        *place = memory_zeros(1, sizeof **place);
        **place = (Entry){.kind = kind, .about = about, .at = at};
        memo->count++;
    }
    return &(*place)->fact;
}

/* Notes how it went; of a failure, why. */
static void settle(Fact *fact, Status status, Error *error)
{
    fact->failed = status != STATUS_OK;
    if (fact->failed && error->message)
        fact->text = memory_copy_text(error->message);
    error_clear(error);
}

const Fact *memo_run(const Trace *trace, size_t frame, const Run *run)
{
    bool is_new;
    Fact *fact = find_fact(trace, FACT_RUN, run, frame, &is_new);
    Error error = {0};
    Str text = {0};
    if (!is_new)
        return fact;
    settle(fact, lesson_eval_run(trace, frame, run, &text, &error), &error);
    if (fact->failed)
        str_clear(&text);
    else
        fact->text = str_take(&text);
    return fact;
}

const Fact *memo_check(const Trace *trace, size_t frame, const Check *check)
{
    bool is_new;
    Fact *fact = find_fact(trace, FACT_CHECK, check, frame, &is_new);
    Error error = {0};
    if (is_new)
        settle(fact, lesson_check(trace, frame, check, &fact->check, &error), &error);
    return fact;
}

const Fact *memo_truth(const Trace *trace, size_t step, const Prediction *prediction)
{
    bool is_new;
    Fact *fact = find_fact(trace, FACT_TRUTH, prediction, step, &is_new);
    Error error = {0};
    if (is_new)
        settle(fact, lesson_predict(trace, step, prediction, &fact->number, &error), &error);
    return fact;
}

const Fact *memo_trap(const Trace *trace, size_t step, const Trap *trap)
{
    bool is_new;
    Fact *fact = find_fact(trace, FACT_TRAP, trap, step, &is_new);
    Error error = {0};
    if (is_new)
        settle(fact, lesson_trap(trace, step, trap, &fact->number, &error), &error);
    return fact;
}

const Fact *memo_value(const Trace *trace, size_t frame, const Code *code)
{
    bool is_new;
    Fact *fact = find_fact(trace, FACT_VALUE, code, frame, &is_new);
    Error error = {0};
    if (is_new)
        settle(fact, lesson_eval(trace, frame, code, EVAL_ORIGINS, &fact->value, &error), &error);
    return fact;
}

/* ---- code ---- */

const CodeLines *memo_code(const Trace *trace, size_t step, int width)
{
    Memo *memo = memo_of(trace);
    if (!memo->code || memo->code_step != step || memo->code_width != width) {
        code_lines_free(memo->code);
        memo->code = code_lines_new(trace, step, width);
        memo->code_step = step;
        memo->code_width = width;
    }
    return memo->code;
}

/* ---- figures ---- */

static bool same_key(const FigureKey *a, const FigureKey *b)
{
    return a->position.stop == b->position.stop && a->position.frame == b->position.frame &&
           a->old == b->old && a->ascii == b->ascii && a->digits == b->digits;
}

static void make_figures(Memo *memo, const Trace *trace, Position position, const Trace *old,
                         const DrawContext *context)
{
    size_t room = 0;
    const Step *step = &trace_lesson(trace)->steps[trace_stop(trace, position.stop)->step];
    for (size_t b = 0; b < step->count; b++)
        for (size_t v = 0; step->blocks[b].kind == BLOCK_VIEW && v < step->blocks[b].view_count;
             v++) {
            MEMORY_GROW(memo->figures, memo->figure_count, room);
            memo->figures[memo->figure_count++] =
                figure_new(trace, position, &step->blocks[b].views[v], old, context);
        }
}

Figure **memo_figures(const Trace *trace, Position position, const Trace *old,
                      const DrawContext *context, size_t *count)
{
    Memo *memo = memo_of(trace);
    FigureKey key = {position, old ? trace_serial(old) : 0, context->ascii, context->digits};
    if (!memo->has_figures || !same_key(&memo->key, &key)) {
        drop_figures(memo);
        memo->key = key;
        make_figures(memo, trace, position, old, context);
        memo->has_figures = true;
    }
    *count = memo->figure_count;
    return memo->figures;
}
