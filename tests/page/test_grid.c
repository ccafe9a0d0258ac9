/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "page/grid.h"

static void expect_text(const Grid *grid, const char *expected)
{
    Str text = {0};
    grid_add_text(&text, grid);
    assert_string_equal(str_text(&text), expected);
    str_clear(&text);
}

static void expect_roles(const Grid *grid, const char *expected)
{
    Str text = {0};
    grid_add_roles(&text, grid);
    assert_string_equal(str_text(&text), expected);
    str_clear(&text);
}

static int put(Grid *grid, int row, int col, const char *text)
{
    return grid_put(grid, grid_rect(grid), row, col, text, ROLE_PROSE);
}

/* Every wide character has both halves, and every half belongs to one. */
static void expect_whole(const Grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        for (int j = 0; j < grid->cols; j++) {
            const Cell *cell = grid_cell(grid, i, j);
            assert_true(cell->width <= 2 && cell->role < ROLE_COUNT && cell->mark < MARK_COUNT);
            if (cell->width == 2)
                assert_true(j + 1 < grid->cols && grid_cell(grid, i, j + 1)->width == 0);
            if (cell->width == 0)
                assert_true(j > 0 && grid_cell(grid, i, j - 1)->width == 2);
        }
}

static void text_lands_in_cells(void **state)
{
    (void)state;
    Grid *grid = grid_new(2, 8, false);
    assert_int_equal(put(grid, 0, 1, "abc"), 3);
    assert_int_equal(put(grid, 1, 0, "注意力"), 6);
    assert_int_equal(put(grid, 1, 6, "e\xCC\x81x"), 2); /* e and a combining acute */
    expect_text(grid, " abc\n注意力e\xCC\x81x\n");
    expect_roles(grid, " ppp\npppppppp\n");
    expect_whole(grid);
    grid_free(grid);
}

static void text_is_clipped(void **state)
{
    (void)state;
    Grid *grid = grid_new(2, 6, false);
    assert_int_equal(put(grid, 0, 3, "abcdef"), 6);
    put(grid, 0, -2, "xyz");
    put(grid, -1, 0, "up");
    put(grid, 2, 0, "down");
    grid_put(grid, (Rect){1, 2, 1, 2}, 1, 0, "abcdef", ROLE_PROSE);
    expect_text(grid, "z  abc\n  cd\n");
    grid_free(grid);
}

static void wide_characters_are_never_halved(void **state)
{
    (void)state;
    Grid *grid = grid_new(3, 5, false);
    put(grid, 0, 0, "注意力"); /* the third does not fit */
    put(grid, 1, 0, "注意");
    put(grid, 1, 1, "x"); /* the right half of the first */
    put(grid, 2, -1, "注意");
    put(grid, 2, 1, "y"); /* the left half of the second */
    expect_text(grid, "注意\n x意\n y\n");
    expect_whole(grid);
    grid_free(grid);
}

static void marks_stay_with_their_base(void **state)
{
    (void)state;
    Grid *grid = grid_new(1, 4, false);
    put(grid, 0, 0, "v");
    put(grid, 0, 1, "\xCC\x82"); /* a circumflex put by itself joins the v */
    put(grid, 0, 1, "k");
    expect_text(grid, "v\xCC\x82k\n");
    assert_int_equal(grid_cell(grid, 0, 0)->width, 1);
    grid_free(grid);
}

static void control_characters_are_visible(void **state)
{
    (void)state;
    Grid *grid = grid_new(1, 12, false);
    put(grid, 0, 0, "a\033[0m\xFF");
    expect_text(grid, "a␛[0m\xEF\xBF\xBD\n");
    grid_free(grid);
}

static void copies_cut_wide_characters(void **state)
{
    (void)state;
    Grid *from = grid_new(1, 6, false), *to = grid_new(1, 4, false);
    put(from, 0, 0, "注意力");
    grid_copy(to, grid_rect(to), 0, 0, from, (Rect){0, 1, 1, 4});
    expect_text(to, " 意\n");
    expect_whole(to);
    grid_copy(to, (Rect){0, 0, 1, 3}, 0, 2, from, grid_rect(from)); /* only half would fit */
    expect_whole(to);
    grid_free(from);
    grid_free(to);
}

