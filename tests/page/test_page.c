/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole pages of the lessons: at any size, twice the same, in ASCII, nothing moving. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "core/start.h"
#include "golden.h"
#include "lesson/eval.h"
#include "lesson/find.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "page/page.h"
#include "sparse.h"

typedef struct {
    Lesson *lesson;
    Trace *trace;
} Loaded;

static Loaded *loaded;
static size_t loaded_count;

static int load_all(void **state)
{
    (void)state;
    IdList ids = {0};
    Error error = {0};
    core_start();
    if (find_lessons(&ids, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    loaded = memory_zeros(ids.count, sizeof *loaded);
    for (size_t i = 0; i < ids.count; i++) {
        Loaded *l = &loaded[loaded_count++];
        if (lesson_load(ids.items[i], &l->lesson, &error) != STATUS_OK ||
            lesson_run(l->lesson, NULL, NULL, &l->trace, &error) != STATUS_OK)
            fail_msg("%s: %s", ids.items[i], error.message);
    }
    id_list_clear(&ids);
    return 0;
}

static int unload_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < loaded_count; i++) {
        trace_free(loaded[i].trace);
        lesson_free(loaded[i].lesson);
    }
    free(loaded);
    return 0;
}

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % n;
}

static Position random_position(const Trace *trace)
{
    size_t stop = random_below((uint32_t)trace_stop_count(trace));
    const Stop *s = trace_stop(trace, stop);
    size_t frames = s->last >= s->first ? s->last - s->first + 1 : 1;
    return (Position){stop, s->last - random_below((uint32_t)frames)};
}

/* ---- small pages, exactly ---- */

static Lesson *small;
static Trace *small_trace;

/* "step stop rows cols [ascii] [projector] [roles] [notes] [answered] [wrong] [cursor]" */
static void draw_small(const char *head, Str *out)
{
    char id[32];
    unsigned number;
    PageOptions options = {.scroll = PAGE_SCROLL_AUTO, .term = "write", .keys = "? keys"};
    if (sscanf(head, "%31s %u %d %d", id, &number, &options.size.rows, &options.size.cols) != 4)
        fail_msg("what is '%s'?", head);
    size_t step, first;
    assert_non_null(lesson_find_step(small, id, &step));
    trace_step_stops(small_trace, step, &first);
    Position position = {first + number - 1, trace_stop(small_trace, first + number - 1)->last};
    bool chosen[3] = {strstr(head, " wrong") != NULL, strstr(head, " answered") != NULL, false};
    PageAnswer answers[8];
    for (size_t b = 0; b < 8; b++)
        answers[b] = (PageAnswer){.step = step, .block = b, .done = true, .chosen = chosen,
                                  .number = chosen[0] ? 20 : 40};
    options.answers = answers;
    options.answer_count = chosen[0] || chosen[1] ? 8 : 0;
    options.ascii = strstr(head, " ascii");
    options.projector = strstr(head, " projector");
    options.show_notes = strstr(head, " notes");
    const Value *w = trace_find(small_trace, position.frame, "W", NULL);
    CellMark cursor = {{w, 0, 1, 1, 1}, MARK_CURSOR, false};
    if (strstr(head, " cursor")) {
        options.marks = &cursor;
        options.mark_count = 1;
        options.explanation = "W(1,2) = S(1,2)·2 = 14·2 = 28";
        options.trail = "Enter go in   Esc done";
    }
    Page page;
    page_draw(small_trace, position, &options, &page);
    grid_add_text(out, page.grid);
    if (strstr(head, " roles"))
        grid_add_roles(out, page.grid);
    page_clear(&page);
}

