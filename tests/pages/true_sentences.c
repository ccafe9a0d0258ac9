/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said about the numbers on the pages is true: for random cells of the matrices on
 * every lesson's pages, and all cells that Enter leads to from there, the arithmetic of the
 * sentence is read back and computed anew from the cells it names. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "lessons.h"

#include "app/inspect.h"
#include "arithmetic.h"
#include "io/number.h"
#include "lang/route.h"

enum { STOPS_APART = SPARSE ? 4 : 1, CELLS_OF_A_MATRIX = SPARSE ? 4 : 8, USUAL_DIGITS = 4 };

/* What was looked at. */
static struct {
    size_t cells;     /* on pages */
    size_t sentences; /* of these, and of what lies behind them */
    size_t steps;     /* computed anew */
    size_t named;     /* sentences that name an operation instead */
    size_t deepest;   /* times Enter */
} seen;

static uint64_t random_state = 2463534242u;

static size_t random_below(size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state >> 32) % n;
}

static char where[300]; /* the place looked at, for messages */

/* ---- the parts of a sentence ---- */

static size_t number_length(const char *at)
{
    static const char *const WORDS[] = {"NaN", "Inf", "-Inf"};
    for (size_t k = 0; k < 3; k++)
        if (text_starts(at, WORDS[k]))
            return strlen(WORDS[k]);
    const char *end = at + (*at == '-');
    while (isdigit((unsigned char)*end) || *end == '.' || (*end == 'e' && end > at) ||
           ((*end == '-' || *end == '+') && end > at && end[-1] == 'e'))
        end++;
    return (size_t)(end - at);
}

/* True if the sentence ends here in a number, perhaps with a remark. */
static bool is_result(const char *at, size_t *length)
{
    *length = number_length(at);
    const char *after = at + *length;
    return *length > 0 && (!*after || text_starts(after, ": ") || text_starts(after, " is "));
}

/* True if the remark is the help of an operation, whose name stands for its arithmetic. */
static bool names_operation(const char *remark)
{
    for (int id = 0; id < OP_COUNT; id++)
        if (text_starts(remark, ": ") && text_equal(remark + 2, op_get((OpId)id)->help))
            return true;
    return false;
}

/* ---- one sentence ---- */

static void check_result(const char *sentence, const char *at, size_t length, double cell)
{
    double x;
    if (number_read(at, length, &x) != NUMBER_OK || !(x == cell || (isnan(x) && isnan(cell))))
        fail_msg("%s: '%s' ends in another number than %.17g", where, sentence, cell);
}

/* True if the remark says that a row of -Inf has the softmax 0 (not 0/0), and it is one. */
static bool is_row_of_nothing(const Explanation *why, const char *remark, double cell)
{
    if (!text_starts(remark, ": every score of the row is -Inf") || why->count == 0 || cell != 0)
        return false;
    const ExplainPart *row = &why->parts[0];
    for (size_t j = 0; j < row->cols; j++)
        if (matrix_at(value_matrix(row->value), row->row, row->col + j) != -INFINITY)
            return false;
    return row->rows == 1;
}

/* Every step of the sentence, written with all digits, is worth the cell. */
static void check_steps(const Explanation *why, const char *name, double cell)
{
    const char *text = why->sentence, *step, *wrong = NULL;
    size_t length = 0, read = 0, unread = 0;
    if (!text_starts(text, name))
        fail_msg("%s: '%s' is not about %s", where, text, name);
    const char *next = strstr(text + strlen(name), " = ");
    while ((step = next) != NULL) {
        Real x;
        step += 3;
        if (is_result(step, &length))
            break;
        next = strstr(step, " = ");
        if (!next || !arithmetic_read(step, (size_t)(next - step), why, &x))
            unread++;
        else if (read++, !arithmetic_agrees(x, cell))
            wrong = step;
    }
    if (!step)
        fail_msg("%s: '%s' does not end in a number", where, text);
    check_result(text, step, length, cell);
    bool named = names_operation(step + length);
    if (unread > named)
        fail_msg("%s: cannot read '%s'", where, text);
    if (wrong && !is_row_of_nothing(why, step + length, cell))
        fail_msg("%s: '%s': not so: %s", where, text, wrong);
    seen.steps += read;
    seen.named += named;
}

