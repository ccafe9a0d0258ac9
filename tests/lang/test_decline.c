/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What explain makes of operands that no operation takes: it does not put them into
 * arithmetic, the operation's help stands alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "lang/explain.h"
#include "lang/op.h"

enum { TEXT = 99 }; /* an operand of so many rows is a text */

typedef struct {
    OpId op;
    size_t rows, cols; /* of the result */
    size_t count;
    size_t operands[3][2];
} Case;

static Value *make_operand(size_t rows, size_t cols)
{
    if (rows == TEXT)
        return value_text("x");
    Matrix *m = matrix_new(rows, cols);
    for (size_t p = 0; p < rows * cols; p++)
        matrix_fill(m)[p] = 100 + (double)p;
    return value_new(m);
}

/* The last cell of the result, a 7. */
static void assert_declined(const Case *c, size_t number)
{
    Value *operands[3];
    for (size_t i = 0; i < c->count; i++)
        operands[i] = make_operand(c->operands[i][0], c->operands[i][1]);
    Matrix *m = matrix_new(c->rows, c->cols);
    matrix_fill(m)[c->rows * c->cols - 1] = 7;
    Value *v = value_new(m);
    const Op *op = op_get(c->op);
    value_set_origin(v, op, NULL, NULL, operands, c->count);
    Explanation e;
    Str expected = {0};
    str_add(&expected, "x");
    if (!value_is_scalar(v))
        str_addf(&expected, "(%zu,%zu)", c->rows, c->cols);
    str_addf(&expected, " = 7: %s", op->help);
    explain_cell(v, "x", c->rows - 1, c->cols - 1, 0, false, &e);
    if (strcmp(e.sentence, str_text(&expected)) != 0)
        fail_msg("case %zu: '%s', expected '%s'", number, e.sentence, str_text(&expected));
    str_clear(&expected);
    explanation_clear(&e);
    value_unref(v);
    for (size_t i = 0; i < c->count; i++)
        value_unref(operands[i]);
}

static void operands_that_do_not_fit(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {OP_MULTIPLY, 2, 2, 2, {{TEXT, 0}, {2, 2}}},
        {OP_MULTIPLY, 2, 2, 2, {{2, 2}, {TEXT, 0}}},
        {OP_MULTIPLY, 2, 2, 2, {{2, 3}, {2, 2}}},
        {OP_MULTIPLY, 2, 2, 2, {{3, 2}, {2, 2}}},
        {OP_MULTIPLY, 2, 2, 2, {{2, 2}, {2, 3}}},
        {OP_DOT, 1, 1, 2, {{TEXT, 0}, {1, 2}}},
        {OP_DOT, 1, 1, 2, {{1, 2}, {TEXT, 0}}},
        {OP_DOT, 1, 2, 2, {{1, 2}, {1, 2}}},
        {OP_DOT, 1, 1, 2, {{2, 2}, {1, 2}}},
        {OP_DOT, 1, 1, 2, {{1, 2}, {2, 2}}},
        {OP_DOT, 1, 1, 2, {{1, 2}, {3, 1}}},
        {OP_ADD, 2, 2, 1, {{2, 2}}},
        {OP_ADD, 2, 2, 2, {{TEXT, 0}, {2, 2}}},
        {OP_ADD, 2, 2, 2, {{2, 2}, {TEXT, 0}}},
        {OP_ADD, 2, 2, 2, {{3, 2}, {2, 2}}},
        {OP_ADD, 2, 2, 2, {{2, 2}, {2, 3}}},
        {OP_ADD, 2, 2, 2, {{0, 2}, {2, 2}}},
        {OP_ADD, 2, 2, 2, {{2, 2}, {2, 0}}},
        {OP_KRON, 2, 2, 2, {{1, 2}, {1, 1}}},
        {OP_KRON, 2, 2, 2, {{2, 1}, {1, 1}}},
        {OP_NEGATE, 2, 2, 1, {{TEXT, 0}}},
        {OP_NEGATE, 2, 2, 1, {{3, 2}}},
        {OP_NEGATE, 2, 2, 1, {{2, 3}}},
        {OP_EXP, 2, 2, 1, {{TEXT, 0}}},
        {OP_EXP, 2, 2, 1, {{3, 2}}},
        {OP_RANGE, 1, 2, 2, {{TEXT, 0}, {1, 1}}},
        {OP_RANGE, 1, 2, 2, {{1, 2}, {1, 1}}},
        {OP_RANGE, 1, 2, 3, {{1, 1}, {TEXT, 0}, {1, 1}}},
        {OP_RANGE, 1, 2, 3, {{1, 1}, {1, 2}, {1, 1}}},
        {OP_SUM, 1, 2, 1, {{TEXT, 0}}},
        {OP_SUM, 1, 2, 1, {{2, 1}}},
        {OP_CUMSUM, 2, 2, 1, {{TEXT, 0}}},
        {OP_CUMSUM, 2, 2, 1, {{3, 2}}},
        {OP_SOFTMAX, 2, 2, 1, {{TEXT, 0}}},
        {OP_SOFTMAX, 2, 2, 1, {{2, 3}}},
        {OP_ENTROPY, 2, 1, 1, {{TEXT, 0}}},
        {OP_ENTROPY, 2, 1, 1, {{3, 1}}},
        {OP_ENTROPY, 2, 1, 1, {{2, 0}}},
        {OP_L2ROWS, 2, 2, 1, {{2, 3}}},
        {OP_ROPE, 2, 2, 1, {{2, 4}}},
        {OP_ROPE, 2, 3, 1, {{2, 3}}},
        {OP_QUADRATIC, 2, 4, 1, {{2, 2}}},
        {OP_FAVOR, 2, 2, 2, {{2, 2}, {TEXT, 0}}},
        {OP_FAVOR, 2, 2, 2, {{2, 2}, {2, 3}}},
        {OP_FAVOR, 2, 2, 2, {{2, 2}, {1, 2}}},
        {OP_RIGHT_DIVIDE, 2, 2, 2, {{2, 2}, {TEXT, 0}}},
        {OP_LEFT_DIVIDE, 2, 2, 2, {{TEXT, 0}, {2, 2}}},
        {OP_MATRIX_POWER, 2, 2, 2, {{2, 2}, {1, 1}}},
        {OP_MATRIX_POWER, 2, 2, 2, {{1, 1}, {2, 2}}},
        {OP_TRANSPOSE, 2, 2, 1, {{2, 2}}}, /* of other numbers */
        {OP_TRANSPOSE, 2, 2, 1, {{1, 2}}},
        {OP_TRANSPOSE, 2, 2, 1, {{TEXT, 0}}},
        {OP_INDEX, 2, 2, 2, {{TEXT, 0}, {2, 2}}},
        {OP_INDEX, 2, 2, 2, {{2, 2}, {TEXT, 0}}},
        {OP_INDEX, 2, 2, 3, {{2, 2}, {1, 2}, {1, 2}}},
        {OP_CONCAT, 2, 2, 1, {{2, 2}}},
        {OP_RESHAPE, 2, 2, 1, {{1, 2}}},
        {OP_SORT, 2, 2, 1, {{2, 2}}},
        {OP_SORT, 2, 2, 1, {{2, 3}}},
        {OP_CIRCSHIFT, 2, 2, 2, {{2, 2}, {1, 2}}},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
        assert_declined(&CASES[k], k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operands_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
