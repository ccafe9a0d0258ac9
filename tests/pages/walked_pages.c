/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward through whole lessons and back: every page the same on the way back, and complete,
 * or scrolled with a mark that says so. */
#include <stdio.h>

#include "lessons.h"

#include "app/session.h"
#include "app/walker.h"

static const Size NARROW = {24, 80}, WIDE = {40, 120};

static void draw(const Session *s, Size size, int scroll, Page *out)
{
    PageOptions options = {.size = size, .scroll = scroll};
    page_draw(s->trace, s->position, &options, out);
}

static void fail_at(const Session *s, Size size, const char *what)
{
    Str place = {0};
    session_add_place(s, &place);
    fail_msg("%s at %dx%d: %s", str_text(&place), size.cols, size.rows, what);
}

/* ---- complete, or scrolled ---- */

static bool has_more_mark(const Grid *grid)
{
    for (int j = 0; j < grid->cols; j++)
        if (grid_cell(grid, grid->rows - 1, j)->role == ROLE_MORE)
            return true;
    return false;
}

static bool same_row(const Grid *a, int i, const Grid *b, int j)
{
    Grid *x = grid_new(1, a->cols, a->ascii), *y = grid_new(1, b->cols, b->ascii);
    grid_copy(x, grid_rect(x), 0, 0, a, (Rect){i, 0, 1, a->cols});
    grid_copy(y, grid_rect(y), 0, 0, b, (Rect){j, 0, 1, b->cols});
    bool same = grid_same(x, y);
    grid_free(x);
    grid_free(y);
    return same;
}

/* Every line can be scrolled to: one line on, the window shows the same lines one higher.
 * Which rows the window has is found from a page without its two bottom lines' text. */
static void check_scrolling(const Session *s, Size size)
{
    Page last, now;
    draw(s, size, 0, &last);
    int rows = last.content_rows, top = size.rows - 1 - last.visible_rows; /* no rule below */
    if (last.scroll != 0 || !has_more_mark(last.grid) || last.visible_rows < 1)
        fail_at(s, size, "does not begin at the top, with a mark");
    int most = rows - last.visible_rows;
    for (int scroll = 1; scroll <= most; scroll++) {
        draw(s, size, scroll, &now);
        if (now.scroll != scroll || now.content_rows != rows || !has_more_mark(now.grid))
            fail_at(s, size, "does not scroll a line on, with a mark");
        for (int r = 1; r < now.visible_rows; r++)
            if (!same_row(last.grid, top + r, now.grid, top + r - 1))
                fail_at(s, size, "shows other lines when scrolled");
        page_clear(&last);
        last = now;
    }
    page_clear(&last);
    draw(s, size, most + 1000, &now);
    if (now.scroll != most)
        fail_at(s, size, "scrolls past its end");
    page_clear(&now);
}

/* Returns whether the page has to be scrolled. */
static bool check_complete(const Session *s, const Page *page, Size size)
{
    if (page->content_rows <= page->visible_rows) {
        if (page->scroll != 0 || has_more_mark(page->grid))
            fail_at(s, size, "is complete, but says there is more");
        return false;
    }
    if (!has_more_mark(page->grid))
        fail_at(s, size, "is longer than the screen, but does not say so");
    return true;
}

/* ---- forward and back ---- */

/* The pages of one lesson, in the order they were first seen. */
typedef struct {
    Grid **items;
    size_t count, room;
} Seen;

/* Notes a step that scrolls, and looks at its scrolling once. */
static void note_scrolling(const Session *s, Size size, Str *report)
{
    static size_t last_step = SIZE_MAX;
    static const Lesson *last_lesson;
    size_t step = session_stop(s)->step;
    if (last_lesson == s->lesson && last_step == step && s->position.stop > 0)
        return;
    last_lesson = s->lesson;
    last_step = step;
    Page page;
    draw(s, size, 0, &page);
    str_addf(report, "%s%s:%s (%d)", report->length ? ", " : "", s->lesson->id,
             session_step(s)->id, page.content_rows - page.visible_rows);
    page_clear(&page);
    check_scrolling(s, size);
}

