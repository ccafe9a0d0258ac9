/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include <unistd.h>

#include "core/start.h"
#include "io/number.h"
#include "lang/explain.h"
#include "lesson/eval.h"
#include "lesson/run.h"

#define HEAD "---\ntitle: T\nabout: A.\n---\n"
#define PARAMS                                                                                     \
    "```params\nn = 3 1..9\nd = 2 1..9\nb = 0.5 0..1\nphi = elu1 elu1 | relu\nseed = 7 0..\n```\n"

static Lesson *parse(const char *text)
{
    Lesson *lesson = NULL;
    Error error = {0};
    if (lesson_parse("lessons/t.md", text, strlen(text), &lesson, &error) != STATUS_OK)
        print_error("%zu:%zu: %s\n", error.line, error.column, error.message);
    assert_non_null(lesson);
    return lesson;
}

/* Runs lesson with the settings of query ("n=1&Q(1,1)=2", or ""); *message is the error, to
 * be freed, if there is no trace. */
static Trace *run_with(const Lesson *lesson, const char *query, const RunHooks *hooks,
                       char **message)
{
    Str text = {0};
    Place place;
    Error error = {0};
    Trace *trace = NULL;
    str_addf(&text, "x%s%s", *query ? "?" : "", query);
    assert_int_equal(place_parse(str_text(&text), &place, &error), STATUS_OK);
    if (lesson_run(lesson, &place.settings, hooks, &trace, &error) != STATUS_OK && message)
        *message = memory_copy_text(error.message);
    else if (!trace)
        print_error("%s\n", error.message);
    error_clear(&error);
    place_clear(&place);
    str_clear(&text);
    return trace;
}

static Trace *run(const Lesson *lesson, const char *query)
{
    Trace *trace = run_with(lesson, query, NULL, NULL);
    assert_non_null(trace);
    return trace;
}

/* The value of the expression in text as of frame, as an inline value prints it. */
static void check_value(const Trace *trace, size_t frame, const char *text, const char *expected)
{
    Str file = {0}, got = {0};
    str_addf(&file, HEAD "## S {#s}\n`=%s`\n", text);
    Lesson *lesson = parse(str_text(&file));
    const Run *value = &lesson->steps[0].blocks[0].prose.items[0].runs.items[0];
    Error error = {0};
    if (lesson_eval_run(trace, frame, value, &got, &error) != STATUS_OK)
        str_add(&got, error.message);
    assert_string_equal(str_text(&got), expected);
    error_clear(&error);
    str_clear(&got);
    str_clear(&file);
    lesson_free(lesson);
}

static const char walk[] = HEAD PARAMS
    "## One {#one}\n\nText.\n\n"
    "## Two {#two}\n"
    "```octave\nQ = randn(n, d);\nS = zeros(1, d);\nfor t = 1:n\n  q = Q(t,:);\n  S = S + q;\n"
    "end\nlast = t;\n```\n"
    "- [x] a — b\n\n"
    "```octave fold\nm = n * 2;\nfor j = 1:3\n  m = m + j;\nend\nw = S;\n```\n"
    "```predict\nm within 1 : m\n```\n";

/* --- frames and stops -------------------------------------------------------- */

static void test_frames(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *trace = run(lesson, "");
    assert_int_equal(trace_frame_count(trace), 10);
    static const struct {
        const char *bound;
        size_t stop, loops, iteration, moved;
    } frames[] = {{"Q", 1, 0, 0, 0},    {"S", 2, 0, 0, 0}, {"q", 3, 1, 1, 1}, {"S", 3, 1, 1, 0},
                  {"q", 4, 1, 2, 1},    {"S", 4, 1, 2, 0}, {"q", 5, 1, 3, 1}, {"S", 5, 1, 3, 0},
                  {"last", 6, 0, 0, 0}, {"m", 8, 0, 0, 0}};
    for (size_t i = 0; i < 10; i++) {
        const Frame *frame = trace_frame(trace, i + 1);
        assert_string_equal(frame->bound[0].name, frames[i].bound);
        assert_int_equal(frame->stop, frames[i].stop);
        assert_int_equal(frame->loop_count, frames[i].loops);
        assert_int_equal(frame->moved_count, frames[i].moved);
        if (frames[i].loops)
            assert_int_equal(frame->loops[0].iteration, frames[i].iteration);
        assert_int_equal(frame->step, 1);
    }
    const Frame *fold = trace_frame(trace, 10);
    assert_null(fold->stmt);
    assert_int_equal(fold->bound_count, 3);
    assert_string_equal(fold->bound[1].name, "j");
    assert_string_equal(fold->bound[2].name, "w");
    assert_int_equal(fold->read_count, 2);
    assert_string_equal(fold->reads[0].name, "n");
    assert_string_equal(fold->reads[1].name, "S");
    assert_int_equal(fold->bound[0].value->origin->op->id, OP_FOLD);
    assert_int_equal(fold->bound[0].value->origin->count, 2);
    check_value(trace, 10, "m", "12");
    trace_free(trace);
    lesson_free(lesson);
}