static bool starts_number(const char *text, const char *at)
{
    return isdigit((unsigned char)*at) &&
           (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.'));
}

/* A stretch of a sentence. */
typedef struct {
    const char *at, *end;
} Piece;

static Piece piece_at(const char *at)
{
    const char *end = strstr(at, " = ");
    return (Piece){at, end ? end : at + strlen(at)};
}

static const char *after_piece(Piece piece)
{
    return *piece.end ? piece.end + 3 : NULL;
}

/* True if the number of the length bytes at full, rounded, is written at rounded. */
static bool rounds_to(const char *rounded, size_t rounded_length, const char *full, size_t length)
{
    double x;
    Str expected = {0};
    if (rounded_length == length && memcmp(rounded, full, length) == 0)
        return true;
    if (number_read(full, length, &x) != NUMBER_OK)
        return false;
    number_add_format(&expected, x, 'g', USUAL_DIGITS);
    bool same = expected.length == rounded_length &&
                memcmp(str_text(&expected), rounded, rounded_length) == 0;
    str_clear(&expected);
    return same;
}

/* True if full, with every number rounded correctly, is what rounded begins with; *rest is
 * what follows. */
static bool is_rounded(Piece rounded, Piece full, const char **rest)
{
    const char *a = rounded.at, *b = full.at;
    while (a < rounded.end && b < full.end) {
        if (!starts_number(rounded.at, a) || !starts_number(full.at, b)) {
            if (*a++ != *b++)
                return false;
            continue;
        }
        size_t short_length = number_length(a), length = number_length(b);
        if (!rounds_to(a, short_length, b, length))
            return false;
        a += short_length;
        b += length;
    }
    *rest = a;
    return b == full.end;
}

/* The sentence with the usual digits is the same one, every number rounded correctly; a step
 * that with fewer digits says what the next one says is told once. */
static void check_rounding(const char *rounded, const char *full)
{
    const char *a = rounded, *b = full, *rest;
    while (a && b) {
        Piece x = piece_at(a), y = piece_at(b);
        bool fits = is_rounded(x, y, &rest), more = after_piece(y) != NULL;
        bool same = fits && rest == x.end && (after_piece(x) != NULL) == more;
        bool repeated = fits && more && !same;
        if (!same && !repeated)
            break;
        a = same ? after_piece(x) : a;
        b = after_piece(y);
    }
    if (a || b)
        fail_msg("%s: with fewer digits '%s' becomes '%s'", where, full, rounded);
}

static void check_cell(const Value *value, const char *name, size_t i, size_t j)
{
    Explanation usual, full;
    bool ascii = random_below(4) == 0;
    double cell = matrix_at(value_matrix(value), i, j);
    explain_cell(value, name, i, j, USUAL_DIGITS, ascii, &usual);
    explain_cell(value, name, i, j, 17, ascii, &full);
    check_steps(&full, name, cell);
    check_rounding(usual.sentence, full.sentence);
    seen.sentences++;
    explanation_clear(&usual);
    explanation_clear(&full);
}

/* ---- from a cell down to an input ---- */

/* How many operations lie between a value and its inputs, at most: its operands have one less.
 * Values are found again by their address, so the list is for values that live. */
typedef struct {
    const Value *value;
    size_t depth;
    bool known;
} Deep;

static struct {
    Deep *slots;
    size_t room, count; /* room is a power of two */
} depths;

static void depths_clear(void)
{
    free(depths.slots);
    memset(&depths, 0, sizeof depths);
}

static Deep *find_slot(const Value *value)
{
    size_t i = ((uintptr_t)value >> 4) * 2654435761u & (depths.room - 1);
    while (depths.slots[i].value && depths.slots[i].value != value)
        i = (i + 1) & (depths.room - 1);
    return &depths.slots[i];
}

static Deep *depth_slot(const Value *value)
{
    if (2 * depths.count >= depths.room) {
        Deep *old = depths.slots;
        size_t room = depths.room;
        depths.room = room ? 2 * room : 1024;
        depths.slots = memory_zeros(depths.room, sizeof *depths.slots);
        for (size_t i = 0; i < room; i++)
            if (old[i].value)
                *find_slot(old[i].value) = old[i];
        free(old);
    }
    Deep *slot = find_slot(value);
    depths.count += !slot->value;
    slot->value = value;
    return slot;
}

/* The operand of value that is not known yet, or NULL with *deepest of all. */
static const Value *unknown_operand(const Value *value, size_t *deepest)
{
    const Origin *origin = value->origin;
    *deepest = 0;
    if (!origin || value_is_input(value) || route_is_written(value))
        return NULL;
    for (size_t k = 0; k < origin->count; k++) {
        if (origin->operands[k]->kind != VALUE_MATRIX)
            continue;
        Deep *slot = depth_slot(origin->operands[k]);
        if (!slot->known)
            return origin->operands[k];
        *deepest = slot->depth + 1 > *deepest ? slot->depth + 1 : *deepest;
    }
    return NULL;
}

static size_t depth_of(const Value *value)
{
    const Value **stack = NULL;
    size_t count = 0, room = 0, deepest = 0;
    MEMORY_GROW(stack, count, room);
    stack[count++] = value;
    while (count > 0) {
        const Value *top = stack[count - 1], *below = unknown_operand(top, &deepest);
        if (below) {
            MEMORY_GROW(stack, count, room);
            stack[count++] = below;
            continue;
        }
        Deep *slot = depth_slot(top);
        slot->known = true;
        slot->depth = deepest;
        count--;
    }
    free(stack);
    return depth_slot(value)->depth;
}

/* Presses Enter until there is nothing behind the number, at a random operand and now and
 * then at another cell. */
static void descend(const Value *value, const char *name, size_t i, size_t j)
{
    Inspect inspect = {.digits = USUAL_DIGITS};
    size_t presses = 0, depth = depth_of(value);
    inspect_open(&inspect, value, name, i, j);
    for (;;) {
        const Look *look = inspect_top(&inspect);
        check_cell(look->value, look->name, look->row, look->col);
        for (size_t k = random_below(3); k > 0; k--)
            inspect_next_part(&inspect);
        if (!inspect_into(&inspect))
            break;
        if (++presses > depth)
            fail_msg("%s: %s(%zu,%zu) is %zu operations deep, Enter reaches no input in as many",
                     where, name, i + 1, j + 1, depth);
        if (random_below(3) == 0)
            inspect_move(&inspect, (int)random_below(7) - 3, (int)random_below(7) - 3);
    }
    if (!inspect_top(&inspect)->why.input)
        fail_msg("%s: '%s' is no input, but nothing lies behind it", where,
                 inspect_top(&inspect)->why.sentence);
    seen.deepest = presses > seen.deepest ? presses : seen.deepest;
    while (inspect_is_open(&inspect))
        inspect_out(&inspect);
}

/* ---- all pages ---- */

static void look_at_page(const Trace *trace, Position position)
{
    PageOptions options = {.size = {40, 120}, .scroll = PAGE_SCROLL_AUTO};
    Page page;
    Str place = {0};
    add_place_of(&place, trace, position);
    snprintf(where, sizeof where, "%s", str_text(&place));
    str_clear(&place);
    page_draw(trace, position, &options, &page);
    for (size_t k = 0; k < page.hits.count; k++) {
        const Hit *hit = &page.hits.items[k];
        const Matrix *m = value_matrix(hit->value);
        for (int n = 0; n < CELLS_OF_A_MATRIX && m->rows * m->cols > 0; n++) {
            descend(hit->value, hit->name, random_below(m->rows), random_below(m->cols));
            seen.cells++;
        }
    }
    depths_clear(); /* values that only the page holds end with it */
    page_clear(&page);
}

static void every_sentence_is_true(void **state)
{
    (void)state;
    for (size_t l = 0; l < lessons.count; l++) {
        const Trace *trace = lessons.items[l].trace;
        for (size_t i = random_below(STOPS_APART); i < trace_stop_count(trace); i += STOPS_APART)
            look_at_page(trace, position_at_stop(trace, i));
    }
    print_message("%zu cells on pages, %zu sentences, %zu steps computed anew, %zu name an "
                  "operation, Enter at most %zu times\n",
                  seen.cells, seen.sentences, seen.steps, seen.named, seen.deepest);
    assert_true(seen.cells >= 2000);
    assert_true(seen.steps >= 3000);
    assert_true(seen.named * 10 < seen.sentences);
}

/* The evaluator tells wrong arithmetic from right. */
static void wrong_arithmetic_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double cell;
        bool reads, agrees;
    } CASES[] = {
        {"0·0 + 1·2 + 2·2 + (-1)·1", 5, true, true},
        {"0·0 + 1·2 + 2·2 + (-1)·1", 5.0000000001, true, false},
        {"exp(2 - 2)/1.3678794411714423", 0.7310585786300049, true, true},
        {"exp(2 - 2)/1.368", 0.7310585786300049, true, false},
        {"1·2 + … (3 more: -0.5)", 1.5, true, true},
        {"(1 > (-1))", 1, true, true},
        {"-(0.5·log(0.5) + 0.5·log(0.5))", 0.69314718055994529, true, true},
        {"sqrt(3^2 + 4^2)", 5, true, true},
        {"2*3 - 4/8", 5.5, true, true},
        {"Q(1,2)·3", 3, false, false},
        {"1 +", 1, false, false},
        {"twice(2)", 4, false, false},
    };
    static const Explanation nothing;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        Real x;
        bool reads = arithmetic_read(CASES[k].text, strlen(CASES[k].text), &nothing, &x);
        if (reads != CASES[k].reads ||
            (reads && arithmetic_agrees(x, CASES[k].cell) != CASES[k].agrees))
            fail_msg("%s", CASES[k].text);
    }
}

/* … and a wrong digit, or a digit too few, from a right one. */
static void wrong_rounding_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *rounded, *full;
        bool fits;
    } CASES[] = {
        {"0.3333", "0.33333333333333331", true},
        {"0.3334", "0.33333333333333331", false},
        {"0.333", "0.33333333333333331", false},
        {"1.235e+05·2 + (-0.5)", "123456.75·2 + (-0.5)", true},
        {"1.234e+05·2 + (-0.5)", "123456.75·2 + (-0.5)", false},
        {"Q(1,2)·0.1", "Q(1,2)·0.10000000000000001", true},
        {"Q(1,3)·0.1", "Q(1,2)·0.10000000000000001", false},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const char *rest = NULL;
        Piece rounded = piece_at(CASES[k].rounded);
        bool fits = is_rounded(rounded, piece_at(CASES[k].full), &rest) && rest == rounded.end;
        if (fits != CASES[k].fits)
            fail_msg("%s", CASES[k].rounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arithmetic_is_found),
        cmocka_unit_test(wrong_rounding_is_found),
        cmocka_unit_test(every_sentence_is_true),
    };
    return cmocka_run_group_tests(tests, lessons_load, lessons_unload);
}
