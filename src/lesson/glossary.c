/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const screens[] = {"symbols", "words", "letters", "shapes", "names"};

static bool is_stressed(const Run *run)
{
    return run->kind == RUN_TEXT && (run->emphasis || run->strong);
}

/* A place in the runs of an item: a byte of the text of a run. */
typedef struct {
    size_t run, byte;
} Spot;

static bool spot_before(Spot a, Spot b)
{
    return a.run < b.run || (a.run == b.run && a.byte < b.byte);
}

/* ---- finding colons and the ends of parts ---- */

/* The bytes of the mark at text that is one of marks (each ended by a blank or the end of
 * text if it is ASCII); 0 if there is none. */
static size_t mark_length(const char *text, const char *const *marks)
{
    for (; *marks; marks++) {
        size_t length = strlen(*marks);
        if (strncmp(text, *marks, length) == 0 &&
            (length > 1 || text[1] == ' ' || !text[1]))
            return length;
    }
    return 0;
}

static const char *const colons[] = {":", "\xEF\xBC\x9A", NULL};
static const char *const stops[] = {".", ";", "\xEF\xBC\x9B", "\xE3\x80\x82", NULL};

/* Follows the parentheses in plain text. */
static void count_parentheses(char c, size_t *depth)
{
    if (c == '(')
        ++*depth;
    else if (c == ')' && *depth)
        --*depth;
}

/* True if a formula, code or stressed words follow what is left of run i at text, which is
 * nothing but blanks. */
static bool begins_part(const Runs *runs, size_t i, const char *text)
{
    if (text[strspn(text, " ")] || i + 1 == runs->count)
        return false;
    const Run *next = &runs->items[i + 1];
    return next->kind == RUN_MATH || next->kind == RUN_CODE || is_stressed(next);
}

/* Where the part that begins at from ends (behind its full stop or semicolon, or at the end
 * of runs).  *colon is where its colon stands, *after where the definition begins; *has is
 * false if there is no colon before the first full stop or semicolon. */
static Spot find_end(const Runs *runs, Spot from, Spot *colon, Spot *after, bool *has)
{
    size_t depth = 0;
    bool ended = false; /* a sentence without a colon */
    *has = false;
    for (Spot at = from; at.run < runs->count; at = (Spot){at.run + 1, 0}) {
        const Run *run = &runs->items[at.run];
        if (run->kind != RUN_TEXT || is_stressed(run))
            continue;
        for (; run->text[at.byte]; at.byte++) {
            const char *text = run->text + at.byte;
            size_t length = mark_length(text, stops);
            count_parentheses(*text, &depth);
            if (depth)
                continue;
            if (length && begins_part(runs, at.run, text + length))
                return (Spot){at.run, at.byte + length};
            ended = ended || length;
            length = mark_length(text, colons);
            if (length && !*has && !ended) {
                *has = true;
                *colon = at;
                *after = (Spot){at.run, at.byte + length};
            }
        }
    }
    return (Spot){runs->count, 0};
}

/* ---- copying ---- */

/* The bytes of run i between two spots. */
static char *slice(const Run *run, size_t i, Spot from, Spot to)
{
    size_t start = i == from.run ? from.byte : 0;
    size_t end = i == to.run ? to.byte : strlen(run->text);
    return memory_copy_slice(run->text + start, end - start);
}

static void add_copy(Runs *out, const Run *run, char *text)
{
    MEMORY_GROW(out->items, out->count, out->room);
    Run copy = {.kind = run->kind, .emphasis = run->emphasis, .strong = run->strong, .text = text};
    copy.span = run->span;
    copy.precision = -1;
    out->items[out->count++] = copy;
}

static void drop_blanks_in_front(Runs *runs)
{
    if (runs->count && runs->items[0].kind == RUN_TEXT) {
        char *text = runs->items[0].text;
        size_t blanks = strspn(text, " ");
        memmove(text, text + blanks, strlen(text + blanks) + 1);
    }
}

/* Without the stop (and blanks) that stood behind a part. */
static void drop_stop_behind(Runs *runs)
{
    if (!runs->count || runs->items[runs->count - 1].kind != RUN_TEXT)
        return;
    char *text = runs->items[runs->count - 1].text;
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; stops[i]; i++) {
        size_t stop = strlen(stops[i]);
        if (length >= stop && memcmp(text + length - stop, stops[i], stop) == 0) {
            length -= stop;
            break;
        }
    }
    text[length] = '\0';
}

static void copy_runs(const Runs *runs, Spot from, Spot to, Runs *out)
{
    for (size_t i = from.run; i < runs->count && spot_before((Spot){i, 0}, to); i++) {
        char *text = slice(&runs->items[i], i, from, to);
        if (*text || runs->items[i].kind == RUN_BREAK)
            add_copy(out, &runs->items[i], text);
        else
            free(text);
    }
}

/* ---- names ---- */

static void add_name(GlossaryEntry *entry, const char *text, size_t length, bool symbol,
                     bool in_term)
{
    while (length && strchr(" ,", *text))
        text++, length--;
    while (length && strchr(" ,", text[length - 1]))
        length--;
    if (!length)
        return;
    MEMORY_GROW(entry->names, entry->name_count, entry->name_room);
    entry->names[entry->name_count++] =
        (GlossaryName){memory_copy_slice(text, length), symbol, in_term};
}

