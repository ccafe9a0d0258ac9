/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons: parsed, run, checked, read aloud, their pages drawn.  What follows a NUL byte is a
 * translation that is laid over the lesson. */
#include "fuzz.h"
#include "lesson/lesson.h"
#include "lesson/run.h"
#include "lesson/trace.h"
#include "lesson/translation.h"
#include "lesson/verify.h"
#include "page/formula.h"
#include "page/page.h"
#include "page/read.h"

enum { MOST_PAGES = 4 };

/* Where nothing is: files are looked for in attnwalk's own data only. */
#define FOLDER "/nonexistent/"

static void take_error(void *context, const Error *error)
{
    (void)context;
    Str text = {0};
    fuzz_demand(error->message && *error->message, "a report has a message");
    error_print(error, &text);
    fuzz_demand_visible(&text, "a report prints visibly");
    str_clear(&text);
}

static void take_failure(void *context, const char *setting, const Error *error)
{
    (void)setting;
    take_error(context, error);
}

static void translate(Lesson *lesson, const char *text, size_t length)
{
    const TranslationReport report = {.differs = take_error};
    Error error = {0};
    if (translation_apply(lesson, FOLDER "fuzz.xx.md", text, length, &report, &error))
        fuzz_end_error(&error);
}

static void draw_pages(const Trace *trace)
{
    static const Size sizes[MOST_PAGES] = {{24, 80}, {9, 31}, {30, 130}, {2, 3}};
    size_t stops = trace_stop_count(trace);
    for (size_t i = 0; i < stops && i < MOST_PAGES; i++) {
        PageOptions options = {.size = sizes[i],
                               .scroll = PAGE_SCROLL_AUTO,
                               .ascii = i == 1,
                               .projector = i == 2,
                               .show_notes = i == 0};
        Page page;
        Str text = {0};
        page_draw(trace, (Position){i, trace_stop(trace, i)->last}, &options, &page);
        grid_add_text(&text, page.grid);
        fuzz_demand_visible(&text, "a page has no control characters");
        fuzz_demand(page.grid->rows == sizes[i].rows && page.grid->cols == sizes[i].cols,
                    "a page has the size that was asked for");
        page_clear(&page);
        str_clear(&text);
    }
}

static void read_aloud(const Trace *trace)
{
    const ReadStyle style = {.width = 60, .notes = true};
    Error error = {0};
    Str text = {0};
    if (read_add_lesson(&text, trace, &style, &error))
        fuzz_end_error(&error);
    fuzz_demand_visible(&text, "a lesson that is read has no control characters");
    str_clear(&text);
}

static void try_lesson(const Lesson *lesson)
{
    const VerifyReport report = {.failed = take_failure};
    const FormulaReport formulas = {.problem = take_error};
    Error error = {0};
    Trace *trace = NULL;
    formula_check_lesson(lesson, &formulas, NULL);
    if (lesson_run(lesson, NULL, NULL, &trace, &error)) {
        fuzz_end_error(&error);
        return;
    }
    draw_pages(trace);
    read_aloud(trace);
    trace_free(trace);
    lesson_verify(lesson, &report, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *split = size ? memchr(text, '\0', size) : NULL;
    size_t length = split ? (size_t)(split - text) : size;
    Lesson *lesson = NULL;
    Error error = {0};
    core_start();
    if (lesson_parse(FOLDER "fuzz.md", text, length, &lesson, &error)) {
        fuzz_end_error(&error);
        return 0;
    }
    if (split)
        translate(lesson, split + 1, size - length - 1);
    try_lesson(lesson);
    lesson_free(lesson);
    return 0;
}
