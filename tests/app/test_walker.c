/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interactive program without a terminal: keys in, grids out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/action.h"
#include "walker_driver.h"
#include "core/start.h"
#include "io/file.h"

/* ---- the table of actions ---- */

static void test_actions(void **state)
{
    (void)state;
    Input key, other;
    for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
        const Action *action = action_get((ActionId)a);
        assert_true(strlen(action->name) > 0 && strlen(action->help) > 0);
        for (size_t k = 0; action_key((ActionId)a, k, &key); k++) {
            assert_int_not_equal(key.kind, INPUT_NONE);
            assert_int_equal(action_find(action->context, key), a); /* no key stands twice */
            Str name = {0};
            input_add_name(&name, key, true);
            for (size_t i = 0; i < name.length; i++)
                assert_in_range(str_text(&name)[i], ' ', '~');
            other = input_parse(str_text(&name), name.length);
            assert_true(input_same(key, other) || key.kind == INPUT_CONTROL);
            str_clear(&name);
        }
    }
}

/* ---- walking ---- */

static void test_walk(void **state)
{
    (void)state;
    Walker *w = open_at("brackets");
    assert_place(w, "brackets:shapes:1");
    press(w, "Right");
    assert_place(w, "brackets:shapes:2");
    press(w, "h");
    assert_place(w, "brackets:shapes:1");
    press(w, "]");
    assert_place(w, "brackets:names:1");
    press(w, "[");
    assert_place(w, "brackets:shapes:1");
    press(w, "Left");
    assert_true(shows(w, "beginning of the lesson"));
    press(w, "g scores Enter");
    assert_place(w, "brackets:scores:1");
    press(w, "End");
    assert_place(w, "brackets:end:1");
    press(w, "Right");
    assert_true(shows(w, "end of the lesson"));
    press(w, "Home");
    assert_place(w, "brackets:shapes:1");
    walker_free(w);
}

/* Inside an iteration, frame by frame, and exactly back. */
static void test_frames(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:prefix:3");
    press(w, ".");
    assert_place(w, "brackets:prefix:4.1");
    press(w, ".");
    assert_place(w, "brackets:prefix:4");
    press(w, ", ,");
    assert_place(w, "brackets:prefix:3");
    press(w, ",");
    assert_place(w, "brackets:prefix:3.1");
    walker_free(w);
}

/* ---- questions ---- */

static void test_question(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:who");
    assert_true(shows(w, "○ a  "));
    press(w, "Right");
    assert_place(w, "brackets:who:1");
    assert_true(shows(w, "choose an answer first"));
    press(w, "a");
    assert_true(shows(w, "you have just seen it regroup"));
    press(w, "Enter Down Down Enter"); /* again: the third is right */
    assert_true(shows(w, "● c  "));
    press(w, "Right");
    assert_place(w, "brackets:causal:1");
    walker_free(w);
}

static void test_prediction(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:zero:2");
    assert_true(shows(w, "Your guess: "));
    press(w, "Right");
    assert_true(shows(w, "type your guess first"));
    assert_place(w, "brackets:zero:2");
    press(w, "4 Enter");
    assert_true(shows(w, "you: 4"));
    assert_true(shows(w, "you added the values"));
    press(w, "Right");
    assert_place(w, "brackets:wrong-swap:1");
    walker_free(w);
    w = open_at("brackets:zero:2");
    press(w, "- x Enter");
    assert_true(shows(w, "is no number"));
    press(w, "s Right");
    assert_place(w, "brackets:wrong-swap:1");
    walker_free(w);
}

/* ---- looking ---- */

static void test_look(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    press(w, "Enter Down Down Right");
    assert_true(shows(w, "A0(3,2) = Q0(3,:)·K0(2,:)' = 1·(-1) + 1·1 = 0"));
    press(w, "Enter");
    assert_true(shows(w, "an input"));
    press(w, "Enter");
    assert_true(shows(w, "e changes it"));
    press(w, "Backspace Tab Enter");
    assert_true(shows(w, "K0(2,1) ◂ A0(3,2)"));
    press(w, "Backspace");
    assert_true(shows(w, "A0(3,2) = "));
    press(w, "Esc");
    assert_false(has(w, "A0(3,2) = "));
    walker_free(w);
}

