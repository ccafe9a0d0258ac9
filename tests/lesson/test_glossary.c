/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The glossary: what is read off a lesson, and that nothing is used before it is there. */
#include "lesson/course.h"

#include <ctype.h>

#include "lesson/glossary.h"

static Course course;
static Glossary glossary;

static int set_up(void **state)
{
    (void)state;
    course_load(&course);
    for (size_t i = 0; i < course.ids.count; i++)
        glossary_add(&glossary, course.lessons[i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    glossary_clear(&glossary);
    course_clear(&course);
    return 0;
}

/* ---- cases ---- */

static void add_entry(Str *out, const GlossaryEntry *entry)
{
    str_addf(out, "%s: ", entry->step);
    runs_add_source(out, &entry->term);
    str_add(out, " := ");
    runs_add_source(out, &entry->definition);
    str_add(out, " {");
    for (size_t i = 0; i < entry->name_count; i++) {
        const GlossaryName *name = &entry->names[i];
        const char *between = i ? ", " : "";
        if (name->symbol)
            str_addf(out, "%s<%s>", between, name->text);
        else if (name->in_term)
            str_addf(out, "%s%s", between, name->text);
        else
            str_addf(out, "%s(%s)", between, name->text);
    }
    str_add(out, "}\n");
}

static void test_cases(void **state)
{
    (void)state;
    CaseList list = {0};
    int wrong = 0;
    cases_read(TEST_DATA "/lessons/glossary.txt", &list);
    for (size_t i = 0; i < list.count; i++) {
        const Case *c = &list.items[i];
        Lesson *lesson = NULL;
        Error error = {0};
        Glossary own = {0};
        Str got = {0};
        if (lesson_parse("x.md", str_text(&c->input), c->input.length, &lesson, &error))
            fail_msg("%s: %s", c->name, error.message);
        glossary_add(&own, lesson);
        lesson_free(lesson); /* the glossary holds copies */
        for (size_t j = 0; j < own.count; j++)
            add_entry(&got, &own.items[j]);
        wrong += cases_compare(c, &got);
        glossary_clear(&own);
        str_clear(&got);
    }
    cases_clear(&list);
    assert_int_equal(wrong, 0);
}

/* ---- looking up ---- */

/* The step of the first entry that text names, or "". */
static const char *look_up(const char *text, const char **lesson)
{
    for (size_t i = 0; i < glossary.count; i++)
        if (glossary_entry_is(&glossary.items[i], text)) {
            *lesson = glossary.items[i].lesson;
            return glossary.items[i].step;
        }
    *lesson = "";
    return "";
}

static void test_looking_up(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lesson, *step;
    } cases[] = {
        {"n", "shapes", "symbols"},        {"Q", "shapes", "symbols"},
        {"dot product", "shapes", "words"}, {"Dot Product", "shapes", "words"},
        {"token", "shapes", "symbols"},    {"tokens", "shapes", "symbols"},
        {"S", "shapes", "letters"},        {"phi", "kernels", "shapes"},
        {"\\phi", "kernels", "shapes"},    {"kappa", "kernels", "shapes"},
        {"kappa(q,k)", "kernels", "shapes"}, {"beta", "delta", "symbols"},
        {"hat v", "delta", "symbols"},     {"S_t", "brackets", "names"},
        {"Sd", "decay", "symbols"},        {"half-life", "decay", "words"},
        {"unit", "shapes", "words"},       {"", "", ""},
        {"xyzzy", "", ""},                 {"dot", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *lesson, *step = look_up(cases[i].text, &lesson);
        if (!text_equal(lesson, cases[i].lesson) || !text_equal(step, cases[i].step))
            fail_msg("'%s' is in %s:%s", cases[i].text, lesson, step);
    }
}

/* Every lesson's first screens are in a form that the glossary can read. */
static void test_every_lesson_defines(void **state)
{
    (void)state;
    for (size_t i = 0; i < course.ids.count; i++) {
        size_t count = 0;
        for (size_t j = 0; j < glossary.count; j++)
            count += text_equal(glossary.items[j].lesson, course.ids.items[i]);
        if (count < 5)
            fail_msg("%s defines only %zu symbols and terms", course.ids.items[i], count);
    }
    for (size_t j = 0; j < glossary.count; j++) {
        const GlossaryEntry *entry = &glossary.items[j];
        Str term = {0};
        runs_add_source(&term, &entry->term);
        if (!entry->name_count || !entry->definition.count)
            fail_msg("%s:%s: %s", entry->lesson, entry->step, str_text(&term));
        str_clear(&term);
    }
}

/* ---- lists with reasons ---- */

/* A table lesson,text,reason of what is allowed; every row must be used. */
typedef struct {
    CsvTable table;
    bool *used;
} Allowed;

static void allowed_read(Allowed *allowed, const char *name, const char *header)
{
    course_read_table(name, header, &allowed->table);
    allowed->used = memory_zeros(allowed->table.count, sizeof *allowed->used);
}

static bool allowed_has(Allowed *allowed, const char *lesson, const char *text)
{
    for (size_t i = 0; i < allowed->table.count; i++) {
        char **row = allowed->table.rows[i];
        if ((text_equal(row[0], lesson) || text_equal(row[0], "*")) && text_equal(row[1], text)) {
            allowed->used[i] = true;
            return true;
        }
    }
    return false;
}

/* The rows that are not used, or give no reason. */
static size_t allowed_end(Allowed *allowed)
{
    size_t wrong = 0;
    for (size_t i = 0; i < allowed->table.count; i++) {
        char **row = allowed->table.rows[i];
        assert_int_equal(allowed->table.counts[i], 3);
        if (allowed->used[i] && strlen(row[2]) > 9)
            continue;
        print_error("%s,%s: allowed without need or reason\n", row[0], row[1]);
        wrong++;
    }
    csv_table_clear(&allowed->table);
    free(allowed->used);
    return wrong;
}

/* ---- symbols ---- */

typedef void Visit(void *context, const char *text, size_t length);

static bool is_greek(const char *name, size_t length)
{
    static const char *const letters[] = {"alpha", "beta",  "gamma", "delta",   "epsilon", "eta",
                                          "theta", "kappa", "lambda", "mu",     "nu",      "xi",
                                          "rho",   "sigma", "tau",   "phi",     "varphi",  "psi",
                                          "omega", "Delta", "Gamma", "Lambda",  "Phi",     "Omega"};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strlen(letters[i]) == length && memcmp(letters[i], name, length) == 0)
            return true;
    return false;
}

/* True if the argument of the command is words, not symbols. */
static bool takes_words(const char *name, size_t length)
{
    static const char *const commands[] = {"operatorname", "text", "mathrm", "begin", "end"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i]) == length && memcmp(commands[i], name, length) == 0)
            return true;
    return false;
}

