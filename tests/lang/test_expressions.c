/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the cases of expressions.txt and field.txt (their format stands at the top
 * of expressions.txt): values to 1e-12 relative, messages and their places.  Then the
 * same within narrow limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "core/start.h"
#include "io/file.h"
#include "io/number.h"
#include "lang/interp.h"
#include "lang/parse.h"

typedef struct {
    Str program;
    Str expected; /* the line after the program */
    size_t line;
} Case;

static size_t failures;

__attribute__((format(printf, 3, 4))) static void fail_case(const Case *c, const char *file,
                                                            const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s:%zu: %s\n    ", file, c->line, str_text(&c->program));
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    failures++;
}

static const InterpLimits WIDE = {.origins = true,
                                  .random = true,
                                  .seed = 1,
                                  .max_cells = MATRIX_MAX_CELLS,
                                  .max_statements = 100000};

/* What the program gives within limits: a value, or an error. */
static Status run_program(const Source *source, const InterpLimits *limits, const Code **code,
                          Value **last, Error *error)
{
    Code *parsed = NULL;
    if (code_parse(source, (Span){0, source->length}, &parsed, error))
        return STATUS_ERROR;
    *code = parsed;
    InterpHost host = {0};
    Interp *in = interp_new(&host, limits);
    Status status = interp_run(in, parsed, last, error);
    interp_free(in);
    return status;
}

/* Reads "RxC [v v; v v]", with `logical ` in front if it is. */
static bool read_expected(const char *text, bool *logical, Matrix **out)
{
    *logical = strncmp(text, "logical ", 8) == 0;
    if (*logical)
        text += 8;
    char *end;
    size_t rows = strtoul(text, &end, 10);
    if (*end != 'x')
        return false;
    size_t cols = strtoul(end + 1, &end, 10);
    Matrix *m = matrix_new(rows, cols);
    size_t count = 0;
    for (const char *p = end; *p;) {
        size_t n = strcspn(p, " ;[]");
        double x;
        if (n > 0) {
            if (number_read(p, n, &x) != NUMBER_OK || count == matrix_count(m)) {
                matrix_unref(m);
                return false;
            }
            matrix_fill(m)[count++] = x;
        }
        p += n ? n : 1;
    }
    *out = m;
    return count == matrix_count(m);
}

static bool same_number(double a, double b)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static void check_value(const Case *c, const char *file, const Value *v)
{
    bool logical;
    Matrix *want = NULL;
    if (!read_expected(str_text(&c->expected) + 2, &logical, &want)) {
        fail_case(c, file, "the expected value cannot be read");
        return;
    }
    if (!v || v->kind != VALUE_MATRIX) {
        fail_case(c, file, "gave no matrix");
    } else if (v->rows.n != want->rows || v->cols.n != want->cols) {
        fail_case(c, file, "is %zux%zu, expected %zux%zu", v->rows.n, v->cols.n, want->rows,
                  want->cols);
    } else if (v->logical != logical) {
        fail_case(c, file, "is %s", v->logical ? "logical" : "not logical");
    } else {
        const Matrix *got = value_matrix(v);
        for (size_t i = 0; i < matrix_count(got); i++)
            if (!same_number(got->cells[i], want->cells[i])) {
                fail_case(c, file, "entry %zu is %.17g, expected %.17g", i + 1, got->cells[i],
                          want->cells[i]);
                break;
            }
    }
    matrix_unref(want);
}

/* "! L:C: MESSAGE" with any number of marks before the place. */
static void check_error(const Case *c, const char *file, Status status, const Error *error)
{
    if (status == STATUS_OK) {
        fail_case(c, file, "did not fail, expected: %s", str_text(&c->expected));
        return;
    }
    const char *text = str_text(&c->expected);
    text += strcspn(text, " ") + 1;
    char *end;
    size_t line = strtoul(text, &end, 10), column = strtoul(end + 1, &end, 10);
    const char *message = end + 2;
    if (!strstr(error->message, message))
        fail_case(c, file, "says '%s', expected '%s'", error->message, message);
    else if (error->line != line || error->column != column)
        fail_case(c, file, "points at %zu:%zu, expected %zu:%zu ('%s')", error->line, error->column,
                  line, column, error->message);
}

static void run_case(const Case *c, const char *file)
{
    Source *source = source_new("case", str_text(&c->program), c->program.length);
    const Code *code = NULL;
    Value *last = NULL;
    Error error = {0};
    Status status = run_program(source, &WIDE, &code, &last, &error);
    if (str_text(&c->expected)[0] == '!')
        check_error(c, file, status, &error);
    else if (status)
        fail_case(c, file, "fails: %zu:%zu: %s", error.line, error.column, error.message);
    else
        check_value(c, file, last);
    error_clear(&error);
    value_unref(last);
    code_free((Code *)code);
    source_free(source);
}

/* ---- limits ---- */

static size_t refused;

/* Within limits the program gives the value it gives without, or refuses and says words. */
static void run_within(const Case *c, const char *file, InterpLimits limits, const char *words)
{
    Source *source = source_new("case", str_text(&c->program), c->program.length);
    const Code *code = NULL;
    Value *last = NULL;
    Error error = {0};
    Status status = run_program(source, &limits, &code, &last, &error);
    if (status == STATUS_OK)
        check_value(c, file, last);
    else if (refused++, !strstr(error.message, words))
        fail_case(c, file, "says '%s', expected '%s'", error.message, words);
    error_clear(&error);
    value_unref(last);
    code_free((Code *)code);
    source_free(source);
}