static void test_edit(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    press(w, "e");
    assert_true(shows(w, "the cursor on a cell of an input"));
    press(w, "Enter e");
    assert_true(shows(w, "A0 is computed"));
    press(w, "Enter e C-u 5 Enter");
    assert_place(w, "brackets:scores:1?Q0(1,1)=5");
    assert_true(shows(w, "Q0(1,1) = 5"));
    press(w, "Esc Enter");
    assert_true(shows(w, "A0(1,1) = Q0(1,:)·K0(1,:)' = 5·1 + 0·0 = 5   (was 1, changed by +4)"));
    press(w, "Esc u");
    assert_place(w, "brackets:scores:1");
    press(w, "u");
    assert_true(shows(w, "nothing to undo"));
    walker_free(w);
}

static void test_params(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    press(w, "p Right Right");
    assert_place(w, "brackets:scores:1?n=8");
    press(w, "Down Left Enter 9 Enter");
    assert_place(w, "brackets:scores:1?n=8&d=9");
    press(w, "Enter 99 Enter");
    assert_place(w, "brackets:scores:1?n=8&d=9");
    press(w, "Esc u");
    assert_place(w, "brackets:scores:1?n=8&d=3");
    press(w, "r");
    assert_place(w, "brackets:scores:1");
    press(w, "u");
    assert_place(w, "brackets:scores:1?n=8&d=3");
    walker_free(w);
}

static void test_evaluate(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    press(w, ": sum(sum(A0)) Enter");
    assert_true(shows(w, "(sum(sum(A0))) = 8"));
    press(w, "Esc : nosuch Enter");
    assert_true(shows(w, "nosuch"));
    press(w, ": Q0*K0' Enter Enter");
    assert_true(shows(w, "(Q0*K0')(1,1) = "));
    press(w, "Right Esc");
    walker_free(w);
}

static void test_search(void **state)
{
    (void)state;
    Walker *w = open_at("brackets");
    press(w, "/ splendid Enter"); /* only in the notes */
    assert_true(shows(w, "is not in this lesson"));
    press(w, "/ CAUSAL Enter");
    char *first = place_of(w);
    press(w, "n n n N N N");
    assert_place(w, first);
    free(first);
    walker_free(w);
}

static void test_paste(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    walker_input(w, (Input){.kind = INPUT_PASTE_BEGIN});
    press(w, "q m Right Enter Esc");
    walker_input(w, (Input){.kind = INPUT_PASTE_END});
    assert_false(walker_is_done(w));
    assert_place(w, "brackets:scores:1");
    press(w, ":");
    walker_input(w, (Input){.kind = INPUT_PASTE_BEGIN});
    press(w, "1 Enter + Enter 1 Esc");
    walker_input(w, (Input){.kind = INPUT_PASTE_END});
    assert_true(shows(w, ":1 + 1"));
    press(w, "Enter");
    assert_true(shows(w, "(1 + 1) = 2"));
    walker_free(w);
}

static void test_menu(void **state)
{
    (void)state;
    const WalkerOptions options = {.theme = THEME_DARK};
    Walker *w = walker_new(&options);
    assert_true(shows(w, "Swapping the brackets"));
    press(w, "?");
    assert_true(shows(w, "to the next stop"));
    press(w, "Esc Home Enter");
    assert_place(w, "shapes:symbols:1");
    press(w, "m q ?");
    press(w, "Esc o Down Down Enter");
    char *place = place_of(w);
    assert_true(strncmp(place, "shapes:", 7) == 0 && strcmp(place, "shapes:symbols:1") != 0);
    free(place);
    press(w, "q");
    assert_true(walker_is_done(w));
    walker_free(w);
}

static void test_words(void **state)
{
    (void)state;
    Walker *w = open_at("kernels:4");
    press(w, "d");
    assert_true(shows(w, "Words"));
    press(w, "Enter");
    char *place = place_of(w);
    assert_int_equal(strncmp(place, "kernels:", 8), 0);
    assert_int_not_equal(strncmp(place, "kernels:4", 9), 0);
    free(place);
    press(w, "d Home Enter"); /* the first word of the course */
    assert_place(w, "shapes:symbols:1");
    press(w, "d Esc");
    assert_place(w, "shapes:symbols:1");
    walker_free(w);
}

/* What the reader saw is there again in the next walker. */
static void test_resume(void **state)
{
    (void)state;
    char folder[] = "/tmp/attnwalk-state-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
    const WalkerOptions options = {.theme = THEME_DARK, .keep = true};
    Walker *w = walker_new(&options);
    Place place = {0};
    Error error = {0};
    assert_int_equal(place_parse("shapes:2?n=3", &place, &error), STATUS_OK);
    assert_int_equal(walker_open(w, &place, &error), STATUS_OK);
    place_clear(&place);
    press(w, "]");
    char *left = place_of(w);
    walker_free(w);
    w = walker_new(&options);
    assert_true(shows(w, "2 of 31"));
    press(w, "Enter");
    assert_place(w, left);
    free(left);
    walker_free(w);
    Str path = {0};
    str_addf(&path, "%s/attnwalk/progress", folder);
    assert_int_equal(unlink(str_text(&path)), 0);
    str_cut(&path, path.length - strlen("/progress"));
    rmdir(str_text(&path));
    rmdir(folder);
    str_clear(&path);
}

