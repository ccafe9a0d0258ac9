/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include "base/text.h"
#include "io/number.h"
#include "lesson/lesson.h"

/* --- what a lesson says, as text --------------------------------------------- */

static void add_place(Str *out, const Lesson *lesson, Span span)
{
    size_t line, column;
    source_position(lesson->source, span.start, &line, &column);
    str_addf(out, "%zu:%zu ", line, column);
}

static void add_runs(Str *out, const Lesson *lesson, const Runs *runs)
{
    static const char *const kinds[] = {"text", "code", "math", "value", "break"};
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        str_add(out, "  ");
        add_place(out, lesson, run->span);
        str_addf(out, "%s%s%s <%s>", kinds[run->kind], run->emphasis ? " em" : "",
                 run->strong ? " strong" : "", run->text);
        if (run->link)
            str_addf(out, " link <%s>", run->link);
        if (run->code)
            str_addf(out, " format %c%d", run->format ? run->format : '-', run->precision);
        str_add(out, "\n");
    }
}

static void add_prose(Str *out, const Lesson *lesson, const Prose *prose)
{
    static const char *const kinds[] = {"paragraph", "item", "heading", "rule"};
    for (size_t i = 0; i < prose->count; i++) {
        const Paragraph *p = &prose->items[i];
        str_addf(out, " %s depth %zu%s", kinds[p->kind], p->depth, p->quote ? " quote" : "");
        if (p->kind == PARAGRAPH_ITEM)
            str_addf(out, " number %zu%s", p->number, p->first ? " first" : "");
        str_add(out, "\n");
        add_runs(out, lesson, &p->runs);
    }
}

static void add_code(Str *out, const char *label, const Code *code)
{
    if (!code)
        return;
    str_addf(out, " %s ", label);
    expr_add_text(out, code->expr);
    str_add(out, "\n");
}

static void add_view(Str *out, const View *view)
{
    static const char *const scales[] = {"", " 01", " signed", " auto"};
    str_addf(out, " view %d%s%s%s", (int)view->kind, scales[view->scale],
             view->log_x ? " logx" : "", view->log_y ? " logy" : "");
    if (view->rows)
        str_addf(out, " rows %s", view->rows->name);
    if (view->cols)
        str_addf(out, " cols %s", view->cols->name);
    str_add(out, "\n");
    for (size_t i = 0; i < view->count; i++)
        add_code(out, " argument", view->args[i]);
}

static void add_question(Str *out, const Lesson *lesson, const Question *question)
{
    for (size_t i = 0; i < question->count; i++) {
        const Answer *answer = &question->answers[i];
        str_add(out, " ");
        add_place(out, lesson, answer->span);
        str_add(out, answer->right ? "right\n" : "wrong\n");
        add_runs(out, lesson, &answer->text);
        str_add(out, "  feedback\n");
        add_runs(out, lesson, &answer->feedback);
    }
}

static void add_block(Str *out, const Lesson *lesson, const Block *block)
{
    static const char *const kinds[] = {"prose", "math",     "code",    "view",
                                        "check", "question", "predict", "notes"};
    add_place(out, lesson, block->span);
    str_addf(out, "%s%s\n", kinds[block->kind], block->fold ? " fold" : "");
    add_prose(out, lesson, &block->prose);
    if (block->tex)
        str_addf(out, " <%s>\n", block->tex);
    for (size_t i = 0; block->code && i < block->code->body.count; i++) {
        str_add(out, " ");
        stmt_add_text(out, block->code->body.items[i]);
        str_add(out, "\n");
    }
    for (size_t i = 0; i < block->view_count; i++)
        add_view(out, &block->views[i]);
    for (size_t i = 0; i < block->check_count; i++) {
        add_code(out, "condition", block->checks[i].condition);
        add_code(out, "guard", block->checks[i].guard);
        add_runs(out, lesson, &block->checks[i].sentence);
    }
    add_question(out, lesson, &block->question);
    if (block->kind != BLOCK_PREDICT)
        return;
    str_add(out, " within ");
    number_add(out, block->prediction.tolerance);
    str_add(out, "\n");
    add_code(out, "truth", block->prediction.code);
    add_runs(out, lesson, &block->prediction.name);
    for (size_t i = 0; i < block->prediction.trap_count; i++) {
        add_code(out, "trap", block->prediction.traps[i].code);
        add_runs(out, lesson, &block->prediction.traps[i].diagnosis);
    }
}

static void add_param(Str *out, const Param *param)
{
    static const char *const kinds[] = {"integer", "real", "choice"};
    str_addf(out, "param %s %s ", param->name, kinds[param->kind]);
    if (param->kind == PARAM_CHOICE)
        str_add(out, param->choices[param->choice].text);
    else
        number_add(out, param->number);
    str_add(out, " [");
    if (param->has_low)
        number_add(out, param->low);
    str_add(out, "..");
    if (param->has_high)
        number_add(out, param->high);
    str_add(out, "]");
    for (size_t i = 0; i < param->choice_count; i++)
        str_addf(out, " %s%s", param->choices[i].is_function ? "@" : "", param->choices[i].text);
    if (param->kind != PARAM_CHOICE) {
        str_add(out, " step ");
        number_add(out, param->step);
    }
    str_addf(out, " <%s>\n", param->help);
}

