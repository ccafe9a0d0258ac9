/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every lesson from its first page to its last by keys, and back, at four sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "walker_driver.h"
#include "core/start.h"
#include "lesson/find.h"

enum { MOST_STOPS = 2000 };

/* To the end, skipping every question and prediction, and back to the beginning. */
static void skip_all(Walker *w)
{
    char *before = NULL, *here = place_of(w);
    for (int i = 0; i < MOST_STOPS && !(before && strcmp(before, here) == 0); i++) {
        walker_input(w, input_parse("s", 1));
        free(before);
        before = here;
        walker_input(w, (Input){.kind = INPUT_RIGHT});
        here = place_of(w);
    }
    free(before);
    free(here);
    walker_input(w, (Input){.kind = INPUT_HOME});
}

/* True if the bottom line says that there is more below. */
static bool is_cut(const Grid *grid)
{
    Str text = {0};
    grid_add_text(&text, grid);
    text.data[text.length - 1] = '\0';
    const char *bottom = strrchr(str_text(&text), '\n');
    bool cut = strstr(bottom ? bottom : str_text(&text), "▼") != NULL;
    str_clear(&text);
    return cut;
}

/* What does not fit can be scrolled to. */
static void scroll_to_end(Walker *w, Size size)
{
    bool cut = true;
    for (int i = 0; i < 100 && cut; i++) {
        Grid *grid = draw(w, size);
        cut = is_cut(grid);
        grid_free(grid);
        walker_input(w, (Input){.kind = INPUT_PAGE_DOWN});
    }
    assert_false(cut);
}

/* Every page forward and back.  (A prediction that is still open hides its number on
 * the pages before it, so they are settled first.) */
static void walk_lesson(const char *lesson, Size size, bool may_scroll)
{
    Walker *w = open_at(lesson);
    skip_all(w);
    Grid **pages = calloc(MOST_STOPS, sizeof *pages);
    size_t count = 0;
    char *before = NULL, *here = place_of(w);
    while (count < MOST_STOPS && !(before && strcmp(before, here) == 0)) {
        pages[count++] = draw(w, size);
        if (is_cut(pages[count - 1]) && !may_scroll)
            fail_msg("%s: %s does not fit", lesson, here);
        scroll_to_end(w, size);
        free(before);
        before = here;
        walker_input(w, (Input){.kind = INPUT_RIGHT});
        here = place_of(w);
    }
    assert_in_range(count, 5, MOST_STOPS - 1);
    walker_input(w, (Input){.kind = INPUT_ESCAPE});
    for (size_t i = count; i-- > 0;) {
        Grid *again = draw(w, size);
        if (!grid_same(again, pages[i])) {
            Str text = {0};
            grid_add_text(&text, pages[i]);
            grid_add_text(&text, again);
            print_message("%s", str_text(&text));
            str_clear(&text);
            fail_msg("%s: stop %zu of %zu looks different on the way back", lesson, i + 1, count);
        }
        grid_free(again);
        grid_free(pages[i]);
        walker_input(w, (Input){.kind = INPUT_LEFT});
        walker_input(w, (Input){.kind = INPUT_ESCAPE});
    }
    free(pages);
    free(before);
    free(here);
    walker_free(w);
}


static void walk_all(Size size, bool may_scroll)
{
    IdList lessons = {0};
    Error error = {0};
    assert_int_equal(find_lessons(&lessons, &error), STATUS_OK);
    for (size_t i = 0; i < lessons.count; i++)
        walk_lesson(lessons.items[i], size, may_scroll);
    id_list_clear(&lessons);
}

static void test_80x24(void **state)
{
    (void)state;
    walk_all((Size){24, 80}, true);
}

static void test_100x30(void **state)
{
    (void)state;
    walk_all((Size){30, 100}, true);
}

static void test_120x40(void **state)
{
    (void)state;
    walk_all((Size){40, 120}, false);
}

static void test_200x60(void **state)
{
    (void)state;
    walk_all((Size){60, 200}, false);
}

static int set_up(void **state)
{
    (void)state;
    setenv("ATTNWALK_HOME", PROJECT_ROOT, 1);
    core_start();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    core_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_80x24), cmocka_unit_test(test_100x30),
        cmocka_unit_test(test_120x40), cmocka_unit_test(test_200x60),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
