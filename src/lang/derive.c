/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/derive.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "lang/route.h"

static double at(const Value *v, size_t i, size_t j)
{
    return matrix_at(value_matrix(v), i, j);
}

/* --- A row times a column ---------------------------------------------------------------- */

/* a and b are lines of count cells each; ends with the sum of their products. */
static void write_products(Sentence *s, const Region *a, const Region *b, const Term *terms,
                           size_t count)
{
    if (count > 0) {
        sentence_mention(s, a);
        str_add(&s->step, phrase_times(s->style));
        sentence_mention(s, b);
        sentence_end_step(s);
    }
    phrase_add_sum(&s->step, s->style, terms, count);
    sentence_end_step(s);
    if (isnan(s->cell))
        phrase_add_blame(&s->note, s->style, terms, count);
}

static bool write_binary(Sentence *s);

/* (m,k)(k,n): row i of the first times column j of the second. */
static bool write_dot(Sentence *s)
{
    const Value *A = sentence_operand(s, 0), *B = sentence_operand(s, 1);
    if (A == NULL || B == NULL)
        return false;
    if (A->cols.n != B->rows.n || A->rows.n != s->value->rows.n || B->cols.n != s->value->cols.n)
        return write_binary(s);
    size_t count = A->cols.n;
    Term *terms = memory_alloc(count * sizeof *terms);
    for (size_t k = 0; k < count; k++)
        terms[k] = (Term){TERM_PRODUCT, at(A, s->i, k), at(B, k, s->j)};
    Region row = sentence_region(s, 0, s->i, 1, 0, count);
    Region column = sentence_region(s, 1, 0, count, s->j, 1);
    write_products(s, &row, &column, terms, count);
    free(terms);
    return true;
}

/* dot(a, b) of two vectors of the same length. */
static bool write_vector_dot(Sentence *s)
{
    const Value *a = sentence_operand(s, 0), *b = sentence_operand(s, 1);
    if (a == NULL || b == NULL || !value_is_scalar(s->value) ||
        (a->rows.n != 1 && a->cols.n != 1) || (b->rows.n != 1 && b->cols.n != 1) ||
        a->rows.n * a->cols.n != b->rows.n * b->cols.n)
        return false;
    size_t count = a->rows.n * a->cols.n;
    Term *terms = memory_alloc(count * sizeof *terms);
    for (size_t k = 0; k < count; k++) /* a vector's cells stand in its order */
        terms[k] = (Term){TERM_PRODUCT, value_matrix(a)->cells[k], value_matrix(b)->cells[k]};
    Region x = sentence_region(s, 0, 0, a->rows.n, 0, a->cols.n);
    Region y = sentence_region(s, 1, 0, b->rows.n, 0, b->cols.n);
    write_products(s, &x, &y, terms, count);
    free(terms);
    return true;
}

/* --- One cell of each of two operands ---------------------------------------------------- */

/* How "a op b" is written: before, between (NULL: as a product) and after. */
typedef struct {
    OpId id;
    const char *before, *between, *after;
} Form;

static const Form FORMS[] = {
    {OP_ADD, "", " + ", ""},        {OP_SUBTRACT, "", " - ", ""},
    {OP_TIMES, "", NULL, ""},       {OP_MULTIPLY, "", NULL, ""},
    {OP_KRON, "", NULL, ""},        {OP_DIVIDE, "", "/", ""},
    {OP_RIGHT_DIVIDE, "", "/", ""}, {OP_LEFT_DIVIDE, "", "\\", ""},
    {OP_POWER, "", "^", ""},        {OP_MATRIX_POWER, "", "^", ""},
    {OP_EQUAL, "(", " == ", ")"},   {OP_NOT_EQUAL, "(", " != ", ")"},
    {OP_LESS, "(", " < ", ")"},     {OP_LESS_EQUAL, "(", " <= ", ")"},
    {OP_GREATER, "(", " > ", ")"},  {OP_GREATER_EQUAL, "(", " >= ", ")"},
    {OP_AND, "(", " & ", ")"},      {OP_OR, "(", " | ", ")"},
    {OP_MOD, "mod(", ", ", ")"},    {OP_MAX, "max(", ", ", ")"},
    {OP_MIN, "min(", ", ", ")"},
};

static const Form *find_form(OpId id)
{
    for (size_t k = 0; k < sizeof FORMS / sizeof *FORMS; k++)
        if (FORMS[k].id == id)
            return &FORMS[k];
    return NULL;
}

/* The cell of operand k that meets cell (i, j) of the result: a row, column or single number
 * is repeated; kron takes blocks.  False if the shapes do not fit. */
