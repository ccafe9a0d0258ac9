/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the tree of a formula to one line.
 *
 * A Writer is a small state machine: emit() looks at what came before and at what
 * comes now and puts the blanks between.  Composite parts (scripts, both sides of a
 * fraction, cells) are written by a Writer of their own, then emitted as a whole.
 * Recursion is as deep as the tree, which tex_parse has limited. */
#include "page/tex.h"

#include <string.h>

#include "base/text.h"
#include "page/tex_script.h"

typedef struct {
    Str *out;
    TexStyle style;
    bool raised;   /* scripts are raised and lowered characters */
    bool compact;  /* inside a script: no blanks around operators */
    bool started;  /* something was written: `last` and `word` are of it */
    bool word;     /* it ends in a name that must not grow into the next letter */
    TexClass last; /* what it was */
    size_t blanks; /* asked for explicitly, before what comes next */
    size_t bars;   /* bare | written so far: an odd one opens */
} Writer;

static void write_node(Writer *w, const TexNode *node, bool followed);
static void write_row(Writer *w, const TexNode *row, bool followed);

static const char *node_text(const Writer *w, const TexNode *node)
{
    return w->style == TEX_ASCII ? node->ascii : node->unicode;
}

/* True for what can run into a neighbouring letter: ASCII letters and digits. */
static bool is_wordly(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* --- blanks ------------------------------------------------------------------ */

static bool opens_something(const Writer *w)
{
    return !w->started || w->last == TEX_OPEN;
}

/* A + or - with nothing on its left to add to is a sign. */
static bool is_sign(const Writer *w)
{
    return opens_something(w) || w->last == TEX_BINARY || w->last == TEX_RELATION ||
           w->last == TEX_PUNCTUATION || w->last == TEX_FUNCTION || w->last == TEX_LARGE;
}

static bool wants_blank(const Writer *w, TexClass class)
{
    if (opens_something(w) || class == TEX_CLOSE || class == TEX_PUNCTUATION)
        return false;
    if (w->last == TEX_LARGE)
        return true;
    if (w->last == TEX_FUNCTION)
        return class != TEX_OPEN && (!w->compact || class == TEX_ORDINARY);
    if (class == TEX_LARGE || class == TEX_FUNCTION)
        return !w->compact || w->last == TEX_ORDINARY || w->last == TEX_CLOSE;
    if (w->compact)
        return false;
    return class == TEX_BINARY || class == TEX_RELATION || w->last == TEX_BINARY ||
           w->last == TEX_RELATION || w->last == TEX_PUNCTUATION;
}

/* Appends text with the blanks its class calls for. */
static void emit(Writer *w, const char *text, TexClass class)
{
    if (!*text)
        return;
    if (class == TEX_BINARY && is_sign(w))
        class = TEX_OPEN; /* nothing between a sign and what it belongs to … */
    bool sign = class == TEX_OPEN && !strchr("([{|", text[0]) && is_sign(w);
    size_t blanks = wants_blank(w, sign ? TEX_ORDINARY : class) ? 1 : 0;
    char last = w->out->length ? w->out->data[w->out->length - 1] : ' ';
    size_t length = strlen(text);
    bool long_word = length > 1 && is_wordly(text[0]) && !strchr("0123456789", text[0]);
    if (last == '/' && w->last != TEX_BINARY && class != TEX_BINARY && class != TEX_RELATION)
        blanks = 0; /* b/Σ_j b_j, 1/exp(x) */
    if (w->started && is_wordly(last) && is_wordly(text[0]) && (w->word || long_word))
        blanks = blanks ? blanks : 1;
    if (w->started && w->blanks > blanks)
        blanks = w->blanks;
    if (w->started)
        str_add_repeat(w->out, ' ', blanks);
    w->blanks = 0;
    text_add_visible(w->out, text, length);
    w->started = true;
    w->last = class;
    w->word = length > 1 && is_wordly(text[length - 1]) &&
              !(text[0] >= '0' && text[0] <= '9'); /* "2n" may follow a number */
}

static Writer writer_inside(const Writer *w, Str *out)
{
    return (Writer){.out = out, .style = w->style, .raised = w->raised};
}

/* --- what needs brackets ------------------------------------------------------- */

typedef enum { LEVEL_ATOM, LEVEL_PRODUCT, LEVEL_SUM } Level;

static const TexNode *without_scripts(const TexNode *node)
{
    return node->kind == TEX_SCRIPTS ? node->children[0] : node;
}

/* A row that is one pair of brackets, from its child `from` to its end; the
 * closing bracket may carry scripts. */
static bool is_bracketed(const TexNode *row, size_t from)
{
    size_t level = 0, last = row->count - 1;
    if (row->count < from + 2)
        return false;
    const TexNode *first = row->children[from], *end = without_scripts(row->children[last]);
    if (tex_is_symbol(first, "|") || tex_is_symbol(first, "‖")) {
        for (size_t i = from + 1; i < last; i++)
            if (tex_is_symbol(without_scripts(row->children[i]), first->unicode))
                return false;
        return tex_is_symbol(end, first->unicode);
    }
    for (size_t i = from; i <= last; i++) {
        const TexNode *node = without_scripts(row->children[i]);
        if (node->kind == TEX_SYMBOL && node->class == TEX_OPEN)
            level++;
        else if (node->kind == TEX_SYMBOL && node->class == TEX_CLOSE && level > 0 && --level == 0)
            return i == last;
        if (level == 0)
            return false;
    }
    return false;
}

static Level node_level(const TexNode *node);

static Level row_level(const TexNode *row)
{
    if (row->count == 0)
        return LEVEL_ATOM;
    if (row->count == 1)
        return node_level(row->children[0]);
    const TexNode *first = without_scripts(row->children[0]);
    bool call = first->kind == TEX_SYMBOL && first->class == TEX_FUNCTION;
    if (is_bracketed(row, 0) || (call && is_bracketed(row, 1)))
        return LEVEL_ATOM;
    size_t depth = 0;
    for (size_t i = 0; i < row->count; i++) {
        const TexNode *node = without_scripts(row->children[i]);
        if (node->kind == TEX_SYMBOL && node->class == TEX_OPEN)
            depth++;
        else if (node->kind == TEX_SYMBOL && node->class == TEX_CLOSE && depth)
            depth--;
        else if (depth == 0 && node_level(row->children[i]) == LEVEL_SUM)
            return LEVEL_SUM;
        if (depth == 0 && node->kind == TEX_SYMBOL && node->class == TEX_FUNCTION &&
            !(i + 1 < row->count && tex_is_symbol(row->children[i + 1], "(")))
            return LEVEL_SUM; /* log 9: what the function takes has no brackets */
    }
    return LEVEL_PRODUCT;
}

static Level node_level(const TexNode *node)
{
    switch (node->kind) {
    case TEX_ROW:
        return row_level(node);
    case TEX_SYMBOL:
        return node->class == TEX_ORDINARY || node->class == TEX_FUNCTION
                   ? (tex_is_symbol(node, "/") ? LEVEL_SUM : LEVEL_ATOM)
               : node->class == TEX_OPEN || node->class == TEX_CLOSE ? LEVEL_ATOM
                                                                     : LEVEL_SUM;
    case TEX_SCRIPTS:
        return node->children[0]->kind == TEX_SYMBOL && node->children[0]->class == TEX_LARGE
                   ? LEVEL_SUM
                   : LEVEL_ATOM;
    case TEX_FONT:
    case TEX_TERM:
        return node_level(node->children[0]);
    case TEX_TEXT:
        return strchr(node->unicode, ' ') ? LEVEL_SUM : LEVEL_ATOM;
    case TEX_SPACE:
        return node->width > 1 ? LEVEL_SUM : LEVEL_ATOM;
    case TEX_FRACTION:
    case TEX_SOURCE:
        return LEVEL_SUM;
    case TEX_GRID:
        return node->aligned ? LEVEL_SUM : LEVEL_ATOM;
    case TEX_ROOT:
    case TEX_FENCED:
    case TEX_ACCENT:
    case TEX_BRACE:
        return LEVEL_ATOM;
    }
    return LEVEL_SUM;
}

/* Appends node as a formula of its own, in brackets if its level is above `most`. */
static void add_part(const Writer *w, Str *out, const TexNode *node, Level most, bool compact)
{
    bool brackets = node_level(node) > most;
    Writer inner = writer_inside(w, out);
    inner.compact = compact;
    inner.out = out;
    if (brackets)
        str_add_char(out, '(');
    write_node(&inner, node, false);
    if (brackets)
        str_add_char(out, ')');
}

/* --- scripts -------------------------------------------------------------------- */

static bool only_primes(const TexNode *script)
{
    if (script->kind != TEX_ROW || script->count == 0)
        return false;
    for (size_t i = 0; i < script->count; i++)
        if (!tex_is_symbol(script->children[i], "′"))
            return false;
    return true;
}

static bool can_raise(const TexNode *script, bool up)
{
    return !script || tex_add_raised(NULL, script, up, TEX_SIGN_OF_NUMBER);
}

/* True if every script at or below node has a raised or lowered form. */
static bool all_can_raise(const TexNode *node)
{
    if (!node)
        return true;
    if (node->kind == TEX_SCRIPTS &&
        !(can_raise(node->children[1], false) && can_raise(node->children[2], true)))
        return false;
    for (size_t i = 0; i < node->count; i++)
        if (!all_can_raise(node->children[i]))
            return false;
    return true;
}

static bool needs_script_brackets(const TexNode *script)
{
    script = tex_unwrap(script);
    if (script->kind == TEX_SYMBOL || script->kind == TEX_ACCENT || script->kind == TEX_FENCED)
        return false;
    if (script->kind == TEX_ROW && script->count > 1 && is_bracketed(script, 0) &&
        without_scripts(script->children[script->count - 1]) == script->children[script->count - 1])
        return false;
    return !(script->kind == TEX_TEXT && !strchr(script->unicode, ' '));
}

static void add_script(Writer *w, const TexNode *script, bool up)
{
    if (!script)
        return;
    if (up && only_primes(script)) {
        for (size_t i = 0; i < script->count; i++)
            str_add(w->out, node_text(w, script->children[i]));
        return;
    }
    if (up && script->count == 2 && only_primes(script->children[0])) {
        add_script(w, script->children[0], up); /* x'^2 */
        add_script(w, script->children[1], up);
        return;
    }
    if (w->raised) {
        tex_add_raised(w->out, script, up, TEX_SIGN_OF_NUMBER);
        w->word = false;
        return;
    }
    bool brackets = needs_script_brackets(script);
    str_add(w->out, up ? "^" : "_");
    Writer inner = writer_inside(w, w->out);
    inner.compact = true;
    if (brackets)
        str_add_char(w->out, '(');
    write_node(&inner, script, false);
    if (brackets)
        str_add_char(w->out, ')');
    w->word = true;
}

static bool ends_in_letter(const Str *out)
{
    char last = out->length ? out->data[out->length - 1] : ' ';
    return is_wordly(last) && !(last >= '0' && last <= '9');
}

static void write_scripts(Writer *w, const TexNode *node)
{
    const TexNode *base = tex_unwrap(node->children[0]);
    if (base->kind == TEX_SYMBOL) {
        if (node->children[1] && !w->raised && ends_in_letter(w->out))
            w->word = true; /* q k_j, not qk_j */
        write_node(w, base, false);
    } else if (base->kind == TEX_ROW && base->count == 0) {
        emit(w, w->raised ? "" : "{}", TEX_ORDINARY);
    } else {
        Str part = {0};
        bool plain = base->kind == TEX_ACCENT || base->kind == TEX_FENCED ||
                     base->kind == TEX_FONT || base->kind == TEX_TERM || base->kind == TEX_GRID ||
                     base->kind == TEX_BRACE || base->kind == TEX_TEXT;
        if (!plain)
            str_add_char(&part, '(');
        add_part(w, &part, base, plain ? LEVEL_ATOM : LEVEL_SUM, w->compact);
        if (!plain)
            str_add_char(&part, ')');
        emit(w, str_text(&part), TEX_ORDINARY);
        str_clear(&part);
    }
    add_script(w, node->children[1], false);
    add_script(w, node->children[2], true);
    if (w->last == TEX_OPEN && base->class != TEX_OPEN)
        w->last = TEX_ORDINARY;
}

/* --- the other kinds ---------------------------------------------------------- */

static void write_fraction(Writer *w, const TexNode *node, bool followed)
{
    bool operand_before =
        w->started && w->blanks == 0 &&
        (w->last == TEX_ORDINARY || w->last == TEX_CLOSE || w->last == TEX_FUNCTION);
    bool brackets = followed || operand_before;
    Str part = {0};
    if (brackets)
        str_add_char(&part, '(');
    add_part(w, &part, node->children[0], LEVEL_PRODUCT, w->compact);
    str_add_char(&part, '/');
    add_part(w, &part, node->children[1], LEVEL_ATOM, w->compact);
    if (brackets)
        str_add_char(&part, ')');
    emit(w, str_text(&part), TEX_ORDINARY);
    str_clear(&part);
}

static void write_root(Writer *w, const TexNode *node)
{
    const TexNode *radicand = tex_unwrap(node->children[0]);
    bool bare = radicand->kind == TEX_SYMBOL && w->style != TEX_ASCII && !node->children[1];
    Str part = {0};
    if (node->children[1]) {
        str_add(&part, "root_");
        add_part(w, &part, node->children[1], LEVEL_ATOM, true);
    } else {
        str_add(&part, w->style == TEX_ASCII ? "sqrt" : "√");
    }
    str_add(&part, bare ? "" : "(");
    add_part(w, &part, radicand, LEVEL_SUM, w->compact);
    str_add(&part, bare ? "" : ")");
    emit(w, str_text(&part), TEX_ORDINARY);
    w->word = bare; /* √d x, not √dx */
    str_clear(&part);
}

static bool is_fence_free(const TexNode *node)
{
    return node->kind == TEX_GRID && !*node->open && !*node->close;
}

/* The cells of a matrix: "a b; c d"; commas where a cell holds blanks.  They are
 * written once, with a mark between that visible text cannot hold. */
static void add_grid(const Writer *w, Str *out, const TexNode *grid)
{
    const char mark = '\1';
    Str cells = {0};
    bool blanks = false;
    for (size_t i = 0; i < grid->count; i++) {
        if (i)
            str_add_char(&cells, i % grid->columns == 0 ? ';' : mark);
        size_t start = cells.length;
        if (i && i % grid->columns == 0)
            str_add_char(&cells, ' ');
        if (grid->children[i])
            add_part(w, &cells, grid->children[i], LEVEL_SUM, w->compact);
        if (i && cells.length > start + 1)
            blanks = blanks || memchr(cells.data + start + 1, ' ', cells.length - start - 1);
        else if (i == 0)
            blanks = memchr(str_text(&cells), ' ', cells.length) != NULL;
    }
    for (size_t i = 0; i < cells.length; i++) {
        if (cells.data[i] != mark)
            str_add_char(out, cells.data[i]);
        else if (!grid->aligned)
            str_add(out, blanks ? ", " : " ");
        else if (i && !strchr(" \1", cells.data[i - 1]))
            str_add_char(out, ' '); /* an empty first cell takes no blank */
    }
    str_clear(&cells);
}

static void write_grid(Writer *w, const TexNode *grid)
{
    bool ascii = w->style == TEX_ASCII;
    bool bare = is_fence_free(grid);
    Str part = {0};
    str_add(&part, bare && !grid->aligned ? "[" : ascii ? grid->ascii_open : grid->open);
    add_grid(w, &part, grid);
    str_add(&part, bare && !grid->aligned ? "]" : ascii ? grid->ascii_close : grid->close);
    if (text_equal(grid->open, "{"))
        str_add_char(&part, '}'); /* cases have no closing brace of their own; a line needs it */
    emit(w, str_text(&part), TEX_ORDINARY);
    str_clear(&part);
}

static void write_fenced(Writer *w, const TexNode *node)
{
    bool ascii = w->style == TEX_ASCII;
    const TexNode *inside = tex_unwrap(node->children[0]);
    emit(w, ascii ? node->ascii_open : node->open, TEX_OPEN);
    w->started = w->started && *node->open;
    if (is_fence_free(inside)) {
        Str part = {0};
        add_grid(w, &part, inside);
        emit(w, str_text(&part), TEX_ORDINARY);
        str_clear(&part);
    } else {
        write_row(w, node->children[0], false);
    }
    w->blanks = 0;
    emit(w, ascii ? node->ascii_close : node->close, TEX_CLOSE);
    w->last = TEX_CLOSE;
}

static void write_accent(Writer *w, const TexNode *node)
{
    const TexNode *child = tex_unwrap(node->children[0]);
    bool one = child->kind == TEX_SYMBOL && text_count(child->unicode, strlen(child->unicode)) == 1;
    Str part = {0};
    if (one && w->style != TEX_ASCII) {
        str_add(&part, child->unicode);
        str_add(&part, node->unicode);
    } else {
        str_addf(&part, "%s(", node->ascii);
        add_part(w, &part, child, LEVEL_SUM, w->compact);
        str_add_char(&part, ')');
    }
    emit(w, str_text(&part), TEX_ORDINARY);
    str_clear(&part);
}

/* \underbrace{QK^T}_{n×n}: {QK^T : n x n} */
static void write_brace(Writer *w, const TexNode *node)
{
    if (!node->children[1]) {
        write_node(w, node->children[0], false);
        return;
    }
    Str part = {0};
    str_add_char(&part, '{');
    add_part(w, &part, node->children[0], LEVEL_SUM, w->compact);
    str_add(&part, " : ");
    add_part(w, &part, node->children[1], LEVEL_SUM, false);
    str_add_char(&part, '}');
    emit(w, str_text(&part), TEX_ORDINARY);
    str_clear(&part);
}

/* \mathbb letters have characters of their own; other fonts do not show. */
static void write_font(Writer *w, const TexNode *node, bool followed)
{
    static const char *const board[][2] = {{"C", "ℂ"}, {"H", "ℍ"}, {"N", "ℕ"}, {"P", "ℙ"},
                                           {"Q", "ℚ"}, {"R", "ℝ"}, {"Z", "ℤ"}, {"E", "𝔼"}};
    const TexNode *child = tex_unwrap(node->children[0]);
    if (w->style != TEX_ASCII && text_equal(node->ascii, "mathbb"))
        for (size_t i = 0; i < sizeof board / sizeof *board; i++)
            if (tex_is_symbol(child, board[i][0])) {
                emit(w, board[i][1], TEX_ORDINARY);
                return;
            }
    write_node(w, node->children[0], followed);
}

/* Text as it is, its blanks at the ends being blanks asked for. */
static void write_text(Writer *w, const TexNode *node)
{
    const char *text = node->unicode;
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        length--;
    size_t lead = strspn(text, " ");
    if (lead && !w->blanks)
        w->blanks = 1;
    if (lead >= length)
        return;
    Str part = {0};
    str_add_bytes(&part, text + lead, length - lead);
    emit(w, str_text(&part), TEX_ORDINARY);
    w->word = true;
    w->blanks = text[length] ? 1 : 0;
    str_clear(&part);
}

/* Source that was not understood, line ends squeezed: the line stays one line. */
static void write_source(Writer *w, const TexNode *node)
{
    Str part = {0};
    for (const char *c = node->unicode; *c; c++) {
        bool blank = strchr(" \t\r\n", *c) != NULL;
        if (!blank)
            str_add_char(&part, *c);
        else if (part.length && part.data[part.length - 1] != ' ')
            str_add_char(&part, ' ');
    }
    while (part.length && part.data[part.length - 1] == ' ')
        str_cut(&part, part.length - 1);
    if (w->started && w->last != TEX_OPEN && !w->blanks)
        w->blanks = 1;
    emit(w, str_text(&part), TEX_ORDINARY);
    w->word = true;
    str_clear(&part);
}

static void write_symbol(Writer *w, const TexNode *node)
{
    const char *text = node_text(w, node);
    TexClass class = node->class;
    if (tex_is_symbol(node, "|") || tex_is_symbol(node, "‖")) {
        /* A bar opens where there is nothing to close, or right behind a blank. */
        bool opens = is_sign(w) || (w->bars % 2 == 0 && class == TEX_ORDINARY);
        w->bars += opens ? 1 : (size_t)-1;
        char last = w->out->length ? w->out->data[w->out->length - 1] : ' ';
        if (opens && last == '|')
            w->blanks = 1; /* |a| |b|, not |a||b| */
        if (opens && is_sign(w) && class == TEX_ORDINARY)
            class = TEX_OPEN;
    }
    emit(w, text, class);
}

static void write_node(Writer *w, const TexNode *node, bool followed)
{
    switch (node->kind) {
    case TEX_ROW:
        write_row(w, node, followed);
        break;
    case TEX_SYMBOL:
        write_symbol(w, node);
        break;
    case TEX_SCRIPTS:
        write_scripts(w, node);
        break;
    case TEX_FRACTION:
        write_fraction(w, node, followed);
        break;
    case TEX_ROOT:
        write_root(w, node);
        break;
    case TEX_FENCED:
        write_fenced(w, node);
        break;
    case TEX_GRID:
        write_grid(w, node);
        break;
    case TEX_ACCENT:
        write_accent(w, node);
        break;
    case TEX_BRACE:
        write_brace(w, node);
        break;
    case TEX_FONT:
        write_font(w, node, followed);
        break;
    case TEX_TERM:
        write_node(w, node->children[0], followed);
        break;
    case TEX_TEXT:
        write_text(w, node);
        break;
    case TEX_SPACE:
        if (node->width > w->blanks)
            w->blanks = node->width;
        break;
    case TEX_SOURCE:
        write_source(w, node);
        break;
    }
}

/* True if what follows child i of the row multiplies it: then a fraction needs
 * brackets.  `followed` says so for the end of the row. */
static bool is_followed(const TexNode *row, size_t i, bool followed)
{
    for (i++; i < row->count; i++) {
        const TexNode *node = without_scripts(row->children[i]);
        if (node->kind == TEX_SPACE && node->width < 2)
            continue;
        if (node->kind == TEX_SPACE || node->kind == TEX_TEXT)
            return false;
        return node->kind != TEX_SYMBOL || node->class == TEX_ORDINARY || node->class == TEX_OPEN ||
               node->class == TEX_FUNCTION || node->class == TEX_LARGE;
    }
    return followed;
}

static void write_row(Writer *w, const TexNode *row, bool followed)
{
    for (size_t i = 0; i < row->count; i++)
        write_node(w, row->children[i], is_followed(row, i, followed));
}

void tex_add_linear(Str *out, const Tex *tex, TexStyle style)
{
    Writer w = {.out = out, .style = style};
    w.raised = style == TEX_UNICODE && all_can_raise(tex->root);
    write_node(&w, tex->root, false);
}

void tex_add_source(Str *out, const char *text, size_t length, TexStyle style)
{
    Tex *tex = tex_parse(text, length);
    tex_add_linear(out, tex, style);
    tex_free(tex);
}