static void test_stops(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *trace = run(lesson, "");
    static const struct {
        StopKind kind;
        size_t step, first, last, iteration;
    } stops[] = {{STOP_NONE, 0, 1, 0, 0},      {STOP_STATEMENT, 1, 1, 1, 0},
                 {STOP_STATEMENT, 1, 2, 2, 0}, {STOP_ITERATION, 1, 3, 4, 1},
                 {STOP_ITERATION, 1, 5, 6, 2}, {STOP_ITERATION, 1, 7, 8, 3},
                 {STOP_STATEMENT, 1, 9, 9, 0}, {STOP_QUESTION, 1, 10, 9, 0},
                 {STOP_FOLD, 1, 10, 10, 0},    {STOP_PREDICTION, 1, 11, 10, 0}};
    assert_int_equal(trace_stop_count(trace), sizeof stops / sizeof stops[0]);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        const Stop *stop = trace_stop(trace, i);
        assert_int_equal(stop->kind, stops[i].kind);
        assert_int_equal(stop->step, stops[i].step);
        assert_int_equal(stop->first, stops[i].first);
        assert_int_equal(stop->last, stops[i].last);
        assert_int_equal(stop->iteration, stops[i].iteration);
    }
    size_t first;
    assert_int_equal(trace_step_stops(trace, 0, &first), 1);
    assert_int_equal(first, 0);
    assert_int_equal(trace_step_stops(trace, 1, &first), 9);
    assert_int_equal(first, 1);
    assert_int_equal(trace_block_frame(trace, 1, 0), 9);
    assert_int_equal(trace_block_frame(trace, 1, 1), 9);
    assert_int_equal(trace_block_frame(trace, 1, 2), 10);
    assert_int_equal(trace_step_frame(trace, 0), 0);
    assert_int_equal(trace_step_frame(trace, 1), 10);
    trace_free(trace);
    lesson_free(lesson);
}

static void test_find(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *trace = run(lesson, "n=4");
    size_t bound;
    assert_null(trace_find(trace, 0, "Q", NULL));
    assert_null(trace_find(trace, 99, "nosuch", NULL));
    assert_non_null(trace_find(trace, 0, "n", &bound));
    assert_int_equal(bound, 0);
    const Value *early = trace_find(trace, 3, "S", &bound);
    assert_int_equal(bound, 2);
    assert_ptr_equal(early, trace_frame(trace, 2)->bound[0].value);
    assert_ptr_equal(trace_find(trace, 4, "S", &bound), trace_frame(trace, 4)->bound[0].value);
    assert_int_equal(bound, 4);
    assert_ptr_equal(trace_before(trace, 3, "S"), early);
    assert_null(trace_before(trace, 1, "Q"));
    check_value(trace, 4, "t", "1");
    check_value(trace, 5, "t", "2");
    check_value(trace, 11, "last", "4");
    check_value(trace, 0, "Q", "'Q' undefined");
    check_value(trace, 8, "norm(S - sum(Q(1:3,:), 1)) < 1e-12", "1");
    check_value(trace, 11, "norm(S - sum(Q, 1)) < 1e-12", "1");
    size_t count;
    const char *const *names = trace_names(trace, &count);
    assert_int_equal(count, 13);
    assert_string_equal(names[0], "n");
    assert_string_equal(names[5], "Q");
    trace_free(trace);
    lesson_free(lesson);
}

/* q is left over at the beginning of each iteration but the first, and overwritten
 * before it is read; S is read first. */
