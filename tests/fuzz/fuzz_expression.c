/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language: programs parsed, printed, run within tight limits, explained and costed.
 *
 * A printed expression parses again to the same tree; a program gives the same value whether
 * origins are kept or not. */
#include "fuzz.h"
#include "io/csv.h"
#include "lang/cost.h"
#include "lang/explain.h"
#include "lang/interp.h"
#include "lang/parse.h"

enum { MOST_CELLS = 4096, MOST_STATEMENTS = 500, MOST_BYTES = 32 << 20 };

/* The same text, as a terminal would show it. */
static bool same_text(const char *a, const char *b)
{
    Str shown[2] = {{0}, {0}};
    if (!a || !b)
        return a == b;
    text_add_visible(&shown[0], a, strlen(a));
    text_add_visible(&shown[1], b, strlen(b));
    bool same = text_equal(str_text(&shown[0]), str_text(&shown[1]));
    str_clear(&shown[0]);
    str_clear(&shown[1]);
    return same;
}

/* The same tree but for its places; as deep as CODE_MAX_HEIGHT. */
static bool same_tree(const Expr *a, const Expr *b)
{
    if (a->kind != b->kind || a->op != b->op || !same_text(a->text, b->text) ||
        (a->kind == EXPR_NUMBER && a->number != b->number) || a->count != b->count ||
        a->rows != b->rows || a->name_count != b->name_count)
        return false;
    for (size_t i = 0; i < a->rows; i++)
        if (a->row_counts[i] != b->row_counts[i])
            return false;
    for (size_t i = 0; i < a->name_count; i++)
        if (!text_equal(a->names[i], b->names[i]))
            return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_tree(a->args[i], b->args[i]))
            return false;
    return true;
}

static void try_printed(const Expr *expr)
{
    Str text = {0};
    Error error = {0};
    Code *code = NULL;
    expr_add_text(&text, expr);
    Source *source = source_new("printed", str_text(&text), text.length);
    if (code_parse_expr(source, (Span){0, source->length}, &code, &error)) {
        fprintf(stderr, "%s\n%s\n", str_text(&text), error.message);
        fuzz_demand(false, "a printed expression parses");
    }
    fuzz_demand(same_tree(expr, code->expr), "a printed expression means the same");
    code_free(code);
    source_free(source);
    str_clear(&text);
}

static void try_statements(const Body *body)
{
    for (size_t i = 0; i < body->count; i++) {
        const Stmt *stmt = body->items[i];
        Str text = {0};
        stmt_add_text(&text, stmt);
        str_clear(&text);
        for (size_t k = 0; k < stmt->condition_count; k++)
            try_printed(stmt->conditions[k]);
        if (stmt->value && stmt->equals.start == stmt->equals.end)
            try_printed(stmt->value);
        for (size_t k = 0; k < stmt->body_count; k++)
            try_statements(&stmt->bodies[k]);
    }
}

static Status run(const Code *code, bool origins, Interp **interp, Value **last)
{
    static const InterpHost host;
    const InterpLimits limits = {
        .origins = origins,
        .random = true,
        .seed = 1,
        .max_cells = MOST_CELLS,
        .max_statements = MOST_STATEMENTS,
        .max_work = 1e6,
        .max_bytes = MOST_BYTES,
    };
    Error error = {0};
    *interp = interp_new(&host, &limits);
    Status status = interp_run(*interp, code, last, &error);
    if (status)
        fuzz_end_error(&error);
    return status;
}

static void try_cell(const Value *value, size_t i, size_t j, bool ascii)
{
    Explanation explanation = {0};
    Str text = {0};
    explain_cell(value, "X", i, j, 0, ascii, &explanation);
    for (size_t k = 0; k < explanation.count; k++) {
        const ExplainPart *part = &explanation.parts[k];
        fuzz_demand(part->row + part->rows <= part->value->rows.n &&
                        part->col + part->cols <= part->value->cols.n,
                    "a part of an explanation lies in its operand");
    }
    explanation_clear(&explanation);
    explain_add_text(&text, value, "X", i, j, 3, 5, ascii);
    fuzz_demand_visible(&text, "an explanation has no control characters");
    str_clear(&text);
}

static void try_value(const Value *value)
{
    const Matrix *m = value_matrix(value);
    fuzz_demand(m->rows == value->rows.n && m->cols == value->cols.n, "a value has its size");
    if (matrix_count(m) > 0) {
        try_cell(value, 0, 0, false);
        try_cell(value, m->rows - 1, m->cols - 1, true);
    }
    Cost cost;
    Str text = {0};
    cost_of(value, &cost);
    poly_add_text(&text, cost.multiply_adds.formula, false);
    poly_add_text(&text, cost.kept.formula, true);
    csv_add_matrix(&text, m);
    str_clear(&text);
    cost_clear(&cost);
}

static void try_program(const Code *code)
{
    Interp *with = NULL, *without = NULL;
    Value *value = NULL, *plain = NULL;
    Status status = run(code, true, &with, &value);
    if (!status && value && value->kind == VALUE_MATRIX)
        try_value(value);
    if (!status && !run(code, false, &without, &plain)) {
        fuzz_demand(!value == !plain && (!value || value->kind == plain->kind),
                    "origins do not change the kind of a value");
        if (value && value->kind == VALUE_MATRIX)
            fuzz_demand(matrix_same(value_matrix(value), value_matrix(plain)) &&
                            value->logical == plain->logical,
                        "origins do not change a value");
    }
    value_unref(value);
    value_unref(plain);
    interp_free(with);
    interp_free(without);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Error error = {0};
    Code *code = NULL;
    core_start();
    Source *source = source_new("fuzz", (const char *)data, size);
    if (code_parse(source, (Span){0, source->length}, &code, &error)) {
        fuzz_end_error(&error);
    } else {
        try_statements(&code->body);
        try_program(code);
        code_free(code);
    }
    fuzz_demand(value_live_bytes() == 0, "every value was freed");
    source_free(source);
    return 0;
}
