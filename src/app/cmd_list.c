/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: what there is to open. */
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "base/text.h"
#include "io/json.h"
#include "io/number.h"
#include "lesson/find.h"
#include "lesson/lesson.h"

enum { LINE_WIDTH = 80, INDENT = 4 };

/* ---- as text ---- */

static void add_default(Str *out, const Param *param)
{
    if (param->kind == PARAM_CHOICE)
        str_add(out, param->choices[param->choice].text);
    else
        number_add(out, param->number);
}

/* "1..64", "0..", "elu1 | relu" */
static void add_range(Str *out, const Param *param)
{
    if (param->kind == PARAM_CHOICE) {
        for (size_t i = 0; i < param->choice_count; i++)
            str_addf(out, "%s%s", i ? " | " : "", param->choices[i].text);
        return;
    }
    if (param->has_low)
        number_add(out, param->low);
    str_add(out, "..");
    if (param->has_high)
        number_add(out, param->high);
}

static void add_padded(Str *out, const char *text, size_t width)
{
    size_t took = text_width(text, strlen(text));
    text_add_visible(out, text, strlen(text));
    str_add_repeat(out, ' ', took < width ? width - took : 0);
}

static void add_wrapped(Str *out, const char *text)
{
    Str visible = {0};
    str_add_repeat(&visible, ' ', INDENT);
    text_add_visible(&visible, text, strlen(text));
    text_add_wrapped(out, str_text(&visible), LINE_WIDTH, INDENT);
    str_add_char(out, '\n');
    str_clear(&visible);
}

static void add_param_text(Str *out, const Param *param)
{
    Str number = {0}, range = {0}, line = {0};
    add_default(&number, param);
    add_range(&range, param);
    add_padded(&line, param->name, 8);
    str_add(&line, "= ");
    add_padded(&line, str_text(&number), 8);
    add_padded(&line, str_text(&range), 12);
    str_add(&line, "  ");
    str_add(&line, param->help);
    add_wrapped(out, str_text(&line));
    str_clear(&number);
    str_clear(&range);
    str_clear(&line);
}

static void add_lesson_text(Str *out, const Lesson *lesson)
{
    Str steps = {0};
    add_padded(out, lesson->id, 0);
    str_add(out, ": ");
    add_padded(out, lesson->title, 0);
    str_add_char(out, '\n');
    add_wrapped(out, lesson->about);
    str_addf(&steps, "%zu step%s:", lesson->step_count, lesson->step_count == 1 ? "" : "s");
    for (size_t i = 0; i < lesson->step_count; i++)
        str_addf(&steps, " %s", lesson->steps[i].id);
    add_wrapped(out, str_text(&steps));
    for (size_t i = 0; i < lesson->param_count; i++)
        add_param_text(out, &lesson->params[i]);
    str_clear(&steps);
}

/* ---- as JSON ---- */

static void add_member(Json *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text)
        json_text(json, text);
    else
        json_null(json);
}

static void add_end(Json *json, const char *key, bool has, double x)
{
    json_key(json, key);
    if (has)
        json_number(json, x);
    else
        json_null(json);
}

static void add_param_json(Json *json, const Param *param)
{
    static const char *const kinds[] = {
        [PARAM_INTEGER] = "integer", [PARAM_REAL] = "real", [PARAM_CHOICE] = "choice"};
    json_open_object(json);
    add_member(json, "name", param->name);
    add_member(json, "kind", kinds[param->kind]);
    json_key(json, "default");
    if (param->kind == PARAM_CHOICE)
        json_text(json, param->choices[param->choice].text);
    else
        json_number(json, param->number);
    if (param->kind == PARAM_CHOICE) {
        json_key(json, "choices");
        json_open_array(json);
        for (size_t i = 0; i < param->choice_count; i++)
            json_text(json, param->choices[i].text);
        json_close_array(json);
    } else {
        add_end(json, "low", param->has_low, param->low);
        add_end(json, "high", param->has_high, param->high);
    }
    add_member(json, "help", param->help);
    json_close_object(json);
}

static void add_lesson_json(Json *json, const Lesson *lesson)
{
    json_open_object(json);
    add_member(json, "id", lesson->id);
    add_member(json, "title", lesson->title);
    add_member(json, "about", lesson->about);
    add_member(json, "requires", lesson->requires);
    json_key(json, "steps");
    json_open_array(json);
    for (size_t i = 0; i < lesson->step_count; i++) {
        json_open_object(json);
        add_member(json, "id", lesson->steps[i].id);
        add_member(json, "title", lesson->steps[i].title);
        json_close_object(json);
    }
    json_close_array(json);
    json_key(json, "parameters");
    json_open_array(json);
    for (size_t i = 0; i < lesson->param_count; i++)
        add_param_json(json, &lesson->params[i]);
    json_close_array(json);
    json_close_object(json);
}

/* ---- as places ---- */

/* Parameters are settings at their defaults; one of choices is every choice. */
static void add_lesson_places(Str *out, const Lesson *lesson)
{
    str_addf(out, "%s\n", lesson->id);
    for (size_t i = 0; i < lesson->step_count; i++)
        str_addf(out, "%s:%s\n", lesson->id, lesson->steps[i].id);
    for (size_t i = 0; i < lesson->param_count; i++) {
        const Param *param = &lesson->params[i];
        bool choice = param->kind == PARAM_CHOICE;
        for (size_t k = 0; k < (choice ? param->choice_count : 1); k++) {
            str_addf(out, "%s?%s=", lesson->id, param->name);
            if (choice)
                str_add(out, param->choices[k].text);
            else
                number_add(out, param->number);
            str_add_char(out, '\n');
        }
    }
}

/* ---- the command ---- */

typedef enum { AS_TEXT, AS_JSON, AS_PLACES } Form;

/* Appends every lesson; one that cannot be read is said and left out. */
static int add_all(const IdList *list, Form form, Str *out)
{
    int code = EXIT_OK;
    Json json = json_begin(out);
    if (form == AS_JSON)
        json_open_array(&json);
    for (size_t i = 0; i < list->count; i++) {
        Lesson *lesson = NULL;
        Error error = {0};
        if (lesson_load(list->items[i], &lesson, &error)) {
            code = output_error(&error);
            continue;
        }
        if (form == AS_JSON)
            add_lesson_json(&json, lesson);
        else if (form == AS_PLACES)
            add_lesson_places(out, lesson);
        else
            add_lesson_text(out, lesson);
        lesson_free(lesson);
    }
    if (form == AS_JSON) {
        json_close_array(&json);
        str_add_char(out, '\n');
    }
    return code;
}

int command_list(const Options *options)
{
    IdList list = {0};
    Error error = {0};
    if (find_lessons(&list, &error))
        return output_error(&error);
    Str out = {0};
    Form form = options_has(options, OPTION_JSON)     ? AS_JSON
                : options_has(options, OPTION_PLACES) ? AS_PLACES
                                                      : AS_TEXT;
    int code = add_all(&list, form, &out);
    if (output_data(&out) != EXIT_OK)
        code = EXIT_INPUT;
    str_clear(&out);
    id_list_clear(&list);
    return code;
}
