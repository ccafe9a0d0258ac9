/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the reader is, what is in force, what can be taken back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/answers.h"
#include "app/inspect.h"
#include "app/prompt.h"
#include "app/search.h"
#include "app/session.h"
#include "core/start.h"
#include "lesson/find.h"
#include "lesson/run.h"

static void open_at(Session *s, const char *text)
{
    Place place = {0};
    Error error = {0};
    assert_int_equal(place_parse(text, &place, &error), STATUS_OK);
    if (session_open(s, &place, &error))
        fail_msg("%s: %s", text, error.message);
    place_clear(&place);
}

static void assert_place(const Session *s, const char *place)
{
    Str text = {0};
    session_add_place(s, &text);
    assert_string_equal(str_text(&text), place);
    str_clear(&text);
}

static void go(Session *s, const char *text)
{
    Error error = {0};
    if (session_go(s, text, &error))
        fail_msg("%s: %s", text, error.message);
}

/* Every frame of the lesson forward, then every frame back. */
static void test_frames(void **state)
{
    (void)state;
    Session s = {0};
    open_at(&s, "brackets");
    s.position = (Position){0, trace_stop(s.trace, 0)->first};
    size_t count = 0, room = 0;
    Position *seen = NULL;
    do {
        if (count == room)
            seen = realloc(seen, (room = 2 * room + 64) * sizeof *seen);
        seen[count++] = s.position;
    } while (session_next_frame(&s));
    size_t wanted = 0; /* every frame, and every stop that has none */
    for (size_t i = 0; i < trace_stop_count(s.trace); i++) {
        const Stop *stop = trace_stop(s.trace, i);
        wanted += stop->last >= stop->first ? stop->last - stop->first + 1 : 1;
    }
    assert_int_equal(count, wanted);
    while (count-- > 0) {
        assert_int_equal(s.position.stop, seen[count].stop);
        assert_int_equal(s.position.frame, seen[count].frame);
        assert_int_equal(session_last_frame(&s), count > 0);
    }
    free(seen);
    session_close(&s);
}

static void test_go(void **state)
{
    (void)state;
    Session s = {0};
    Error error = {0};
    open_at(&s, "brackets");
    go(&s, "scores");
    assert_place(&s, "brackets:scores:1");
    go(&s, "prefix:4.1");
    assert_place(&s, "brackets:prefix:4.1");
    go(&s, ":5");
    assert_int_equal(session_stop(&s)->step, 4);
    go(&s, "?n=3");
    assert_int_equal(session_stop(&s)->step, 4);
    assert_float_equal(trace_param(s.trace, 0)->number, 3, 0);
    go(&s, "scores"); /* settings stay */
    assert_place(&s, "brackets:scores:1?n=3");
    assert_int_equal(session_go(&s, "nosuch:1", &error), STATUS_ERROR);
    error_clear(&error);
    assert_int_equal(session_go(&s, "scores:99", &error), STATUS_ERROR);
    error_clear(&error);
    assert_place(&s, "brackets:scores:1?n=3");
    go(&s, "delta:2");
    assert_string_equal(s.lesson->id, "delta");
    session_close(&s);
}

/* After a change the numbers are those of a fresh run with the same settings. */
static void assert_fresh(const Session *s)
{
    Trace *fresh;
    Error error = {0};
    size_t count;
    assert_int_equal(lesson_run(s->lesson, trace_settings(s->trace), NULL, &fresh, &error),
                     STATUS_OK);
    const char *const *names = trace_names(fresh, &count);
    for (size_t i = 0; i < count; i++) {
        size_t last = trace_frame_count(fresh);
        const Value *a = trace_find(fresh, last, names[i], NULL);
        const Value *b = trace_find(s->trace, last, names[i], NULL);
        assert_true((a == NULL) == (b == NULL));
        if (a && a->kind == VALUE_MATRIX)
            assert_true(matrix_same(value_matrix(a), value_matrix(b)));
    }
    trace_free(fresh);
}

static void test_change(void **state)
{
    (void)state;
    Session s = {0};
    Error error = {0};
    bool moved, changed;
    open_at(&s, "brackets:scores");
    assert_int_equal(session_move_param(&s, 0, 2, &moved, &error), STATUS_OK);
    assert_true(moved);
    assert_non_null(s.old);
    assert_place(&s, "brackets:scores:1?n=8");
    assert_fresh(&s);
    assert_int_equal(session_edit(&s, "K0", 1, 0, 0.25, &error), STATUS_OK);
    assert_place(&s, "brackets:scores:1?n=8&K0(2,1)=0.25");
    assert_fresh(&s);
    assert_int_equal(session_set_param(&s, 0, "1000", &error), STATUS_ERROR);
    error_clear(&error);
    assert_int_equal(session_edit(&s, "A0", 0, 0, 1, &error), STATUS_ERROR);
    error_clear(&error);
    assert_place(&s, "brackets:scores:1?n=8&K0(2,1)=0.25");
    assert_int_equal(session_move_param(&s, 0, 1000, &moved, &error), STATUS_OK);
    assert_int_equal(session_move_param(&s, 0, 1, &moved, &error), STATUS_OK);
    assert_false(moved); /* it stands at its end */
    assert_true(session_undo(&s));
    assert_place(&s, "brackets:scores:1?n=8&K0(2,1)=0.25");
    assert_int_equal(session_reset(&s, &changed, &error), STATUS_OK);
    assert_true(changed);
    assert_place(&s, "brackets:scores:1");
    assert_true(session_undo(&s) && session_undo(&s) && session_undo(&s));
    assert_place(&s, "brackets:scores:1");
    assert_false(session_undo(&s));
    assert_fresh(&s);
    session_close(&s);
}

