/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/parse.h"
#include "lesson/build.h"

/* Integers up to here are exact doubles. */
#define MAX_INTEGER 9007199254740992.0

/* The first blank in span, or its end. */
static size_t word_end(const Source *source, Span span)
{
    size_t at = span.start;
    while (at < span.end && source->text[at] != ' ' && source->text[at] != '\t')
        at++;
    return at;
}

/* --- numbers and ranges ------------------------------------------------------ */

static bool read_number(const Source *source, Span span, double *x)
{
    return number_read(source->text + span.start, span.end - span.start, x) == NUMBER_OK &&
           isfinite(*x);
}

static bool is_integer_text(const Source *source, Span span)
{
    for (size_t i = span.start; i < span.end; i++)
        if (strchr(".eE", source->text[i]))
            return false;
    return true;
}

/* Where ".." stands in word so that a number or nothing is on either side. */
static bool find_range(const Source *source, Span word, size_t *at)
{
    double x;
    for (size_t i = word.start; i + 1 < word.end; i++) {
        if (source->text[i] != '.' || source->text[i + 1] != '.')
            continue;
        Span low = {word.start, i}, high = {i + 2, word.end};
        if ((low.start == low.end || read_number(source, low, &x)) &&
            (high.start == high.end || read_number(source, high, &x))) {
            *at = i;
            return true;
        }
    }
    return false;
}

/* A twentieth of the range, rounded down to 1, 2 or 5 times a power of ten. */
static double real_step(const Param *param)
{
    double step = 0.05;
    if (param->has_low && param->has_high && param->high > param->low)
        step = (param->high - param->low) / 20;
    double power = 1;
    while (power > step)
        power /= 10;
    while (power * 10 <= step)
        power *= 10;
    return step >= 5 * power ? 5 * power : step >= 2 * power ? 2 * power : power;
}

static Status read_range(const Source *source, Span first, Span word, size_t dots, Param *param,
                         Error *error)
{
    Span low = {word.start, dots}, high = {dots + 2, word.end};
    if (!read_number(source, first, &param->number))
        return error_at(error, source, first, "the default of a range is a number");
    param->kind = is_integer_text(source, first) ? PARAM_INTEGER : PARAM_REAL;
    param->has_low = low.start < low.end && read_number(source, low, &param->low);
    param->has_high = high.start < high.end && read_number(source, high, &param->high);
    if (param->kind == PARAM_INTEGER &&
        (!is_integer_text(source, low) || !is_integer_text(source, high) ||
         fabs(param->number) > MAX_INTEGER || fabs(param->low) > MAX_INTEGER ||
         fabs(param->high) > MAX_INTEGER))
        return error_at(error, source, word, "the ends of the range of an integer are integers");
    if (param->has_low && param->has_high && param->low > param->high)
        return error_at(error, source, word, "the range is empty");
    if ((param->has_low && param->number < param->low) ||
        (param->has_high && param->number > param->high))
        return error_at(error, source, first, "the default lies outside its range");
    param->step = param->kind == PARAM_INTEGER ? 1 : real_step(param);
    return STATUS_OK;
}

/* --- choices ----------------------------------------------------------------- */

static Status add_choice(const Source *source, Span span, Param *param, size_t *room, Error *error)
{
    if (param->choice_count == LESSON_MAX_CHOICES)
        return error_at(error, source, span, "more than %d choices (limit)", LESSON_MAX_CHOICES);
    Choice choice = {0};
    char *text = build_copy(source, span);
    if (!read_number(source, span, &choice.number)) {
        const Op *op = op_find(text);
        if (!op || op->max_args == 0) {
            error_at(error, source, span, "'%s' is neither a number nor a function", text);
            free(text);
            return STATUS_ERROR;
        }
        choice.is_function = true;
    }
    for (size_t i = 0; i < param->choice_count; i++) {
        if (text_equal(param->choices[i].text, text)) {
            free(text);
            return error_at(error, source, span, "this choice stands here twice");
        }
    }
    choice.text = text;
    MEMORY_GROW(param->choices, param->choice_count, *room);
    param->choices[param->choice_count++] = choice;
    return STATUS_OK;
}

/* choice { "|" choice } at the beginning of *rest, which is cut to what follows. */
static Status read_choices(const Source *source, Span *rest, Param *param, Error *error)
{
    const char *text = source->text;
    size_t room = 0;
    for (;;) {
        size_t at = rest->start;
        while (at < rest->end && !strchr(" \t|", text[at]))
            at++;
        Span word = {rest->start, at};
        *rest = build_trim(source, (Span){at, rest->end});
        if (word.start == word.end)
            return error_at(error, source, word, "a choice is missing here");
        if (add_choice(source, word, param, &room, error) != STATUS_OK)
            return STATUS_ERROR;
        if (rest->start == rest->end || text[rest->start] != '|')
            return STATUS_OK;
        *rest = build_trim(source, (Span){rest->start + 1, rest->end});
    }
}

static Status find_default(const Source *source, Span first, Param *param, Error *error)
{
    for (size_t i = 0; i < param->choice_count; i++) {
        const char *text = param->choices[i].text;
        if (strlen(text) == first.end - first.start &&
            memcmp(text, source->text + first.start, strlen(text)) == 0) {
            param->kind = PARAM_CHOICE;
            param->choice = i;
            return STATUS_OK;
        }
    }
    return error_at(error, source, first, "the default is none of the choices");
}

/* --- lines ------------------------------------------------------------------- */

