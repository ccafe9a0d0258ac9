/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of every lesson, as golden files: the first and the last frame of each step.
 *
 * golden/LESSON-SIZE.txt holds, for each page, a line with its place, its text, and (for the
 * lessons at the heart) the rows that have a role other than prose, as letters of roles.def.
 * GOLDEN_UPDATE=1 writes the files anew; otherwise every page that differs is printed as
 * a diff. */
#include <dirent.h>
#include <stdio.h>

#include "lessons.h"

#include "io/file.h"

#define FOLDER PROJECT_ROOT "/tests/pages/golden"
#define HEAD "======== "

enum { FILE_LIMIT = 4 << 20, DIFFS_SHOWN = 3, DIFF_LINES = 400 };

typedef struct {
    const char *name;
    PageOptions options;
    bool heart_only;
} Kind;

static const Kind KINDS[] = {
    {"80x24", {.size = {24, 80}, .scroll = PAGE_SCROLL_AUTO}, false},
    {"120x40", {.size = {40, 120}, .scroll = PAGE_SCROLL_AUTO}, false},
    {"80x24-ascii", {.size = {24, 80}, .scroll = PAGE_SCROLL_AUTO, .ascii = true}, true},
    {"60x18-projector", {.size = {18, 60}, .scroll = PAGE_SCROLL_AUTO, .projector = true}, true},
};

/* ---- what a file should hold ---- */

/* Appends the rows of the role layer that say more than "prose", each after its number. */
static void add_role_rows(Str *out, const Grid *grid)
{
    Str all = {0};
    int number = 0;
    grid_add_roles(&all, grid);
    for (const char *row = str_text(&all); *row; number++) {
        size_t length = strcspn(row, "\n");
        bool told = false;
        for (size_t i = 0; i < length; i++)
            told = told || (row[i] != role_letter(ROLE_PLAIN) && row[i] != role_letter(ROLE_PROSE));
        if (told)
            str_addf(out, "%02d|%.*s\n", number, (int)length, row);
        row += length + (row[length] == '\n');
    }
    str_clear(&all);
}

static void add_page(Str *out, const Trace *trace, Position position, const Kind *kind, bool roles)
{
    Page page;
    page_draw(trace, position, &kind->options, &page);
    str_add(out, HEAD);
    add_place_of(out, trace, position);
    str_add_char(out, '\n');
    grid_add_text(out, page.grid);
    if (roles)
        add_role_rows(out, page.grid);
    page_clear(&page);
}

/* The first frame of the step and its last one, if that is another. */
static void add_step(Str *out, const Trace *trace, size_t step, const Kind *kind, bool roles)
{
    size_t first, count = trace_step_stops(trace, step, &first);
    const Stop *stop = trace_stop(trace, first);
    Position begin = {first, stop->first <= stop->last ? stop->first : stop->last};
    Position end = position_at_stop(trace, first + count - 1);
    add_page(out, trace, begin, kind, roles);
    if (end.stop != begin.stop || end.frame != begin.frame)
        add_page(out, trace, end, kind, roles);
}

/* ---- the difference ---- */

/* The lines of a text; they point into it. */
typedef struct {
    const char *at[DIFF_LINES];
    int length[DIFF_LINES];
    size_t count;
} Lines;

static void split(const char *text, size_t size, Lines *out)
{
    out->count = 0;
    for (const char *end = text + size; text < end && out->count < DIFF_LINES;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        out->at[out->count] = text;
        out->length[out->count++] = (int)((stop ? stop : end) - text);
        text = stop ? stop + 1 : end;
    }
}

static bool same_line(const Lines *a, size_t i, const Lines *b, size_t j)
{
    return a->length[i] == b->length[j] &&
           memcmp(a->at[i], b->at[j], (size_t)a->length[i]) == 0;
}

/* Prints the lines that only one of the two has, in order: - expected, + drawn. */
static void print_diff(const Lines *a, const Lines *b)
{
    static unsigned short common[DIFF_LINES + 1][DIFF_LINES + 1]; /* longest, from (i, j) on */
    memset(common, 0, sizeof common);
    for (size_t i = a->count; i-- > 0;)
        for (size_t j = b->count; j-- > 0;)
            if (same_line(a, i, b, j))
                common[i][j] = (unsigned short)(common[i + 1][j + 1] + 1);
            else
                common[i][j] = common[i + 1][j] > common[i][j + 1] ? common[i + 1][j]
                                                                   : common[i][j + 1];
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        if (i < a->count && j < b->count && same_line(a, i, b, j)) {
            i++;
            j++;
        } else if (j == b->count || (i < a->count && common[i + 1][j] >= common[i][j + 1])) {
            print_error("- %.*s\n", a->length[i], a->at[i]);
            i++;
        } else {
            print_error("+ %.*s\n", b->length[j], b->at[j]);
            j++;
        }
    }
}

