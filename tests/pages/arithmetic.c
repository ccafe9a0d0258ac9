/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arithmetic.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "lang/explain.h"

/* MAX_DEPTH bounds the recursion; SLACK is how many roundings of each kind we allow for
 * a sum that was taken in another order. */
enum { MAX_DEPTH = 64, MAX_ARGUMENTS = 16, SLACK = 64 };

/* A rectangle of numbers, row by row. */
typedef struct {
    size_t rows, cols;
    Real *cells;
} Block;

typedef struct {
    char *name;
    const Value *value;
} Name;

typedef struct {
    const char *at, *end;
    const Explanation *why;
    Name *names; /* of its parts, and of what they were put together from */
    size_t name_count, name_room;
    int depth;
    bool failed;
} Reader;

/* ---- numbers ---- */

bool arithmetic_agrees(Real computed, double x)
{
    if (isnan(x) || isnan(computed.x))
        return isnan(x) && isnan(computed.x);
    if (isinf(x))
        return x > 0 ? computed.x > DBL_MAX : computed.x < -DBL_MAX;
    return fabsl(computed.x - x) <= SLACK * computed.error + DBL_MIN;
}

/* ---- blocks ---- */

static Block block_new(size_t rows, size_t cols)
{
    return (Block){rows, cols, memory_zeros(rows * cols, sizeof(Real))};
}

static Block block_of(Real number)
{
    Block block = block_new(1, 1);
    block.cells[0] = number;
    return block;
}

static void block_clear(Block *block)
{
    free(block->cells);
    *block = (Block){0};
}

static size_t size_of(const Block *block)
{
    return block->rows * block->cols;
}

static bool is_vector(const Block *block)
{
    return block->rows == 1 || block->cols == 1;
}

/* The number of a block that is one number. */
static Real number_of(Reader *r, const Block *block)
{
    if (size_of(block) != 1) {
        r->failed = true;
        return real_exactly(0);
    }
    return block->cells[0];
}

/* ---- text ---- */

static void fail(Reader *r)
{
    r->failed = true;
    r->at = r->end;
}

