/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas in two dimensions: layout.txt holds them ("== width TeX") with what they
 * look like in Unicode, with scripts in rows of their own, and in ASCII. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/start.h"
#include "golden.h"
#include "lesson/find.h"
#include "lesson/lesson.h"
#include "page/tex_layout.h"

static void draw_formula(const char *head, Str *out)
{
    char *rest;
    long width = strtol(head, &rest, 10);
    Tex *tex = tex_parse(rest + 1, strlen(rest + 1));
    const TexLook looks[3] = {{false, false, "e"}, {false, true, "e"}, {true, false, "e"}};
    for (int i = 0; i < 3; i++) {
        Grid *grid = tex_layout(tex, &looks[i], (int)width, NULL);
        grid_add_text(out, grid);
        str_add(out, i < 2 ? "-\n" : "");
        grid_free(grid);
    }
    tex_free(tex);
}

static void formulas_look_as_expected(void **state)
{
    (void)state;
    Golden golden;
    golden_open(&golden, PROJECT_ROOT "/tests/page/layout.txt");
    assert_int_equal(golden_check(&golden, draw_formula), 0);
}

static void a_term_is_highlighted(void **state)
{
    (void)state;
    const char *text = "S = S + \\term{write}{k^{\\top} v}";
    Tex *tex = tex_parse(text, strlen(text));
    TexLook look = {false, false, "write"};
    int base;
    Grid *grid = tex_layout(tex, &look, 40, &base);
    Str roles = {0};
    grid_add_roles(&roles, grid);
    assert_int_equal(base, 0);
    assert_string_equal(str_text(&roles), "$ $ $ $ &&&\n");
    str_clear(&roles);
    grid_free(grid);
    tex_free(tex);
}

/* Every formula of every lesson fits every width, and is ASCII where it has to be. */
static void lessons_formulas_fit(void **state)
{
    (void)state;
    IdList ids = {0};
    Error error = {0};
    size_t seen = 0;
    core_start();
    assert_int_equal(find_lessons(&ids, &error), STATUS_OK);
    for (size_t i = 0; i < ids.count; i++) {
        Lesson *lesson;
        assert_int_equal(lesson_load(ids.items[i], &lesson, &error), STATUS_OK);
        for (size_t s = 0; s < lesson->step_count; s++)
            for (size_t b = 0; b < lesson->steps[s].count; b++) {
                const Block *block = &lesson->steps[s].blocks[b];
                if (block->kind != BLOCK_MATH)
                    continue;
                Tex *tex = tex_parse(block->tex, strlen(block->tex));
                for (int width = 1; width <= 100; width += 3) {
                    TexLook look = {width % 2 == 0, width % 3 == 0, NULL};
                    Grid *grid = tex_layout(tex, &look, width, NULL);
                    assert_true(grid->cols <= width && grid->rows > 0);
                    for (int k = 0; look.ascii && k < grid->rows * grid->cols; k++)
                        assert_in_range(grid->cells[k].text, 0x20, 0x7E);
                    grid_free(grid);
                }
                tex_free(tex);
                seen++;
            }
        lesson_free(lesson);
    }
    assert_true(seen > 20);
    id_list_clear(&ids);
}

/* What is broken or nested too deeply is shown as its source. */
static void broken_formulas_are_shown(void **state)
{
    (void)state;
    Str deep = {0};
    for (int i = 0; i < 200; i++)
        str_add(&deep, "{\\frac{a}");
    const char *const texts[] = {"\\frac{a}", "{", "", "\\unknown x", "a^", str_text(&deep)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Tex *tex = tex_parse(texts[i], strlen(texts[i]));
        TexLook look = {0};
        Grid *grid = tex_layout(tex, &look, 30, NULL);
        assert_true(grid->cols <= 30);
        assert_true(*texts[i] == '\0' || grid->rows > 0);
        grid_free(grid);
        tex_free(tex);
    }
    str_clear(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_look_as_expected),
        cmocka_unit_test(a_term_is_highlighted),
        cmocka_unit_test(lessons_formulas_fit),
        cmocka_unit_test(broken_formulas_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