/* The reader keeps the statement and the iteration, clamped to what there is. */
static void test_keeps_place(void **state)
{
    (void)state;
    Session s = {0};
    Error error = {0};
    bool moved;
    open_at(&s, "recurrent");
    while (session_stop(&s)->kind != STOP_ITERATION || session_stop(&s)->iteration < 4)
        assert_true(session_next_stop(&s));
    size_t step = session_stop(&s)->step;
    assert_int_equal(session_move_param(&s, 0, 1, &moved, &error), STATUS_OK);
    assert_int_equal(session_stop(&s)->step, step);
    assert_int_equal(session_stop(&s)->iteration, 4);
    session_close(&s);
}

static void test_search(void **state)
{
    (void)state;
    Session s = {0};
    Position position;
    size_t at, first;
    bool round;
    open_at(&s, "brackets");
    assert_true(search_find(&s, "causal mask", 0, true, &at, &round, &position));
    s.position = position;
    assert_string_equal(session_step(&s)->id, "causal");
    assert_true(search_find(&s, "Yc = tril", 0, true, &first, &round, &position));
    assert_int_equal(trace_stop(s.trace, position.stop)->kind, STOP_STATEMENT);
    assert_false(search_find(&s, "title: Swapping", 0, true, &at, &round, &position));
    assert_false(search_find(&s, "", 0, true, &at, &round, &position));
    assert_true(search_find(&s, "yC = TRIL", first, true, &at, &round, &position));
    assert_int_equal(at, first);
    assert_true(round);
    session_close(&s);
}

/* From every cell of every value a statement binds, going in comes to an input. */
static void descend(const Value *value, const char *name, size_t row, size_t col)
{
    enum { MOST = 400 };
    Inspect inspect = {0};
    inspect_open(&inspect, value, name, row, col);
    for (int i = 0; i < MOST && inspect_into(&inspect); i++)
        continue;
    assert_true(inspect_top(&inspect)->why.input);
    Str trail = {0};
    inspect_add_trail(&inspect, &trail);
    assert_true(trail.length > 0);
    str_clear(&trail);
    size_t levels = inspect.count;
    while (inspect_out(&inspect))
        levels--;
    assert_int_equal(levels, 1);
    assert_false(inspect_is_open(&inspect));
}

static void test_inspect(void **state)
{
    (void)state;
    IdList lessons = {0};
    Error error = {0};
    assert_int_equal(find_lessons(&lessons, &error), STATUS_OK);
    for (size_t k = 0; k < lessons.count; k++) {
        Session s = {0};
        open_at(&s, lessons.items[k]);
        for (size_t i = 1; i <= trace_frame_count(s.trace); i++) {
            const Frame *frame = trace_frame(s.trace, i);
            const Value *value = frame->bound[0].value;
            if (!frame->stmt || value->kind != VALUE_MATRIX || !matrix_count(value_matrix(value)))
                continue;
            const Matrix *m = value_matrix(value);
            descend(value, frame->bound[0].name, i % m->rows, i / 3 % m->cols);
        }
        session_close(&s);
    }
    id_list_clear(&lessons);
}

static Input named(const char *name)
{
    return input_parse(name, strlen(name));
}

static void test_prompt(void **state)
{
    (void)state;
    Prompt p = {0};
    Str line = {0};
    int cursor;
    prompt_open(&p, PROMPT_EVAL, ":", "ab");
    prompt_input(&p, (Input){.kind = INPUT_CHAR, .c = 0x4E2D}, false);
    prompt_input(&p, named("Left"), false);
    prompt_input(&p, named("x"), false);
    assert_string_equal(str_text(&p.text), "abx中");
    prompt_add_line(&p, &line, 40, &cursor);
    assert_string_equal(str_text(&line), ":abx中");
    assert_int_equal(cursor, 4);
    prompt_input(&p, (Input){.kind = INPUT_CHAR, .c = 0x1B}, false); /* content cannot act */
    prompt_input(&p, (Input){.kind = INPUT_CHAR, .c = 0x202E}, false);
    assert_string_equal(str_text(&p.text), "abx中");
    prompt_input(&p, named("Delete"), false);
    prompt_input(&p, named("C-a"), false);
    prompt_input(&p, named("Delete"), false);
    assert_string_equal(str_text(&p.text), "bx");
    assert_int_equal(prompt_input(&p, named("Enter"), true), PROMPT_GOES_ON);
    assert_string_equal(str_text(&p.text), " bx");
    assert_int_equal(prompt_input(&p, named("Enter"), false), PROMPT_ENTERED);
    prompt_input(&p, named("C-u"), false);
    prompt_input(&p, named("C-k"), false);
    assert_string_equal(str_text(&p.text), "");
    assert_int_equal(prompt_input(&p, named("Backspace"), false), PROMPT_LEFT);
    prompt_close(&p);
    str_clear(&line);
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
        cmocka_unit_test(test_frames),      cmocka_unit_test(test_go),
        cmocka_unit_test(test_change),      cmocka_unit_test(test_keeps_place),
        cmocka_unit_test(test_search),      cmocka_unit_test(test_inspect),
        cmocka_unit_test(test_prompt),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