static void add_lesson(Str *out, const Lesson *lesson)
{
    for (size_t i = 0; i < lesson->param_count; i++)
        add_param(out, &lesson->params[i]);
    for (size_t i = 0; i < lesson->label_count; i++) {
        str_addf(out, "labels %s", lesson->labels[i]->name);
        for (size_t k = 0; k < lesson->labels[i]->count; k++)
            str_addf(out, " <%s>", lesson->labels[i]->texts[k]);
        str_add(out, "\n");
    }
    for (size_t i = 0; i < lesson->step_count; i++) {
        const Step *step = &lesson->steps[i];
        add_place(out, lesson, step->span);
        str_addf(out, "step %s <%s>\n", step->id, step->title);
        for (size_t k = 0; k < step->count; k++)
            add_block(out, lesson, &step->blocks[k]);
    }
    for (size_t i = 0; i < lesson->remark_count; i++) {
        add_place(out, lesson, lesson->remarks[i].span);
        str_addf(out, "remark <%s>\n", lesson->remarks[i].text);
    }
}

/* Parses text; the lesson as text, or the error, goes to out. */
static void parse(const char *text, size_t length, Str *out)
{
    Lesson *lesson = NULL;
    Error error = {0};
    if (lesson_parse("lesson.md", text, length, &lesson, &error) == STATUS_OK)
        add_lesson(out, lesson);
    else
        cases_add_error(out, &error);
    error_clear(&error);
    lesson_free(lesson);
}

static void run_cases(const char *path)
{
    CaseList list = {0};
    int failed = 0;
    cases_read(path, &list);
    for (size_t i = 0; i < list.count; i++) {
        Str got = {0};
        parse(str_text(&list.items[i].input), list.items[i].input.length, &got);
        failed += cases_compare(&list.items[i], &got);
        str_clear(&got);
    }
    cases_clear(&list);
    assert_int_equal(failed, 0);
}

static void test_accepted(void **state)
{
    (void)state;
    run_cases(TEST_DATA "/lessons/accepted.txt");
}

static void test_refused(void **state)
{
    (void)state;
    run_cases(TEST_DATA "/lessons/refused.txt");
}

/* --- files ------------------------------------------------------------------- */

/* The printed error of a file, without the folder. */
static void load_error(const char *name, Str *out)
{
    Str path = {0};
    Lesson *lesson = NULL;
    Error error = {0};
    str_addf(&path, TEST_DATA "/bad-inputs/%s.md", name);
    assert_int_equal(lesson_load(str_text(&path), &lesson, &error), STATUS_ERROR);
    assert_non_null(error.file);
    assert_string_equal(error.file, str_text(&path));
    cases_add_error(out, &error);
    error_clear(&error);
    str_clear(&path);
}

static void test_bad_inputs(void **state)
{
    (void)state;
    static const char no_front[] =
        "1:1: a lesson begins with its front matter: '---', 'title: …', 'about: …', '---'\n";
    static const char no_steps[] =
        "1:1: the file has no steps: a step begins with '## Title {#id}'\n";
    static const char no_about[] = "1:1: the front matter has no 'about:'\n";
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"lesson-empty-file", no_steps},
        {"lesson-starts-with-two-rules-and-nothing-else", no_steps},
        {"lesson-front-matter-never-closed",
         "1:1: the front matter that begins here is not closed by a line '---'\n"},
        {"lesson-front-matter-title-has-colon", no_about},
        {"lesson-front-matter-tab-and-unknown-key",
         "3:1: a line of the front matter begins with its key, not with a tab\n"},
        {"lesson-crlf-and-no-final-newline", no_about},
        {"lesson-body-rule-without-front-matter", no_front},
        {"lesson-invalid-utf8", no_front},
        {"lesson-two-prices-are-not-math", no_front},
        {"lesson-unclosed-math", no_front},
        {"lesson-display-math-with-blank-line-and-equals-line", no_front},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str got = {0};
        load_error(cases[i].name, &got);
        assert_string_equal(str_text(&got), cases[i].message);
        str_clear(&got);
    }
}

/* The same lesson with other line ends and a byte-order mark says the same. */
static void test_line_ends(void **state)
{
    (void)state;
    static const char plain[] = "---\ntitle: a: b\nabout: A.\n---\n## S {#s}\n\n$a_1$ `=1`\n\n"
                                "```octave\nA = 1;\n```\n\n$$\nx\n= y\n\n- z\n$$\n";
    Str expected = {0};
    parse(plain, strlen(plain), &expected);
    assert_non_null(strstr(str_text(&expected), "7:7 value <1>"));
    static const char *const ends[] = {"\r\n", "\r"};
    for (size_t k = 0; k < 2; k++) {
        Str text = {0}, got = {0};
        str_add(&text, "\xEF\xBB\xBF");
        for (const char *c = plain; *c; c++) {
            if (*c == '\n')
                str_add(&text, ends[k]);
            else
                str_add_char(&text, *c);
        }
        parse(str_text(&text), text.length, &got);
        assert_string_equal(str_text(&got), str_text(&expected));
        str_clear(&text);
        str_clear(&got);
    }
    str_clear(&expected);
}

