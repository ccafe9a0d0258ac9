/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/sentence.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/route.h"

/* --- Steps ------------------------------------------------------------------------------- */

void sentence_end_step(Sentence *s)
{
    if (s->step.length > 0 && !text_equal(str_text(&s->step), str_text(&s->last))) {
        str_addf(&s->text, " = %s", str_text(&s->step));
        str_cut(&s->last, 0);
        str_add(&s->last, str_text(&s->step));
    }
    str_cut(&s->step, 0);
}

void sentence_end(Sentence *s, double x)
{
    sentence_end_step(s);
    phrase_add_number(&s->step, s->style, x);
    sentence_end_step(s);
    str_add(&s->text, str_text(&s->note));
}

void sentence_add_number(Sentence *s, double x)
{
    phrase_add_number(&s->step, s->style, x);
}

void sentence_add_operand(Sentence *s, double x)
{
    phrase_add_operand(&s->step, s->style, x);
}

const Value *sentence_operand(const Sentence *s, size_t k)
{
    const Origin *origin = s->value->origin;
    return k < origin->count && origin->operands[k]->kind == VALUE_MATRIX ? origin->operands[k]
                                                                          : NULL;
}

/* --- Names ------------------------------------------------------------------------------- */

/* True if text begins with a bracket that closes at its end. */
static bool is_bracketed(const char *text)
{
    size_t depth = 0;
    if (text[0] != '(')
        return false;
    for (size_t i = 0; text[i] != '\0'; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (depth == 0)
            return text[i + 1] == '\0';
    }
    return false;
}

static void add_bracketed(Str *out, const Expr *expr)
{
    Str text = {0};
    expr_add_text(&text, expr);
    bool bare = is_bracketed(str_text(&text)) || expr->kind == EXPR_MATRIX;
    str_addf(out, bare ? "%s" : "(%s)", str_text(&text));
    str_clear(&text);
}

static bool is_call_of_name(const Expr *expr)
{
    return expr->kind == EXPR_INDEX && expr->args[0]->kind == EXPR_NAME;
}

void sentence_add_name(Str *out, const Value *operand, const Expr *expr)
{
    if (expr == NULL && operand->bound != NULL && operand->bound->name != NULL) {
        str_add(out, operand->bound->name);
        return;
    }
    if (expr == NULL && operand->origin != NULL) {
        if (operand->origin->op->id == OP_PARAMETER && operand->origin->note != NULL) {
            str_add(out, operand->origin->note);
            return;
        }
        expr = operand->origin->at;
    }
    if (expr == NULL)
        str_add(out, "(unnamed)");
    else if (expr->kind == EXPR_NAME)
        str_add(out, expr->text);
    else if (expr->kind == EXPR_NUMBER || is_call_of_name(expr))
        expr_add_text(out, expr);
    else
        add_bracketed(out, expr);
}

/* A(i,j) = B: operands A, B and the indices; B is not part of the left side. */
static const Expr *assigned_expr(const Value *v, size_t k)
{
    const Expr *at = v->origin->at;
    if (k == 1)
        return v->bound != NULL && v->bound->target == at ? v->bound->value : NULL;
    k -= k > 0;
    return k < at->count ? at->args[k] : NULL;
}

/* The source text that operand k of v's origin was written as, or NULL. */
static const Expr *operand_expr(const Value *v, size_t k)
{
    const Origin *origin = v->origin;
    const Expr *at = origin->at;
    if (at == NULL || origin->op->id == OP_FOLD) /* a fold's operands are what it read */
        return NULL;
    if (origin->op->id == OP_SET_INDEX)
        return assigned_expr(v, k);
    switch (at->kind) {
    case EXPR_OPERATOR:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_MATRIX:
        return k < at->count ? at->args[k] : NULL;
    case EXPR_INDEX: /* a call has the function first, an index what is indexed */
        k += origin->op->id != OP_INDEX;
        return k < at->count ? at->args[k] : NULL;
    default:
        return NULL;
    }
}

/* --- Regions ----------------------------------------------------------------------------- */

/* True if index selects the places from *start on, count of them, one after another;
 * *start is mapped to where the first stands. */
static bool is_run(const Value *index, size_t *start, size_t count, size_t extent)
{
    size_t first = route_index(index, *start, extent);
    for (size_t p = 0; p < count; p++)
        if (first + p >= extent || route_index(index, *start + p, extent) != first + p)
            return false;
    *start = first;
    return true;
}

/* Moves a region of A(i,j) to the same cells of A, if they are a rectangle there. */
static bool step_through_index(Region *region)
{
    const Origin *origin = region->value->origin;
    const Value *A = origin->count > 0 ? origin->operands[0] : NULL;
    size_t row = region->row, col = region->col;
    if (A == NULL || A->kind != VALUE_MATRIX)
        return false;
    if (region->rows == 1 && region->cols == 1) {
        Route route = route_cell(region->value, row, col);
        if (route.kind != ROUTE_CELL)
            return false;
        row = route.row;
        col = route.col;
    } else if (origin->count != 3 || !is_run(origin->operands[1], &row, region->rows, A->rows.n) ||
               !is_run(origin->operands[2], &col, region->cols, A->cols.n)) {
        return false;
    }
    *region = (Region){
        A, operand_expr(region->value, 0), row, region->rows, col, region->cols, region->flipped};
    return true;
}