static bool find_partner(const Sentence *s, size_t k, size_t *row, size_t *col)
{
    const Value *v = sentence_operand(s, k), *B = sentence_operand(s, 1);
    if (v == NULL || v->rows.n == 0 || v->cols.n == 0)
        return false;
    if (sentence_op(s) == OP_KRON) {
        *row = k == 0 ? s->i / B->rows.n : s->i % B->rows.n;
        *col = k == 0 ? s->j / B->cols.n : s->j % B->cols.n;
    } else {
        if ((v->rows.n != 1 && v->rows.n != s->value->rows.n) ||
            (v->cols.n != 1 && v->cols.n != s->value->cols.n))
            return false;
        *row = v->rows.n == 1 ? 0 : s->i;
        *col = v->cols.n == 1 ? 0 : s->j;
    }
    return *row < v->rows.n && *col < v->cols.n;
}

/* Says what is wrong with a result that is not finite though its operands are, or NaN
 * though they are not. */
static void blame_pair(Sentence *s, double a, double b, const char *arithmetic)
{
    bool division = sentence_op(s) == OP_DIVIDE || sentence_op(s) == OP_RIGHT_DIVIDE;
    if (isnan(s->cell) && !isnan(a) && !isnan(b))
        str_addf(&s->note, ": %s is not a number", arithmetic);
    else if (division && b == 0.0 && isinf(s->cell) && isfinite(a))
        str_add(&s->note, ": a division by zero");
}

static bool write_binary(Sentence *s)
{
    const Form *form = find_form(sentence_op(s));
    size_t row[2], col[2];
    if (s->value->origin->count != 2 || form == NULL || sentence_operand(s, 0) == NULL ||
        sentence_operand(s, 1) == NULL || !find_partner(s, 0, &row[0], &col[0]) ||
        !find_partner(s, 1, &row[1], &col[1]))
        return false;
    const char *between = form->between != NULL ? form->between : phrase_times(s->style);
    double a = at(sentence_operand(s, 0), row[0], col[0]);
    double b = at(sentence_operand(s, 1), row[1], col[1]);
    Region x = sentence_cell(s, 0, row[0], col[0]), y = sentence_cell(s, 1, row[1], col[1]);
    str_add(&s->step, form->before);
    sentence_mention(s, &x);
    str_add(&s->step, between);
    sentence_mention(s, &y);
    str_add(&s->step, form->after);
    sentence_end_step(s);
    str_add(&s->step, form->before);
    sentence_add_operand(s, a);
    str_add(&s->step, between);
    sentence_add_operand(s, b);
    str_add(&s->step, form->after);
    blame_pair(s, a, b, str_text(&s->step));
    sentence_end_step(s);
    return true;
}

/* --- One cell of one operand ------------------------------------------------------------- */

static bool same_shape(const Value *a, const Value *b)
{
    return a->rows.n == b->rows.n && a->cols.n == b->cols.n;
}

static bool write_unary(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    if (A == NULL || !same_shape(A, s->value))
        return false;
    Region cell = sentence_cell(s, 0, s->i, s->j);
    const char *sign = sentence_op(s) == OP_NEGATE ? "-" : sentence_op(s) == OP_NOT ? "!" : "";
    str_add(&s->step, sign);
    sentence_mention(s, &cell);
    sentence_end_step(s);
    str_add(&s->step, sign);
    sentence_add_operand(s, at(A, s->i, s->j));
    sentence_end_step(s);
    return true;
}

/* The second half of f(A(i,j)) = …: what the function does with the number x. */
static void write_function_of(Sentence *s, const char *name, double x)
{
    OpId id = sentence_op(s);
    if (id == OP_ELU1 && x > 0) {
        sentence_add_operand(s, x);
        str_add(&s->step, " + 1");
    } else if (id == OP_RELU) {
        str_add(&s->step, "max(");
        sentence_add_number(s, x);
        str_add(&s->step, ", 0)");
    } else if (id == OP_IDENTITY || id == OP_DIMS) {
        sentence_add_number(s, x);
    } else {
        str_addf(&s->step, "%s(", id == OP_ELU1 ? "exp" : name);
        sentence_add_number(s, x);
        str_add_char(&s->step, ')');
    }
    sentence_end_step(s);
}

static bool write_cellwise(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    if (A == NULL || !same_shape(A, s->value))
        return false;
    const char *name = s->value->origin->op->name;
    Region cell = sentence_cell(s, 0, s->i, s->j);
    bool plain = sentence_op(s) == OP_DIMS;
    if (!plain)
        str_addf(&s->step, "%s(", name);
    sentence_mention(s, &cell);
    if (!plain)
        str_add_char(&s->step, ')');
    sentence_end_step(s);
    write_function_of(s, name, at(A, s->i, s->j));
    return true;
}