static void ascii_spells_everything(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"café", "cafe"},       {"α ≤ β", "alpha <= beta"}, {"n×d — “so”", "nxd -- \"so\""},
        {"注意", "????"},        {"v\xCC\x82", "v"},            {"\x1B[1m", "^[[1m"},
        {"ℝ→∞", "R->inf"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Str text = {0};
        grid_add_ascii(&text, pairs[i][0], strlen(pairs[i][0]));
        if (i + 1 < sizeof pairs / sizeof *pairs)
            assert_string_equal(str_text(&text), pairs[i][1]);
        for (size_t k = 0; k < text.length; k++)
            assert_in_range(text.data[k], 0x20, 0x7E);
        str_clear(&text);
    }
    Grid *grid = grid_new(1, 10, true);
    assert_int_equal(put(grid, 0, 0, "café α"), 10);
    expect_text(grid, "cafe alpha\n");
    grid_free(grid);
}

static void colours_are_written_once_a_run(void **state)
{
    (void)state;
    Grid *grid = grid_new(1, 6, false);
    Theme theme;
    Str text = {0};
    theme_init(&theme, THEME_MONO, 0, false);
    grid_put(grid, grid_rect(grid), 0, 0, "ab", ROLE_STRONG);
    grid_put(grid, grid_rect(grid), 0, 2, "cd", ROLE_PROSE);
    grid_add_ansi(&text, grid, &theme);
    assert_string_equal(str_text(&text), "\033[0;1mab\033[0mcd\n");
    str_cut(&text, 0);
    grid_set_mark(grid, grid_rect(grid), (Rect){0, 2, 1, 1}, MARK_CURSOR);
    grid_add_ansi(&text, grid, &theme);
    assert_string_equal(str_text(&text), "\033[0;1mab\033[0;1;7mc\033[0md\n");
    expect_roles(grid, "ss@p\n");
    str_clear(&text);
    grid_free(grid);
}

/* A xorshift generator: the same on every machine. */
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % n;
}

static void random_text_keeps_the_grid_whole(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "注", "e\xCC\x81", "\xCC\x82", "\xFF", "\n", "👍🏽",
                                         "한국", "x y", "\xE2\x80\x8B", "ﬁ", "\033"};
    random_state = 20240817;
    for (int round = 0; round < 2000; round++) {
        Grid *grid = grid_new((int)random_below(5), (int)random_below(9), random_below(2));
        Grid *again = grid_new(grid->rows, grid->cols, grid->ascii);
        for (int k = 0; k < 12; k++) {
            const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
            int row = (int)random_below(7) - 1, col = (int)random_below(12) - 2;
            Rect clip = {(int)random_below(3) - 1, (int)random_below(4) - 1, (int)random_below(6),
                         (int)random_below(9)};
            grid_put(grid, clip, row, col, piece, ROLE_PROSE);
            grid_put(again, clip, row, col, piece, ROLE_PROSE);
            expect_whole(grid);
        }
        assert_true(grid_same(grid, again));
        Grid *part = grid_new(3, 4, grid->ascii);
        grid_copy(part, grid_rect(part), (int)random_below(3) - 1, (int)random_below(5) - 2, grid,
                  (Rect){(int)random_below(2), (int)random_below(4), 3, (int)random_below(6)});
        expect_whole(part);
        grid_free(part);
        grid_free(grid);
        grid_free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_lands_in_cells),
        cmocka_unit_test(text_is_clipped),
        cmocka_unit_test(wide_characters_are_never_halved),
        cmocka_unit_test(marks_stay_with_their_base),
        cmocka_unit_test(control_characters_are_visible),
        cmocka_unit_test(copies_cut_wide_characters),
        cmocka_unit_test(ascii_spells_everything),
        cmocka_unit_test(colours_are_written_once_a_run),
        cmocka_unit_test(random_text_keeps_the_grid_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