static void test_invalid_utf8(void **state)
{
    (void)state;
    static const char text[] = "---\ntitle: T\xFF\xFE\nabout: A.\n---\n## S {#s}\n\n"
                               "half \xE4\xB8 of\xC0\xAF, \xED\xA0\x80.\n";
    Lesson *lesson = NULL;
    Error error = {0};
    assert_int_equal(lesson_parse("lesson.md", text, sizeof text - 1, &lesson, &error), STATUS_OK);
    assert_string_equal(lesson->title, "T\uFFFD\uFFFD");
    const char *prose = lesson->steps[0].blocks[0].prose.items[0].runs.items[0].text;
    assert_true(text_is_utf8(prose, strlen(prose), NULL));
    assert_ptr_equal(strstr(prose, "half \uFFFD"), prose);
    lesson_free(lesson);
}

/* A lesson with count of something: head, "before i after" for each, and tail. */
typedef struct {
    const char *head, *before, *after, *tail;
    size_t limit;
    const char *message;
} Many;

static void parse_many(const Many *many, size_t count, Str *got)
{
    Str text = {0};
    str_addf(&text, "---\ntitle: T\nabout: A.\n---\n%s", many->head);
    for (size_t i = 0; i < count; i++)
        str_addf(&text, "%s%zu%s", many->before, i, many->after);
    str_add(&text, many->tail);
    str_cut(got, 0);
    parse(str_text(&text), text.length, got);
    str_clear(&text);
}

/* As many as there may be, and one more. */
static void test_counts(void **state)
{
    (void)state;
    static const Many all[] = {
        {"", "## S {#s", "}\n", "", LESSON_MAX_STEPS, "more than 2000 steps (limit)\n"},
        {"```params\n", "p", " = 1 0..2 h\n", "```\n## S {#s}\n", LESSON_MAX_PARAMS,
         "more than 256 parameters (limit)\n"},
        {"```params\np = 0 -1", " | ", "", " h\n```\n## S {#s}\n", LESSON_MAX_CHOICES - 1,
         "more than 256 choices (limit)\n"},
        {"```labels\n", "x", " = a\n", "```\n## S {#s}\n", LESSON_MAX_LABELS,
         "more than 256 sets of labels (limit)\n"},
    };
    Str got = {0};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        parse_many(&all[i], all[i].limit, &got);
        assert_non_null(strstr(str_text(&got), " step s"));
        assert_null(strstr(str_text(&got), "(limit)"));
        parse_many(&all[i], all[i].limit + 1, &got);
        const char *colon = strstr(str_text(&got), ": ");
        assert_non_null(colon);
        assert_string_equal(colon + 2, all[i].message);
    }
    str_clear(&got);
}

static void test_limits(void **state)
{
    (void)state;
    Str text = {0}, got = {0};
    str_add(&text, "---\ntitle: T\nabout: A.\n---\n## S {#s}\n\n");
    str_add_repeat(&text, 'x', LESSON_MAX_BYTES - text.length);
    parse(str_text(&text), text.length, &got);
    assert_ptr_equal(strstr(str_text(&got), "5:1 step s"), str_text(&got));
    str_cut(&got, 0);
    str_add(&text, "x");
    parse(str_text(&text), text.length, &got);
    assert_string_equal(str_text(&got), "larger than 1000000 bytes, the limit of a lesson\n");
    str_clear(&got);
    str_clear(&text);
}

/* Deep nesting in any form ends with an error or a lesson, quickly. */
static void test_nesting(void **state)
{
    (void)state;
    static const char *const pieces[] = {"> ", "- ", "1. ", "*", "[", "![](", "`", "$", "$x$"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        Str text = {0}, got = {0};
        str_add(&text, "---\ntitle: T\nabout: A.\n---\n## S {#s}\n\n");
        for (size_t k = 0; k < 5000; k++)
            str_add(&text, pieces[i]);
        str_add(&text, "x\n");
        parse(str_text(&text), text.length, &got);
        if (i < 3)
            assert_string_equal(str_text(&got),
                                "7:1: lists and quotations nest more than 64 deep\n");
        else
            assert_true(got.length > 0);
        str_clear(&text);
        str_clear(&got);
    }
}

static void test_every_lesson(void **state)
{
    (void)state;
    static const char *const ids[] = {"brackets", "factor", "recurrent"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        Str path = {0};
        Lesson *lesson = NULL;
        Error error = {0};
        str_addf(&path, PROJECT_ROOT "/lessons/%s.md", ids[i]);
        assert_int_equal(lesson_load(str_text(&path), &lesson, &error), STATUS_OK);
        assert_string_equal(lesson->id, ids[i]);
        assert_true(lesson->step_count > 5);
        lesson_free(lesson);
        str_clear(&path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bad_inputs),   cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_invalid_utf8), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_every_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