/* Narrower and narrower: each time another function on the way finds that it is too much. */
static void run_limited(const Case *c, const char *file)
{
    static const size_t CELLS[] = {0, 1, 2, 3, 5, 8};
    static const double WORK[] = {0.5, 1, 2, 4, 8, 16, 40};
    InterpLimits limits = WIDE;
    if (str_text(&c->expected)[0] != '=')
        return;
    for (size_t k = 0; k < sizeof CELLS / sizeof *CELLS; k++) {
        limits.max_cells = CELLS[k];
        run_within(c, file, limits, " entries (limit of a lesson)");
    }
    limits = WIDE;
    for (size_t k = 0; k < sizeof WORK / sizeof *WORK; k++) {
        limits.max_work = WORK[k];
        run_within(c, file, limits, "too much work: more than ");
    }
    limits = WIDE;
    limits.max_bytes = 1;
    run_within(c, file, limits, "the run keeps more than 0 MB of values (limit)");
}

/* ---- files ---- */

/* Runs every case of the file; returns how many there were. */
static size_t run_file(const char *name, void (*run)(const Case *, const char *file))
{
    Str path = {0}, text = {0};
    Error error = {0};
    str_addf(&path, "%s/tests/lang/%s", PROJECT_ROOT, name);
    assert_int_equal(file_read(str_text(&path), 1 << 24, false, &text, &error), STATUS_OK);
    Case c = {0};
    size_t count = 0, line = 0;
    for (char *p = text.data, *end; *p; p = end + (*end == '\n')) {
        end = p + strcspn(p, "\n");
        line++;
        size_t n = (size_t)(end - p);
        if (n >= 2 && memcmp(p, ">>", 2) == 0) {
            if (c.program.length == 0)
                c.line = line;
            else
                str_add_char(&c.program, '\n');
            size_t skip = n > 2 && p[2] == ' ' ? 3 : 2;
            str_add_bytes(&c.program, p + skip, n - skip);
            if (n == skip)
                str_add(&c.program, "");
        } else if (c.line && n > 0 && (p[0] == '=' || p[0] == '!')) {
            str_add_bytes(&c.expected, p, n);
            size_t before = value_live_bytes();
            run(&c, name);
            if (value_live_bytes() != before)
                fail_case(&c, name, "%zu bytes are counted, %zu were before", value_live_bytes(),
                          before);
            count++;
            str_clear(&c.program);
            str_clear(&c.expected);
            c.line = 0;
        }
    }
    assert_int_equal(c.line, 0);
    str_clear(&text);
    str_clear(&path);
    return count;
}

static void test_language(void **state)
{
    (void)state;
    failures = 0;
    size_t count = run_file("expressions.txt", run_case);
    printf("expressions.txt: %zu cases, %zu failed\n", count, failures);
    assert_true(count >= 150);
    assert_int_equal(failures, 0);
}

static void test_field_functions(void **state)
{
    (void)state;
    failures = 0;
    size_t count = run_file("field.txt", run_case);
    printf("field.txt: %zu cases, %zu failed\n", count, failures);
    assert_true(count >= 60);
    assert_int_equal(failures, 0);
}

static void test_narrow_limits(void **state)
{
    (void)state;
    failures = refused = 0;
    size_t count = run_file("expressions.txt", run_limited) + run_file("field.txt", run_limited);
    printf("limits: %zu cases, refused %zu times, %zu failed\n", count, refused, failures);
    assert_true(refused > count);
    assert_int_equal(failures, 0);
}

/* What values take is counted with all that hangs on them, and given back with them. */
static void test_live_bytes(void **state)
{
    (void)state;
    enum { LENGTH = 1000 };
    char text[LENGTH + 1] = {0};
    memset(text, 'a', LENGTH);
    const size_t before = value_live_bytes();

    Value *note = value_text(text), *copy = value_share(note);
    assert_true(value_live_bytes() >= before + 2 * LENGTH);
    value_unref(note);
    value_unref(copy);
    assert_int_equal(value_live_bytes(), before);

    Binding *captured = memory_zeros(1, sizeof *captured);
    captured[0] = (Binding){memory_copy_text(text), value_scalar(1)};
    Value *function = value_function_expr(NULL, captured, 1);
    assert_true(value_live_bytes() >= before + LENGTH);
    const size_t alone = value_live_bytes();
    copy = value_share(function); /* the same function: only the value itself is new */
    assert_true(value_live_bytes() < alone + LENGTH);
    value_unref(function);
    assert_true(value_live_bytes() >= before + LENGTH);
    value_unref(copy);
    assert_int_equal(value_live_bytes(), before);

    Poly *name = poly_name(text);
    Value *sized = value_new(matrix_new(3, 1));
    value_name_rows(sized, name);
    poly_unref(name);
    assert_true(value_live_bytes() >= before + LENGTH);
    Loop *loop = loop_new(NULL, sized, NULL);
    Value *result = value_scalar(2);
    const size_t bare = value_live_bytes();
    value_set_origin(result, op_get(OP_ADD), NULL, loop, (Value *[]){sized, sized}, 2);
    assert_true(value_live_bytes() >= bare + sizeof(Origin) + 2 * sizeof(Value *));
    loop_unref(loop);
    value_unref(sized);
    value_unref(result);
    assert_int_equal(value_live_bytes(), before);
}

int main(void)
{
    core_start();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_language),
                                       cmocka_unit_test(test_field_functions),
                                       cmocka_unit_test(test_narrow_limits),
                                       cmocka_unit_test(test_live_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
