/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "page/draw_number.h"
#include "page/draw_scale.h"

/* The numbers in their common format, right-aligned in its width. */
static void expect_column(const double *numbers, size_t count, int digits, const char *expected)
{
    NumberStats stats = {0};
    Str out = {0}, one = {0};
    for (size_t i = 0; i < count; i++)
        number_stats_add(&stats, numbers[i]);
    NumberFormat format = number_format(&stats, digits);
    for (size_t i = 0; i < count; i++) {
        str_cut(&one, 0);
        number_format_add(&one, &format, numbers[i]);
        assert_true((int)one.length <= format.width);
        str_add_repeat(&out, ' ', (size_t)format.width - one.length);
        str_add(&out, str_text(&one));
        str_add_char(&out, '|');
    }
    assert_string_equal(str_text(&out), expected);
    str_clear(&one);
    str_clear(&out);
}

#define COLUMN(digits, expected, ...)                                                     \
    do {                                                                                  \
        const double numbers[] = {__VA_ARGS__};                                           \
        expect_column(numbers, sizeof numbers / sizeof *numbers, digits, expected);       \
    } while (0)

static void columns_have_one_precision(void **state)
{
    (void)state;
    COLUMN(0, " 3| 0|-7|", 3, -0.0, -7);
    COLUMN(0, "0.5|1.0|0.0|", 0.5, 1, 0);
}

static void formats_follow_the_numbers(void **state)
{
    (void)state;
    COLUMN(0, "0.33|1.20|", 1.0 / 3, 1.2);
    COLUMN(5, "0.3333|1.2000|", 1.0 / 3, 1.2);
    COLUMN(0, "123.5|  0.1|", 123.456, 0.1);
    COLUMN(0, "0.050|0.012|", 0.05, 0.0123456789);
    COLUMN(0, "1.11e-16|       0|", 1.1102230246251565e-16, 0);
    COLUMN(0, "-2.50e-07|-1.00e-09|", -2.5e-7, -1e-9);
    COLUMN(0, " NaN|-Inf| 1.5|", NAN, -INFINITY, 1.5);
    COLUMN(0, "9.97|", 9.9712);
    COLUMN(0, "10.00|", 9.9999); /* the width allows for what rounding adds */
    COLUMN(0, "1000000|", 1e6);
    COLUMN(0, "1.00e+12|", 1e12);
}

static void narrowing_never_fakes_an_integer(void **state)
{
    (void)state;
    NumberStats stats = {0};
    number_stats_add(&stats, -1.93456);
    NumberFormat format = number_format(&stats, 6);
    int before = format.width, steps = 0;
    while (number_format_narrow(&format, &stats)) {
        assert_true(format.width < before);
        before = format.width;
        steps++;
    }
    assert_true(steps == 4 && format.decimals == 1);
}

static void scales_are_what_is_promised(void **state)
{
    (void)state;
    NumberStats stats = {0};
    number_stats_add(&stats, -1.48);
    number_stats_add(&stats, 0.5);
    number_stats_add(&stats, NAN);
    HeatScale s = heat_scale(SCALE_DEFAULT, NULL, &stats);
    assert_true(s.is_signed && fabs(s.limit - 1.5) < 1e-12); /* NaN stretches nothing */
    assert_int_equal(heat_role(&s, 0), ROLE_ZERO);
    assert_int_equal(heat_role(&s, 1.5), ROLE_PLUS_8);
    assert_int_equal(heat_role(&s, -1.5), ROLE_MINUS_8);
    assert_int_equal(heat_role(&s, 1e-12), ROLE_PLUS_1); /* small, but not zero */
    assert_int_equal(heat_role(&s, NAN), ROLE_NOT_A_NUMBER);
    assert_int_equal(heat_role(&s, -INFINITY), ROLE_INFINITE);
    s = heat_scale(SCALE_01, NULL, &stats);
    assert_true(!s.is_signed && s.limit == 1);
    assert_int_equal(heat_role(&s, 1), ROLE_HEAT_9);
    assert_int_equal(heat_role(&s, 0), ROLE_HEAT_0);
    const double rows[] = {0.25, 0.75, 1, 0, NAN, NAN};
    Value *weights = value_new(matrix_from(3, 2, rows));
    NumberStats of_weights = {0};
    number_stats_add_matrix(&of_weights, value_matrix(weights), 0, 3, 0, 2);
    s = heat_scale(SCALE_DEFAULT, weights, &of_weights);
    assert_true(!s.is_signed && s.limit == 1); /* rows that are distributions */
    value_unref(weights);
}

/* Sign and size can be read without colour: glyphs of both signs differ. */
static void glyphs_tell_the_sign(void **state)
{
    (void)state;
    for (int ascii = 0; ascii <= 1; ascii++)
        for (int i = 1; i <= SIGNED_TOP; i++)
            for (int k = 1; k <= SIGNED_TOP; k++)
                assert_string_not_equal(heat_glyph(role_signed(i), ascii),
                                        heat_glyph(role_signed(-k), ascii));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_one_precision),
        cmocka_unit_test(formats_follow_the_numbers),
        cmocka_unit_test(narrowing_never_fakes_an_integer),
        cmocka_unit_test(scales_are_what_is_promised),
        cmocka_unit_test(glyphs_tell_the_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
