/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens when the reader changes a parameter or a cell: the numbers are those of a fresh
 * run, the reader stays where he was, and exactly what changed is marked. */
#include <math.h>
#include <stdio.h>

#include "lessons.h"

#include "app/session.h"

/* Every change looks at another part of the steps. */
enum { STEPS_APART = SPARSE ? 6 : 2, INPUTS_APART = SPARSE ? 8 : 3 };

static const Size SIZES[] = {{40, 120}, {24, 80}};

/* What was looked at in one lesson. */
static struct {
    size_t changes, pages, cells, changed;
} seen;

/* The lesson and the settings looked at, for messages. */
static void add_where(Str *out, const Session *s, Position position)
{
    add_place_of(out, s->trace, position);
}

static void fail_at(const Session *s, Position position, const char *what)
{
    Str place = {0};
    add_where(&place, s, position);
    fail_msg("%s: %s", str_text(&place), what);
}

static void open_lesson(const char *id, Session *s)
{
    Place place = {.lesson = memory_copy_text(id)};
    Error error = {0};
    if (session_open(s, &place, &error) != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    place_clear(&place);
}

static Page draw(const Trace *trace, Position position, Size size, const Trace *old)
{
    PageOptions options = {.size = size, .scroll = 0, .old = old};
    Page page;
    page_draw(trace, position, &options, &page);
    return page;
}

/* ---- the numbers ---- */

static bool same_value(const Value *a, const Value *b)
{
    return a->kind == b->kind &&
           (a->kind != VALUE_MATRIX || matrix_same(value_matrix(a), value_matrix(b)));
}

/* Every frame binds what it binds in a run of the lesson that was never changed. */
static void check_fresh(const Session *s)
{
    Lesson *lesson;
    Trace *fresh;
    Error error = {0};
    if (lesson_load(s->lesson->id, &lesson, &error) != STATUS_OK ||
        lesson_run(lesson, trace_settings(s->trace), NULL, &fresh, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trace_frame_count(fresh), trace_frame_count(s->trace));
    for (size_t i = 1; i <= trace_frame_count(fresh); i++) {
        const Frame *a = trace_frame(fresh, i), *b = trace_frame(s->trace, i);
        assert_int_equal(a->bound_count, b->bound_count);
        for (size_t k = 0; k < a->bound_count; k++)
            if (!text_equal(a->bound[k].name, b->bound[k].name) ||
                !same_value(a->bound[k].value, b->bound[k].value))
                fail_at(s, (Position){b->stop, i}, "another number than in a fresh run");
    }
    Page ours = draw(s->trace, s->position, SIZES[0], NULL);
    Page theirs = draw(fresh, s->position, SIZES[0], NULL);
    if (!grid_same(ours.grid, theirs.grid))
        fail_at(s, s->position, "another page than of a fresh run");
    page_clear(&ours);
    page_clear(&theirs);
    trace_free(fresh);
    lesson_free(lesson);
}

/* ---- the position ---- */

static bool same_stop(const Stop *a, const Stop *b)
{
    return a->step == b->step && a->kind == b->kind && a->block == b->block &&
           a->stmt == b->stmt && a->iteration == b->iteration;
}

static bool has_stop(const Trace *trace, const Stop *stop)
{
    size_t first, count = trace_step_stops(trace, stop->step, &first);
    for (size_t i = first; i < first + count; i++)
        if (same_stop(trace_stop(trace, i), stop))
            return true;
    return false;
}

/* Every stop of the run before is found again where it still is there, and the step always. */
static void check_positions(const Session *s, Position before)
{
    Position kept = trace_match(s->old, before, s->trace);
    if (kept.stop != s->position.stop || kept.frame != s->position.frame)
        fail_at(s, s->position, "the session is somewhere else");
    for (size_t i = 0; i < trace_stop_count(s->old); i++) {
        const Stop *old = trace_stop(s->old, i);
        Position now = trace_match(s->old, position_at_stop(s->old, i), s->trace);
        const Stop *stop = trace_stop(s->trace, now.stop);
        if (stop->step != old->step || (has_stop(s->trace, old) && !same_stop(stop, old)))
            fail_at(s, now, "is not where the reader was");
        if (now.frame != stop->last)
            fail_at(s, now, "is in the middle of a stop");
    }
}

/* ---- the marks ---- */

/* The hit of the same name, the same time it occurs, as number k of the list. */
static const Hit *find_same(const HitList *list, size_t k, const HitList *in)
{
    size_t nth = 0;
    for (size_t i = 0; i < k; i++)
        nth += text_equal(list->items[i].name, list->items[k].name);
    for (size_t i = 0; i < in->count; i++)
        if (text_equal(in->items[i].name, list->items[k].name) && nth-- == 0)
            return &in->items[i];
    return NULL;
}

static bool differs(const Hit *old, const Matrix *now, size_t i, size_t j)
{
    const Matrix *before = old ? value_matrix(old->value) : NULL;
    if (!before || i >= before->rows || j >= before->cols)
        return false;
    double a = matrix_at(before, i, j), b = matrix_at(now, i, j);
    return a != b && !(isnan(a) && isnan(b));
}

static void fail_cell(const Session *s, Position position, const Hit *hit, size_t i, size_t j,
                      const char *what)
{
    Str text = {0};
    add_where(&text, s, position);
    fail_msg("%s: %s(%zu,%zu) %s", str_text(&text), hit->name, i + 1, j + 1, what);
}

/* The mark of a number: a part of its cells may be blank. */
static Mark mark_in(const Grid *grid, Rect at)
{
    Mark mark = MARK_NONE;
    for (int r = at.row; r < at.row + at.rows; r++)
        for (int c = at.col; c < at.col + at.cols; c++)
            if (grid_cell(grid, r, c)->mark > mark)
                mark = grid_cell(grid, r, c)->mark;
    return mark;
}

/* True if the number is kept back until it is guessed. */
static bool is_kept_back(const Grid *grid, Rect at)
{
    for (int r = at.row; r < at.row + at.rows; r++)
        for (int c = at.col; c < at.col + at.cols; c++)
            if (grid_cell(grid, r, c)->role == ROLE_MASKED)
                return true;
    return false;
}

/* The numbers of a hit that are on the page are marked where they differ from the old ones,
 * unless they bear another mark anyway or are kept back. */
static void check_marks(const Session *s, Position position, const Page *marked, const Hit *hit,
                        const Page *plain, const Hit *bare, const Hit *old)
{
    const Matrix *m = value_matrix(hit->value);
    for (size_t i = hit->row; i < m->rows; i++)
        for (size_t j = hit->col; j < m->cols; j++) {
            Rect at, bare_at;
            if (!hit_cell(hit, i, j, &at) || !hit_cell(bare, i, j, &bare_at))
                continue;
            Mark mark = mark_in(marked->grid, at), otherwise = mark_in(plain->grid, bare_at);
            bool changed = differs(old, m, i, j) && !is_kept_back(marked->grid, at);
            seen.cells++;
            seen.changed += changed;
            if (otherwise != MARK_NONE) {
                if (mark != otherwise)
                    fail_cell(s, position, hit, i, j, "lost its mark");
            } else if (changed && mark != MARK_CHANGED) {
                fail_cell(s, position, hit, i, j, "changed, but is not marked");
            } else if (!changed && mark != MARK_NONE) {
                fail_cell(s, position, hit, i, j, "did not change, but is marked");
            }
        }
}

static void check_page(const Session *s, Position position, Size size)
{
    Position before = trace_match(s->trace, position, s->old);
    Page marked = draw(s->trace, position, size, s->old);
    Page plain = draw(s->trace, position, size, NULL), old = draw(s->old, before, size, NULL);
    assert_int_equal(marked.hits.count, plain.hits.count);
    for (size_t k = 0; k < marked.hits.count; k++)
        check_marks(s, position, &marked, &marked.hits.items[k], &plain, &plain.hits.items[k],
                    find_same(&plain.hits, k, &old.hits));
    seen.pages++;
    page_clear(&marked);
    page_clear(&plain);
    page_clear(&old);
}

/* ---- one change ---- */

/* The session has just been changed, at a position it was in before. */
static void check_change(Session *s, Position before)
{
    check_fresh(s);
    check_positions(s, before);
    for (size_t step = 0; step < s->lesson->step_count; step++) {
        size_t first, count = trace_step_stops(s->trace, step, &first);
        if (step % STEPS_APART != seen.changes % STEPS_APART)
            continue;
        check_page(s, position_at_stop(s->trace, first), SIZES[step % 2]);
        check_page(s, position_at_stop(s->trace, first + count - 1), SIZES[(step + 1) % 2]);
    }
    seen.changes++;
}

/* Goes back to the run before; the page there is what it was. */
static void check_undo(Session *s, Position before, const Grid *page)
{
    assert_true(session_undo(s));
    Page again = draw(s->trace, before, SIZES[0], NULL);
    if (!grid_same(again.grid, page))
        fail_at(s, before, "is another page after undo");
    page_clear(&again);
    s->position = before;
}

static void try_param(Session *s, size_t i, const char *text)
{
    Error error = {0};
    Position before = s->position;
    Page page = draw(s->trace, before, SIZES[0], NULL);
    if (session_set_param(s, i, text, &error) != STATUS_OK)
        fail_msg("%s?%s=%s: %s", s->lesson->id, s->lesson->params[i].name, text, error.message);
    check_change(s, before);
    check_undo(s, before, page.grid);
    page_clear(&page);
}

static void try_number(Session *s, size_t i, double x)
{
    const Param *p = &s->lesson->params[i];
    Str text = {0};
    if ((p->has_low && x < p->low) || (p->has_high && x > p->high) ||
        x == trace_param(s->trace, i)->number)
        return;
    param_add_text(&text, &(ParamValue){.param = p, .number = x});
    try_param(s, i, str_text(&text));
    str_clear(&text);
}

/* One step up and down, and half. */
static void try_numbers(Session *s, size_t i)
{
    const Param *p = &s->lesson->params[i];
    double x = p->number, half = p->kind == PARAM_INTEGER ? floor(x / 2) : x / 2;
    try_number(s, i, x + p->step);
    try_number(s, i, x - p->step);
    if (!SPARSE)
        try_number(s, i, half);
}

static void try_params(Session *s)
{
    for (size_t i = 0; i < s->lesson->param_count; i++) {
        const Param *p = &s->lesson->params[i];
        if (p->kind != PARAM_CHOICE)
            try_numbers(s, i);
        for (size_t k = 0; k < p->choice_count; k++)
            if (k != p->choice)
                try_param(s, i, p->choices[k].text);
    }
}

/* True if the reader may edit cells of what is bound to name in the end. */
static bool is_editable(const Session *s, const char *name, const Value *v)
{
    return v && v->kind == VALUE_MATRIX && trace_is_input(v) && v->rows.n * v->cols.n > 0 &&
           v->origin->op->id != OP_COUNTER && !lesson_find_param(s->lesson, name, NULL);
}

/* Changes the last cell of the input. */
static void try_cell(Session *s, const char *name, const Value *v)
{
    Error error = {0};
    Position before = s->position;
    Page page = draw(s->trace, before, SIZES[0], NULL);
    if (session_edit(s, name, v->rows.n - 1, v->cols.n - 1, 0.75, &error) != STATUS_OK)
        fail_msg("%s: %s: %s", s->lesson->id, name, error.message);
    check_change(s, before);
    check_undo(s, before, page.grid);
    page_clear(&page);
}

/* Some of the input matrices of the lesson, the first among them. */
static void try_cells(Session *s)
{
    size_t count, inputs = 0;
    trace_names(s->trace, &count);
    for (size_t i = 0; i < count; i++) {
        const char *const *names = trace_names(s->trace, &count);
        const Value *v = trace_find(s->trace, trace_frame_count(s->trace), names[i], NULL);
        if (!is_editable(s, names[i], v) || inputs++ % INPUTS_APART != 0)
            continue;
        char *name = memory_copy_text(names[i]); /* the trace will be replaced */
        try_cell(s, name, v);
        free(name);
    }
    assert_true(inputs > 0);
}

static void change_lesson(const char *id)
{
    Session s = {0};
    memset(&seen, 0, sizeof seen);
    open_lesson(id, &s);
    s.position = position_at_stop(s.trace, trace_stop_count(s.trace) / 2);
    try_params(&s);
    try_cells(&s);
    print_message("%s: %zu changes, %zu pages, %zu of %zu cells marked\n", id, seen.changes,
                  seen.pages, seen.changed, seen.cells);
    assert_true(seen.changed > 100);
    session_close(&s);
}

static void changes_are_drawn_and_marked(void **state)
{
    (void)state;
    for (size_t i = 0; i < HEART_COUNT; i++)
        change_lesson(HEART[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_drawn_and_marked),
    };
    return cmocka_run_group_tests(tests, lessons_load, lessons_unload);
}
