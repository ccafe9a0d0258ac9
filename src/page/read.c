/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "page/read_part.h"

MatrixTextStyle reader_matrix_style(const Reader *r, size_t indent)
{
    return (MatrixTextStyle){.width = r->width,
                             .max_rows = r->max_rows,
                             .indent = indent,
                             .digits = r->digits,
                             .ascii = r->ascii};
}

bool reader_has_printed(const Reader *r, const char *name)
{
    for (size_t i = 0; i < r->printed_count; i++)
        if (text_equal(r->printed[i], name))
            return true;
    return false;
}

/* --- the head ------------------------------------------------------------------ */

static void print_line(Reader *r, const char *head, const char *text)
{
    Str clean = {0};
    if (!text)
        return;
    reader_add_clean(r, &clean, text, strlen(text));
    reader_wrap(r, head, str_text(&clean));
    str_clear(&clean);
}

/* 1..64, elu1 | relu */
static void add_range(const Reader *r, Str *out, const Param *param)
{
    if (param->kind == PARAM_CHOICE) {
        for (size_t i = 0; i < param->choice_count; i++) {
            str_add(out, i ? " | " : "");
            reader_add_clean(r, out, param->choices[i].text, strlen(param->choices[i].text));
        }
        return;
    }
    if (param->has_low)
        matrix_text_add_scalar(out, param->low, 0);
    str_add(out, "..");
    if (param->has_high)
        matrix_text_add_scalar(out, param->high, 0);
}

static void print_param(Reader *r, const Param *param, const ParamValue *value)
{
    Str head = {0}, text = {0}, number = {0};
    str_add(&head, "  ");
    reader_add_clean(r, &head, param->name, strlen(param->name));
    str_add(&head, " = ");
    param_add_text(&number, value);
    reader_add_clean(r, &head, str_text(&number), number.length);
    str_add(&head, "  ");
    add_range(r, &text, param);
    if (param->help && *param->help) {
        str_add(&text, ": ");
        reader_add_clean(r, &text, param->help, strlen(param->help));
    }
    reader_wrap(r, str_text(&head), str_text(&text));
    str_clear(&head), str_clear(&text), str_clear(&number);
}

static void print_head(Reader *r)
{
    const Lesson *lesson = r->lesson;
    print_line(r, "", lesson->title);
    str_add_char(r->out, '\n');
    print_line(r, "", lesson->about);
    print_line(r, "Author: ", lesson->author);
    print_line(r, "Requires: ", lesson->requires);
    print_line(r, "Sources: ", lesson->sources);
    if (lesson->param_count)
        str_add(r->out, "\nParameters:\n");
    for (size_t i = 0; i < lesson->param_count; i++)
        print_param(r, &lesson->params[i], trace_param(r->trace, i));
}

/* --- steps ---------------------------------------------------------------------- */

/* The formula on a line of its own; if that is too wide, the parts that a wide space
 * keeps apart stand below one another. */
static void print_formula(Reader *r, const char *tex)
{
    Str line = {0};
    reader_add_tex(r, &line, tex);
    const char *part = str_text(&line);
    bool fits = READ_INDENT + text_width(part, line.length) <= r->width;
    while (*part) {
        const char *gap = fits ? NULL : strstr(part, "  ");
        Str one = {0};
        str_add_bytes(&one, part, gap ? (size_t)(gap - part) : strlen(part));
        part += one.length;
        part += strspn(part, " ");
        reader_wrap(r, "    ", str_text(&one));
        str_clear(&one);
    }
    str_clear(&line);
}

static Status print_notes(Reader *r, const Block *block, size_t frame)
{
    str_add(r->out, "Notes:\n");
    return reader_print_prose(r, &block->prose, 2, frame);
}

static Status print_block(Reader *r, const Block *block, size_t index)
{
    size_t frame = trace_block_frame(r->trace, r->step, index);
    switch (block->kind) {
    case BLOCK_PROSE:
        return reader_print_prose(r, &block->prose, 0, frame);
    case BLOCK_MATH:
        print_formula(r, block->tex);
        return STATUS_OK;
    case BLOCK_CODE:
        reader_print_code(r, block, index);
        return STATUS_OK;
    case BLOCK_VIEW:
        for (size_t i = 0; i < block->view_count; i++)
            if (reader_print_view(r, &block->views[i]) != STATUS_OK)
                return STATUS_ERROR;
        return STATUS_OK;
    case BLOCK_CHECK:
        for (size_t i = 0; i < block->check_count; i++)
            if (reader_print_check(r, &block->checks[i], frame) != STATUS_OK)
                return STATUS_ERROR;
        return STATUS_OK;
    case BLOCK_QUESTION:
        return reader_print_question(r, &block->question, frame);
    case BLOCK_PREDICT:
        return reader_print_prediction(r, &block->prediction);
    case BLOCK_NOTES:
        return print_notes(r, block, frame);
    }
    return STATUS_OK;
}

/* A block and the blank line before it; nothing where the block prints nothing. */
static Status print_block_apart(Reader *r, const Block *block, size_t index)
{
    size_t start = r->out->length;
    str_add_char(r->out, '\n');
    if (print_block(r, block, index) != STATUS_OK)
        return STATUS_ERROR;
    if (r->out->length == start + 1)
        str_cut(r->out, start);
    return STATUS_OK;
}

static Status print_step(Reader *r, bool notes)
{
    const Step *step = &r->lesson->steps[r->step];
    Str head = {0}, title = {0};
    r->printed_count = 0;
    str_addf(&head, "Step %zu of %zu: ", r->step + 1, r->lesson->step_count);
    Status status = reader_add_runs(r, &title, &step->heading, trace_step_frame(r->trace, r->step));
    str_add(r->out, "\n\n");
    if (status == STATUS_OK)
        reader_wrap(r, str_text(&head), str_text(&title));
    str_clear(&head), str_clear(&title);
    for (size_t i = 0; status == STATUS_OK && i < step->count; i++)
        if (notes || step->blocks[i].kind != BLOCK_NOTES)
            status = print_block_apart(r, &step->blocks[i], i);
    return status;
}

Status read_add_lesson(Str *out, const Trace *trace, const ReadStyle *style, Error *error)
{
    Reader r = {.out = out,
                .trace = trace,
                .lesson = trace_lesson(trace),
                .width = style->width ? style->width : 80,
                .max_rows = style->max_rows ? style->max_rows : 16,
                .digits = style->digits,
                .ascii = style->ascii,
                .frame = 1,
                .error = error};
    print_head(&r);
    Status status = STATUS_OK;
    for (; status == STATUS_OK && r.step < r.lesson->step_count; r.step++)
        status = print_step(&r, style->notes);
    free(r.printed);
    return status;
}
