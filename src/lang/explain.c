/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/explain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lang/derive.h"
#include "lang/route.h"
#include "lang/sentence.h"

/* --- Inputs ------------------------------------------------------------------------------ */

/* Appends the source text of the origin, or the name of its operation. */
static void add_origin_text(Str *out, const Origin *origin)
{
    if (origin->at != NULL)
        expr_add_text(out, origin->at);
    else
        str_add(out, origin->op->name);
}

static void add_loop_header(Str *out, const Origin *origin)
{
    if (origin->loop == NULL) {
        str_add(out, "of a loop");
        return;
    }
    str_addf(out, "of 'for %s = ", origin->loop->stmt->name);
    expr_add_text(out, origin->loop->stmt->value);
    str_add_char(out, '\'');
}

/* The numbers that the evaluator makes from syntax alone. */
static void add_literal_reason(Str *out, const Expr *at)
{
    if (at == NULL || at->kind == EXPR_NUMBER) {
        str_add(out, " is written in the code");
        return;
    }
    str_add(out, at->kind == EXPR_END ? " is what this index ends at, " : " is the truth of ");
    expr_add_text(out, at);
}

static bool is_input(const Value *v)
{
    return value_is_input(v) || route_is_written(v);
}

/* Appends where an input comes from: "is drawn by randn(n, d): an input". */
static void add_input_reason(Str *out, const Value *v)
{
    const Origin *origin = v->origin;
    if (origin == NULL) {
        str_add(out, " is given: nothing is known of where it comes from");
        return;
    }
    const char *end = ": an input", *note = origin->note;
    switch (origin->op->id) {
    case OP_LITERAL:
        add_literal_reason(out, origin->at);
        end = origin->at != NULL && origin->at->kind != EXPR_NUMBER ? "" : end;
        break;
    case OP_CONCAT:
    case OP_NEGATE:
    case OP_PLUS_SIGN:
    case OP_NOT: /* written out */
        add_literal_reason(out, NULL);
        break;
    case OP_PARAMETER:
        str_addf(out, " is the parameter %s", note != NULL ? note : "of this name");
        break;
    case OP_COUNTER:
        str_add(out, " is the counter ");
        add_loop_header(out, origin);
        break;
    case OP_LOAD:
        str_add(out, " is read from ");
        note = note != NULL ? note : "a file";
        text_add_visible(out, note, strlen(note));
        break;
    case OP_EDIT:
        str_add(out, " is an input with cells changed by the reader");
        end = "";
        break;
    case OP_RAND:
    case OP_RANDN:
    case OP_GAUSSIAN_FEATURES:
    case OP_ORTHOGONAL_FEATURES:
        str_add(out, " is drawn by ");
        add_origin_text(out, origin);
        break;
    case OP_LOAD_CSV:
        str_add(out, " is read by ");
        add_origin_text(out, origin);
        break;
    case OP_SIZE:
    case OP_ROWS:
    case OP_COLUMNS:
    case OP_NUMEL:
    case OP_ISEMPTY:
        str_add(out, " is ");
        add_origin_text(out, origin);
        end = ": a size";
        break;
    default:
        str_add(out, " is made by ");
        add_origin_text(out, origin);
        break;
    }
    str_add(out, end);
}

/* --- Moved, filled, opaque --------------------------------------------------------------- */

static void write_filling(Sentence *s)
{
    const Op *op = s->value->origin->op;
    s->to->input = true;
    if (op->id == OP_SET_INDEX)
        str_add(&s->note, ": filled in when the matrix grew");
    else if (op->id == OP_DIAG)
        str_add(&s->note, ": off the diagonal");
    else if ((op->id == OP_CAUSAL || op->id == OP_WINDOW) && s->j > s->i)
        str_addf(&s->note, ": token %zu may not look at token %zu, which comes later", s->i + 1,
                 s->j + 1);
    else if (op->id == OP_WINDOW)
        str_addf(&s->note, ": token %zu does not look back as far as token %zu", s->i + 1,
                 s->j + 1);
    else
        str_addf(&s->note, ": %s", op->help);
}

/* The help of an operation tells the formula; every matrix operand is a part. */
static void write_opaque(Sentence *s)
{
    const Origin *origin = s->value->origin;
    if (origin->at != NULL && origin->op->id != OP_FOLD) {
        Str text = {0};
        sentence_add_name(&text, s->value, origin->at);
        sentence_add_cells(&s->step, str_text(&text), s->value, s->i, 1, s->j, 1, false);
        sentence_end_step(s);
        str_clear(&text);
    }
    str_addf(&s->note, ": %s", origin->op->help);
    for (size_t k = 0; k < origin->count; k++) {
        const Value *v = sentence_operand(s, k);
        if (v == NULL)
            continue;
        Region whole = sentence_region(s, k, 0, v->rows.n, 0, v->cols.n);
        sentence_keep(s, &whole);
    }
    s->to->input = s->to->count == 0;
}

