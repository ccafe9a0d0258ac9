/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code in `read`: every executed statement and what it bound. */
#include <string.h>

#include "base/memory.h"
#include "page/read_part.h"

/* Of a loop with more rounds than LOOP_WHOLE, the first LOOP_HEAD are printed and
 * the last one. */
enum { LOOP_WHOLE = 16, LOOP_HEAD = 8 };

static void mark_printed(Reader *r, const char *name)
{
    if (reader_has_printed(r, name))
        return;
    MEMORY_GROW(r->printed, r->printed_count, r->printed_room);
    r->printed[r->printed_count++] = name;
}

static void print_statement(Reader *r, const Stmt *stmt, size_t indent, const char *end)
{
    Str text = {0}, head = {0}, clean = {0};
    stmt_add_text(&text, stmt);
    reader_add_clean(r, &clean, str_text(&text), text.length);
    str_add(&clean, end);
    str_add_repeat(&head, ' ', indent);
    reader_wrap(r, str_text(&head), str_text(&clean));
    str_clear(&text), str_clear(&head), str_clear(&clean);
}

/* A value under its name, unless the statement said just that: "n = 3". */
static void print_bound(Reader *r, const FrameValue *bound, const Stmt *stmt, size_t indent)
{
    Str text = {0}, said = {0};
    MatrixTextStyle style = reader_matrix_style(r, indent);
    matrix_text_add(&text, bound->name, bound->value, &style);
    stmt_add_text(&said, stmt);
    str_add_char(&said, '\n');
    if (!text_equal(str_text(&text) + indent, str_text(&said)))
        str_add(r->out, str_text(&text));
    mark_printed(r, bound->name);
    str_clear(&text), str_clear(&said);
}

/* A fold block: its statements, and the names it bound with their shapes. */
static void print_fold(Reader *r, const Block *block, const Frame *frame)
{
    const Body *body = &block->code->body;
    Str names = {0};
    for (size_t i = 0; i < body->count; i++) {
        bool inner = body->items[i]->body_count > 0;
        print_statement(r, body->items[i], READ_INDENT, !inner ? "" : r->ascii ? " ..." : " …");
    }
    for (size_t i = 0; i < frame->bound_count; i++) {
        const FrameValue *bound = &frame->bound[i];
        str_add(&names, i ? ", " : "");
        reader_add_clean(r, &names, bound->name, strlen(bound->name));
        if (bound->value->kind == VALUE_MATRIX) {
            str_add_char(&names, ' ');
            matrix_text_add_shape(&names, bound->value, r->ascii);
        }
    }
    reader_wrap(r, "      computed in one go: ", str_text(&names));
    str_clear(&names);
}

static bool same_round(const FrameLoop *a, const FrameLoop *b)
{
    return a->stmt == b->stmt && a->iteration == b->iteration;
}

/* How many loops of frame go on in the round they were in at the frame before. */
static size_t common_loops(const Frame *before, const Frame *frame)
{
    size_t level = 0;
    while (before && level < before->loop_count && level < frame->loop_count &&
           same_round(&before->loops[level], &frame->loops[level]))
        level++;
    return level;
}

/* The number of rounds of the outermost loop that frame i is in: up to where it
 * ends or starts again. */
static size_t count_rounds(const Reader *r, size_t i)
{
    const FrameLoop *loop = &trace_frame(r->trace, i)->loops[0];
    size_t rounds = loop->iteration;
    for (; i <= trace_frame_count(r->trace); i++) {
        const Frame *frame = trace_frame(r->trace, i);
        if (!frame->loop_count || frame->loops[0].stmt != loop->stmt ||
            frame->loops[0].iteration < rounds)
            break;
        rounds = frame->loops[0].iteration;
    }
    return rounds;
}

/* "t = 2:" for a round of a loop, under the loop's own line in its first round. */
static void print_round(Reader *r, const FrameLoop *loop, size_t frame, size_t level, bool begins)
{
    size_t indent = READ_INDENT + 2 * level;
    if (begins)
        print_statement(r, loop->stmt, indent, "");
    const Value *counter =
        loop->stmt->name ? trace_find(r->trace, frame, loop->stmt->name, NULL) : NULL;
    str_add_repeat(r->out, ' ', indent + 1);
    if (counter && counter->kind == VALUE_MATRIX && value_is_scalar(counter)) {
        reader_add_clean(r, r->out, loop->stmt->name, strlen(loop->stmt->name));
        str_add(r->out, " = ");
        matrix_text_add_scalar(r->out, value_number(counter), r->digits);
        str_add(r->out, ":\n");
    } else {
        str_addf(r->out, "round %zu:\n", loop->iteration);
    }
}

static void print_rounds(Reader *r, const Frame *before, const Frame *frame, size_t index)
{
    size_t common = common_loops(before, frame);
    for (size_t level = common; level < frame->loop_count; level++) {
        const FrameLoop *loop = &frame->loops[level];
        bool begins = !(before && level == common && level < before->loop_count &&
                        before->loops[level].stmt == loop->stmt &&
                        before->loops[level].iteration < loop->iteration);
        print_round(r, loop, index, level, begins);
    }
}

static void print_frame(Reader *r, const Frame *before, const Frame *frame, size_t index)
{
    size_t indent = READ_INDENT + 2 * frame->loop_count;
    print_rounds(r, before, frame, index);
    print_statement(r, frame->stmt, indent, "");
    for (size_t i = 0; i < frame->bound_count; i++)
        print_bound(r, &frame->bound[i], frame->stmt, indent + 2);
}

/* True if frame i lies in the middle of a long loop; says so at its first frame. */
static bool is_left_out(Reader *r, const Frame *before, const Frame *frame, size_t i,
                        size_t *rounds)
{
    if (!frame->loop_count)
        return false;
    const FrameLoop *loop = &frame->loops[0];
    if (!before || !before->loop_count || before->loops[0].stmt != loop->stmt ||
        before->loops[0].iteration > loop->iteration)
        *rounds = count_rounds(r, i);
    if (*rounds <= LOOP_WHOLE || loop->iteration <= LOOP_HEAD || loop->iteration == *rounds)
        return false;
    if (loop->iteration == LOOP_HEAD + 1 && before && before->loops[0].iteration == LOOP_HEAD) {
        str_add_repeat(r->out, ' ', READ_INDENT + 1);
        str_addf(r->out, "%s %zu more rounds\n", r->ascii ? "..." : "…", *rounds - LOOP_HEAD - 1);
    }
    return true;
}

void reader_print_code(Reader *r, const Block *block, size_t index)
{
    const Frame *before = NULL;
    size_t rounds = 0;
    for (; r->frame <= trace_frame_count(r->trace); r->frame++) {
        const Frame *frame = trace_frame(r->trace, r->frame);
        if (frame->step != r->step || frame->block != index)
            break;
        if (!frame->stmt)
            print_fold(r, block, frame);
        else if (!is_left_out(r, before, frame, r->frame, &rounds))
            print_frame(r, before, frame, r->frame);
        before = frame;
    }
}