static void walk(const char *id, Size size, bool may_scroll, Str *report)
{
    Session s = {0};
    Seen seen = {0};
    Place place = {.lesson = memory_copy_text(id)};
    Error error = {0};
    if (session_open(&s, &place, &error) != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    place_clear(&place);
    session_first(&s);
    do {
        Page page;
        draw(&s, size, PAGE_SCROLL_AUTO, &page);
        if (check_complete(&s, &page, size)) {
            if (!may_scroll)
                fail_at(&s, size, "needs scrolling");
            note_scrolling(&s, size, report);
        }
        MEMORY_GROW(seen.items, seen.count, seen.room);
        seen.items[seen.count++] = page.grid;
        page.grid = NULL;
        page_clear(&page);
    } while (session_next_stop(&s));
    assert_int_equal(seen.count, trace_stop_count(s.trace));
    for (size_t i = seen.count; i-- > 0; session_last_stop(&s)) {
        Page page;
        draw(&s, size, PAGE_SCROLL_AUTO, &page);
        if (!grid_same(page.grid, seen.items[i]))
            fail_at(&s, size, "is another page on the way back");
        page_clear(&page);
        grid_free(seen.items[i]);
    }
    assert_int_equal(s.position.stop, 0);
    free(seen.items);
    session_close(&s);
}

static void walk_all(Size size, bool heart_only, bool may_scroll)
{
    Str report = {0};
    for (size_t i = 0; i < lessons.count; i++)
        if (!heart_only || is_heart(lessons.items[i].lesson->id))
            walk(lessons.items[i].lesson->id, size, may_scroll, &report);
    if (report.length)
        print_message("steps that scroll at %dx%d (lines that do not fit): %s\n", size.cols,
                      size.rows, str_text(&report));
    str_clear(&report);
}

static void lessons_are_walked_at_80x24(void **state)
{
    (void)state;
    walk_all(NARROW, false, true);
}

static void lessons_are_walked_at_other_sizes(void **state)
{
    (void)state;
    walk_all((Size){30, 100}, true, true);
    walk_all(WIDE, true, false);
    walk_all((Size){60, 200}, true, false);
}

/* All lessons; what is walked above is less. */
static void no_page_needs_scrolling_at_120x40(void **state)
{
    (void)state;
    for (size_t l = 0; l < lessons.count; l++) {
        const Trace *trace = lessons.items[l].trace;
        for (size_t i = 0; i < trace_stop_count(trace); i++) {
            PageOptions options = {.size = WIDE, .scroll = PAGE_SCROLL_AUTO};
            Position position = position_at_stop(trace, i);
            Page page;
            if (SPARSE && i % 5 != 0)
                continue;
            page_draw(trace, position, &options, &page);
            if (page.content_rows > page.visible_rows) {
                Str place = {0};
                add_place_of(&place, trace, position);
                fail_msg("%s needs %d rows, there are %d", str_text(&place), page.content_rows,
                         page.visible_rows);
            }
            page_clear(&page);
        }
    }
}

/* ---- by keys, as a reader walks ---- */

static void press(Walker *w, const char *key)
{
    walker_input(w, input_parse(key, strlen(key)));
}

static Grid *screen_of(Walker *w, Size size)
{
    int row, col;
    return walker_draw(w, size, &row, &col);
}

static char *place_of(const Walker *w)
{
    Str place = {0};
    walker_add_place(w, &place);
    return str_take(&place);
}

/* Presses a key; true if that leads to another place. */
static bool moves(Walker *w, Size size, const char *key)
{
    char *before = place_of(w);
    press(w, key);
    grid_free(screen_of(w, size));
    char *after = place_of(w);
    bool moved = !text_equal(before, after);
    free(before);
    free(after);
    return moved;
}

static Walker *begin_walk(const char *id)
{
    const WalkerOptions options = {.theme = THEME_DARK};
    Walker *w = walker_new(&options);
    Place place = {.lesson = memory_copy_text(id)};
    Error error = {0};
    if (walker_open(w, &place, &error) != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    place_clear(&place);
    press(w, "Home");
    return w;
}

/* True if the stop's step asks for nothing: its pages do not depend on answers. */
static bool asks_nothing(const Trace *trace, size_t stop)
{
    const Step *step = &trace_lesson(trace)->steps[trace_stop(trace, stop)->step];
    for (size_t i = 0; i < step->count; i++)
        if (step->blocks[i].kind == BLOCK_QUESTION || step->blocks[i].kind == BLOCK_PREDICT)
            return false;
    return true;
}

static void expect_same(Walker *w, const Grid *now, const Grid *before, Size size, const char *when)
{
    if (grid_same(now, before))
        return;
    char *place = place_of(w);
    Str a = {0}, b = {0};
    grid_add_text(&a, before);
    grid_add_text(&b, now);
    fail_msg("%s at %dx%d is another screen %s:\n%s\n%s", place, size.cols, size.rows, when,
             str_text(&a), str_text(&b));
}

/* The next stop; what is asked is skipped. */
static void go_on(Walker *w, Size size, const char *id)
{
    if (moves(w, size, "Right"))
        return;
    press(w, "s");
    if (!moves(w, size, "Right"))
        fail_msg("%s: Right does not go on", id);
}

/* Forward, back, and forward once more, when all questions have been skipped. */
static void walk_by_keys(const Loaded *l, Size size)
{
    size_t count = trace_stop_count(l->trace);
    Grid **first = memory_zeros(count, sizeof *first), **back = memory_zeros(count, sizeof *back);
    Walker *w = begin_walk(l->lesson->id);
    for (size_t i = 0; i < count; i++) {
        first[i] = screen_of(w, size);
        if (i + 1 < count)
            go_on(w, size, l->lesson->id);
    }
    press(w, "s"); /* if the last stop asks; and what the last key said is gone */
    assert_false(moves(w, size, "Right"));
    if (count > 1) {
        assert_true(moves(w, size, "Left"));
        assert_true(moves(w, size, "Right"));
    }
    for (size_t i = count; i-- > 0;) {
        back[i] = screen_of(w, size);
        if (asks_nothing(l->trace, i))
            expect_same(w, back[i], first[i], size, "on the way back");
        assert_int_equal(moves(w, size, "Left"), i > 0);
    }
    for (size_t i = 0; i < count; i++) {
        Grid *again = screen_of(w, size);
        if (i > 0) /* there the screen says that this is the beginning */
            expect_same(w, again, back[i], size, "on the way forward again");
        grid_free(again);
        grid_free(first[i]);
        grid_free(back[i]);
        assert_int_equal(moves(w, size, "Right"), i + 1 < count);
    }
    walker_free(w);
    free(first);
    free(back);
}

static void lessons_are_walked_by_keys(void **state)
{
    (void)state;
    static const Size sizes[] = {{24, 80}, {30, 100}, {40, 120}, {60, 200}};
    for (size_t i = 0; i < lessons.count; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            if (k == 0 || (!SPARSE && is_heart(lessons.items[i].lesson->id)))
                walk_by_keys(&lessons.items[i], sizes[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_are_walked_at_80x24),
        cmocka_unit_test(lessons_are_walked_at_other_sizes),
        cmocka_unit_test(no_page_needs_scrolling_at_120x40),
        cmocka_unit_test(lessons_are_walked_by_keys),
    };
    return cmocka_run_group_tests(tests, lessons_load, lessons_unload);
}