static void test_stale(void **state)
{
    (void)state;
    Lesson *lesson = parse(HEAD "## S {#s}\n```octave\nS = 0;\nfor t = 1:3\n  a = t;\n  q = a;\n"
                                "  S = S + q;\nend\nq = 1;\n```\n");
    Trace *trace = run(lesson, "");
    assert_false(trace_is_stale(trace, 2, "q")); /* not bound yet */
    assert_false(trace_is_stale(trace, 4, "q")); /* of this iteration */
    assert_true(trace_is_stale(trace, 5, "q"));
    assert_false(trace_is_stale(trace, 5, "S"));
    assert_false(trace_is_stale(trace, 5, "a"));
    assert_false(trace_is_stale(trace, 10, "q")); /* written again, but behind the loop */
    trace_free(trace);
    lesson_free(lesson);
}

/* Iterations that assign nothing are stops without frames; the variable goes on. */
static void test_empty_iterations(void **state)
{
    (void)state;
    Lesson *lesson =
        parse(HEAD "## S {#s}\n```octave\nfor t = 1:5\n  if t == 3\n    x = t;\n  end\n"
                   "end\nfor u = 1:0\n  y = 1;\nend\nz = t;\n```\n");
    Trace *trace = run(lesson, "");
    assert_int_equal(trace_frame_count(trace), 2);
    assert_int_equal(trace_stop_count(trace), 4);
    assert_int_equal(trace_stop(trace, 2)->iteration, 3);
    assert_int_equal(trace_stop(trace, 2)->last, 1);
    check_value(trace, 2, "z", "5");
    check_value(trace, 1, "t", "5");
    trace_free(trace);
    lesson_free(lesson);
}

/* --- places ------------------------------------------------------------------ */

static void resolve(const Trace *trace, const char *text, Str *out)
{
    Place place;
    Error error = {0};
    Position position;
    size_t first, last;
    assert_int_equal(place_parse(text, &place, &error), STATUS_OK);
    if (trace_resolve(trace, &place, &position, &error) == STATUS_OK &&
        trace_resolve_range(trace, &place, &first, &last, &error) == STATUS_OK)
        str_addf(out, "stop %zu frame %zu range %zu-%zu", position.stop, position.frame, first,
                 last);
    else
        str_add(out, error.message);
    error_clear(&error);
    place_clear(&place);
}

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *place, *expected;
    } cases[] = {
        {"t", "stop 0 frame 0 range 1-10"},
        {"t:one", "stop 0 frame 0 range 1-0"},
        {"t:two", "stop 1 frame 1 range 1-10"},
        {"t:2:3", "stop 3 frame 4 range 3-4"},
        {"t:two:3.1", "stop 3 frame 3 range 3-3"},
        {"t:two:3.2", "stop 3 frame 4 range 4-4"},
        {"t:two:7", "stop 7 frame 9 range 10-9"},
        {"t:two:9", "stop 9 frame 10 range 11-10"},
        {"t:two:10", "step two has 9 stops, there is no stop 10"},
        {"t:one:2", "step one has 1 stop, there is no stop 2"},
        {"t:two:3.3", "stop 3 of step two has 2 statements, there is no statement 3"},
        {"t:two:7.1", "stop 7 of step two has 0 statements, there is no statement 1"},
        {"t:nosuch", "t has no step 'nosuch'; it has one, two"},
        {"t:3", "t has 2 steps, there is no step 3"},
    };
    Lesson *lesson = parse(walk);
    Trace *trace = run(lesson, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str got = {0};
        resolve(trace, cases[i].place, &got);
        assert_string_equal(str_text(&got), cases[i].expected);
        str_clear(&got);
    }
    trace_free(trace);
    lesson_free(lesson);
}

static void test_place_in_one_step(void **state)
{
    (void)state;
    Lesson *lesson = parse("---\ntitle: T\nabout: A\n---\n\n## One {#one}\n\nText.\n");
    Trace *trace = run(lesson, "");
    Str got = {0};
    resolve(trace, "t:2", &got);
    assert_string_equal(str_text(&got), "t has 1 step, there is no step 2");
    str_clear(&got);
    trace_free(trace);
    lesson_free(lesson);
}