static bool write_range(Sentence *s)
{
    size_t count = s->value->origin->count;
    const Value *base = sentence_operand(s, 0), *step = count == 3 ? sentence_operand(s, 1) : NULL;
    if (base == NULL || !value_is_scalar(base) ||
        (count == 3 && (step == NULL || !value_is_scalar(step))))
        return false;
    Region first = sentence_cell(s, 0, 0, 0);
    sentence_mention(s, &first);
    str_addf(&s->step, " + %zu", s->j);
    if (step != NULL) {
        Region by = sentence_cell(s, 1, 0, 0);
        str_add(&s->step, phrase_times(s->style));
        sentence_mention(s, &by);
    }
    sentence_end_step(s);
    sentence_add_operand(s, value_number(base));
    str_addf(&s->step, " + %zu", s->j);
    if (step != NULL) {
        str_add(&s->step, phrase_times(s->style));
        sentence_add_operand(s, value_number(step));
    }
    sentence_end_step(s);
    return true;
}

/* --- Reductions -------------------------------------------------------------------------- */

/* The cells that a reduction takes together, as a rectangle of operand 0. */
typedef struct {
    size_t row, col; /* the first of them */
    bool across;     /* they stand in a row, not in a column */
    Region region;
    Term *terms;
    size_t count;
} Line;

/* The first count cells of the column (dimension 0) or row (1) of operand 0 that cell (i, j)
 * of the result belongs to, or that cell alone (2). */
static Line take_line(const Sentence *s, int dimension, size_t count)
{
    const Value *A = sentence_operand(s, 0);
    Line line = {.row = dimension == 0 ? 0 : s->i,
                 .col = dimension == 1 ? 0 : s->j,
                 .across = dimension == 1,
                 .count = dimension == 2 ? 1 : count};
    line.terms = memory_alloc(line.count * sizeof(Term));
    line.region = sentence_region(s, 0, line.row, line.across ? 1 : line.count, line.col,
                                  line.across ? line.count : 1);
    for (size_t k = 0; k < line.count; k++)
        line.terms[k] = (Term){TERM_NUMBER,
                               line.across ? at(A, line.row, k) : at(A, line.row + k, line.col), 0};
    return line;
}

/* All cells of operand 0. */
static Line take_all(const Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    size_t count = A->rows.n * A->cols.n;
    Line line = {.terms = memory_alloc(count * sizeof(Term)), .count = count};
    line.region = sentence_region(s, 0, 0, A->rows.n, 0, A->cols.n);
    for (size_t k = 0; k < count; k++)
        line.terms[k] = (Term){TERM_NUMBER, value_matrix(A)->cells[k], 0};
    return line;
}

/* max and min skip NaN; the winner is the first of equals. */
static size_t find_winner(const Sentence *s, const Line *line)
{
    for (size_t k = 0; k < line->count; k++)
        if (line->terms[k].a == s->cell)
            return k;
    return line->count;
}

static void write_winner(Sentence *s, const Line *line)
{
    size_t k = find_winner(s, line);
    if (k == line->count)
        return;
    Region cell = line->across ? sentence_cell(s, 0, line->row, k)
                               : sentence_cell(s, 0, line->row + k, line->col);
    sentence_say(s, &cell);
    sentence_end_step(s);
}

/* any and all show at least the entry that decides. */
static void write_decision(Sentence *s, const Line *line, const char *name)
{
    bool any = sentence_op(s) == OP_ANY;
    size_t k = 0;
    while (k < line->count && (line->terms[k].a != 0.0) != any)
        k++;
    str_addf(&s->step, "%s(", name);
    phrase_add_list(&s->step, s->style, line->terms, line->count, k, ", ");
    str_add_char(&s->step, ')');
    sentence_end_step(s);
}

static void write_mean(Sentence *s, const Line *line)
{
    if (line->count == 0)
        return;
    str_add(&s->step, line->count > 1 ? "(" : "");
    phrase_add_sum(&s->step, s->style, line->terms, line->count);
    str_add(&s->step, line->count > 1 ? ")" : "");
    str_addf(&s->step, "/%zu", line->count);
    sentence_end_step(s);
}

/* The numbers behind the call. */
static void write_reduction(Sentence *s, const Line *line)
{
    switch (sentence_op(s)) {
    case OP_MAX:
    case OP_MIN:
        write_winner(s, line);
        break;
    case OP_ANY:
    case OP_ALL:
        write_decision(s, line, s->value->origin->op->name);
        break;
    case OP_MEAN:
        write_mean(s, line);
        break;
    case OP_PROD:
    case OP_CUMPROD:
        phrase_add_product(&s->step, s->style, line->terms, line->count);
        sentence_end_step(s);
        break;
    default: /* sum, cumsum */
        phrase_add_sum(&s->step, s->style, line->terms, line->count);
        sentence_end_step(s);
        if (isnan(s->cell))
            phrase_add_blame(&s->note, s->style, line->terms, line->count);
        break;
    }
}