/* A cell of [A, B; C, D] is a cell of A, B, C or D. */
static bool step_through_brackets(Region *region)
{
    if (region->rows != 1 || region->cols != 1)
        return false;
    Route route = route_cell(region->value, region->row, region->col);
    if (route.kind != ROUTE_CELL)
        return false;
    *region = (Region){region->value->origin->operands[route.operand],
                       operand_expr(region->value, route.operand),
                       route.row,
                       1,
                       route.col,
                       1,
                       region->flipped};
    return true;
}

static bool step_through_transpose(Region *region)
{
    const Origin *origin = region->value->origin;
    if (origin->count != 1 || origin->operands[0]->kind != VALUE_MATRIX)
        return false;
    *region = (Region){origin->operands[0], operand_expr(region->value, 0),
                       region->col,         region->cols,
                       region->row,         region->rows,
                       !region->flipped};
    return true;
}

/* What stands in the expression itself, such as K' or Q(t,:), is seen through; what has a
 * name is not.  Ends because expressions have a height. */
static void see_through(Region *region)
{
    for (bool moved = true; moved;) {
        const Origin *origin = region->value->origin;
        moved = false;
        if (origin == NULL || origin->at == NULL || origin->at != region->expr)
            return;
        if (origin->op->id == OP_TRANSPOSE)
            moved = step_through_transpose(region);
        else if (origin->op->id == OP_INDEX)
            moved = step_through_index(region);
        else if (origin->op->id == OP_CONCAT)
            moved = step_through_brackets(region);
    }
}

Region sentence_region(const Sentence *s, size_t k, size_t row, size_t rows, size_t col,
                       size_t cols)
{
    const Origin *origin = s->value->origin;
    Region region = {origin->operands[k], operand_expr(s->value, k), row, rows, col, cols, false};
    if (rows > 0 && cols > 0)
        see_through(&region);
    return region;
}

Region sentence_cell(const Sentence *s, size_t k, size_t row, size_t col)
{
    return sentence_region(s, k, row, 1, col, 1);
}

static void add_range(Str *out, size_t start, size_t count, size_t extent)
{
    if (count == 1)
        str_addf(out, "%zu", start + 1);
    else if (count == extent)
        str_add_char(out, ':');
    else
        str_addf(out, "%zu:%zu", start + 1, start + count);
}

void sentence_add_cells(Str *out, const char *name, const Value *value, size_t row, size_t rows,
                        size_t col, size_t cols, bool flipped)
{
    bool whole = rows > 1 && cols > 1 && rows == value->rows.n && cols == value->cols.n;
    str_add(out, name);
    if (!whole && !value_is_scalar(value)) {
        str_add_char(out, '(');
        add_range(out, row, rows, value->rows.n);
        str_add_char(out, ',');
        add_range(out, col, cols, value->cols.n);
        str_add_char(out, ')');
    }
    if (flipped && (rows != 1 || cols != 1))
        str_add_char(out, '\'');
}

void sentence_say(Sentence *s, const Region *region)
{
    Str name = {0};
    sentence_add_name(&name, region->value, region->expr);
    sentence_add_cells(&s->step, str_text(&name), region->value, region->row, region->rows,
                       region->col, region->cols, region->flipped);
    str_clear(&name);
}

/* A square such as A.*A has one part, not two. */
static bool is_kept(const Sentence *s, const Region *region)
{
    for (size_t k = 0; k < s->to->count; k++) {
        const ExplainPart *part = &s->to->parts[k];
        if (part->value == region->value && part->row == region->row &&
            part->rows == region->rows && part->col == region->col && part->cols == region->cols)
            return true;
    }
    return false;
}

void sentence_say_argument(Sentence *s, const Region *region)
{
    size_t start = s->step.length;
    sentence_say(s, region);
    char *text = memory_copy_text(str_text(&s->step) + start);
    if (is_bracketed(text)) {
        str_cut(&s->step, start);
        str_add_bytes(&s->step, text + 1, strlen(text) - 2);
    }
    free(text);
}

void sentence_keep(Sentence *s, const Region *region)
{
    if (region->rows == 0 || region->cols == 0 || is_kept(s, region))
        return;
    Str name = {0};
    sentence_add_name(&name, region->value, region->expr);
    MEMORY_GROW(s->to->parts, s->to->count, s->part_room);
    s->to->parts[s->to->count++] = (ExplainPart){region->value, str_take(&name), region->row,
                                                 region->rows,  region->col,     region->cols};
}

void sentence_mention(Sentence *s, const Region *region)
{
    sentence_say(s, region);
    sentence_keep(s, region);
}

void sentence_call(Sentence *s, const char *name, const Region *region)
{
    if (region->rows > 0 && region->cols > 0) {
        str_addf(&s->step, "%s(", name);
        sentence_say_argument(s, region);
        sentence_keep(s, region);
        str_add_char(&s->step, ')');
    }
    sentence_end_step(s);
}