/* Every position has a place that leads back to it. */
static void test_place_round_trip(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *trace = run(lesson, "n=2&Q(1,2)=5");
    for (size_t stop = 0; stop < trace_stop_count(trace); stop++) {
        const Stop *s = trace_stop(trace, stop);
        for (size_t frame = s->first <= s->last ? s->first : s->last; frame <= s->last; frame++) {
            Place place, again;
            Position position;
            Error error = {0};
            Str text = {0};
            trace_place(trace, (Position){stop, frame}, &place);
            place_add_text(&text, &place, false);
            assert_non_null(strstr(str_text(&text), "?n=2&Q(1,2)=5"));
            assert_ptr_equal(strstr(str_text(&text), "lessons/t.md:"), str_text(&text));
            assert_int_equal(place_parse(str_text(&text), &again, &error), STATUS_OK);
            assert_int_equal(trace_resolve(trace, &again, &position, &error), STATUS_OK);
            assert_int_equal(position.stop, stop);
            assert_int_equal(position.frame, frame);
            place_clear(&place);
            place_clear(&again);
            str_clear(&text);
        }
    }
    trace_free(trace);
    lesson_free(lesson);
}

static void test_match(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *three = run(lesson, ""), *two = run(lesson, "n=2"), *five = run(lesson, "n=5");
    Position at = trace_match(three, (Position){5, 7}, five); /* iteration 3, first statement */
    assert_int_equal(at.stop, 5);
    assert_int_equal(at.frame, 7);
    at = trace_match(three, (Position){5, 7}, two); /* clamped to iteration 2 */
    assert_int_equal(at.stop, 4);
    assert_int_equal(at.frame, 5);
    at = trace_match(three, (Position){6, 9}, two);
    assert_string_equal(trace_frame(two, at.frame)->bound[0].name, "last");
    at = trace_match(three, (Position){9, 10}, five);
    assert_int_equal(trace_stop(five, at.stop)->kind, STOP_PREDICTION);
    at = trace_match(three, (Position){0, 0}, five);
    assert_int_equal(at.stop, 0);
    assert_int_equal(trace_counterpart(three, 8, five), 8);
    assert_int_equal(trace_counterpart(three, 8, two), 0);
    assert_int_equal(trace_counterpart(three, 10, two), 8);
    trace_free(three);
    trace_free(two);
    trace_free(five);
    lesson_free(lesson);
}

/* --- settings ---------------------------------------------------------------- */

static void test_settings(void **state)
{
    (void)state;
    static const struct {
        const char *query, *expr, *value; /* value: or the error of the run, expr NULL */
    } cases[] = {
        {"", "[n d b seed]", "[3 2 0.5 7]"},
        {"n=9&b=1&seed=3", "[n d b seed]", "[9 2 1 3]"},
        {"phi=relu", "phi(-1)", "0"},
        {"", "phi(0)", "1"},
        {"n=0", NULL, "n = 0 lies outside 1..9"},
        {"n=10", NULL, "n = 10 lies outside 1..9"},
        {"n=2.5", NULL, "n = 2.5: it is an integer"},
        {"n=nan", NULL, "n = nan: it is a number"},
        {"n=x", NULL, "n = x: it is a number"},
        {"b=-0.1", NULL, "b = -0.1 lies outside 0..1"},
        {"seed=-1", NULL, "seed = -1 lies outside 0.."},
        {"phi=exp", NULL, "phi = exp: it is one of elu1, relu"},
        {"m=1", NULL, "the lesson has no parameter m; it has n, d, b, phi, seed"},
        {"Q(2,1)=0.25", "Q(2,1)", "0.25"},
        {"Q(2,1)=0.25", "rows(Q)", "3"},
        {"Q(4,1)=0.25", NULL, "Q(4,1): out of bound (dimensions are 3x2)"},
        {"S(1,2)=7", "S(1,2) - sum(Q(:,2))", "7"},
        {"q(1,1)=1", NULL, "q is computed, not an input: only inputs can be edited"},
        {"m(1,1)=1", NULL, "m is computed, not an input: only inputs can be edited"},
        {"z(1,1)=1", NULL, "z(1,1): the lesson binds nothing to z"},
    };
    Lesson *lesson = parse(walk);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *message = NULL;
        Trace *trace = run_with(lesson, cases[i].query, NULL, &message);
        if (cases[i].expr) {
            assert_non_null(trace);
            check_value(trace, trace_frame_count(trace), cases[i].expr, cases[i].value);
        } else {
            assert_non_null(message);
            assert_string_equal(message, cases[i].value);
        }
        free(message);
        trace_free(trace);
    }
    lesson_free(lesson);
}