/* Calls visit with every Latin letter and every name of a Greek one in a formula. */
static void visit_symbols(const char *tex, Visit *visit, void *context)
{
    while (*tex) {
        if (*tex == '\\') {
            size_t length = 0;
            tex++;
            while (isalpha((unsigned char)tex[length]))
                length++;
            if (is_greek(tex, length))
                visit(context, tex, length);
            bool words = takes_words(tex, length);
            tex += length ? length : *tex != '\0';
            if (words && *tex == '{')
                tex += strcspn(tex, "}");
        } else {
            if (isalpha((unsigned char)*tex))
                visit(context, tex, 1);
            tex++;
        }
    }
}

static void visit_runs(const Runs *runs, Visit *visit, void *context)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].kind == RUN_MATH)
            visit_symbols(runs->items[i].text, visit, context);
}

static void visit_block(const Block *block, Visit *visit, void *context)
{
    for (size_t i = 0; block->kind == BLOCK_PROSE && i < block->prose.count; i++)
        visit_runs(&block->prose.items[i].runs, visit, context);
    if (block->kind == BLOCK_MATH)
        visit_symbols(block->tex, visit, context);
    for (size_t i = 0; block->kind == BLOCK_CHECK && i < block->check_count; i++)
        visit_runs(&block->checks[i].sentence, visit, context);
    for (size_t i = 0; block->kind == BLOCK_QUESTION && i < block->question.count; i++) {
        visit_runs(&block->question.answers[i].text, visit, context);
        visit_runs(&block->question.answers[i].feedback, visit, context);
    }
}