static void write_steps(Sentence *s)
{
    Route route = route_cell(s->value, s->i, s->j);
    if (route.kind == ROUTE_CELL) {
        Region cell = sentence_cell(s, route.operand, route.row, route.col);
        sentence_mention(s, &cell);
        sentence_end_step(s);
    } else if (route.kind == ROUTE_FILL) {
        write_filling(s);
    } else if (!derive_steps(s)) {
        write_opaque(s);
    }
}

/* --- One cell ---------------------------------------------------------------------------- */

/* Follows indexed assignments back to what wrote the cell: a value computed on the right
 * side, or the matrix as it was before the first of them.  Stops at an assignment whose right side
 * is a name, since that has an explanation of its own. */
static void find_writer(Sentence *s)
{
    for (;;) {
        const Value *v = s->value;
        if (v->origin == NULL || v->origin->op->id != OP_SET_INDEX)
            return;
        Route route = route_cell(v, s->i, s->j);
        if (route.kind != ROUTE_CELL)
            return;
        bool named =
            v->bound == NULL || v->bound->value == NULL || v->bound->value->kind == EXPR_NAME;
        const Value *from = v->origin->operands[route.operand];
        if (route.operand == 1 && (named || from->origin == NULL))
            return;
        s->value = from;
        s->i = route.row;
        s->j = route.col;
    }
}

static void tell(Sentence *s)
{
    find_writer(s);
    if (is_input(s->value)) {
        sentence_end(s, s->cell);
        add_input_reason(&s->text, s->value);
        s->to->input = true;
        return;
    }
    write_steps(s);
    if (s->to->count == 0 && !s->to->input) { /* an empty sum */
        s->to->input = true;
        str_add(&s->note, ": nothing goes into it");
    }
    sentence_end(s, s->cell);
}

void explain_cell(const Value *value, const char *name, size_t i, size_t j, int digits, bool ascii,
                  Explanation *out)
{
    assert(value->kind == VALUE_MATRIX && i < value->rows.n && j < value->cols.n);
    *out = (Explanation){0};
    Sentence s = {.value = value,
                  .i = i,
                  .j = j,
                  .cell = matrix_at(value_matrix(value), i, j),
                  .style = {digits > 0 ? digits : 4, ascii},
                  .to = out};
    sentence_add_cells(&s.text, name, value, i, 1, j, 1, false);
    tell(&s);
    str_clear(&s.step);
    str_clear(&s.last);
    str_clear(&s.note);
    out->sentence = str_take(&s.text);
}

void explain_add_name(Str *out, const Value *operand, const Expr *expr)
{
    sentence_add_name(out, operand, expr);
}

/* --- Cells behind cells ------------------------------------------------------------------ */

enum { MAX_DEPTH = 32, MAX_LINES = 400, CELLS_PER_LEVEL = 8, NUMBERS_PER_PART = 8 };

/* One cell that was told already: it is not told again. */
typedef struct {
    const Value *value;
    size_t i, j;
} Told;

typedef struct {
    Str *out;
    Style style;
    Told *told;
    size_t told_count, told_room;
    ExplainPart *listed; /* the parts of inputs that have had their line; without names */
    size_t listed_count, listed_room;
    size_t lines;
} Tree;

static bool was_told(const Tree *tree, const Value *value, size_t i, size_t j)
{
    for (size_t k = 0; k < tree->told_count; k++)
        if (tree->told[k].value == value && tree->told[k].i == i && tree->told[k].j == j)
            return true;
    return false;
}

/* True if this part of an input has had its line; it has from now on. */
static bool was_listed(Tree *tree, const ExplainPart *part)
{
    if (!is_input(part->value))
        return false;
    for (size_t k = 0; k < tree->listed_count; k++) {
        const ExplainPart *p = &tree->listed[k];
        if (p->value == part->value && p->row == part->row && p->rows == part->rows &&
            p->col == part->col && p->cols == part->cols)
            return true;
    }
    MEMORY_GROW(tree->listed, tree->listed_count, tree->listed_room);
    tree->listed[tree->listed_count] = *part;
    tree->listed[tree->listed_count++].name = NULL;
    return false;
}

/* "  (lesson.md:41:9  Q = randn(n, d))": the statement that bound v, or the expression that
 * made it. */
static void add_place(Str *out, const Value *v)
{
    const Expr *at = v->origin != NULL ? v->origin->at : NULL;
    const Source *source = v->bound != NULL ? v->bound->source : at != NULL ? at->source : NULL;
    size_t line, column;
    if (source == NULL)
        return;
    source_position(source, v->bound != NULL ? v->bound->span.start : at->span.start, &line,
                    &column);
    str_addf(out, "  (%s:%zu:%zu  ", source->name, line, column);
    if (v->bound != NULL)
        stmt_add_text(out, v->bound);
    else
        expr_add_text(out, at);
    str_add_char(out, ')');
}

