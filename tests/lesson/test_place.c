/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include "lesson/place.h"

/* text, parsed and printed again, plainly and for a shell. */
static void print_again(const char *text, Str *plain, Str *shell)
{
    Place place;
    Error error = {0};
    if (place_parse(text, &place, &error) != STATUS_OK) {
        cases_add_error(plain, &error);
        error_clear(&error);
        return;
    }
    place_add_text(plain, &place, false);
    place_add_text(shell, &place, true);
    place_clear(&place);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shell; /* shell NULL: as text */
    } cases[] = {
        {"delta", NULL},
        {"delta:write", NULL},
        {"delta:write:3", NULL},
        {"delta:write:3.2", NULL},
        {"delta:2:3.2", NULL},
        {"./mine.md", NULL},
        {"mine.md", NULL},
        {"mine.md:a:1", NULL},
        {"/a/b", NULL},
        {"/a:b/c.md:d", NULL},
        {"../x/y:step", NULL},
        {"delta:write?n=8&beta=0.5", "'delta:write?n=8&beta=0.5'"},
        {"delta?phi=elu1", "'delta?phi=elu1'"},
        {"delta?Q(2,3)=0.5", "'delta?Q(2,3)=0.5'"},
        {"delta?Q(2,3)=-1e-300&Q=@/tmp/a b.csv", "'delta?Q(2,3)=-1e-300&Q=@/tmp/a b.csv'"},
        {"delta?Q=@a%26b%25c", "'delta?Q=@a%26b%25c'"},
        {"delta?n=%40a&Q=@@a", "'delta?n=%40a&Q=@@a'"},
        {"./it's.md", "'./it'\\''s.md'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str plain = {0}, shell = {0};
        print_again(cases[i].text, &plain, &shell);
        assert_string_equal(str_text(&plain), cases[i].text);
        assert_string_equal(str_text(&shell), cases[i].shell ? cases[i].shell : cases[i].text);
        str_clear(&plain);
        str_clear(&shell);
    }
}

static void test_fields(void **state)
{
    (void)state;
    Place place;
    Error error = {0};
    assert_int_equal(
        place_parse("d:w:3.2?n=8&Q(2,3)=0.5&Q(2,3)=1&n=9&V=@x%20y.csv", &place, &error), STATUS_OK);
    assert_string_equal(place.lesson, "d");
    assert_string_equal(place.step, "w");
    assert_int_equal(place.stop, 3);
    assert_int_equal(place.statement, 2);
    assert_int_equal(place.settings.param_count, 1);
    assert_string_equal(place.settings.params[0].value, "9");
    assert_int_equal(place.settings.edit_count, 1);
    assert_int_equal(place.settings.edits[0].row, 2);
    assert_int_equal(place.settings.edits[0].col, 3);
    assert_true(place.settings.edits[0].value == 1);
    assert_string_equal(place.settings.loads[0].file, "x y.csv");
    place_clear(&place);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "1:1: a lesson's name is missing\n"},
        {":a", "1:1: a lesson's name is missing\n"},
        {"Delta", "1:1: neither the id of a lesson nor a path with a '/' in it\n"},
        {"delta:", "1:7: the id of a step is missing behind ':'\n"},
        {"delta:A", "1:7: the id of a step is of small letters, digits and '-'\n"},
        {"delta:a:", "1:9: a stop is a number from 1 up\n"},
        {"delta:a:0", "1:9: a stop is a number from 1 up\n"},
        {"delta:a:x", "1:9: a stop is a number from 1 up\n"},
        {"delta:a:99999999999999999999", "1:9: a stop is a number from 1 up\n"},
        {"delta:a:1.", "1:11: a statement is a number from 1 up\n"},
        {"delta:a:1.0", "1:11: a statement is a number from 1 up\n"},
        {"delta?n", "1:7: a setting is n=8, Q(2,3)=0.5 or Q=@file\n"},
        {"delta?n=", "1:7: a value is missing behind '='\n"},
        {"delta?Q(2)=1", "1:7: a setting is n=8, Q(2,3)=0.5 or Q=@file\n"},
        {"delta?Q(0,1)=1", "1:9: a row is a number from 1 up\n"},
        {"delta?Q(1,-1)=1", "1:11: a column is a number from 1 up\n"},
        {"delta?Q(1,1)=x", "1:14: a cell is set to a number\n"},
        {"delta?Q=@a&Q=@b", "1:12: Q is loaded twice: from a and from b\n"},
        {"delta?n=%zz", "1:9: '%' is followed by two hexadecimal digits (%25 is '%' itself)\n"},
        {"delta?n=%00", "1:9: '%' is followed by two hexadecimal digits (%25 is '%' itself)\n"},
        {"delta?n=%4", "1:9: '%' is followed by two hexadecimal digits (%25 is '%' itself)\n"},
        {"delta?n=%4g", "1:9: '%' is followed by two hexadecimal digits (%25 is '%' itself)\n"},
        {"delta?n=%G4", "1:9: '%' is followed by two hexadecimal digits (%25 is '%' itself)\n"},
        {"delta?Q(2,3=1", "1:7: a setting is n=8, Q(2,3)=0.5 or Q=@file\n"},
        {"delta?2Q(2,3)=1", "1:7: a setting is n=8, Q(2,3)=0.5 or Q=@file\n"},
        {"delta?n=1&&b=2", "1:11: a setting is n=8, Q(2,3)=0.5 or Q=@file\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str plain = {0}, shell = {0};
        print_again(cases[i].text, &plain, &shell);
        assert_string_equal(str_text(&plain), cases[i].message);
        str_clear(&plain);
        str_clear(&shell);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
