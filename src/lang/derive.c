/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/elementary.h"
#include "lang/route.h"

static double at(const Value *v, size_t i, size_t j)
{
    return matrix_at(value_matrix(v), i, j);
}

static OpId op_id(const Sentence *s)
{
    return s->value->origin->op->id;
}

static void add_number(Sentence *s, double x)
{
    phrase_add_number(&s->step, s->style, x);
}

static void add_operand(Sentence *s, double x)
{
    phrase_add_operand(&s->step, s->style, x);
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
    if (a == NULL || b == NULL || !value_is_scalar(s->value) || (a->rows.n != 1 && a->cols.n != 1) ||
        (b->rows.n != 1 && b->cols.n != 1) || a->rows.n * a->cols.n != b->rows.n * b->cols.n)
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

/* How "a op b" is written: before, between and after. */
typedef struct {
    const char *before, *between, *after;
} Form;

static Form binary_form(const Sentence *s)
{
    switch (op_id(s)) {
    case OP_ADD:          return (Form){"", " + ", ""};
    case OP_SUBTRACT:     return (Form){"", " - ", ""};
    case OP_DIVIDE:       return (Form){"", "/", ""};
    case OP_RIGHT_DIVIDE: return (Form){"", "/", ""};
    case OP_LEFT_DIVIDE:  return (Form){"", "\\", ""};
    case OP_POWER:        return (Form){"", "^", ""};
    case OP_MATRIX_POWER: return (Form){"", "^", ""};
    case OP_TIMES: case OP_MULTIPLY: case OP_KRON:
        return (Form){"", phrase_times(s->style), ""};
    case OP_EQUAL:        return (Form){"(", " == ", ")"};
    case OP_NOT_EQUAL:    return (Form){"(", " != ", ")"};
    case OP_LESS:         return (Form){"(", " < ", ")"};
    case OP_LESS_EQUAL:   return (Form){"(", " <= ", ")"};
    case OP_GREATER:      return (Form){"(", " > ", ")"};
    case OP_GREATER_EQUAL: return (Form){"(", " >= ", ")"};
    case OP_AND:          return (Form){"(", " & ", ")"};
    case OP_OR:           return (Form){"(", " | ", ")"};
    case OP_MOD:          return (Form){"mod(", ", ", ")"};
    case OP_MAX:          return (Form){"max(", ", ", ")"};
    case OP_MIN:          return (Form){"min(", ", ", ")"};
    default:              return (Form){NULL, NULL, NULL};
    }
}

/* The cell of operand k that meets cell (i, j) of the result: a row, column or single number
 * is repeated; kron takes blocks.  False if the shapes do not fit. */
static bool find_partner(const Sentence *s, size_t k, size_t *row, size_t *col)
{
    const Value *v = sentence_operand(s, k), *B = sentence_operand(s, 1);
    if (v == NULL || v->rows.n == 0 || v->cols.n == 0)
        return false;
    if (op_id(s) == OP_KRON) {
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
    bool division = op_id(s) == OP_DIVIDE || op_id(s) == OP_RIGHT_DIVIDE;
    if (isnan(s->cell) && !isnan(a) && !isnan(b))
        str_addf(&s->note, ": %s is not a number", arithmetic);
    else if (division && b == 0.0 && isinf(s->cell) && isfinite(a))
        str_add(&s->note, ": a division by zero");
}

static bool write_binary(Sentence *s)
{
    Form form = binary_form(s);
    size_t row[2], col[2];
    if (s->value->origin->count != 2 || form.between == NULL || sentence_operand(s, 0) == NULL ||
        sentence_operand(s, 1) == NULL || !find_partner(s, 0, &row[0], &col[0]) ||
        !find_partner(s, 1, &row[1], &col[1]))
        return false;
    double a = at(sentence_operand(s, 0), row[0], col[0]);
    double b = at(sentence_operand(s, 1), row[1], col[1]);
    Region x = sentence_cell(s, 0, row[0], col[0]), y = sentence_cell(s, 1, row[1], col[1]);
    str_add(&s->step, form.before);
    sentence_mention(s, &x);
    str_add(&s->step, form.between);
    sentence_mention(s, &y);
    str_add(&s->step, form.after);
    sentence_end_step(s);
    str_add(&s->step, form.before);
    add_operand(s, a);
    str_add(&s->step, form.between);
    add_operand(s, b);
    str_add(&s->step, form.after);
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
    const char *sign = op_id(s) == OP_NEGATE ? "-" : op_id(s) == OP_NOT ? "!" : "";
    str_add(&s->step, sign);
    sentence_mention(s, &cell);
    sentence_end_step(s);
    str_add(&s->step, sign);
    add_operand(s, at(A, s->i, s->j));
    sentence_end_step(s);
    return true;
}

/* The second half of f(A(i,j)) = …: what the function does with the number x. */
static void write_function_of(Sentence *s, const char *name, double x)
{
    OpId id = op_id(s);
    if (id == OP_ELU1 && x > 0) {
        add_operand(s, x);
        str_add(&s->step, " + 1");
    } else if (id == OP_RELU) {
        str_add(&s->step, "max(");
        add_number(s, x);
        str_add(&s->step, ", 0)");
    } else if (id == OP_IDENTITY || id == OP_DIMS) {
        add_number(s, x);
    } else {
        str_addf(&s->step, "%s(", id == OP_ELU1 ? "exp" : name);
        add_number(s, x);
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
    bool plain = op_id(s) == OP_DIMS;
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
    if (base == NULL || !value_is_scalar(base) || (count == 3 && (step == NULL || !value_is_scalar(step))))
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
    add_operand(s, value_number(base));
    str_addf(&s->step, " + %zu", s->j);
    if (step != NULL) {
        str_add(&s->step, phrase_times(s->style));
        add_operand(s, value_number(step));
    }
    sentence_end_step(s);
    return true;
}

/* --- Reductions -------------------------------------------------------------------------- */

/* The cells that a reduction takes together, as a rectangle of operand 0. */
typedef struct {
    Region region;
    Term *terms;
    size_t count;
} Line;

/* The first count cells of the column (dimension 0) or row (1) of operand 0 that cell (i, j)
 * of the result belongs to. */
static Line take_line(const Sentence *s, int dimension, size_t count)
{
    const Value *A = sentence_operand(s, 0);
    Line line = {.terms = memory_alloc(count * sizeof(Term)), .count = count};
    line.region = dimension == 0 ? sentence_region(s, 0, 0, count, s->j, 1)
                                 : sentence_region(s, 0, s->i, 1, 0, count);
    for (size_t k = 0; k < count; k++)
        line.terms[k] = (Term){TERM_NUMBER, dimension == 0 ? at(A, k, s->j) : at(A, s->i, k), 0};
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

/* "sum(A(:,2))" */
static void write_call_on(Sentence *s, const char *name, const Region *region)
{
    if (region->rows > 0 && region->cols > 0) {
        str_addf(&s->step, "%s(", name);
        sentence_say_argument(s, region);
        sentence_keep(s, region);
        str_add_char(&s->step, ')');
    }
    sentence_end_step(s);
}

/* max and min skip NaN; the winner is the first of equals. */
static size_t find_winner(const Sentence *s, const Line *line)
{
    for (size_t k = 0; k < line->count; k++)
        if (line->terms[k].a == s->cell)
            return k;
    return line->count;
}

static void write_winner(Sentence *s, const Line *line, int dimension)
{
    size_t k = find_winner(s, line);
    if (k == line->count)
        return;
    Region cell = dimension == 0 ? sentence_cell(s, 0, k, s->j) : sentence_cell(s, 0, s->i, k);
    sentence_say(s, &cell);
    sentence_end_step(s);
}

/* any and all show at least the entry that decides. */
static void write_decision(Sentence *s, const Line *line, const char *name)
{
    bool any = op_id(s) == OP_ANY;
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
static void write_reduction(Sentence *s, const Line *line, int dimension)
{
    switch (op_id(s)) {
    case OP_MAX: case OP_MIN:
        write_winner(s, line, dimension);
        break;
    case OP_ANY: case OP_ALL:
        write_decision(s, line, s->value->origin->op->name);
        break;
    case OP_MEAN:
        write_mean(s, line);
        break;
    case OP_PROD: case OP_CUMPROD:
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
    write_call_on(s, "norm", &line.region);
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
    bool extreme = op_id(s) == OP_MAX || op_id(s) == OP_MIN;
    if (A == NULL)
        return false;
    if (op_id(s) == OP_TRACE)
        return write_trace(s);
    if (op_id(s) == OP_NORM)
        return write_norm(s);
    if (extreme && s->value->origin->count == 2)
        return write_binary(s);
    int dimension = route_dimension(s->value->origin, extreme ? 2 : 1);
    if (dimension == 0 ? s->j >= A->cols.n : s->i >= A->rows.n)
        return false; /* the sum of an empty matrix has cells of its own */
    Line line = take_line(s, dimension, dimension == 0 ? A->rows.n : A->cols.n);
    write_call_on(s, s->value->origin->op->name, &line.region);
    write_reduction(s, &line, dimension);
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
    write_call_on(s, op_id(s) == OP_CUMSUM ? "sum" : "prod", &line.region);
    write_reduction(s, &line, dimension);
    free(line.terms);
    return true;
}

/* --- Functions of a row ------------------------------------------------------------------ */

/* exp(s - max) / sum over row i; a row of -Inf alone gives zeros. */
static bool write_softmax(Sentence *s)
{
    const Value *A = sentence_operand(s, 0);
    if (A == NULL || !same_shape(A, s->value))
        return false;
    double most = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < A->cols.n; k++)
        most = fmax(most, at(A, s->i, k));
    for (size_t k = 0; k < A->cols.n; k++)
        sum += elementary_exp(at(A, s->i, k) - most);
    Region cell = sentence_cell(s, 0, s->i, s->j);
    Region row = sentence_region(s, 0, s->i, 1, 0, A->cols.n);
    sentence_keep(s, &row);
    str_add(&s->step, "exp(");
    sentence_say(s, &cell);
    str_add(&s->step, " - max)/sum");
    sentence_end_step(s);
    if (most == -INFINITY && !isnan(s->cell)) {
        str_add(&s->note, ": every score of the row is -Inf, there is nothing to choose from");
        return true;
    }
    if (isnan(s->cell))
        str_add(&s->note, ": a row with NaN or Inf has no softmax");
    str_add(&s->step, "exp(");
    add_number(s, at(A, s->i, s->j));
    str_add(&s->step, " - ");
    add_operand(s, most);
    str_add(&s->step, ")/");
    add_operand(s, sum);
    sentence_end_step(s);
    return true;
}

static bool write_entropy(Sentence *s, const Value *P)
{
    Line line = take_line(s, 1, P->cols.n);
    for (size_t k = 0; k < line.count; k++)
        line.terms[k].kind = TERM_ENTROPY;
    write_call_on(s, "entropy", &line.region);
    str_add(&s->step, "-(");
    phrase_add_sum(&s->step, s->style, line.terms, line.count);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    free(line.terms);
    return true;
}

/* The Euclidean norm of row i, scaled so that squares do not overflow. */
static double row_norm(const Value *X, size_t i)
{
    double largest = 0.0, sum = 0.0;
    for (size_t k = 0; k < X->cols.n; k++)
        largest = fmax(largest, fabs(at(X, i, k)));
    if (largest == 0.0 || isinf(largest))
        return largest;
    for (size_t k = 0; k < X->cols.n; k++)
        sum += at(X, i, k) / largest * (at(X, i, k) / largest);
    return largest * sqrt(sum);
}

static bool write_unit_row(Sentence *s, const Value *X)
{
    Region cell = sentence_cell(s, 0, s->i, s->j);
    Region row = sentence_region(s, 0, s->i, 1, 0, X->cols.n);
    double norm = row_norm(X, s->i);
    sentence_say(s, &cell);
    str_add(&s->step, "/norm(");
    sentence_mention(s, &row);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    if (norm == 0.0) {
        str_add(&s->note, ": a row of zeros stays zero");
        return true;
    }
    add_operand(s, at(X, s->i, s->j));
    str_add_char(&s->step, '/');
    add_operand(s, norm);
    sentence_end_step(s);
    return true;
}

/* Row t (from 0) turns its pair p of columns by the angle t 10000^(-2p/d). */
static bool write_rotation(Sentence *s, const Value *X)
{
    size_t pair = s->j / 2, d = X->cols.n;
    if (d % 2 != 0)
        return false;
    double angle = (double)s->i * elementary_pow(10000, -2.0 * (double)pair / (double)d);
    double a = at(X, s->i, 2 * pair), b = at(X, s->i, 2 * pair + 1);
    double c = elementary_cos(angle), e = elementary_sin(angle);
    bool first = s->j % 2 == 0;
    Region x = sentence_cell(s, 0, s->i, 2 * pair), y = sentence_cell(s, 0, s->i, 2 * pair + 1);
    const char *times = phrase_times(s->style);
    sentence_mention(s, &x);
    str_addf(&s->step, "%s%s(", times, first ? "cos" : "sin");
    add_number(s, angle);
    str_add(&s->step, first ? ") - " : ") + ");
    sentence_mention(s, &y);
    str_addf(&s->step, "%s%s(", times, first ? "sin" : "cos");
    add_number(s, angle);
    str_add_char(&s->step, ')');
    sentence_end_step(s);
    Term terms[2] = {{TERM_PRODUCT, a, first ? c : e}, {TERM_PRODUCT, b, first ? -e : c}};
    phrase_add_sum(&s->step, s->style, terms, 2);
    sentence_end_step(s);
    return true;
}

/* Column j of the quadratic map is the j-th pair (a, b), a <= b, times sqrt(2) if a < b. */
static bool write_pair_product(Sentence *s, const Value *X)
{
    size_t a = 0, b = s->j;
    while (a < X->cols.n && b >= X->cols.n - a) {
        b -= X->cols.n - a;
        a++;
    }
    b += a;
    if (b >= X->cols.n)
        return false;
    const char *times = phrase_times(s->style);
    Region x = sentence_cell(s, 0, s->i, a), y = sentence_cell(s, 0, s->i, b);
    sentence_mention(s, &x);
    str_add(&s->step, times);
    sentence_mention(s, &y);
    if (a < b)
        str_addf(&s->step, "%ssqrt(2)", times);
    sentence_end_step(s);
    add_operand(s, at(X, s->i, a));
    str_add(&s->step, times);
    add_operand(s, at(X, s->i, b));
    if (a < b)
        str_addf(&s->step, "%ssqrt(2)", times);
    sentence_end_step(s);
    return true;
}

/* exp(x.w - |x|²/2)/sqrt(m) */
static bool write_favor(Sentence *s, const Value *X)
{
    const Value *W = sentence_operand(s, 1);
    if (W == NULL || W->cols.n != X->cols.n || s->j >= W->rows.n)
        return false;
    double dot = 0.0, square = 0.0;
    for (size_t k = 0; k < X->cols.n; k++) {
        dot += at(X, s->i, k) * at(W, s->j, k);
        square += at(X, s->i, k) * at(X, s->i, k);
    }
    Region x = sentence_region(s, 0, s->i, 1, 0, X->cols.n);
    Region w = sentence_region(s, 1, s->j, 1, 0, W->cols.n);
    str_add(&s->step, "exp(");
    sentence_mention(s, &x);
    str_add(&s->step, phrase_times(s->style));
    sentence_mention(s, &w);
    str_add(&s->step, "' - norm(");
    sentence_say(s, &x);
    str_addf(&s->step, ")^2/2)/sqrt(%zu)", W->rows.n);
    sentence_end_step(s);
    str_add(&s->step, "exp(");
    add_number(s, dot);
    str_add(&s->step, " - ");
    add_operand(s, square);
    str_addf(&s->step, "/2)/sqrt(%zu)", W->rows.n);
    sentence_end_step(s);
    return true;
}

static bool write_row(Sentence *s)
{
    const Value *X = sentence_operand(s, 0);
    if (X == NULL || X->rows.n != s->value->rows.n || X->cols.n == 0)
        return false;
    switch (op_id(s)) {
    case OP_ENTROPY:   return write_entropy(s, X);
    case OP_L2ROWS:    return same_shape(X, s->value) && write_unit_row(s, X);
    case OP_ROPE:      return same_shape(X, s->value) && write_rotation(s, X);
    case OP_QUADRATIC: return write_pair_product(s, X);
    case OP_FAVOR:     return write_favor(s, X);
    default:           return false;
    }
}

/* --- Which ------------------------------------------------------------------------------- */

/* Operations that are opaque between matrices only. */
static bool write_simple_case(Sentence *s)
{
    const Value *a = sentence_operand(s, 0), *b = sentence_operand(s, 1);
    bool first = a != NULL && value_is_scalar(a), second = b != NULL && value_is_scalar(b);
    switch (op_id(s)) {
    case OP_RIGHT_DIVIDE: return second && write_binary(s);
    case OP_LEFT_DIVIDE:  return first && write_binary(s);
    case OP_MATRIX_POWER: return first && second && write_binary(s);
    case OP_DOT:          return write_vector_dot(s);
    default:              return false;
    }
}

bool derive_steps(Sentence *s)
{
    switch (s->value->origin->op->explain) {
    case EXPLAIN_UNARY:    return write_unary(s);
    case EXPLAIN_BINARY:   return write_binary(s);
    case EXPLAIN_DOT:      return write_dot(s);
    case EXPLAIN_CELLWISE: return write_cellwise(s);
    case EXPLAIN_RANGE:    return write_range(s);
    case EXPLAIN_REDUCE:   return write_reduce(s);
    case EXPLAIN_RUNNING:  return write_running(s);
    case EXPLAIN_SOFTMAX:  return write_softmax(s);
    case EXPLAIN_ROW:      return write_row(s);
    default:               return write_simple_case(s);
    }
}