/* Which values count as inputs. */
static void test_inputs(void **state)
{
    (void)state;
    Lesson *lesson = parse(HEAD PARAMS "## S {#s}\n```octave\n"
                                       "a1 = [1 -2; 1/2 n];\na2 = zeros(n, d);\na3 = 3;\n"
                                       "a4 = dims([1; 2]', 'n', 'd');\na5 = 1:n;\na6 = a1;\n"
                                       "b1 = a1 * 2;\nb2 = a1';\nb3 = [a1; a1];\nb4 = rows(a1);\n"
                                       "b5 = randn(n, d) * 2;\nfor b6 = 1:2\n  b7 = b6 + 1;\nend\n```\n");
    Trace *trace = run(lesson, "");
    for (size_t i = 1; i <= trace_frame_count(trace); i++) {
        const FrameValue *bound = &trace_frame(trace, i)->bound[0];
        if (trace_is_input(bound->value) != (bound->name[0] == 'a'))
            fail_msg("%s", bound->name);
    }
    assert_false(trace_is_input(trace_find(trace, trace_frame_count(trace), "b6", NULL)));
    trace_free(trace);
    lesson_free(lesson);
}

/* What a folded block read goes by its own names. */
static void test_fold_parts(void **state)
{
    (void)state;
    Lesson *lesson = parse(HEAD PARAMS "## S {#s}\n```octave\nA = [1 2];\nB = [3 4];\n```\n"
                                       "```octave fold\nC = tanh(B .* (A + 1)) + B;\n```\n");
    Trace *trace = run(lesson, "");
    size_t last = trace_frame_count(trace);
    Explanation told = {0};
    explain_cell(trace_find(trace, last, "C", NULL), "C", 0, 1, 4, false, &told);
    assert_int_equal(told.count, 2);
    for (size_t i = 0; i < told.count; i++)
        assert_ptr_equal(trace_find(trace, last, told.parts[i].name, NULL), told.parts[i].value);
    explanation_clear(&told);
    trace_free(trace);
    lesson_free(lesson);
}

/* An edited value knows what it was. */
static void test_edit_origin(void **state)
{
    (void)state;
    Lesson *lesson = parse(walk);
    Trace *plain = run(lesson, ""), *edited = run(lesson, "Q(1,1)=2&Q(3,2)=4");
    const Value *value = trace_find(edited, 1, "Q", NULL);
    assert_int_equal(value->origin->op->id, OP_EDIT);
    assert_true(matrix_same(value_matrix(value->origin->operands[0]),
                            value_matrix(trace_find(plain, 1, "Q", NULL))));
    assert_string_equal(poly_single_name(value->rows.name), "n");
    assert_true(matrix_at(value_matrix(value), 2, 1) == 4);
    trace_free(plain);
    trace_free(edited);
    lesson_free(lesson);
}

/* --- loaded matrices --------------------------------------------------------- */

static char *write_matrix(size_t rows, size_t cols)
{
    Str path = {0}, text = {0};
    Error error = {0};
    const char *tmp = getenv("TMPDIR");
    str_addf(&path, "%s/attnwalk-trace-%zux%zu-%ld.csv", tmp ? tmp : "/tmp", rows, cols,
             (long)getpid());
    for (size_t i = 0; i < rows * cols; i++)
        str_addf(&text, "%zu%s", i, (i + 1) % cols ? "," : "\n");
    assert_int_equal(file_write(str_text(&path), text.data, text.length, &error), STATUS_OK);
    str_clear(&text);
    return str_take(&path);
}

static const char three_inputs[] =
    HEAD PARAMS "## S {#s}\n```octave\nQ = randn(n, d);\nK = randn(n, d);\nV = randn(d, d + 1);\n"
                "w = zeros(2, 1);\nA = Q * K';\nf = @(x) x;\n```\n";