/* The bytes of the page at text: up to the next head. */
static size_t page_size(const char *text)
{
    const char *next = *text ? strstr(text + 1, "\n" HEAD) : NULL;
    return next ? (size_t)(next + 1 - text) : strlen(text);
}

/* The page in text that begins with the same line as page, or NULL. */
static const char *find_page(const char *text, const char *page)
{
    size_t head = strcspn(page, "\n") + 1;
    for (; *text; text += page_size(text))
        if (strncmp(text, page, head) == 0)
            return text;
    return NULL;
}

/* Prints the first pages that differ, and how many there are. */
static void report(const char *path, const char *expected, const char *drawn)
{
    size_t shown = 0, wrong = 0;
    static Lines old, now;
    for (const char *page = drawn; *page; page += page_size(page)) {
        const char *was = find_page(expected, page);
        size_t size = page_size(page), old_size = was ? page_size(was) : 0;
        if (was && size == old_size && memcmp(page, was, size) == 0)
            continue;
        wrong++;
        if (shown++ >= DIFFS_SHOWN)
            continue;
        print_error("%s\n%.*s\n", path, (int)strcspn(page, "\n"), page);
        split(was ? was : "", old_size, &old);
        split(page, size, &now);
        print_diff(&old, &now);
    }
    for (const char *page = expected; *page; page += page_size(page))
        if (!find_page(drawn, page)) {
            wrong++;
            print_error("%s\nno longer drawn: %.*s\n", path, (int)strcspn(page, "\n"), page);
        }
    print_error("%s: %zu pages differ\n", path, wrong);
}

/* ---- all files ---- */

static bool is_update(void)
{
    const char *update = getenv("GOLDEN_UPDATE");
    return update && *update;
}

static void add_path(Str *out, const Lesson *lesson, const Kind *kind)
{
    str_addf(out, "%s/%s-%s.txt", FOLDER, lesson->id, kind->name);
}

/* True if the pages of that kind look as expected. */
static bool check_file(const Loaded *l, const Kind *kind)
{
    Str path = {0}, drawn = {0}, expected = {0};
    Error error = {0};
    for (size_t step = 0; step < l->lesson->step_count; step++)
        add_step(&drawn, l->trace, step, kind, is_heart(l->lesson->id));
    add_path(&path, l->lesson, kind);
    bool same = true;
    if (is_update()) {
        if (file_write(str_text(&path), drawn.data, drawn.length, &error) != STATUS_OK)
            fail_msg("%s", error.message);
    } else if (file_read(str_text(&path), FILE_LIMIT, false, &expected, &error) != STATUS_OK) {
        print_error("%s\n", error.message);
        error_clear(&error);
        same = false;
    } else if (!text_equal(str_text(&expected), str_text(&drawn))) {
        report(str_text(&path), str_text(&expected), str_text(&drawn));
        same = false;
    }
    str_clear(&path);
    str_clear(&drawn);
    str_clear(&expected);
    return same;
}

static void pages_look_as_expected(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < lessons.count; i++)
        for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
            if (!KINDS[k].heart_only || is_heart(lessons.items[i].lesson->id))
                wrong += !check_file(&lessons.items[i], &KINDS[k]);
    if (wrong > 0)
        fail_msg("%zu files differ; if that is meant: GOLDEN_UPDATE=1 ctest -R golden_pages",
                 wrong);
}

static bool is_expected_file(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < lessons.count && !found; i++)
        for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS && !found; k++) {
            Str path = {0};
            add_path(&path, lessons.items[i].lesson, &KINDS[k]);
            found = text_equal(str_text(&path) + strlen(FOLDER "/"), name) &&
                    (!KINDS[k].heart_only || is_heart(lessons.items[i].lesson->id));
            str_clear(&path);
        }
    return found;
}

static void no_file_is_left_over(void **state)
{
    (void)state;
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.' && !is_expected_file(entry->d_name))
            fail_msg("%s/%s belongs to no lesson", FOLDER, entry->d_name);
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_look_as_expected),
        cmocka_unit_test(no_file_is_left_over),
    };
    return cmocka_run_group_tests(tests, lessons_load, lessons_unload);
}
