/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of claims: none is lost, and every place computes something. */
#include "lesson/course.h"

#include <ctype.h>

#include "lesson/claims.h"
#include "lesson/place.h"
#include "lesson/run.h"
#include "lesson/trace.h"

static Course course;
static Claims claims;

static int set_up(void **state)
{
    (void)state;
    Error error = {0};
    course_load(&course);
    if (claims_load(&claims, &error))
        fail_msg("%s", error.message);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    claims_clear(&claims);
    course_clear(&course);
    return 0;
}

static const Claim *find_claim(const char *number)
{
    for (size_t i = 0; i < claims.count; i++)
        if (text_equal(claims.items[i].number, number))
            return &claims.items[i];
    return NULL;
}

/* What the ledger says, by a table of its own: number, verdict and place. */
static void test_same_as_expected(void **state)
{
    (void)state;
    CsvTable expected;
    size_t wrong = 0;
    course_read_table("claims.csv", "number,verdict,place", &expected);
    for (size_t i = 0; i < expected.count; i++) {
        char **row = expected.rows[i];
        assert_int_equal(expected.counts[i], 3);
        const Claim *claim = find_claim(row[0]);
        if (claim && text_equal(claim->verdict, row[1]) && text_equal(claim->place, row[2]))
            continue;
        print_error("%s: not as expected, or lost\n", row[0]);
        wrong++;
    }
    assert_int_equal(expected.count, claims.count);
    assert_int_equal(wrong, 0);
    csv_table_clear(&expected);
}

/* C1 ... C120, each once, without the four numbers that the ledger does not give. */
static void test_numbers(void **state)
{
    (void)state;
    size_t found = 0;
    for (int i = 1; i <= 120; i++) {
        Str number = {0};
        str_addf(&number, "C%d", i);
        bool given = i != 42 && i != 86 && i != 94 && i != 115;
        if ((find_claim(str_text(&number)) != NULL) != given)
            fail_msg("%s is %s", str_text(&number), given ? "lost" : "no claim of the ledger");
        found += given;
        str_clear(&number);
    }
    assert_int_equal(found, claims.count);
}

static size_t count_checks(const Step *step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->count; i++)
        if (step->blocks[i].kind == BLOCK_CHECK)
            count += step->blocks[i].check_count;
    return count;
}

/* What is wrong with a place, or NULL. */
static const char *place_fault(const char *text, bool needs_check)
{
    Place place;
    Error error = {0};
    const char *fault = NULL;
    if (place_parse(text, &place, &error)) {
        error_clear(&error);
        return "no place";
    }
    const Lesson *lesson = course_find(&course, place.lesson);
    const Step *step = lesson && place.step ? lesson_find_step(lesson, place.step, NULL) : NULL;
    if (!lesson)
        fault = "no such lesson";
    else if (!step)
        fault = "no such step";
    else if (needs_check && !count_checks(step))
        fault = "no check in this step";
    place_clear(&place);
    return fault;
}

/* The places (word:word) that a reason names must be there too. */
static const char *reason_fault(const char *reason)
{
    size_t words = 0;
    for (const char *at = reason; *at; words++) {
        size_t length = strcspn(at, " ");
        char *word = memory_copy_slice(at, length);
        size_t end = strlen(word);
        while (end && strchr(";,.", word[end - 1]))
            word[--end] = '\0';
        const char *colon = strchr(word, ':');
        const char *fault = colon && colon[1] ? place_fault(word, false) : NULL;
        free(word);
        if (fault)
            return fault;
        at += length + (at[length] == ' ');
    }
    return words < 5 ? "not much of a reason" : NULL;
}

static void test_places(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < claims.count; i++) {
        const Claim *claim = &claims.items[i];
        const char *fault = claim_is_uncheckable(claim) ? reason_fault(claim->place)
                                                        : place_fault(claim->place, true);
        if (fault)
            print_error("%s: %s: %s\n", claim->number, claim->place, fault);
        wrong += fault != NULL;
    }
    assert_int_equal(wrong, 0);
    assert_non_null(place_fault("softmax", true));
    assert_non_null(place_fault("softmax:nosuch", true));
    assert_non_null(place_fault("softmax:symbols", true));
    assert_non_null(reason_fault("who knows"));
    assert_non_null(reason_fault("one two three four five softmax:nosuch"));
}

/* One line each, in words, and made by one of the four documents. */
static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < claims.count; i++) {
        const Claim *claim = &claims.items[i];
        size_t length = strlen(claim->text);
        bool known = false;
        for (const char *d = "1234"; *d; d++) {
            char name[] = {'D', *d, '\0'};
            assert_true(claims_know(name));
            known = known || claim_is_in(claim, name);
        }
        if (length < 15 || length > 130 || strchr(claim->text, '\n') ||
            claim->text[length - 1] != '.' || !known)
            fail_msg("%s: %s", claim->number, claim->text);
    }
}

static void test_documents(void **state)
{
    (void)state;
    Claim claim = {.documents = "D1 §3, D3 §12.1"};
    assert_true(claim_is_in(&claim, "D1"));
    assert_true(claim_is_in(&claim, "D3"));
    assert_false(claim_is_in(&claim, "D2"));
    assert_false(claim_is_in(&claim, "D"));
    assert_false(claims_know("D5"));
    assert_false(claims_know("D"));
    assert_false(claims_know("D11"));
    assert_false(claims_know("d1"));
}

#define HEAD "number,section,documents,claim,verdict,place\n"

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the first line is not number,section,documents,claim,verdict,place"},
        {"number,verdict\n", "the first line is not number,section,documents,claim,verdict,place"},
        {HEAD "C1,S,D1,A claim.,TRUE\n", "row 2: 5 fields, not 6"},
        {HEAD "C1,S,D1,A claim.,TRUE,a:b\nC2,S,D1,,TRUE,a:b\n", "row 3: no claim"},
        {HEAD "C1,S,D1,A claim.,TRUE,\n", "row 2: no place"},
        {HEAD "C1,S,D1,A claim.,MAYBE,a:b\n",
         "row 2: 'MAYBE' is no verdict: TRUE, FALSE, ONLY IF or UNCHECKABLE"},
        {HEAD "C1,\"S", "this quote is never closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Source *source = source_new("claims.csv", cases[i].text, strlen(cases[i].text));
        Claims parsed;
        Error error = {0};
        assert_int_equal(claims_parse(source, &parsed, &error), STATUS_ERROR);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(parsed.count, 0);
        error_clear(&error);
        source_free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_expected), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_places),           cmocka_unit_test(test_texts),
        cmocka_unit_test(test_documents),        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
