/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glossary: the symbols and terms of the lessons, in the order of the course. */
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "base/text.h"
#include "io/json.h"
#include "lesson/find.h"
#include "lesson/glossary.h"
#include "page/grid.h"
#include "page/tex.h"

enum { LINE_WIDTH = 80, INDENT = 2, HANGING = 6 };

static void add_clean(Str *out, const char *text, bool ascii)
{
    if (ascii)
        grid_add_ascii(out, text, strlen(text));
    else
        text_add_visible(out, text, strlen(text));
}

static void add_tex(Str *out, const char *tex, bool ascii)
{
    tex_add_source(out, tex, strlen(tex), ascii ? TEX_ASCII : TEX_UNICODE);
}

/* Appends runs as one line. */
static void add_runs(Str *out, const Runs *runs, bool ascii)
{
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (run->kind == RUN_MATH)
            add_tex(out, run->text, ascii);
        else
            add_clean(out, run->kind == RUN_BREAK ? " " : run->text, ascii);
    }
}

/* True if text names the entry, also in Greek letters or as its formula is shown. */
static bool is_meant(const GlossaryEntry *entry, const char *text)
{
    if (glossary_entry_is(entry, text))
        return true;
    bool same = false;
    for (size_t i = 0; i < entry->name_count && !same; i++) {
        Str shown = {0};
        if (entry->names[i].symbol) {
            add_tex(&shown, entry->names[i].text, false);
            same = text_equal(str_text(&shown), text);
        }
        str_clear(&shown);
    }
    return same;
}

/* ---- as text ---- */

static void add_entry_text(Str *out, const GlossaryEntry *entry, bool ascii)
{
    Str line = {0};
    str_add_repeat(&line, ' ', INDENT);
    add_runs(&line, &entry->term, ascii);
    str_add(&line, ": ");
    add_runs(&line, &entry->definition, ascii);
    text_add_wrapped(out, str_text(&line), LINE_WIDTH, HANGING);
    str_add_char(out, '\n');
    str_clear(&line);
}

/* Appends the entries that term names (all if it is NULL) under their places. */
static void add_text(Str *out, const Glossary *glossary, const char *term, bool ascii)
{
    const GlossaryEntry *last = NULL;
    for (size_t i = 0; i < glossary->count; i++) {
        const GlossaryEntry *entry = &glossary->items[i];
        if (term && !is_meant(entry, term))
            continue;
        if (!last || !text_equal(last->lesson, entry->lesson) ||
            !text_equal(last->step, entry->step))
            str_addf(out, "%s%s:%s\n", last ? "\n" : "", entry->lesson, entry->step);
        add_entry_text(out, entry, ascii);
        last = entry;
    }
}

/* ---- as JSON ---- */

static void add_member(Json *json, const char *key, const Runs *runs)
{
    Str text = {0};
    add_runs(&text, runs, false);
    json_key(json, key);
    json_text(json, str_text(&text));
    str_clear(&text);
}

static void add_entry_json(Json *json, const GlossaryEntry *entry)
{
    json_open_object(json);
    json_key(json, "lesson");
    json_text(json, entry->lesson);
    json_key(json, "step");
    json_text(json, entry->step);
    add_member(json, "term", &entry->term);
    json_key(json, "names");
    json_open_array(json);
    for (size_t i = 0; i < entry->name_count; i++)
        json_text(json, entry->names[i].text);
    json_close_array(json);
    add_member(json, "definition", &entry->definition);
    json_close_object(json);
}

static void add_json(Str *out, const Glossary *glossary, const char *term)
{
    Json json = json_begin(out);
    json_open_array(&json);
    for (size_t i = 0; i < glossary->count; i++)
        if (!term || is_meant(&glossary->items[i], term))
            add_entry_json(&json, &glossary->items[i]);
    json_close_array(&json);
    str_add_char(out, '\n');
}

/* ---- the command ---- */

/* Adds what every lesson defines; one that cannot be read is said and left out. */
static int add_lessons(Glossary *glossary)
{
    IdList list = {0};
    Error error = {0};
    if (find_lessons(&list, &error))
        return output_error(&error);
    int code = EXIT_OK;
    for (size_t i = 0; i < list.count; i++) {
        Lesson *lesson = NULL;
        if (lesson_load(list.items[i], &lesson, &error)) {
            code = output_error(&error);
            continue;
        }
        glossary_add(glossary, lesson);
        lesson_free(lesson);
    }
    id_list_clear(&list);
    return code;
}

static bool has_term(const Glossary *glossary, const char *term)
{
    for (size_t i = 0; i < glossary->count; i++)
        if (is_meant(&glossary->items[i], term))
            return true;
    return false;
}

int command_glossary(const Options *options)
{
    const char *term = options->argument_count ? options->arguments[0] : NULL;
    Glossary glossary = {0};
    Str out = {0};
    int code = add_lessons(&glossary);
    if (term && !has_term(&glossary, term)) {
        output_say("no lesson defines '%s'; 'attnwalk glossary' lists what they define", term);
        code = EXIT_INPUT;
    } else {
        if (options_has(options, OPTION_JSON))
            add_json(&out, &glossary, term);
        else
            add_text(&out, &glossary, term, output_is_ascii(options_has(options, OPTION_ASCII)));
        if (output_data(&out) != EXIT_OK)
            code = EXIT_INPUT;
    }
    str_clear(&out);
    glossary_clear(&glossary);
    return code;
}
