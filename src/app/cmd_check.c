/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check: is a lesson whole, and is everything it says true? */
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/find.h"
#include "lesson/lesson.h"
#include "lesson/translation.h"
#include "lesson/verify.h"
#include "page/formula.h"

static void say_error(const Error *error)
{
    Str text = {0};
    if (!error->file)
        str_add(&text, "attnwalk: ");
    error_print(error, &text);
    output_talk(str_text(&text));
    str_clear(&text);
}

/* The checks of a lesson whose guard was false at one setting at least. */
typedef struct {
    const Check **items;
    size_t count, room;
} CheckSet;

static void note_skipped(void *context, const char *setting, const Step *step, const Check *check,
                         const CheckResult *result)
{
    CheckSet *skipped = context;
    (void)setting;
    (void)step;
    if (result->state != CHECK_SKIPPED)
        return;
    for (size_t i = 0; i < skipped->count; i++)
        if (skipped->items[i] == check)
            return;
    MEMORY_GROW(skipped->items, skipped->count, skipped->room);
    skipped->items[skipped->count++] = check;
}

static void failed(void *context, const char *setting, const Error *error)
{
    (void)context;
    (void)setting; /* the message ends with it */
    say_error(error);
}

static void formula_problem(void *context, const Error *error)
{
    (void)context;
    say_error(error);
}

static void say_remarks(const Lesson *lesson)
{
    for (size_t i = 0; i < lesson->remark_count; i++) {
        Error remark = {0};
        error_at(&remark, lesson->source, lesson->remarks[i].span, "remark: %s",
                 lesson->remarks[i].text);
        say_error(&remark);
        error_clear(&remark);
    }
}

/* "5 checks": count and the noun, with an s unless it is one. */
static void add_count(Str *out, const char *before, size_t count, const char *noun)
{
    str_addf(out, "%s%zu %s%s", before, count, noun, count == 1 ? "" : "s");
}

static void add_summary(Str *out, const Lesson *lesson, const VerifyCounts *counts, size_t skipped,
                        size_t column)
{
    text_add_visible(out, lesson->id, strlen(lesson->id));
    size_t width = text_width(lesson->id, strlen(lesson->id));
    str_add_repeat(out, ' ', width < column ? column - width : 0);
    add_count(out, "  ", counts->steps, "step");
    add_count(out, ", ", counts->checks, "check");
    if (skipped)
        str_addf(out, " (%zu skipped)", skipped);
    add_count(out, ", ", counts->predictions, "prediction");
    add_count(out, ", ", counts->questions, "question");
    add_count(out, ", ", counts->settings, "setting");
    str_add(out, ": ok\n");
}

/* A lesson of that name could never be opened by its id. */
static Status check_name(const Lesson *lesson, Error *error)
{
    if (!command_find(lesson->id))
        return STATUS_OK;
    return error_in_file(error, lesson->path, 0, 0,
                         "a lesson cannot be called '%s': that is a command", lesson->id);
}

static void translation_differs(void *context, const Error *error)
{
    size_t *count = context;
    ++*count;
    say_error(error);
}

/* Holds every translation beside the lesson against it (and leaves the lesson in the
 * words of the last one). */
static bool check_translations(Lesson *lesson)
{
    size_t differences = 0;
    const TranslationReport report = {.context = &differences, .differs = translation_differs};
    IdList languages = {0};
    Error error = {0};
    Status status = translation_list(lesson->path, &languages, &error);
    for (size_t i = 0; !status && i < languages.count; i++)
        status = translation_load(lesson, languages.items[i], &report, &error);
    id_list_clear(&languages);
    if (status)
        output_error(&error);
    return !status && differences == 0;
}

/* One lesson: a line on stdout if all is well, what is wrong on stderr otherwise. */
static int check_one(const char *id_or_path, size_t column)
{
    CheckSet skipped = {0};
    const FormulaReport formulas = {.problem = formula_problem};
    const VerifyReport report = {.context = &skipped, .failed = failed, .checked = note_skipped};
    Lesson *lesson = NULL;
    Error error = {0};
    if (lesson_load(id_or_path, &lesson, &error))
        return output_error(&error);
    int code = EXIT_INPUT;
    VerifyCounts counts = {0};
    say_remarks(lesson);
    bool good = !check_name(lesson, &error);
    if (!good)
        output_error(&error);
    good = formula_check_lesson(lesson, &formulas, NULL) == 0 && good;
    good = !lesson_verify(lesson, &report, &counts) && good;
    good = check_translations(lesson) && good;
    if (good) {
        Str line = {0};
        add_summary(&line, lesson, &counts, skipped.count, column);
        code = output_data(&line);
        str_clear(&line);
    }
    free(skipped.items);
    lesson_free(lesson);
    return code;
}

static int check_found(void)
{
    IdList list = {0};
    Error error = {0};
    if (find_lessons(&list, &error))
        return output_error(&error);
    size_t column = 0;
    int code = EXIT_OK;
    for (size_t i = 0; i < list.count; i++) {
        size_t width = text_width(list.items[i], strlen(list.items[i]));
        column = width > column ? width : column;
    }
    for (size_t i = 0; i < list.count; i++)
        if (check_one(list.items[i], column) != EXIT_OK)
            code = EXIT_INPUT;
    if (list.count == 0) {
        output_say("there are no lessons");
        code = EXIT_INPUT;
    }
    id_list_clear(&list);
    return code;
}

int command_check(const Options *options)
{
    if (options->argument_count == 0)
        return check_found();
    int code = EXIT_OK;
    for (size_t i = 0; i < options->argument_count; i++)
        if (check_one(options->arguments[i], 0) != EXIT_OK)
            code = EXIT_INPUT;
    return code;
}
