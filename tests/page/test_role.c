/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "page/role.h"

static void letters_differ(void **state)
{
    (void)state;
    bool seen[256] = {false};
    for (int i = 0; i < ROLE_COUNT + MARK_COUNT - 1; i++) {
        char letter = i < ROLE_COUNT ? role_letter((Role)i)
                                     : mark_letter((Mark)(i - ROLE_COUNT + 1));
        assert_in_range(letter, 0x20, 0x7E);
        if (seen[(unsigned char)letter])
            fail_msg("two roles have the letter '%c'", letter);
        seen[(unsigned char)letter] = true;
    }
}

static void levels_are_roles(void **state)
{
    (void)state;
    int level;
    for (int i = 0; i <= HEAT_TOP; i++)
        assert_true(role_is_heat(role_heat(i), &level) && level == i);
    for (int i = -SIGNED_TOP; i <= SIGNED_TOP; i++)
        assert_true(role_is_signed(role_signed(i), &level) && level == i);
    assert_false(role_is_heat(ROLE_PROSE, &level));
}

/* The known contrast of WCAG's own examples. */
static void contrast_is_that_of_wcag(void **state)
{
    (void)state;
    assert_true(color_contrast(0x000000, 0xFFFFFF) == 21);
    double grey = color_contrast(0x777777, 0xFFFFFF);
    assert_true(grey > 4.47 && grey < 4.49);
    assert_int_equal(palette_rgb(16), 0x000000);
    assert_int_equal(palette_rgb(231), 0xFFFFFF);
    assert_int_equal(palette_rgb(208), 0xFF8700);
    assert_int_equal(palette_rgb(244), 0x808080);
}

/* Text on every shade stands out: 4.5:1, in projector mode 7:1. */
static void text_on_shades_is_readable(void **state)
{
    (void)state;
    for (int kind = THEME_DARK; kind <= THEME_LIGHT; kind++)
        for (int colors = 8; colors <= 256; colors = colors == 8 ? 16 : colors * 16)
            for (int projector = 0; projector <= 1; projector++) {
                Theme theme;
                theme_init(&theme, (ThemeKind)kind, colors, projector);
                for (int role = 0; role < ROLE_COUNT; role++) {
                    Style style = theme.styles[role];
                    if (style.paper < 0)
                        continue;
                    assert_true(style.ink >= 0);
                    double contrast = color_contrast(palette_rgb(style.ink),
                                                     palette_rgb(style.paper));
                    double wanted = projector && colors == 256 && role >= ROLE_HEAT_0 ? 7 : 4.5;
                    if (!(contrast >= wanted))
                        fail_msg("%s, %d colours: role %d has %.2f", theme_name((ThemeKind)kind),
                                 colors, role, contrast);
                }
            }
}

/* Inks without a paper of their own are readable on the screen of their theme. */
static void text_on_the_screen_is_readable(void **state)
{
    (void)state;
    for (int kind = THEME_DARK; kind <= THEME_LIGHT; kind++) {
        Theme theme;
        theme_init(&theme, (ThemeKind)kind, 256, false);
        uint32_t screen = kind == THEME_DARK ? 0x000000 : 0xFFFFFF;
        for (int role = 0; role < ROLE_COUNT; role++) {
            Style style = theme.styles[role];
            if (style.paper >= 0 || style.ink < 0)
                continue;
            if (!(color_contrast(palette_rgb(style.ink), screen) >= 4.5))
                fail_msg("%s: role %d (%s)", theme_name((ThemeKind)kind), role,
                         role_meaning((Role)role));
        }
    }
}

static double lightness(const Theme *theme, Role role)
{
    return color_luminance(palette_rgb(theme->styles[role].paper));
}

/* Lightness alone orders a ramp: what a colour-blind reader, or a grey print, sees. */
static void ramps_are_ordered_by_lightness(void **state)
{
    (void)state;
    for (int kind = THEME_DARK; kind <= THEME_LIGHT; kind++)
        for (int projector = 0; projector <= 1; projector++) {
            Theme theme;
            theme_init(&theme, (ThemeKind)kind, 256, projector);
            double way = kind == THEME_DARK ? 1 : -1, slack = 1e-9;
            for (int i = 1; i <= HEAT_TOP; i++) {
                double a = lightness(&theme, role_heat(i - 1)), b = lightness(&theme, role_heat(i));
                assert_true(way * (b - a) >= -slack);
            }
            for (int sign = -1; sign <= 1; sign += 2)
                for (int i = 1; i <= SIGNED_TOP; i++) {
                    double a = lightness(&theme, role_signed(sign * (i - 1)));
                    double b = lightness(&theme, role_signed(sign * i));
                    assert_true(way * (b - a) >= -slack);
                }
            Style zero = theme.styles[ROLE_ZERO], low = theme.styles[ROLE_MINUS_8],
                  high = theme.styles[ROLE_PLUS_8];
            assert_true(zero.paper != low.paper && zero.paper != high.paper);
            assert_true(low.paper != high.paper);
        }
}

static void mono_has_no_colour(void **state)
{
    (void)state;
    Theme theme;
    theme_init(&theme, THEME_DARK, 0, false);
    assert_int_equal(theme.kind, THEME_MONO);
    for (int role = 0; role < ROLE_COUNT; role++) {
        assert_int_equal(theme.styles[role].ink, COLOR_OF_TERMINAL);
        assert_int_equal(theme.styles[role].paper, COLOR_OF_TERMINAL);
    }
    assert_true(theme.styles[ROLE_NOT_A_NUMBER].attributes & STYLE_REVERSE);
    assert_true(theme_style(&theme, ROLE_ZERO, MARK_CURSOR).attributes & STYLE_REVERSE);
}

static void themes_have_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < THEME_COUNT; kind++) {
        ThemeKind found;
        assert_true(theme_find(theme_name((ThemeKind)kind), &found) && (int)found == kind);
    }
    ThemeKind none;
    assert_false(theme_find("blue", &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_differ),
        cmocka_unit_test(levels_are_roles),
        cmocka_unit_test(contrast_is_that_of_wcag),
        cmocka_unit_test(text_on_shades_is_readable),
        cmocka_unit_test(text_on_the_screen_is_readable),
        cmocka_unit_test(ramps_are_ordered_by_lightness),
        cmocka_unit_test(mono_has_no_colour),
        cmocka_unit_test(themes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