/* "Q(2,:) = 0 1 2 -1  (place)"; a rectangle shows its size. */
static void add_part_line(Tree *tree, const ExplainPart *part, size_t indent)
{
    Str *out = tree->out;
    str_add_repeat(out, ' ', indent);
    sentence_add_cells(out, part->name, part->value, part->row, part->rows, part->col, part->cols,
                       false);
    str_add(out, " =");
    if (part->rows > 1 && part->cols > 1)
        str_addf(out, " %zux%zu", part->rows, part->cols);
    else
        for (size_t k = 0; k < part->rows * part->cols; k++) {
            str_add_char(out, ' ');
            if (k == NUMBERS_PER_PART) {
                str_add(out, phrase_dots(tree->style));
                break;
            }
            phrase_add_number(out, tree->style,
                              matrix_at(value_matrix(part->value), part->row + k / part->cols,
                                        part->col + k % part->cols));
        }
    if (is_input(part->value))
        add_input_reason(out, part->value);
    add_place(out, part->value);
    str_add_char(out, '\n');
    tree->lines++;
}

/* True if the name of the part is the number itself. */
static bool is_bare_number(const Value *v)
{
    return v->bound == NULL && value_is_scalar(v) && route_is_written(v);
}

static void tell_cell(Tree *tree, const Value *value, const char *name, size_t i, size_t j,
                      int depth, size_t indent, const Value *place);

/* The cells of a part, each with its own sentence, until *room is used up. */
static void tell_cells(Tree *tree, const ExplainPart *part, int depth, size_t indent, size_t *room)
{
    size_t count = part->rows * part->cols, untold = 0;
    for (size_t k = 0; k < count; k++) {
        size_t i = part->row + k / part->cols, j = part->col + k % part->cols;
        if (was_told(tree, part->value, i, j))
            continue;
        if (*room == 0 || tree->lines >= MAX_LINES) {
            untold++;
            continue;
        }
        --*room;
        tell_cell(tree, part->value, part->name, i, j, depth, indent,
                  count == 1 ? part->value : NULL);
    }
    if (untold == 0 || tree->lines >= MAX_LINES + CELLS_PER_LEVEL)
        return;
    str_add_repeat(tree->out, ' ', indent);
    str_addf(tree->out, "%s %zu more of ", phrase_dots(tree->style), untold);
    sentence_add_cells(tree->out, part->name, part->value, part->row, part->rows, part->col,
                       part->cols, false);
    str_add_char(tree->out, '\n');
    tree->lines++;
}

/* The part itself, and below it its cells.  A single cell is told in one line. */
static void tell_part(Tree *tree, const ExplainPart *part, int depth, size_t indent, size_t *room)
{
    bool deeper = depth > 1 && !is_input(part->value);
    bool single = part->rows == 1 && part->cols == 1;
    if (is_bare_number(part->value) || was_listed(tree, part))
        return;
    if (single && was_told(tree, part->value, part->row, part->col))
        return;
    if (!(single && deeper) || *room == 0)
        add_part_line(tree, part, indent);
    if (deeper)
        tell_cells(tree, part, depth - 1, single ? indent : indent + 2, room);
}

/* The sentence of a cell (and the place of the value it belongs to, if asked) and its parts
 * down to depth levels, at most MAX_DEPTH. */
static void tell_cell(Tree *tree, const Value *value, const char *name, size_t i, size_t j,
                      int depth, size_t indent, const Value *place)
{
    Explanation e;
    explain_cell(value, name, i, j, tree->style.digits, tree->style.ascii, &e);
    MEMORY_GROW(tree->told, tree->told_count, tree->told_room);
    tree->told[tree->told_count++] = (Told){value, i, j};
    str_add_repeat(tree->out, ' ', indent);
    str_add(tree->out, e.sentence);
    if (place != NULL)
        add_place(tree->out, place);
    str_add_char(tree->out, '\n');
    tree->lines++;
    size_t room = CELLS_PER_LEVEL;
    for (size_t k = 0; k < e.count && tree->lines < MAX_LINES; k++)
        tell_part(tree, &e.parts[k], depth, indent + 2, &room);
    explanation_clear(&e);
}

void explain_add_text(Str *out, const Value *value, const char *name, size_t i, size_t j, int depth,
                      int digits, bool ascii)
{
    Tree tree = {.out = out, .style = {digits > 0 ? digits : 4, ascii}};
    int levels = depth < 1 ? 1 : depth > MAX_DEPTH ? MAX_DEPTH : depth;
    tell_cell(&tree, value, name, i, j, levels, 0, NULL);
    free(tree.told);
    free(tree.listed);
}
