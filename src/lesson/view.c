/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lang/split.h"
#include "lesson/build.h"

/* One row a kind: its name, how many arguments, which options it takes. */
static const struct {
    ViewKind kind;
    const char *name;
    size_t least, most; /* arguments separated by commas */
    const char *options;
} kinds[] = {
    {VIEW_HEAT, "heat", 1, 64, "rows cols scale"},
    {VIEW_PRODUCT, "product", 1, 1, ""},
    {VIEW_UPDATE, "update", 1, 1, ""},
    {VIEW_BARS, "bars", 1, 64, "cols"},
    {VIEW_DIFF, "diff", 2, 2, ""},
    {VIEW_PLOT, "plot", 2, 64, "logx logy"},
    {VIEW_TABLE, "table", 1, 64, ""},
    {VIEW_COST, "cost", 1, 64, ""},
    {VIEW_FOCUS, "focus", 1, 64, ""},
    {VIEW_BENCH, "bench", 0, 0, ""},
};

typedef struct {
    Lesson *lesson;
    const Source *source;
    Block *block;
    View *view;
    size_t room, arg_room;
    size_t kind; /* index of kinds */
    Error *error;
} Reader;

static bool is_text(const Source *source, Span span, const char *text)
{
    return span.end - span.start == strlen(text) &&
           memcmp(source->text + span.start, text, strlen(text)) == 0;
}