static void test_loads(void **state)
{
    (void)state;
    char *wide = write_matrix(12, 4), *narrow = write_matrix(12, 2), *small = write_matrix(2, 3);
    Lesson *lesson = parse(three_inputs);
    static const struct {
        const char *query; /* @W 12x4, @N 12x2, @S 2x3 */
        const char *expr, *value;
    } cases[] = {
        {"Q=@W&K=@W", "[n d size(A) Q(2,1) A(1,2)]", "[12 4 12 12 4 38]"},
        {"K=@N", "[n d size(Q) size(K)]", "[12 2 12 2 12 2]"},
        {"K=@N", "norm(Q(1:3,:) - approx(1,1,1)) > 0", "1"},
        {"Q=@W&d=4", "d", "4"},
        {"Q=@W&Q(1,1)=9", "Q(1,1)", "9"},
        {"w=@S", "[n d size(w)]", "[3 2 2 3]"},
        {"Q=@W&n=5", NULL, "Q is 12x4 in @W, so n = 12, but it is set to 5"},
        {"Q=@W&K=@N", NULL, "K is 12x2 in @N, so d = 2, but it is 4 by Q from @W"},
        {"z=@W", NULL, "z=@@W: the lesson binds nothing to z"},
        {"f=@W", NULL, "f is loaded from @W, but it is no matrix here"},
        {"Q=@/nosuch.csv", NULL, "cannot open: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str query = {0}, expected = {0};
        char *message = NULL;
        for (int k = 0; k < 2; k++) {
            Str *out = k ? &expected : &query;
            for (const char *c = k ? cases[i].value : cases[i].query; *c; c++) {
                const char *file = c[0] != '@'   ? NULL
                                   : c[1] == 'W' ? wide
                                   : c[1] == 'N' ? narrow
                                   : c[1] == 'S' ? small
                                                 : NULL;
                if (file)
                    str_addf(out, "%s%s", k ? "" : "@", file);
                else
                    str_add_char(out, *c);
                c += file != NULL;
            }
        }
        Trace *trace = run_with(lesson, str_text(&query), NULL, &message);
        if (cases[i].expr) {
            assert_non_null(trace);
            check_value(trace, trace_frame_count(trace), cases[i].expr, cases[i].value);
        } else {
            assert_non_null(message);
            assert_string_equal(message, str_text(&expected));
        }
        free(message);
        trace_free(trace);
        str_clear(&query);
        str_clear(&expected);
    }
    Str query = {0};
    str_addf(&query, "Q=@%s&K=@%s", wide, wide);
    Trace *trace = run(lesson, str_text(&query));
    const Value *loaded = trace_find(trace, 1, "Q", NULL);
    assert_int_equal(loaded->origin->op->id, OP_LOAD);
    assert_string_equal(loaded->origin->note, wide);
    assert_string_equal(poly_single_name(loaded->rows.name), "n");
    assert_true(trace_param(trace, 0)->from_file);
    assert_true(trace_param(trace, 0)->number == 12);
    assert_false(trace_param(trace, 2)->from_file);
    trace_free(trace);
    str_clear(&query);
    lesson_free(lesson);
    char *files[] = {wide, narrow, small};
    for (size_t i = 0; i < 3; i++) {
        unlink(files[i]);
        free(files[i]);
    }
}

/* --- random numbers ---------------------------------------------------------- */

static Status count_draw(void *context, size_t call, const char *function, const Matrix *m,
                         Error *error)
{
    (void)error;
    str_addf(context, "%zu %s %zux%zu\n", call, function, m->rows, m->cols);
    return STATUS_OK;
}

/* Replacing one input leaves the draws of the others as they were, and every draw is
 * told once. */
static void test_draws(void **state)
{
    (void)state;
    char *file = write_matrix(3, 2);
    Lesson *lesson = parse(three_inputs);
    Str query = {0}, draws = {0};
    RunHooks hooks = {.context = &draws, .drawn = count_draw};
    str_addf(&query, "Q=@%s", file);
    Trace *loaded = run_with(lesson, str_text(&query), &hooks, NULL), *plain = run(lesson, "");
    assert_non_null(loaded);
    assert_string_equal(str_text(&draws), "1 randn 3x2\n2 randn 3x2\n3 randn 2x3\n");
    assert_true(matrix_same(value_matrix(trace_find(loaded, 2, "K", NULL)),
                            value_matrix(trace_find(plain, 2, "K", NULL))));
    Trace *other = run(lesson, "seed=8");
    assert_false(matrix_same(value_matrix(trace_find(other, 2, "K", NULL)),
                             value_matrix(trace_find(plain, 2, "K", NULL))));
    trace_free(loaded);
    trace_free(plain);
    trace_free(other);
    lesson_free(lesson);
    str_clear(&query);
    str_clear(&draws);
    unlink(file);
    free(file);
}

/* --- views ------------------------------------------------------------------- */

/* The states of a view's parts at a position: - absent, + present, ~ stale. */
static void check_view(const Trace *trace, Position position, const View *view,
                       const char *expected)
{
    ShownList shown;
    Error error = {0};
    Str got = {0};
    if (lesson_view(trace, position, view, &shown, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; i < shown.count; i++) {
        str_add_char(&got, "-+~"[shown.items[i].state]);
        assert_true((shown.items[i].value == NULL) == (shown.items[i].state == SHOWN_ABSENT));
    }
    assert_string_equal(str_text(&got), expected);
    shown_list_clear(&shown);
    str_clear(&got);
}

static void test_views(void **state)
{
    (void)state;
    Lesson *lesson =
        parse(HEAD "## S {#s}\n```octave\nS = 0;\nfor t = 1:2\n  q = t;\n  e = q;\n"
                   "  S = S + e;\nend\nx = 1;\n```\n"
                   "```view\nheat S, q, e, x\nupdate S = S + e\nheat before(S)\n```\n");
    Trace *trace = run(lesson, "");
    const View *views = lesson->steps[0].blocks[1].views;
    static const struct {
        size_t stop, frame;
        const char *heat, *update, *before;
    } cases[] = {
        {0, 1, "+---", "--+", "-"}, /* S = 0 */
        {1, 2, "++--", "+--", "+"}, /* q = 1 */
        {1, 3, "+++-", "++-", "+"}, /* e = 1 */
        {1, 4, "+++-", "+++", "+"}, /* S = 1 */
        {2, 5, "++~-", "+~-", "+"}, /* q = 2: e is left over */
        {2, 7, "+++-", "+++", "+"}, /* S = 3 */
        {3, 8, "++++", "+++", "+"}, /* x = 1: the last update stays */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Position at = {cases[i].stop, cases[i].frame};
        check_view(trace, at, &views[0], cases[i].heat);
        check_view(trace, at, &views[1], cases[i].update);
        check_view(trace, at, &views[2], cases[i].before);
    }
    ShownList shown;
    Error error = {0};
    assert_int_equal(lesson_view(trace, (Position){2, 7}, &views[1], &shown, &error), STATUS_OK);
    assert_true(value_number(shown.items[0].value) == 1);
    assert_true(value_number(shown.items[1].value) == 2);
    assert_true(value_number(shown.items[2].value) == 3);
    shown_list_clear(&shown);
    trace_free(trace);
    lesson_free(lesson);
}

static void test_inline_formats(void **state)
{
    (void)state;
    Lesson *lesson = parse(HEAD "## S {#s}\n```octave\nx = 1;\n```\n"
                                "`=1/3` `=1/3|%.2f` `=2e20` `=[1 1/3; 0/0 true]` `=1/4|%e` `=3|%g` "
                                "`=zeros(0,2)` `=1/0`\n");
    Trace *trace = run(lesson, "");
    const Runs *runs = &lesson->steps[0].blocks[1].prose.items[0].runs;
    Str got = {0};
    Error error = {0};
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].kind == RUN_VALUE) {
            assert_int_equal(lesson_eval_run(trace, 1, &runs->items[i], &got, &error), STATUS_OK);
            str_add(&got, "|");
        }
    assert_string_equal(str_text(&got), "0.333333|0.33|200000000000000000000|[1 0.333333; NaN 1]|"
                                        "2.500000e-01|3|[]|inf|");
    str_clear(&got);
    trace_free(trace);
    lesson_free(lesson);
}

int main(void)
{
    core_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_empty_iterations),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_place_in_one_step),
        cmocka_unit_test(test_place_round_trip),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_inputs), cmocka_unit_test(test_fold_parts),
        cmocka_unit_test(test_edit_origin),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_inline_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
