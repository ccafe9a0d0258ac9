/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/draw_text.h"

static void expect(const Grid *grid, const char *text, const char *roles)
{
    Str out = {0};
    grid_add_text(&out, grid);
    assert_string_equal(str_text(&out), text);
    str_cut(&out, 0);
    grid_add_roles(&out, grid);
    assert_string_equal(str_text(&out), roles);
    str_clear(&out);
}

static void roles_stay_with_their_words(void **state)
{
    (void)state;
    Rich rich = {0};
    rich_add(&rich, "one ", ROLE_PROSE);
    rich_add(&rich, "two  three", ROLE_STRONG);
    rich_add(&rich, " ", ROLE_PROSE);
    rich_add_whole(&rich, "a b", ROLE_FORMULA);
    rich_add(&rich, " end", ROLE_PROSE);
    Grid *grid = rich_layout(&rich, 10, 2);
    expect(grid, "one two\n  three\n  a b end\n", "ppppsss\n  sssss\n  $$$pppp\n");
    grid_free(grid);
    rich_clear(&rich);
}

static void short_formulas_do_not_break(void **state)
{
    (void)state;
    Rich rich = {0};
    rich_add(&rich, "so ", ROLE_PROSE);
    rich_add_whole(&rich, "a + b", ROLE_FORMULA);
    Grid *grid = rich_layout(&rich, 6, 0);
    expect(grid, "so\na + b\n", "pp\n$$$$$\n");
    grid_free(grid);
    rich_clear(&rich);
}

static void chinese_breaks_between_characters(void **state)
{
    (void)state;
    Rich rich = {0};
    rich_add(&rich, "每个查询，", ROLE_PROSE);
    rich_add(&rich, "都", ROLE_STRONG);
    Grid *grid = rich_layout(&rich, 9, 0);
    expect(grid, "每个查\n询，都\n", "pppppp\nppppss\n");
    grid_free(grid);
    rich_clear(&rich);
}

static void any_width_and_text_can_be_laid_out(void **state)
{
    (void)state;
    static const char *const texts[] = {"", " ", "a", "注意力机制", "averyveryverylongword", "a  b\tc",
                                        "e\xCC\x81\xCC\x82 x", "\xFF\xFE", "\033[1m"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int width = -1; width < 12; width++)
            for (int ascii = 0; ascii <= 1; ascii++) {
                Rich rich = {.ascii = ascii};
                rich_add(&rich, texts[i], ROLE_PROSE);
                rich_add(&rich, " ", ROLE_PROSE);
                rich_add_whole(&rich, texts[sizeof texts / sizeof *texts - 1 - i], ROLE_FORMULA);
                Grid *grid = rich_layout(&rich, width, width / 2);
                assert_true(grid->cols <= (width > 1 ? width : 1));
                grid_free(grid);
                rich_clear(&rich);
            }
}

static void grids_are_stacked(void **state)
{
    (void)state;
    Grid *parts[4] = {grid_new(1, 2, false), NULL, grid_new(0, 5, false), grid_new(2, 1, false)};
    grid_put(parts[0], grid_rect(parts[0]), 0, 0, "ab", ROLE_PROSE);
    grid_put(parts[3], grid_rect(parts[3]), 1, 0, "c", ROLE_PROSE);
    Grid *all = grid_stack(parts, 4, 1, false);
    expect(all, "ab\n\n\nc\n", "pp\n\n\np\n");
    grid_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_stay_with_their_words),
        cmocka_unit_test(short_formulas_do_not_break),
        cmocka_unit_test(chinese_breaks_between_characters),
        cmocka_unit_test(any_width_and_text_can_be_laid_out),
        cmocka_unit_test(grids_are_stacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
