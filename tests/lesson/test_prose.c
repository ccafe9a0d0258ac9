/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prose of the lessons: short, and with no number that nothing computes.
 *
 * A digit in prose must stand in a code span, a formula, an inline value, or a quotation
 * (a claim of somebody else's).  Words with digits that are names or definitions stand in
 * tests/data/lessons/digits.csv, each with its reason. */
#include "lesson/course.h"

#include <ctype.h>

enum { MAX_WORDS = 60 };

static Course course;
static CsvTable allowed; /* place,word,reason */
static bool *used;       /* one for each row of allowed */

static int set_up(void **state)
{
    (void)state;
    course_load(&course);
    course_read_table("lessons/digits.csv", "place,word,reason", &allowed);
    used = memory_zeros(allowed.count, sizeof *used);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(used);
    csv_table_clear(&allowed);
    course_clear(&course);
    return 0;
}

/* ---- digits ---- */

static bool is_allowed(const char *place, const char *word)
{
    for (size_t i = 0; i < allowed.count; i++) {
        assert_int_equal(allowed.counts[i], 3);
        if ((text_equal(allowed.rows[i][0], place) || text_equal(allowed.rows[i][0], "*")) &&
            text_equal(allowed.rows[i][1], word)) {
            used[i] = true;
            return true;
        }
    }
    return false;
}

/* The bytes of the quotation mark at text, 0 if it is none; quotes are not nested. */
static size_t quote_length(const char *text)
{
    static const char *const marks[] = {"\"", "\xE2\x80\x9C", "\xE2\x80\x9D"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (text_starts(text, marks[i]))
            return strlen(marks[i]);
    return 0;
}

/* Calls found with every word of runs that has a digit outside quotations. */
static size_t find_digits(const Runs *runs, const char *place,
                          bool (*accept)(const char *place, const char *word))
{
    size_t wrong = 0;
    bool quoted = false;
    for (size_t i = 0; i < runs->count; i++) {
        const char *text = runs->items[i].text;
        if (runs->items[i].kind != RUN_TEXT)
            continue;
        while (*text) {
            size_t quote = quote_length(text), length = 0;
            bool digit = false;
            if (quote) {
                quoted = !quoted;
                text += quote;
                continue;
            }
            for (; text[length] && text[length] != ' ' && !quote_length(text + length); length++)
                digit = digit || isdigit((unsigned char)text[length]);
            if (digit && !quoted) {
                char *word = memory_copy_slice(text, length);
                size_t end = strlen(word);
                while (end && strchr(".,;:?!", word[end - 1]))
                    word[--end] = '\0';
                wrong += !accept(place, word);
                free(word);
            }
            text += length + (length == 0);
            text += strspn(text, " ");
        }
    }
    return wrong;
}

static bool accept_listed(const char *place, const char *word)
{
    bool listed = is_allowed(place, word);
    if (!listed)
        print_error("%s: '%s' is a number that nothing computes\n", place, word);
    return listed;
}

static size_t check_prediction(const Prediction *prediction, const char *place)
{
    size_t wrong = find_digits(&prediction->name, place, accept_listed);
    for (size_t i = 0; i < prediction->trap_count; i++)
        wrong += find_digits(&prediction->traps[i].diagnosis, place, accept_listed);
    return wrong;
}

static size_t check_block(const Block *block, const char *place)
{
    size_t wrong = 0;
    for (size_t i = 0; block->kind == BLOCK_PROSE && i < block->prose.count; i++)
        wrong += find_digits(&block->prose.items[i].runs, place, accept_listed);
    for (size_t i = 0; block->kind == BLOCK_CHECK && i < block->check_count; i++)
        wrong += find_digits(&block->checks[i].sentence, place, accept_listed);
    for (size_t i = 0; block->kind == BLOCK_QUESTION && i < block->question.count; i++) {
        wrong += find_digits(&block->question.answers[i].text, place, accept_listed);
        wrong += find_digits(&block->question.answers[i].feedback, place, accept_listed);
    }
    return wrong + (block->kind == BLOCK_PREDICT ? check_prediction(&block->prediction, place) : 0);
}

static void test_digits(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < course.ids.count; i++)
        for (size_t j = 0; j < course.lessons[i]->step_count; j++) {
            const Step *step = &course.lessons[i]->steps[j];
            Str place = {0};
            str_addf(&place, "%s:%s", course.ids.items[i], step->id);
            wrong += find_digits(&step->heading, str_text(&place), accept_listed);
            for (size_t k = 0; k < step->count; k++)
                wrong += check_block(&step->blocks[k], str_text(&place));
            str_clear(&place);
        }
    for (size_t i = 0; i < allowed.count; i++) {
        if (!used[i])
            print_error("%s: '%s' is allowed but not there\n", allowed.rows[i][0],
                        allowed.rows[i][1]);
        assert_true(strlen(allowed.rows[i][2]) > 9); /* a reason */
        wrong += !used[i];
    }
    assert_int_equal(wrong, 0);
}

static bool accept_none(const char *place, const char *word)
{
    (void)place;
    (void)word;
    return false;
}

static Lesson *parse(const char *prose)
{
    Str text = {0};
    Lesson *lesson = NULL;
    Error error = {0};
    str_addf(&text, "---\ntitle: T\nabout: A.\n---\n## S {#s}\n\n%s\n", prose);
    assert_int_equal(lesson_parse("x.md", str_text(&text), text.length, &lesson, &error),
                     STATUS_OK);
    str_clear(&text);
    return lesson;
}

static void test_finds_digits(void **state)
{
    (void)state;
    static const struct {
        const char *prose;
        size_t words;
    } cases[] = {
        {"Nothing at all.", 0},
        {"There are 12 of them.", 1},
        {"12, or 13.5%: x2 and *3*.", 4},
        {"`12` and $n = 12$ and `=6+6`.", 0},
        {"They say \"2N reads\" and “12 of 13”, and so on.", 0},
        {"They say \"2N reads\" but 13 it is.", 1},
        {"A quote that holds a formula: \"it is $n$ or 12\". And 13.", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Lesson *lesson = parse(cases[i].prose);
        const Prose *prose = &lesson->steps[0].blocks[0].prose;
        assert_int_equal(find_digits(&prose->items[0].runs, "x:s", accept_none), cases[i].words);
        lesson_free(lesson);
    }
}

/* ---- words ---- */

/* The bytes of the punctuation at text; 0 if it is something else. */
static size_t punctuation_length(const char *text)
{
    static const char *const dashes[] = {"\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x80\xA6",
                                         "\xE2\x80\x9C", "\xE2\x80\x9D"};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (text_starts(text, dashes[i]))
            return strlen(dashes[i]);
    return ispunct((unsigned char)*text) != 0;
}

/* A word is what stands between blanks and is no mere punctuation; a formula, a value, a code
 * span is one. */
static size_t count_words(const Runs *runs)
{
    size_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (run->kind != RUN_TEXT) {
            words += !inside && run->kind != RUN_BREAK;
            inside = run->kind != RUN_BREAK;
            continue;
        }
        for (const char *c = run->text; *c;) {
            size_t punctuation = punctuation_length(c);
            bool blank = *c == ' ' || *c == '\n';
            words += !blank && !inside && !punctuation;
            inside = !blank && (inside || !punctuation);
            c += punctuation ? punctuation : 1;
        }
    }
    return words;
}

static size_t count_step(const Step *step)
{
    size_t words = 0;
    for (size_t i = 0; i < step->count; i++)
        for (size_t j = 0; step->blocks[i].kind == BLOCK_PROSE && j < step->blocks[i].prose.count;
             j++)
            words += count_words(&step->blocks[i].prose.items[j].runs);
    return words;
}

static void test_words(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < course.ids.count; i++)
        for (size_t j = 0; j < course.lessons[i]->step_count; j++) {
            const Step *step = &course.lessons[i]->steps[j];
            size_t words = count_step(step);
            if (words > MAX_WORDS)
                print_error("%s:%s has %zu words\n", course.ids.items[i], step->id, words);
            wrong += words > MAX_WORDS;
        }
    assert_int_equal(wrong, 0);
}

static void test_counts_words(void **state)
{
    (void)state;
    static const struct {
        const char *prose;
        size_t words;
    } cases[] = {
        {"One two three.", 3},
        {"One *two*, three — `four` $5 + 6$ `=7`.", 6},
        {"- one\n- two (three)\n", 3},
        {"sub*emphasis*ed, $n$-th", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Lesson *lesson = parse(cases[i].prose);
        assert_int_equal(count_step(&lesson->steps[0]), cases[i].words);
        lesson_free(lesson);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_finds_digits),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_counts_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