static bool is_screen(const Step *step)
{
    static const char *const ids[] = {"symbols", "words", "letters", "shapes", "names"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (text_equal(step->id, ids[i]))
            return true;
    return false;
}

/* The symbols met so far on the screens of the course. */
typedef struct {
    IdList known;
    Allowed allowed;
    const char *lesson, *step;
    size_t wrong;
} Symbols;

static void learn(void *context, const char *text, size_t length)
{
    Symbols *symbols = context;
    char *name = memory_copy_slice(text, length);
    if (id_list_find(&symbols->known, name) < symbols->known.count) {
        free(name);
        return;
    }
    MEMORY_GROW(symbols->known.items, symbols->known.count, symbols->known.room);
    symbols->known.items[symbols->known.count++] = name;
}

static void meet(void *context, const char *text, size_t length)
{
    Symbols *symbols = context;
    char *name = memory_copy_slice(text, length);
    if (id_list_find(&symbols->known, name) == symbols->known.count &&
        !allowed_has(&symbols->allowed, symbols->lesson, name)) {
        print_error("%s:%s: %s is on no screen of symbols up to here\n", symbols->lesson,
                    symbols->step, name);
        symbols->wrong++;
        learn(context, text, length); /* said once */
    }
    free(name);
}

/* Every symbol in a formula stands on a screen of symbols of its lesson or an earlier one. */
static void test_symbols(void **state)
{
    (void)state;
    Symbols symbols = {0};
    allowed_read(&symbols.allowed, "lessons/symbols.csv", "lesson,symbol,reason");
    for (size_t i = 0; i < course.ids.count; i++)
        for (int pass = 0; pass < 2; pass++)
            for (size_t j = 0; j < course.lessons[i]->step_count; j++) {
                const Step *step = &course.lessons[i]->steps[j];
                symbols.lesson = course.ids.items[i];
                symbols.step = step->id;
                for (size_t k = 0; k < step->count && (pass || is_screen(step)); k++)
                    visit_block(&step->blocks[k], pass ? meet : learn, &symbols);
            }
    id_list_clear(&symbols.known);
    size_t unused = allowed_end(&symbols.allowed);
    assert_int_equal(symbols.wrong + unused, 0);
}

/* ---- terms ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '-' || (unsigned char)c >= 0x80;
}

/* True if text holds term as words of their own, whatever their case. */
static bool has_term(const char *text, const char *term)
{
    size_t length = strlen(term);
    for (const char *at = text; *at; at++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)at[i]) == tolower((unsigned char)term[i]))
            i++;
        if (i == length && (at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    }
    return false;
}

/* The prose of the lesson, without notes, code and formulas. */
static void add_prose(Str *out, const Lesson *lesson)
{
    for (size_t i = 0; i < lesson->step_count; i++)
        for (size_t j = 0; j < lesson->steps[i].count; j++) {
            const Block *block = &lesson->steps[i].blocks[j];
            for (size_t k = 0; block->kind == BLOCK_PROSE && k < block->prose.count; k++) {
                const Runs *runs = &block->prose.items[k].runs;
                for (size_t r = 0; r < runs->count; r++)
                    str_add(out, runs->items[r].kind == RUN_TEXT ? runs->items[r].text : " ");
                str_add_char(out, '\n');
            }
        }
}

/* The first entry of the course that defines name before its colon. */
static size_t first_lesson_of(const char *name)
{
    for (size_t i = 0; i < glossary.count; i++)
        if (glossary_entry_is(&glossary.items[i], name))
            return id_list_find(&course.ids, glossary.items[i].lesson);
    return course.ids.count;
}

/* No lesson speaks of a term that only a later one defines; everyday words are listed. */
static void test_terms(void **state)
{
    (void)state;
    Allowed allowed;
    size_t wrong = 0;
    Str *prose = memory_zeros(course.ids.count, sizeof *prose);
    for (size_t i = 0; i < course.ids.count; i++)
        add_prose(&prose[i], course.lessons[i]);
    allowed_read(&allowed, "lessons/terms.csv", "lesson,term,reason");
    for (size_t i = 0; i < glossary.count; i++)
        for (size_t j = 0; j < glossary.items[i].name_count; j++) {
            const GlossaryName *name = &glossary.items[i].names[j];
            if (name->symbol || !name->in_term)
                continue;
            size_t first = first_lesson_of(name->text);
            for (size_t k = 0; k < first; k++)
                if (has_term(str_text(&prose[k]), name->text) &&
                    !allowed_has(&allowed, course.ids.items[k], name->text)) {
                    print_error("%s speaks of '%s', which %s defines\n", course.ids.items[k],
                                name->text, course.ids.items[first]);
                    wrong++;
                }
        }
    for (size_t i = 0; i < course.ids.count; i++)
        str_clear(&prose[i]);
    free(prose);
    wrong += allowed_end(&allowed);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),   cmocka_unit_test(test_looking_up),
        cmocka_unit_test(test_every_lesson_defines),
        cmocka_unit_test(test_symbols), cmocka_unit_test(test_terms),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