static Status read_domain(const Source *source, Span rest, Param *param, Error *error)
{
    Span first = {rest.start, word_end(source, rest)};
    rest = build_trim(source, (Span){first.end, rest.end});
    Span word = {rest.start, word_end(source, rest)};
    size_t dots;
    bool has_range = find_range(source, word, &dots);
    if (!has_range && !memchr(source->text + rest.start, '|', rest.end - rest.start))
        return error_at(error, source, word.start < word.end ? word : first,
                        "a range such as 1..64 or choices such as a | b follow the default");
    if (has_range) {
        if (read_range(source, first, word, dots, param, error) != STATUS_OK)
            return STATUS_ERROR;
        rest = build_trim(source, (Span){word.end, rest.end});
    } else {
        if (read_choices(source, &rest, param, error) != STATUS_OK)
            return STATUS_ERROR;
        if (param->choice_count < 2)
            return error_at(error, source, word,
                            "neither a range such as 1..64 nor choices such as a | b");
        if (find_default(source, first, param, error) != STATUS_OK)
            return STATUS_ERROR;
    }
    param->help = build_copy(source, rest);
    return STATUS_OK;
}

static Status read_param(void *context, Span line, Error *error)
{
    Lesson *lesson = context;
    Param param = {0};
    Span rest;
    Status status = build_name(lesson->source, line, "a parameter is 'name = default range help'",
                               &param.span, &rest, error);
    if (status != STATUS_OK)
        return status;
    if (lesson->param_count == LESSON_MAX_PARAMS)
        return error_at(error, lesson->source, param.span, "more than %d parameters (limit)",
                        LESSON_MAX_PARAMS);
    Code *code = NULL;
    status = code_parse_expr(lesson->source, param.span, &code, error); /* refuses keywords */
    code_free(code);
    if (status != STATUS_OK)
        return status;
    param.name = build_copy(lesson->source, param.span);
    if (lesson_find_param(lesson, param.name, NULL))
        status = error_at(error, lesson->source, param.span, "the parameter %s stands here twice",
                          param.name);
    else
        status = read_domain(lesson->source, rest, &param, error);
    if (status != STATUS_OK) {
        param_clear(&param);
        return status;
    }
    MEMORY_GROW(lesson->params, lesson->param_count, lesson->param_room);
    lesson->params[lesson->param_count++] = param;
    return STATUS_OK;
}

Status param_read_block(Lesson *lesson, Span span, Error *error)
{
    return build_each_line(lesson->source, span, read_param, lesson, error);
}

void param_clear(Param *param)
{
    for (size_t i = 0; i < param->choice_count; i++)
        free(param->choices[i].text);
    free(param->choices);
    free(param->name);
    free(param->help);
}

/* --- values ------------------------------------------------------------------ */

ParamValue param_default(const Param *param)
{
    return (ParamValue){.param = param, .number = param->number, .choice = param->choice};
}

static void add_choices(Str *out, const Param *param)
{
    for (size_t i = 0; i < param->choice_count; i++)
        str_addf(out, "%s%s", i ? ", " : "", param->choices[i].text);
}

static Status parse_choice(const Param *param, const char *text, ParamValue *out, Error *error)
{
    for (size_t i = 0; i < param->choice_count; i++)
        if (text_equal(param->choices[i].text, text)) {
            out->choice = i;
            return STATUS_OK;
        }
    Str choices = {0};
    add_choices(&choices, param);
    error_set(error, "%s = %s: it is one of %s", param->name, text, str_text(&choices));
    str_clear(&choices);
    return STATUS_ERROR;
}

static Status refuse_range(const Param *param, const char *text, Error *error)
{
    Str range = {0};
    if (param->has_low)
        number_add(&range, param->low);
    str_add(&range, "..");
    if (param->has_high)
        number_add(&range, param->high);
    error_set(error, "%s = %s lies outside %s", param->name, text, str_text(&range));
    str_clear(&range);
    return STATUS_ERROR;
}

Status param_parse(const Param *param, const char *text, ParamValue *out, Error *error)
{
    *out = param_default(param);
    if (param->kind == PARAM_CHOICE)
        return parse_choice(param, text, out, error);
    double x;
    if (number_read(text, strlen(text), &x) != NUMBER_OK || !isfinite(x))
        return error_set(error, "%s = %s: it is a number", param->name, text);
    if (param->kind == PARAM_INTEGER && (x != floor(x) || fabs(x) > MAX_INTEGER))
        return error_set(error, "%s = %s: it is an integer", param->name, text);
    if ((param->has_low && x < param->low) || (param->has_high && x > param->high))
        return refuse_range(param, text, error);
    out->number = x;
    return STATUS_OK;
}

void param_add_text(Str *out, const ParamValue *value)
{
    if (value->param->kind == PARAM_CHOICE)
        str_add(out, value->param->choices[value->choice].text);
    else
        number_add(out, value->number);
}

Value *param_make(const ParamValue *value)
{
    const Param *param = value->param;
    const Choice *choice = param->kind == PARAM_CHOICE ? &param->choices[value->choice] : NULL;
    Value *v = choice && choice->is_function
                   ? value_function_op(op_find(choice->text))
                   : value_scalar(choice ? choice->number : value->number);
    if (param->kind == PARAM_INTEGER)
        v->number = poly_name(param->name);
    value_set_origin(v, op_get(OP_PARAMETER), NULL, NULL, NULL, 0);
    v->origin->note = memory_copy_text(param->name);
    return v;
}