static bool begins(const Reader *r, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

static bool take(Reader *r, const char *text)
{
    if (!begins(r, text))
        return false;
    r->at += strlen(text);
    return true;
}

static void expect(Reader *r, const char *text)
{
    if (!take(r, text))
        fail(r);
}

static Block read_comparison(Reader *r);

/* ---- cells that the sentence names ---- */

/* "3", ":" or "2:5": places from 0 of extent. */
static bool read_range(Reader *r, size_t extent, size_t *first, size_t *count)
{
    size_t numbers[2] = {0, 0}, found = 0;
    if (take(r, ":")) {
        *first = 0;
        *count = extent;
        return true;
    }
    for (; found < 2 && r->at < r->end && isdigit((unsigned char)*r->at); found++) {
        while (r->at < r->end && isdigit((unsigned char)*r->at))
            numbers[found] = 10 * numbers[found] + (size_t)(*r->at++ - '0');
        if (found == 0 && !take(r, ":")) {
            numbers[1] = numbers[0];
            found = 2;
            break;
        }
    }
    *first = numbers[0] - 1;
    *count = numbers[1] + 1 - numbers[0];
    return found == 2 && numbers[0] >= 1 && numbers[1] >= numbers[0] && numbers[1] <= extent;
}

/* What stands behind the name of value: its cells, and a ' if they are turned. */
static bool read_cells(Reader *r, const Value *value, Block *out)
{
    const Matrix *m = value_matrix(value);
    size_t row = 0, rows = m->rows, col = 0, cols = m->cols;
    bool indexed = m->rows * m->cols != 1 && take(r, "(");
    if (indexed && (!read_range(r, m->rows, &row, &rows) || !take(r, ",") ||
                    !read_range(r, m->cols, &col, &cols) || !take(r, ")")))
        return false;
    if (rows * cols == 0)
        return false;
    bool turned = take(r, "'");
    *out = turned ? block_new(cols, rows) : block_new(rows, cols);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            out->cells[turned ? j * rows + i : i * cols + j] =
                real_exactly(matrix_at(m, row + i, col + j));
    return true;
}

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of name if it stands here, or 0.  Between the brackets of a call, brackets of
 * its own are left out. */
static size_t match_name(const Reader *r, const char *name, bool bare)
{
    size_t length = strlen(name);
    if (bare && (length < 2 || name[0] != '(' || name[length - 1] != ')'))
        return 0;
    name += bare;
    length -= bare ? 2 : 0;
    if (length == 0 || (size_t)(r->end - r->at) < length || memcmp(r->at, name, length) != 0)
        return 0;
    bool cut = r->at + length < r->end && is_name_byte(name[length - 1]) &&
               is_name_byte(r->at[length]);
    return cut ? 0 : length;
}

static void add_name(Reader *r, char *name, const Value *value)
{
    MEMORY_GROW(r->names, r->name_count, r->name_room);
    r->names[r->name_count++] = (Name){name, value};
}

/* The parts, and the matrices that stand in the brackets of one: the sentence names a cell of
 * [A, B] as a cell of A. */
static void add_names(Reader *r)
{
    for (size_t k = 0; k < r->why->count; k++) {
        const ExplainPart *part = &r->why->parts[k];
        const Origin *origin = part->value->origin;
        add_name(r, memory_copy_text(part->name), part->value);
        if (!origin || origin->op->id != OP_CONCAT || !origin->at)
            continue;
        for (size_t i = 0; i < origin->count && i < origin->at->count; i++) {
            Str name = {0};
            explain_add_name(&name, origin->operands[i], origin->at->args[i]);
            add_name(r, str_take(&name), origin->operands[i]);
        }
    }
}

static void clear_names(Reader *r)
{
    for (size_t k = 0; k < r->name_count; k++)
        free(r->names[k].name);
    free(r->names);
}

/* Cells of a part; the longest name that fits, "Q" before "(Q*K')" only where it has to be. */
static bool read_part(Reader *r, Block *out)
{
    const char *start = r->at;
    for (size_t limit = SIZE_MAX;;) {
        size_t best = 0, part = 0;
        for (size_t k = 0; k < r->name_count; k++)
            for (int bare = 0; bare < 2; bare++) {
                size_t length = match_name(r, r->names[k].name, bare);
                if (length > best && length < limit) {
                    best = length;
                    part = k;
                }
            }
        if (best == 0)
            return false;
        r->at = start + best;
        if (read_cells(r, r->names[part].value, out))
            return true;
        r->at = start;
        limit = best;
    }
}

/* ---- functions ---- */

typedef struct {
    Block items[MAX_ARGUMENTS];
    size_t count;
} Arguments;

/* "a, b, …)": the bracket was read. */
static void read_arguments(Reader *r, Arguments *out)
{
    out->count = 0;
    do {
        if (begins(r, "…, ") || begins(r, "…)") || begins(r, "..., ") || begins(r, "...)")) {
            r->at += begins(r, "…") ? strlen("…") : 3; /* what decides is shown */
            continue;
        }
        if (out->count == MAX_ARGUMENTS) {
            fail(r);
            return;
        }
        out->items[out->count++] = read_comparison(r);
    } while (!r->failed && take(r, ", "));
    expect(r, ")");
}

static Real sum_of(const Block *b)
{
    Real sum = real_exactly(0);
    long double size = 0;
    for (size_t i = 0; i < size_of(b); i++) {
        size += fabsl(b->cells[i].x);
        sum.x += b->cells[i].x;
        sum.error += b->cells[i].error;
    }
    return (Real){sum.x, sum.error + REAL_HALF_ULP * size * (long double)size_of(b) / SLACK +
                             REAL_HALF_ULP * size};
}

static Real dot(const Block *a, const Block *b)
{
    Block products = block_new(1, size_of(a));
    for (size_t i = 0; i < size_of(a); i++)
        products.cells[i] = real_times(a->cells[i], b->cells[i]);
    Real sum = sum_of(&products);
    block_clear(&products);
    return sum;
}

static Real root(Real a)
{
    long double x = sqrtl(a.x);
    return real_rounded(x, x > 0 ? a.error / (2 * x) : sqrtl(a.error));
}

static Real exponential(Real a)
{
    long double x = expl(a.x);
    return real_rounded(x, x * (isinf(a.x) ? 0 : a.error) + 4 * REAL_HALF_ULP * x);
}

static Real logarithm(Real a)
{
    long double x = logl(a.x);
    return real_rounded(x, (a.x > 0 ? a.error / a.x : 0) + 4 * REAL_HALF_ULP * fabsl(x));
}

static Real sine(Real a) { return (Real){sinl(a.x), a.error + 4 * REAL_HALF_ULP}; }
static Real cosine(Real a) { return (Real){cosl(a.x), a.error + 4 * REAL_HALF_ULP}; }
static Real hyperbolic(Real a) { return (Real){tanhl(a.x), a.error + 4 * REAL_HALF_ULP}; }
static Real absolute(Real a) { return (Real){fabsl(a.x), a.error}; }
static Real sign_of(Real a) { return real_exactly((a.x > 0) - (a.x < 0)); }
static Real down(Real a) { return real_exactly(floorl(a.x)); }
static Real up(Real a) { return real_exactly(ceill(a.x)); }
static Real nearest(Real a) { return real_exactly(roundl(a.x)); }
static Real is_nan(Real a) { return real_exactly(isnan(a.x)); }
static Real is_infinite(Real a) { return real_exactly(isinf(a.x)); }
static Real is_finite(Real a) { return real_exactly(isfinite(a.x)); }
static Real rectified(Real a) { return a.x > 0 ? a : real_exactly(0); }
static Real elu_plus_one(Real a)
{
    return a.x > 0 ? real_plus(a, real_exactly(1)) : exponential(a);
}

static Real itself(Real a) { return a; }
static Real binary_log(Real a)
{
    return real_over(logarithm(a), real_exactly(logl(2)));
}

static const struct {
    const char *name;
    Real (*of)(Real);
} NUMBER_FUNCTIONS[] = {
    {"exp", exponential}, {"log", logarithm},    {"log2", binary_log}, {"sqrt", root},
    {"sin", sine},        {"cos", cosine},       {"tanh", hyperbolic}, {"abs", absolute},
    {"sign", sign_of},    {"floor", down},       {"ceil", up},         {"round", nearest},
    {"isnan", is_nan},    {"isinf", is_infinite}, {"isfinite", is_finite}, {"relu", rectified},
    {"elu1", elu_plus_one}, {"identity", itself},
};

static Real product_of(const Block *b)
{
    Real product = real_exactly(1);
    for (size_t i = 0; i < size_of(b); i++)
        product = real_times(product, b->cells[i]);
    return product;
}

static Real mean_of(const Block *b)
{
    return real_over(sum_of(b), real_exactly((long double)size_of(b)));
}

static Real norm_of(const Block *b)
{
    return root(dot(b, b));
}

/* NaN is passed over. */
static Real largest_of(const Block *b)
{
    Real best = real_exactly(NAN);
    for (size_t i = 0; i < size_of(b); i++)
        if (isnan(best.x) || b->cells[i].x > best.x)
            best = b->cells[i];
    return best;
}

static Real smallest_of(const Block *b)
{
    Real best = real_exactly(NAN);
    for (size_t i = 0; i < size_of(b); i++)
        if (isnan(best.x) || b->cells[i].x < best.x)
            best = b->cells[i];
    return best;
}

static Real any_of(const Block *b)
{
    for (size_t i = 0; i < size_of(b); i++)
        if (b->cells[i].x != 0)
            return real_exactly(1);
    return real_exactly(0);
}

static Real all_of(const Block *b)
{
    for (size_t i = 0; i < size_of(b); i++)
        if (b->cells[i].x == 0)
            return real_exactly(0);
    return real_exactly(1);
}

static Real trace_of(const Block *b)
{
    Real sum = real_exactly(0);
    for (size_t i = 0; i < b->rows && i < b->cols; i++)
        sum = real_plus(sum, b->cells[i * b->cols + i]);
    return sum;
}

static Real entropy_of(const Block *b)
{
    Real sum = real_exactly(0);
    for (size_t i = 0; i < size_of(b); i++)
        if (b->cells[i].x != 0)
            sum = real_plus(sum, real_times(b->cells[i], logarithm(b->cells[i])));
    return real_negated(sum);
}

static const struct {
    const char *name;
    Real (*of)(const Block *);
} BLOCK_FUNCTIONS[] = {
    {"sum", sum_of},  {"prod", product_of}, {"mean", mean_of},   {"norm", norm_of},
    {"max", largest_of}, {"min", smallest_of}, {"any", any_of},  {"all", all_of},
    {"trace", trace_of}, {"entropy", entropy_of},
};

/* All numbers of the arguments in one row; one argument stays as it is. */
static Block joined(Arguments *arguments)
{
    if (arguments->count == 1) {
        Block only = arguments->items[0];
        arguments->count = 0;
        return only;
    }
    size_t count = 0;
    for (size_t k = 0; k < arguments->count; k++)
        count += size_of(&arguments->items[k]);
    Block all = block_new(1, count);
    count = 0;
    for (size_t k = 0; k < arguments->count; k++)
        for (size_t i = 0; i < size_of(&arguments->items[k]); i++)
            all.cells[count++] = arguments->items[k].cells[i];
    return all;
}

static Real modulo(Real a, Real b)
{
    if (b.x == 0)
        return a;
    return (Real){a.x - b.x * floorl(a.x / b.x), a.error + REAL_HALF_ULP * fabsl(a.x)};
}

/* What the function of that name makes of its arguments; fails if there is none. */
static Real apply(Reader *r, const char *name, size_t length, Arguments *arguments)
{
    if (length == 3 && memcmp(name, "mod", 3) == 0 && arguments->count == 2)
        return modulo(number_of(r, &arguments->items[0]), number_of(r, &arguments->items[1]));
    for (size_t k = 0; k < sizeof NUMBER_FUNCTIONS / sizeof *NUMBER_FUNCTIONS; k++)
        if (strlen(NUMBER_FUNCTIONS[k].name) == length && arguments->count == 1 &&
            memcmp(NUMBER_FUNCTIONS[k].name, name, length) == 0)
            return NUMBER_FUNCTIONS[k].of(number_of(r, &arguments->items[0]));
    for (size_t k = 0; k < sizeof BLOCK_FUNCTIONS / sizeof *BLOCK_FUNCTIONS; k++)
        if (strlen(BLOCK_FUNCTIONS[k].name) == length &&
            memcmp(BLOCK_FUNCTIONS[k].name, name, length) == 0) {
            Block all = joined(arguments);
            Real x = BLOCK_FUNCTIONS[k].of(&all);
            block_clear(&all);
            return x;
        }
    fail(r);
    return real_exactly(0);
}

/* The "max" and the "sum" of a softmax: of the row that is the sentence's first part. */
static Block of_softmax(Reader *r, bool is_sum)
{
    if (r->why->count == 0) {
        fail(r);
        return block_of(real_exactly(0));
    }
    const ExplainPart *part = &r->why->parts[0];
    Block row = block_new(part->rows, part->cols);
    for (size_t i = 0; i < size_of(&row); i++)
        row.cells[i] = real_exactly(matrix_at(value_matrix(part->value), part->row + i / part->cols,
                                         part->col + i % part->cols));
    Real most = largest_of(&row), result = most;
    if (is_sum) {
        for (size_t i = 0; i < size_of(&row); i++)
            row.cells[i] = exponential(real_plus(row.cells[i], real_negated(most)));
        result = sum_of(&row);
    }
    block_clear(&row);
    return block_of(result);
}

static Block read_word(Reader *r)
{
    const char *name = r->at;
    while (r->at < r->end && is_name_byte(*r->at))
        r->at++;
    size_t length = (size_t)(r->at - name);
    if (length == 3 && memcmp(name, "NaN", 3) == 0)
        return block_of(real_exactly(NAN));
    if (length == 3 && memcmp(name, "Inf", 3) == 0)
        return block_of(real_exactly(INFINITY));
    bool call = take(r, "(");
    if (!call && length == 3 && (memcmp(name, "max", 3) == 0 || memcmp(name, "sum", 3) == 0))
        return of_softmax(r, name[0] == 's');
    if (!call) {
        fail(r);
        return block_of(real_exactly(0));
    }
    Arguments arguments;
    read_arguments(r, &arguments);
    Real x = r->failed ? real_exactly(0) : apply(r, name, length, &arguments);
    for (size_t k = 0; k < arguments.count; k++)
        block_clear(&arguments.items[k]);
    return block_of(x);
}

/* ---- operators, the loosest last ---- */

static Block read_number(Reader *r)
{
    const char *start = r->at;
    double x;
    while (r->at < r->end && (isdigit((unsigned char)*r->at) || *r->at == '.' || *r->at == 'e' ||
                              ((*r->at == '-' || *r->at == '+') && r->at[-1] == 'e')))
        r->at++;
    if (number_read(start, (size_t)(r->at - start), &x) != NUMBER_OK) {
        fail(r);
        x = 0;
    }
    return block_of(real_exactly(x));
}

/* "… (12 more: -0.37)" */
static Block read_rest(Reader *r)
{
    expect(r, " (");
    while (r->at < r->end && isdigit((unsigned char)*r->at))
        r->at++;
    expect(r, " more: ");
    Block rest = read_comparison(r);
    expect(r, ")");
    return rest;
}

static Block read_atom(Reader *r)
{
    Block block;
    if (r->at >= r->end || ++r->depth > MAX_DEPTH) {
        fail(r);
        return block_of(real_exactly(0));
    }
    if (isdigit((unsigned char)*r->at)) {
        block = read_number(r);
    } else if (read_part(r, &block)) {
        /* done */
    } else if (take(r, "…") || take(r, "...")) {
        block = read_rest(r);
    } else if (take(r, "(")) {
        block = read_comparison(r);
        expect(r, ")");
    } else {
        block = read_word(r);
    }
    r->depth--;
    return block;
}

static Block read_power(Reader *r)
{
    Block base = read_atom(r);
    if (take(r, "^")) {
        Block exponent = read_atom(r);
        base.cells[0] = real_power(number_of(r, &base), number_of(r, &exponent));
        block_clear(&exponent);
    }
    return base;
}

static Block read_signed(Reader *r)
{
    bool minus = take(r, "-"), not = !minus && take(r, "!");
    Block block = read_power(r);
    for (size_t i = 0; i < size_of(&block); i++) {
        if (minus)
            block.cells[i] = real_negated(block.cells[i]);
        if (not)
            block.cells[i] = real_exactly(block.cells[i].x == 0);
    }
    return block;
}

/* A number times a number, or a vector times one of the same length. */
static Real multiplied(Reader *r, const Block *a, const Block *b)
{
    if (size_of(a) == 1 && size_of(b) == 1)
        return real_times(a->cells[0], b->cells[0]);
    if (is_vector(a) && is_vector(b) && size_of(a) == size_of(b) &&
        (a->cols == b->rows || a->rows == b->rows))
        return dot(a, b);
    fail(r);
    return real_exactly(0);
}

static Block read_product(Reader *r)
{
    Block left = read_signed(r);
    for (;;) {
        char sign = take(r, "·") || take(r, "*") ? '*' : take(r, "/") ? '/' : take(r, "\\") ? '\\'
                                                                                             : 0;
        if (!sign || r->failed)
            return left;
        if (sign == '*' && size_of(&left) == 1 && left.cells[0].x == 0 && take(r, "log(0)"))
            continue; /* an entropy takes 0·log(0) as its limit, 0 */
        Block right = read_signed(r);
        Real x = sign == '*' ? multiplied(r, &left, &right)
                 : sign == '/' ? real_over(number_of(r, &left), number_of(r, &right))
                               : real_over(number_of(r, &right), number_of(r, &left));
        block_clear(&left);
        block_clear(&right);
        left = block_of(x);
    }
}

static Block read_sum(Reader *r)
{
    Block left = read_product(r);
    for (;;) {
        bool add = take(r, " + "), subtract = !add && take(r, " - ");
        if (!(add || subtract) || r->failed)
            return left;
        Block right = read_product(r);
        Real b = number_of(r, &right);
        left.cells[0] = real_plus(number_of(r, &left), subtract ? real_negated(b) : b);
        block_clear(&right);
    }
}

static const char *const COMPARISONS[] = {" == ", " != ", " < ", " <= ", " > ", " >= ", " & ",
                                          " | "};

static bool compare(size_t which, long double a, long double b)
{
    switch (which) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
    }
}

static Block read_comparison(Reader *r)
{
    Block left = read_sum(r);
    for (size_t k = 0; k < sizeof COMPARISONS / sizeof *COMPARISONS && !r->failed; k++) {
        if (!take(r, COMPARISONS[k]))
            continue;
        Block right = read_sum(r);
        left.cells[0] = real_exactly(compare(k, number_of(r, &left).x, number_of(r, &right).x));
        block_clear(&right);
        break;
    }
    return left;
}

bool arithmetic_read(const char *text, size_t length, const Explanation *why, Real *out)
{
    Reader r = {.at = text, .end = text + length, .why = why};
    add_names(&r);
    Block block = read_comparison(&r);
    *out = number_of(&r, &block);
    block_clear(&block);
    clear_names(&r);
    return !r.failed && r.at == r.end;
}