/* True if word is one of the blank-separated words of list. */
static bool is_in_list(const Source *source, Span word, const char *list)
{
    for (const char *at = list; *at;) {
        size_t n = strcspn(at, " ");
        if (n == word.end - word.start && memcmp(at, source->text + word.start, n) == 0)
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

static Status read_kind(Reader *r, Span line, Span *rest)
{
    size_t at = line.start;
    while (at < line.end && r->source->text[at] != ' ' && r->source->text[at] != '\t')
        at++;
    Span word = {line.start, at};
    *rest = build_trim(r->source, (Span){at, line.end});
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_text(r->source, word, kinds[i].name)) {
            r->kind = i;
            r->view->kind = kinds[i].kind;
            return STATUS_OK;
        }
    Str list = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        str_addf(&list, "%s%s", i ? " " : "", kinds[i].name);
    error_at(r->error, r->source, word, "unknown view: there are %s", str_text(&list));
    str_clear(&list);
    return STATUS_ERROR;
}

/* --- options ----------------------------------------------------------------- */

static Status read_labels(Reader *r, Span value, const Labels **out)
{
    char *name = build_copy(r->source, value);
    *out = lesson_find_labels(r->lesson, name);
    if (!*out)
        error_at(r->error, r->source, value, "no ```labels block before defines %s", name);
    free(name);
    return *out ? STATUS_OK : STATUS_ERROR;
}

static Status read_option(Reader *r, Span word, Span key, Span value)
{
    View *view = r->view;
    if (!is_in_list(r->source, key, kinds[r->kind].options)) {
        const char *options = kinds[r->kind].options;
        return *options ? error_at(r->error, r->source, word, "%s takes no such option: only %s",
                                   kinds[r->kind].name, options)
                        : error_at(r->error, r->source, word, "%s takes no options",
                                   kinds[r->kind].name);
    }
    if (is_text(r->source, key, "rows"))
        return read_labels(r, value, &view->rows);
    if (is_text(r->source, key, "cols"))
        return read_labels(r, value, &view->cols);
    if (is_text(r->source, key, "logx"))
        view->log_x = true;
    else if (is_text(r->source, key, "logy"))
        view->log_y = true;
    else if (is_text(r->source, value, "01"))
        view->scale = SCALE_01;
    else if (is_text(r->source, value, "signed"))
        view->scale = SCALE_SIGNED;
    else if (is_text(r->source, value, "auto"))
        view->scale = SCALE_AUTO;
    else
        return error_at(r->error, r->source, value, "a scale is 01, signed or auto");
    return STATUS_OK;
}

/* Splits word into key=value; false if it looks like part of an expression. */
static bool split_option(const Reader *r, Span word, Span *key, Span *value)
{
    const char *text = r->source->text;
    size_t at = word.start;
    while (at < word.end && text[at] >= 'a' && text[at] <= 'z')
        at++;
    *key = (Span){word.start, at};
    *value = (Span){word.end, word.end};
    if (at == word.end)
        return is_in_list(r->source, word, "logx logy");
    if (at == word.start || text[at] != '=' || at + 1 == word.end || text[at + 1] == '=')
        return false;
    *value = (Span){at + 1, word.end};
    bool has_equals = r->view->kind == VIEW_PRODUCT || r->view->kind == VIEW_UPDATE;
    return is_in_list(r->source, *key, "rows cols scale") || !has_equals;
}

/* Takes the options off the end of *rest. */
static Status read_options(Reader *r, Span *rest)
{
    for (;;) {
        size_t at = rest->end;
        while (at > rest->start && r->source->text[at - 1] != ' ' &&
               r->source->text[at - 1] != '\t')
            at--;
        Span word = {at, rest->end}, key, value;
        if (at == rest->start || !split_option(r, word, &key, &value))
            return STATUS_OK;
        if (read_option(r, word, key, value) != STATUS_OK)
            return STATUS_ERROR;
        *rest = build_trim(r->source, (Span){rest->start, at});
    }
}

/* --- arguments --------------------------------------------------------------- */

static Status add_argument(Reader *r, Span span)
{
    View *view = r->view;
    MEMORY_GROW(view->args, view->count, r->arg_room);
    view->args[view->count] = NULL;
    if (build_expr(r->source, span, "an expression", &view->args[view->count], r->error) !=
        STATUS_OK)
        return STATUS_ERROR;
    view->count++;
    return STATUS_OK;
}

static Status read_product(Reader *r, Span rest)
{
    size_t equals = split_find(r->source, rest, "=");
    if (add_argument(r, (Span){rest.start, equals}) != STATUS_OK)
        return STATUS_ERROR;
    const Expr *product = r->view->args[0]->expr;
    if (product->kind != EXPR_OPERATOR || product->op != OP_MULTIPLY)
        return error_at(r->error, r->source, product->mark,
                        "a product view shows L * R = result; this is no product");
    return equals < rest.end ? add_argument(r, (Span){equals + 1, rest.end}) : STATUS_OK;
}

static Status read_update(Reader *r, Span rest)
{
    size_t equals = split_find(r->source, rest, "=");
    if (equals == rest.end)
        return error_at(r->error, r->source, rest, "an update view shows S = S + what is added");
    if (add_argument(r, (Span){rest.start, equals}) != STATUS_OK ||
        add_argument(r, (Span){equals + 1, rest.end}) != STATUS_OK)
        return STATUS_ERROR;
    const Expr *target = r->view->args[0]->expr, *sum = r->view->args[1]->expr;
    if (target->kind != EXPR_NAME)
        return error_at(r->error, r->source, target->span, "what is updated is a name");
    if (sum->kind != EXPR_OPERATOR || sum->count != 2 ||
        (sum->op != OP_ADD && sum->op != OP_SUBTRACT))
        return error_at(r->error, r->source, sum->mark,
                        "an update view shows S = S + what is added; this is no sum");
    return STATUS_OK;
}

/* As many arguments as the kind of view takes? */
static Status check_count(Reader *r, Span rest)
{
    size_t count = r->view->count, least = kinds[r->kind].least, most = kinds[r->kind].most;
    if (count >= least && count <= most)
        return STATUS_OK;
    size_t bound = count < least ? least : most;
    const char *how = least == most ? "" : count < least ? "at least " : "at most ";
    return error_at(r->error, r->source, rest, "%s takes %s%zu argument%s, here are %zu",
                    kinds[r->kind].name, how, bound, bound == 1 ? "" : "s", count);
}

static Status read_arguments(Reader *r, Span rest)
{
    for (size_t at = rest.start;;) {
        Span span = {at, split_find(r->source, (Span){at, rest.end}, ",")};
        if (add_argument(r, span) != STATUS_OK)
            return STATUS_ERROR;
        if (span.end == rest.end)
            break;
        at = span.end + 1;
    }
    if (check_count(r, rest) != STATUS_OK)
        return STATUS_ERROR;
    for (size_t i = 0; i < r->view->count && r->view->kind == VIEW_FOCUS; i++) {
        const Expr *expr = r->view->args[i]->expr;
        if (expr->kind != EXPR_NAME && expr->kind != EXPR_INDEX)
            return error_at(r->error, r->source, expr->span,
                            "where to look is a name or a part of one, such as A(t,:)");
    }
    return STATUS_OK;
}

static Status read_view(void *context, Span line, Error *error)
{
    Reader *r = context;
    Block *block = r->block;
    r->error = error;
    r->arg_room = 0;
    MEMORY_GROW(block->views, block->view_count, r->room);
    r->view = &block->views[block->view_count++];
    *r->view = (View){.span = line};
    Span rest;
    if (read_kind(r, line, &rest) != STATUS_OK || read_options(r, &rest) != STATUS_OK)
        return STATUS_ERROR;
    if (kinds[r->kind].most == 0 && rest.start < rest.end)
        return error_at(error, r->source, rest, "%s takes nothing behind it", kinds[r->kind].name);
    if (kinds[r->kind].most == 0)
        return STATUS_OK;
    if (rest.start == rest.end)
        return error_at(error, r->source, line, "%s of what? An expression is missing",
                        kinds[r->kind].name);
    if (r->view->kind == VIEW_PRODUCT)
        return read_product(r, rest);
    if (r->view->kind == VIEW_UPDATE)
        return read_update(r, rest);
    return read_arguments(r, rest);
}

Status view_read_block(Lesson *lesson, Span span, Block *block, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .block = block};
    return build_each_line(lesson->source, span, read_view, &r, error);
}
