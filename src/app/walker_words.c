/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_words: the symbols and terms met so far, to be looked up without losing one's
 * place. */
#include <stdlib.h>
#include <string.h>

#include "app/walker_state.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/glossary.h"
#include "page/tex.h"

/* Appends runs as one line. */
static void add_runs(Str *out, const Runs *runs, bool ascii)
{
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (run->kind == RUN_MATH)
            tex_add_source(out, run->text, strlen(run->text), ascii ? TEX_ASCII : TEX_UNICODE);
        else
            str_add(out, run->kind == RUN_BREAK ? " " : run->text);
    }
}

/* The first line of the definition beside the term, the others below it. */
static void add_entry(Walker *w, const GlossaryEntry *entry, size_t target, size_t width)
{
    Str term = {0}, definition = {0}, wrapped = {0};
    add_runs(&term, &entry->term, w->options.ascii);
    add_runs(&definition, &entry->definition, w->options.ascii);
    text_add_wrapped(&wrapped, str_text(&definition), width, 0);
    const char *left = str_text(&term);
    for (const char *at = str_text(&wrapped); at;) {
        const char *end = strchr(at, '\n');
        char *line = end ? memory_copy_slice(at, (size_t)(end - at)) : memory_copy_text(at);
        list_add(&w->list, left, line, NULL, *left == '\0', target);
        free(line);
        left = "";
        at = end ? end + 1 : NULL;
    }
    str_clear(&term);
    str_clear(&definition);
    str_clear(&wrapped);
}

/* The lessons up to the one that is read, in the order of the course, and that one as it
 * is now. */
static void gather(Walker *w, Glossary *glossary)
{
    const Lesson *lesson = w->session.lesson;
    for (size_t i = 0; i < w->menu_count && !text_equal(w->menu[i].id, lesson->id); i++)
        if (w->menu[i].lesson)
            glossary_add(glossary, w->menu[i].lesson);
    glossary_add(glossary, lesson);
}

static void free_places(Walker *w)
{
    for (size_t i = 0; i < w->word_count; i++)
        free(w->word_places[i]);
    free(w->word_places);
    w->word_places = NULL;
    w->word_count = 0;
}

void walker_fill_words(Walker *w)
{
    Glossary glossary = {0};
    int cols = w->size.cols / 2 - 1; /* the terms take at most the other half */
    size_t here = (size_t)-1;
    walker_load_menu(w);
    gather(w, &glossary);
    free_places(w);
    w->word_places = memory_zeros(glossary.count, sizeof *w->word_places);
    for (size_t i = 0; i < glossary.count; i++) {
        const GlossaryEntry *entry = &glossary.items[i];
        Str place = {0};
        str_addf(&place, "%s:%s", entry->lesson, entry->step);
        w->word_places[w->word_count++] = str_take(&place);
        if (i == 0 || !text_equal(entry->lesson, glossary.items[i - 1].lesson)) {
            if (i > 0)
                list_add(&w->list, "", NULL, NULL, true, 0);
            list_add(&w->list, entry->lesson, NULL, NULL, true, 0);
        }
        if (here == (size_t)-1 && text_equal(entry->lesson, w->session.lesson->id))
            here = w->list.count;
        add_entry(w, entry, i, (size_t)(cols > 1 ? cols : 1));
    }
    if (here != (size_t)-1)
        list_to(&w->list, here);
    glossary_clear(&glossary);
}

void walker_open_word(Walker *w, size_t word)
{
    Error error = {0};
    Place place = {0};
    const char *text = w->word_places[word];
    const char *step = strchr(text, ':') + 1;
    size_t length = (size_t)(step - 1 - text), index;
    bool same = strlen(w->session.lesson->id) == length &&
                memcmp(w->session.lesson->id, text, length) == 0;
    if (same && lesson_find_step(w->session.lesson, step, &index)) {
        walker_to_step(w, index);
        return;
    }
    if (place_parse(text, &place, &error) || walker_open(w, &place, &error))
        walker_complain(w, &error);
    place_clear(&place);
}

void walker_free_words(Walker *w)
{
    free_places(w);
}