static bool write_trace(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    size_t count = A->rows.n < A->cols.n ? A->rows.n : A->cols.n;
    Term *terms = memory_alloc(count * sizeof *terms);
    Region all = sentence_region(s, 0, 0, A->rows.n, 0, A->cols.n);
    str_add(&s->step, "trace(");
    sentence_say_argument(s, &all);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    for (size_t k = 0; k < count; k++) {
        Region cell = sentence_cell(s, 0, k, k);
        sentence_keep(s, &cell);
        terms[k] = (Term){TERM_NUMBER, at(A, k, k), 0};
    }
    phrase_add_sum(&s->step, s->style, terms, count);
    sentence_end_step(s);
    free(terms);
    return true;
}

/* norm of a vector, or the Frobenius norm: the square root of the sum of squares. */
static bool write_norm(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    const Origin *origin = s->value->origin;
    const Value *kind = origin->count > 1 ? origin->operands[1] : NULL;
    bool vector = A->rows.n == 1 || A->cols.n == 1;
    bool frobenius = kind != NULL && kind->kind == VALUE_TEXT && text_equal(kind->text, "fro");
    bool two = kind == NULL || (value_is_scalar(kind) && value_number(kind) == 2.0);
    if (!frobenius && !(vector && two))
        return false;
    Line line = take_all(s);
    for (size_t k = 0; k < line.count; k++)
        line.terms[k].kind = TERM_SQUARE;
    if (vector || line.count == 0) {
        sentence_call(s, "norm", &line.region);
    } else {
        str_add(&s->step, "norm(");
        sentence_say_argument(s, &line.region);
        sentence_keep(s, &line.region);
        str_add(&s->step, ", 'fro')");
        sentence_end_step(s);
    }
    str_add(&s->step, "sqrt(");
    phrase_add_sum(&s->step, s->style, line.terms, line.count);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    free(line.terms);
    return true;
}

static bool write_reduce(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    bool extreme = sentence_op(s) == OP_MAX || sentence_op(s) == OP_MIN;
    if (A == NULL)
        return false;
    if (sentence_op(s) == OP_TRACE)
        return write_trace(s);
    if (sentence_op(s) == OP_NORM)
        return write_norm(s);
    if (extreme && s->value->origin->count == 2)
        return write_binary(s);
    int dimension = route_dimension(s->value->origin, extreme ? 2 : 1);
    if ((dimension != 1 && s->j >= A->cols.n) || (dimension != 0 && s->i >= A->rows.n))
        return false; /* the sum of an empty matrix has cells of its own */
    Line line = take_line(s, dimension, dimension == 0 ? A->rows.n : A->cols.n);
    sentence_call(s, s->value->origin->op->name, &line.region);
    write_reduction(s, &line);
    free(line.terms);
    return true;
}

static bool write_running(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    if (A == NULL || !same_shape(A, s->value))
        return false;
    int dimension = route_dimension(s->value->origin, 1);
    Line line = take_line(s, dimension, (dimension == 0 ? s->i : s->j) + 1);
    sentence_call(s, sentence_op(s) == OP_CUMSUM ? "sum" : "prod", &line.region);
    write_reduction(s, &line);
    free(line.terms);
    return true;
}

/* --- Which ------------------------------------------------------------------------------- */

/* Operations that are opaque between matrices only. */
static bool write_simple_case(Sentence *s)
{
    const Value *a = sentence_operand(s, 0), *b = sentence_operand(s, 1);
    bool first = a != NULL && value_is_scalar(a), second = b != NULL && value_is_scalar(b);
    switch (sentence_op(s)) {
    case OP_RIGHT_DIVIDE:
        return second && write_binary(s);
    case OP_LEFT_DIVIDE:
        return first && write_binary(s);
    case OP_MATRIX_POWER:
        return first && second && write_binary(s);
    case OP_DOT:
        return write_vector_dot(s);
    default:
        return false;
    }
}

bool derive_steps(Sentence *s)
{
    switch (s->value->origin->op->explain) {
    case EXPLAIN_UNARY:
        return write_unary(s);
    case EXPLAIN_BINARY:
        return write_binary(s);
    case EXPLAIN_DOT:
        return write_dot(s);
    case EXPLAIN_CELLWISE:
        return write_cellwise(s);
    case EXPLAIN_RANGE:
        return write_range(s);
    case EXPLAIN_REDUCE:
        return write_reduce(s);
    case EXPLAIN_RUNNING:
        return write_running(s);
    case EXPLAIN_SOFTMAX:
        return derive_softmax_steps(s);
    case EXPLAIN_ROW:
        return derive_row_steps(s);
    default:
        return write_simple_case(s);
    }
}