/* ---- time ---- */

/* The step that shows it is measured point by point; any key ends that, and is answered. */
static void test_bench(void **state)
{
    (void)state;
    Walker *w = open_at("cost:clock");
    assert_true(shows(w, "b measures this machine"));
    assert_int_equal(walker_timeout(w), -1);
    press(w, "b");
    assert_true(shows(w, "measuring 1 of 27: softmax, n = 16"));
    assert_int_equal(walker_timeout(w), 0);
    assert_true(walker_tick(w));
    assert_true(shows(w, "measuring"));
    assert_true(shows(w, "linear, n = 16"));
    for (int i = 0; i < 5; i++)
        walker_tick(w);
    assert_true(shows(w, "Softmax attention takes longer than linear attention"));
    press(w, "b");
    assert_int_equal(walker_timeout(w), -1);
    assert_false(walker_tick(w));
    assert_true(shows(w, "b measures again"));
    press(w, "b");
    press(w, "]");
    assert_int_equal(walker_timeout(w), -1);
    assert_place(w, "cost:move:1");
    press(w, "b");
    assert_true(shows(w, "this step measures nothing"));
    walker_free(w);
}

static void test_autoplay(void **state)
{
    (void)state;
    Walker *w = open_at("brackets:scores");
    walker_set_time(w, 1000);
    assert_int_equal(walker_timeout(w), -1);
    press(w, "a");
    int due = walker_timeout(w);
    assert_in_range(due, 1, 60000);
    walker_set_time(w, 1000 + due - 1);
    assert_false(walker_tick(w));
    walker_set_time(w, 1000 + due);
    assert_true(walker_tick(w));
    assert_place(w, "brackets:mix:1");
    press(w, "Space"); /* pauses, and does not walk */
    assert_place(w, "brackets:mix:1");
    assert_int_equal(walker_timeout(w), -1);
    walker_free(w);
    w = open_at("brackets:rank:5");
    press(w, "a");
    walker_set_time(w, 100000);
    assert_true(walker_tick(w));
    assert_place(w, "brackets:who:1");
    assert_int_equal(walker_timeout(w), -1); /* waits for the answer */
    assert_true(shows(w, "waits for you"));
    walker_free(w);
}

static void put_file(const char *path, const char *text)
{
    Error error = {0};
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
}

static void test_reload(void **state)
{
    (void)state;
    char folder[] = "/tmp/attnwalk-lesson-XXXXXX";
    assert_non_null(mkdtemp(folder));
    Str path = {0};
    str_addf(&path, "%s/mine.md", folder);
    put_file(str_text(&path), "---\ntitle: Mine\nabout: x\n---\n\n## One {#one}\n\nFirst text.\n\n"
                              "```octave\na = 1;\n```\n");
    Walker *w = open_at(str_text(&path));
    assert_true(shows(w, "First text"));
    walker_set_time(w, 5000);
    assert_false(walker_tick(w));
    put_file(str_text(&path), "---\ntitle: Mine\nabout: x\n---\n\n## One {#one}\n\nSecond text!\n\n"
                              "```octave\na = 2;\n```\n");
    walker_set_time(w, 10000);
    assert_true(walker_tick(w));
    assert_true(shows(w, "Second text"));
    put_file(str_text(&path), "---\ntitle: Mine\nabout: x\n---\n\n## One {#one}\n\n"
                              "```octave\na = ;\n```\n");
    walker_set_time(w, 15000);
    assert_true(walker_tick(w)); /* says what is wrong, and keeps what there was */
    assert_true(shows(w, "mine.md:9:"));
    assert_true(shows(w, "Second text"));
    walker_free(w);
    unlink(str_text(&path));
    rmdir(folder);
    str_clear(&path);
}

/* ---- writing ---- */