static void small_pages_look_as_expected(void **state)
{
    (void)state;
    Golden golden;
    Error error = {0};
    Golden text;
    golden_open(&text, PROJECT_ROOT "/tests/page/draw.md");
    if (lesson_parse("tests/draw.md", str_text(&text.old), text.old.length, &small, &error) !=
            STATUS_OK ||
        lesson_run(small, NULL, NULL, &small_trace, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    golden_open(&golden, PROJECT_ROOT "/tests/page/page.txt");
    int wrong = golden_check(&golden, draw_small);
    str_clear(&text.old);
    trace_free(small_trace);
    lesson_free(small);
    assert_int_equal(wrong, 0);
}

static const Hit *find_hit(const Page *page, const char *name)
{
    for (size_t i = 0; i < page->hits.count; i++)
        if (strcmp(page->hits.items[i].name, name) == 0)
            return &page->hits.items[i];
    fail_msg("no %s on the page", name);
    return NULL;
}

/* Cells of the hit's numbers that carry the mark. */
static int count_marks(const Page *page, const Hit *hit, Mark mark)
{
    int count = 0;
    for (int r = hit->at.row; r < hit->at.row + hit->at.rows; r++)
        for (int c = hit->at.col; c < hit->at.col + hit->at.cols; c++)
            count += grid_cell(page->grid, r, c)->mark == mark;
    return count;
}

/* After an edit exactly the cells that differ from the run before are marked. */
static void changes_are_marked(void **state)
{
    (void)state;
    Error error = {0};
    Settings settings = {0};
    Lesson *lesson;
    Trace *before = NULL, *after = NULL;
    if (lesson_load(PROJECT_ROOT "/tests/page/draw.md", &lesson, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    settings_set_cell(&settings, "K", 1, 1, 2.0);
    if (lesson_run(lesson, NULL, NULL, &before, &error) != STATUS_OK ||
        lesson_run(lesson, &settings, NULL, &after, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    size_t step, first;
    assert_non_null(lesson_find_step(lesson, "product", &step));
    size_t stops = trace_step_stops(after, step, &first);
    Position position = {first + stops - 1, trace_stop(after, first + stops - 1)->last};
    PageOptions options = {.size = {30, 100}, .old = before};
    Page page;
    page_draw(after, position, &options, &page);
    const Hit *q = find_hit(&page, "Q"), *k = find_hit(&page, "K"), *a = find_hit(&page, "A");
    assert_int_equal(count_marks(&page, q, MARK_CHANGED), 0);
    assert_int_equal(count_marks(&page, k, MARK_CHANGED), k->cell.cols);
    assert_int_equal(count_marks(&page, a, MARK_CHANGED), 3 * a->cell.cols); /* its first column */
    page_clear(&page);
    trace_free(before);
    trace_free(after);
    lesson_free(lesson);
    settings_clear(&settings);
}

/* ---- all lessons ---- */

static void expect_whole(const Grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        for (int j = 0; j < grid->cols; j++) {
            const Cell *cell = grid_cell(grid, i, j);
            assert_true(cell->role < ROLE_COUNT && cell->mark < MARK_COUNT && cell->width <= 2);
            if (cell->width == 2)
                assert_true(j + 1 < grid->cols && grid_cell(grid, i, j + 1)->width == 0);
            if (cell->width == 0)
                assert_true(j > 0 && grid_cell(grid, i, j - 1)->width == 2);
            if (grid->ascii)
                assert_in_range(cell->text, 0x20, 0x7E);
        }
}

static void expect_hits_inside(const Page *page)
{
    for (size_t i = 0; i < page->hits.count; i++) {
        Rect at = page->hits.items[i].at;
        if (at.rows > 0 && at.cols > 0)
            assert_true(at.row >= 0 && at.col >= 0 && at.row + at.rows <= page->grid->rows &&
                        at.col + at.cols <= page->grid->cols);
    }
}

static void any_size_is_drawn(void **state)
{
    (void)state;
    for (size_t round = 0; round < sparse_part(250, 10); round++) {
        const Trace *trace = loaded[random_below((uint32_t)loaded_count)].trace;
        Position position = random_position(trace);
        PageOptions options = {.size = {1 + (int)random_below(60), 1 + (int)random_below(200)},
                               .ascii = random_below(2),
                               .projector = random_below(4) == 0,
                               .show_code = random_below(2),
                               .show_notes = random_below(4) == 0,
                               .digits = (int)random_below(9),
                               .scroll = (int)random_below(12) - 1,
                               .keys = random_below(2) ? "→ next  ? keys" : NULL,
                               .explanation = random_below(4) ? NULL : "A(1,1) = Q(1,:)·K(1,:) = 1",
                               .trail = "A ◂ Y1"};
        if (random_below(8) == 0)
            options.size = (Size){1 + (int)random_below(3), 1 + (int)random_below(4)};
        Page page, again;
        page_draw(trace, position, &options, &page);
        page_draw(trace, position, &options, &again);
        assert_int_equal(page.grid->rows, options.size.rows);
        assert_int_equal(page.grid->cols, options.size.cols);
        assert_true(grid_same(page.grid, again.grid));
        assert_true(page.scroll >= 0 && page.scroll < page.content_rows + 1);
        expect_whole(page.grid);
        expect_hits_inside(&page);
        page_clear(&page);
        page_clear(&again);
    }
}

/* No page of a lesson needs scrolling at 120x40. */
static void wide_pages_are_complete(void **state)
{
    (void)state;
    for (size_t l = 0; l < loaded_count; l++)
        for (size_t step = 0; step < loaded[l].lesson->step_count; step++) {
            size_t first, s = trace_step_stops(loaded[l].trace, step, &first) - 1;
            s += first; /* nothing_moves says that the height is that of all its stops */
            const Stop *stop = trace_stop(loaded[l].trace, s);
            PageOptions options = {.size = {40, 120}, .scroll = PAGE_SCROLL_AUTO};
            Page page;
            page_draw(loaded[l].trace, (Position){s, stop->last}, &options, &page);
            if (page.content_rows > page.visible_rows)
                fail_msg("%s:%s needs %d rows", loaded[l].lesson->id,
                         loaded[l].lesson->steps[stop->step].id, page.content_rows);
            page_clear(&page);
        }
}

/* True for what a later stop of the same step may not move.  (Where there are few rows,
 * long code is shown in a window that follows the running statement.) */
static bool stands_still(const Cell *cell, int rows)
{
    switch (cell->role) {
    case ROLE_CODE: case ROLE_RUNNING:
        return rows > 30 && cell->text != ' ';
    case ROLE_PROSE: case ROLE_FORMULA: case ROLE_STRONG: case ROLE_EMPHASIS: case ROLE_CODE_SPAN:
    case ROLE_TITLE: case ROLE_LEGEND:
        return cell->text != ' ';
    default:
        return false;
    }
}

/* From stop to stop, what is there stays where it is. */
static void nothing_moves(void **state)
{
    (void)state;
    static const Size sizes[] = {{24, 80}, {40, 120}, {30, 100}};
    for (size_t l = 0; l < loaded_count; l++)
        for (size_t s = 1; s < trace_stop_count(loaded[l].trace); s++) {
            const Trace *trace = loaded[l].trace;
            const Stop *before = trace_stop(trace, s - 1), *now = trace_stop(trace, s);
            size_t first, count = trace_step_stops(trace, now->step, &first);
            if (before->step != now->step || (s > first + 4 && s + 4 < first + count))
                continue; /* the beginning and the end of long loops */
            PageOptions options = {.size = sizes[s % 3], .scroll = 0};
            Page a, b;
            page_draw(trace, (Position){s - 1, before->last}, &options, &a);
            page_draw(trace, (Position){s, now->last}, &options, &b);
            assert_int_equal(a.content_rows, b.content_rows);
            for (int i = 0; i < a.grid->rows - 1; i++)
                for (int j = 0; j < a.grid->cols; j++) {
                    const Cell *p = grid_cell(a.grid, i, j), *q = grid_cell(b.grid, i, j);
                    bool single = p->text < 0x80000000u; /* one code point */
                    if (stands_still(p, a.grid->rows) && single && p->text != q->text)
                        fail_msg("%s:%s:%zu moves (%d,%d) U+%04X to U+%04X", loaded[l].lesson->id,
                                 loaded[l].lesson->steps[now->step].id, s, i, j, (unsigned)p->text,
                                 (unsigned)q->text);
                }
            page_clear(&a);
            page_clear(&b);
        }
}

/* The row and the column behind a number of a product are marked where they stand, also
 * in the transpose that the view shows. */
static void operands_are_marked_in_place(void **state)
{
    (void)state;
    for (size_t l = 0; l < loaded_count; l++) {
        size_t step, first;
        if (strcmp(loaded[l].lesson->id, "brackets") != 0)
            continue;
        assert_non_null(lesson_find_step(loaded[l].lesson, "scores", &step));
        trace_step_stops(loaded[l].trace, step, &first);
        Position position = {first, trace_stop(loaded[l].trace, first)->last};
        PageOptions options = {.size = {24, 80}};
        Page page, marked;
        page_draw(loaded[l].trace, position, &options, &page);
        const Hit *a = find_hit(&page, "A0");
        Explanation explanation;
        explain_cell(a->value, "A0", 2, 1, 0, false, &explanation);
        CellMark *marks = memory_zeros(explanation.count + 1, sizeof *marks);
        options.mark_count = page_marks(a->value, 2, 1, &explanation, marks);
        options.marks = marks;
        options.explanation = explanation.sentence;
        page_draw(loaded[l].trace, position, &options, &marked);
        const Hit *q = find_hit(&marked, "Q0"), *k = find_hit(&marked, "K0'");
        a = find_hit(&marked, "A0");
        assert_int_equal(count_marks(&marked, a, MARK_CURSOR), a->cell.cols);
        assert_int_equal(count_marks(&marked, q, MARK_OPERAND), 2 * q->cell.cols);
        assert_int_equal(count_marks(&marked, k, MARK_OPERAND), 2 * k->cell.cols);
        Rect at;
        assert_true(hit_cell(q, 2, 0, &at));
        assert_int_equal(grid_cell(marked.grid, at.row, at.col)->mark, MARK_OPERAND);
        page_clear(&page);
        page_clear(&marked);
        explanation_clear(&explanation);
        free(marks);
        return;
    }
    fail_msg("brackets is not there");
}

/* A cursor on any number of a page is visible, whatever it was computed from. */
static void cursors_are_marked(void **state)
{
    (void)state;
    size_t cursors = 0;
    for (size_t round = 0; round < sparse_part(150, 10); round++) {
        const Trace *trace = loaded[random_below((uint32_t)loaded_count)].trace;
        Position position = random_position(trace);
        PageOptions options = {.size = {24, 80}, .scroll = PAGE_SCROLL_AUTO};
        Page page, marked;
        page_draw(trace, position, &options, &page);
        if (page.hits.count == 0) {
            page_clear(&page);
            continue;
        }
        const Hit *hit = &page.hits.items[random_below((uint32_t)page.hits.count)];
        const Matrix *m = value_matrix(hit->value);
        size_t i = random_below((uint32_t)m->rows), j = random_below((uint32_t)m->cols);
        Explanation explanation;
        explain_cell(hit->value, hit->name, i, j, 0, false, &explanation);
        CellMark *marks = memory_zeros(explanation.count + 1, sizeof *marks);
        options.mark_count = page_marks(hit->value, i, j, &explanation, marks);
        options.marks = marks;
        options.explanation = explanation.sentence;
        page_draw(trace, position, &options, &marked);
        for (int r = 0; r < marked.grid->rows; r++)
            for (int c = 0; c < marked.grid->cols; c++)
                cursors += grid_cell(marked.grid, r, c)->mark == MARK_CURSOR;
        page_clear(&marked);
        page_clear(&page);
        explanation_clear(&explanation);
        free(marks);
    }
    assert_true(cursors > sparse_part(100, 50));
}

/* A page takes well under a millisecond; the limit allows for valgrind. */
static void pages_are_fast(void **state)
{
    (void)state;
    size_t drawn = 0;
    clock_t start = clock();
    for (size_t l = 0; l < loaded_count; l++)
        for (size_t s = 0; s < trace_stop_count(loaded[l].trace); s += 5) {
            PageOptions options = {.size = {60, 200}, .scroll = 0};
            Position position = {s, trace_stop(loaded[l].trace, s)->last};
            Page page;
            page_draw(loaded[l].trace, position, &options, &page);
            page_clear(&page);
            drawn++;
        }
    double ms = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC / (double)drawn;
    print_message("%.2f ms a page at 200x60\n", ms);
    assert_true(ms < 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_pages_look_as_expected),
        cmocka_unit_test(changes_are_marked),
        cmocka_unit_test(any_size_is_drawn),
        cmocka_unit_test(wide_pages_are_complete),
        cmocka_unit_test(nothing_moves),
        cmocka_unit_test(operands_are_marked_in_place),
        cmocka_unit_test(cursors_are_marked),
        cmocka_unit_test(pages_are_fast),
    };
    return cmocka_run_group_tests(tests, load_all, unload_all);
}