/* The names in a formula: its parts between commas, each up to its first =. */
static void add_formula_names(GlossaryEntry *entry, const char *tex)
{
    size_t start = 0, end = 0, depth = 0, at = 0;
    bool equal = false;
    for (;; at++) {
        char c = tex[at];
        depth += c == '(' || c == '{' || c == '[';
        depth -= depth && (c == ')' || c == '}' || c == ']');
        if (!c || (c == ',' && !depth)) {
            add_name(entry, tex + start, (equal ? end : at) - start, true, true);
            if (!c)
                return;
            start = at + 1;
            equal = false;
        } else if (c == '=' && !depth && !equal) {
            equal = true;
            end = at;
        } else if (c == '\\' && tex[at + 1]) {
            at++; /* "\," is a blank, no comma */
        }
    }
}

static void add_names(GlossaryEntry *entry)
{
    size_t depth = 0;
    for (size_t i = 0; i < entry->term.count; i++) {
        const Run *run = &entry->term.items[i];
        if (is_stressed(run))
            add_name(entry, run->text, strlen(run->text), false, true);
        else if (run->kind == RUN_CODE)
            add_name(entry, run->text, strlen(run->text), true, true);
        else if (run->kind == RUN_MATH && !depth)
            add_formula_names(entry, run->text);
        else if (run->kind == RUN_TEXT)
            for (const char *c = run->text; *c; c++)
                count_parentheses(*c, &depth);
    }
    for (size_t i = 0; i < entry->definition.count; i++) {
        const Run *run = &entry->definition.items[i];
        if (is_stressed(run))
            add_name(entry, run->text, strlen(run->text), false, false);
    }
}

/* ---- entries ---- */

static bool has_value(const Runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].kind == RUN_VALUE)
            return true;
    return false;
}

static void add_item(Glossary *glossary, const Lesson *lesson, const Step *step, const Runs *runs)
{
    size_t first = glossary->count;
    if (has_value(runs))
        return;
    for (Spot at = {0, 0}, end; at.run < runs->count; at = end) {
        Spot colon, after;
        bool has;
        end = find_end(runs, at, &colon, &after, &has);
        if (has) {
            MEMORY_GROW(glossary->items, glossary->count, glossary->room);
            GlossaryEntry *entry = &glossary->items[glossary->count++];
            *entry = (GlossaryEntry){.lesson = memory_copy_text(lesson->id),
                                     .step = memory_copy_text(step->id)};
            copy_runs(runs, at, colon, &entry->term);
            copy_runs(runs, after, end, &entry->definition);
        } else if (glossary->count > first) {
            copy_runs(runs, at, end, &glossary->items[glossary->count - 1].definition);
        }
    }
    for (size_t i = first; i < glossary->count; i++) {
        GlossaryEntry *entry = &glossary->items[i];
        drop_blanks_in_front(&entry->term);
        drop_blanks_in_front(&entry->definition);
        drop_stop_behind(&entry->definition);
        add_names(entry);
    }
}

static bool is_screen(const Step *step)
{
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        if (text_equal(step->id, screens[i]))
            return true;
    return false;
}

void glossary_add(Glossary *glossary, const Lesson *lesson)
{
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Step *step = &lesson->steps[i];
        for (size_t j = 0; is_screen(step) && j < step->count; j++) {
            const Block *block = &step->blocks[j];
            for (size_t k = 0; block->kind == BLOCK_PROSE && k < block->prose.count; k++) {
                const Paragraph *paragraph = &block->prose.items[k];
                if (paragraph->kind == PARAGRAPH_ITEM && paragraph->first)
                    add_item(glossary, lesson, step, &paragraph->runs);
            }
        }
    }
}

void glossary_clear(Glossary *glossary)
{
    for (size_t i = 0; i < glossary->count; i++) {
        GlossaryEntry *entry = &glossary->items[i];
        free(entry->lesson);
        free(entry->step);
        runs_clear(&entry->term);
        runs_clear(&entry->definition);
        for (size_t j = 0; j < entry->name_count; j++)
            free(entry->names[j].text);
        free(entry->names);
    }
    free(glossary->items);
    *glossary = (Glossary){0};
}

/* ---- looking up ---- */

/* text in the form that is compared: see glossary_entry_is. */
static void add_plain(Str *out, const char *text, bool symbol)
{
    for (; *text; text++) {
        if (symbol && strchr("\\{}$", *text))
            continue;
        str_add_char(out, symbol ? *text : (char)tolower((unsigned char)*text));
    }
    if (!symbol && out->length > 1 && out->data[out->length - 1] == 's')
        str_cut(out, out->length - 1);
}

static bool is_name(const GlossaryName *name, const char *text)
{
    Str have = {0}, want = {0};
    add_plain(&have, name->text, name->symbol);
    add_plain(&want, text, name->symbol);
    bool same = have.length && text_equal(str_text(&have), str_text(&want));
    if (name->symbol && !same && have.length) {
        str_cut(&have, strcspn(str_text(&have), "(_^'"));
        same = have.length && text_equal(str_text(&have), str_text(&want));
    }
    str_clear(&have);
    str_clear(&want);
    return same;
}

bool glossary_entry_is(const GlossaryEntry *entry, const char *text)
{
    for (size_t i = 0; i < entry->name_count; i++)
        if (is_name(&entry->names[i], text))
            return true;
    return false;
}