static void test_write(void **state)
{
    (void)state;
    char folder[] = "/tmp/attnwalk-write-XXXXXX";
    assert_non_null(mkdtemp(folder));
    Walker *w = open_at("brackets:scores?Q0(1,1)=0.1");
    Str keys = {0};
    str_addf(&keys, "w C-u %s/out Enter", folder);
    press(w, str_text(&keys));
    assert_true(shows(w, "3 matrices written"));
    press(w, str_text(&keys));
    assert_true(shows(w, "Enter again"));
    press(w, "Enter");
    assert_true(shows(w, "3 matrices written"));
    static const char *const names[] = {"Q0", "K0", "A0"};
    static const char *const bytes[] = {"0.1,0\n0,1\n1,1\n0,0\n", "1,0\n-1,1\n0,1\n1,1\n",
                                        "0.1,-0.1,0,0.1\n0,1,1,1\n1,0,1,2\n0,0,0,0\n"};
    for (size_t i = 0; i < 3; i++) {
        Str path = {0}, text = {0};
        Error error = {0};
        str_addf(&path, "%s/out/%s.csv", folder, names[i]);
        assert_int_equal(file_read(str_text(&path), 1000, false, &text, &error), STATUS_OK);
        assert_string_equal(str_text(&text), bytes[i]);
        unlink(str_text(&path));
        str_clear(&path);
        str_clear(&text);
    }
    str_cut(&keys, 0);
    str_addf(&keys, "%s/out", folder);
    assert_int_equal(rmdir(str_text(&keys)), 0);
    rmdir(folder);
    str_clear(&keys);
    walker_free(w);
}

/* ---- anything ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 20;
}

static Input random_input(uint64_t *state)
{
    static const char typed[] = "0123456789.-+*'()=:;,[]?/ abcdefghijklmnopqrstuvwxyzAKPQSVXYZ<>";
    static const InputKind special[] = {
        INPUT_LEFT, INPUT_RIGHT, INPUT_UP, INPUT_DOWN, INPUT_HOME, INPUT_END, INPUT_PAGE_UP,
        INPUT_PAGE_DOWN, INPUT_ENTER, INPUT_TAB, INPUT_BACK_TAB, INPUT_BACKSPACE, INPUT_DELETE,
        INPUT_ESCAPE, INPUT_CLICK, INPUT_WHEEL_UP, INPUT_WHEEL_DOWN, INPUT_RESIZE};
    uint64_t x = next_random(state);
    if (x % 3 == 0)
        return (Input){.kind = INPUT_CHAR, .c = (uint8_t)typed[x / 3 % (sizeof typed - 1)]};
    if (x % 50 == 1)
        return (Input){.kind = INPUT_CHAR, .c = 0x4E2D};
    Input input = {.kind = special[x / 3 % (sizeof special / sizeof *special)]};
    if (input.kind == INPUT_CLICK) {
        input.row = (int)(next_random(state) % 30);
        input.col = (int)(next_random(state) % 90);
    }
    return input;
}

static bool leaves_or_writes(Input input)
{
    return input.kind == INPUT_CHAR && (input.c == 'q' || input.c == 'w');
}

/* How many inputs; more of them find more, when there is time. */
#ifndef INPUTS
#define INPUTS 400
#endif

/* Any inputs at any size: no crash, and the grid has the size asked for. */
static void test_anything(void **state)
{
    (void)state;
    static const char *const lessons[] = {"brackets", "delta", "softmax", "recurrent"};
    for (size_t k = 0; k < 4; k++) {
        uint64_t random = 88172645463325252u + k;
        Walker *w = open_at(lessons[k]);
        Size size = usual;
        for (int i = 0; i < INPUTS; i++) {
            Input input = random_input(&random);
            if (!leaves_or_writes(input))
                walker_input(w, input);
            if (walker_is_done(w))
                break;
            if (next_random(&random) % 16 == 0)
                size = (Size){1 + (int)(next_random(&random) % 45),
                              1 + (int)(next_random(&random) % 130)};
            Grid *grid = draw(w, size);
            assert_int_equal(grid->rows, size.rows);
            assert_int_equal(grid->cols, size.cols);
            grid_free(grid);
        }
        walker_free(w);
    }
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
        cmocka_unit_test(test_actions), cmocka_unit_test(test_walk),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_question), cmocka_unit_test(test_prediction),
        cmocka_unit_test(test_look), cmocka_unit_test(test_edit),
        cmocka_unit_test(test_params), cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_search), cmocka_unit_test(test_paste),
        cmocka_unit_test(test_menu), cmocka_unit_test(test_words),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_bench),
        cmocka_unit_test(test_autoplay), cmocka_unit_test(test_reload),
        cmocka_unit_test(test_write), cmocka_unit_test(test_anything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
