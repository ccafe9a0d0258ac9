/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything in a formula that begins with a backslash. */
#include "page/tex_parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A node with one argument as its child. */
static TexNode *node_with_one(TexParser *p, TexKind kind, size_t start, size_t end)
{
    TexNode *child = texparser_argument(p, start, end);
    if (!child)
        return NULL;
    TexNode *node = texparser_node(p, kind, start, p->at);
    texparser_set_children(p, node, &child, 1);
    return node;
}

static TexNode *parse_fraction(TexParser *p, size_t start, size_t end)
{
    TexNode *parts[2];
    for (int i = 0; i < 2; i++)
        if (!(parts[i] = texparser_argument(p, start, end)))
            return NULL;
    TexNode *node = texparser_node(p, TEX_FRACTION, start, p->at);
    texparser_set_children(p, node, parts, 2);
    return node;
}

/* \sqrt [ "[" index "]" ] argument */
static TexNode *parse_root(TexParser *p, size_t start, size_t end)
{
    TexNode *parts[2] = {NULL, NULL};
    texparser_skip_blanks(p);
    if (texparser_next_is(p, "[")) {
        size_t open = p->at++;
        if (!(parts[1] = texparser_row(p, true)))
            return NULL;
        if (!texparser_next_is(p, "]"))
            return texparser_fail(p, open, open + 1, "this [ is not closed");
        p->at++;
    }
    if (!(parts[0] = texparser_argument(p, start, end)))
        return NULL;
    TexNode *node = texparser_node(p, TEX_ROOT, start, p->at);
    texparser_set_children(p, node, parts, 2);
    return node;
}

static const struct {
    const char *name, *mark, *ascii;
} accents[] = {
    {"hat", "\xCC\x82", "hat"},     {"widehat", "\xCC\x82", "hat"},
    {"tilde", "\xCC\x83", "tilde"}, {"widetilde", "\xCC\x83", "tilde"},
    {"bar", "\xCC\x84", "bar"},     {"overline", "\xCC\x84", "bar"},
    {"vec", "\xE2\x83\x97", "vec"}, {"dot", "\xCC\x87", "dot"},
};

static TexNode *parse_accent(TexParser *p, size_t start, size_t end)
{
    TexNode *node = node_with_one(p, TEX_ACCENT, start, end);
    for (size_t i = 0; node && i < sizeof accents / sizeof *accents; i++)
        if (strlen(accents[i].name) == end - start - 1 &&
            memcmp(accents[i].name, p->text + start + 1, end - start - 1) == 0) {
            node->unicode = accents[i].mark;
            node->ascii = accents[i].ascii;
        }
    return node;
}

/* \underbrace{body}_{label}, \overbrace{body}^{label} */
static TexNode *parse_brace(TexParser *p, size_t start, size_t end)
{
    char mark = p->text[start + 1] == 'o' ? '^' : '_';
    TexNode *parts[2] = {texparser_argument(p, start, end), NULL};
    if (!parts[0])
        return NULL;
    texparser_skip_blanks(p);
    if (p->at < p->length && p->text[p->at] == mark) {
        size_t at = p->at++;
        if (!(parts[1] = texparser_argument(p, at, at + 1)))
            return NULL;
    }
    TexNode *node = texparser_node(p, TEX_BRACE, start, p->at);
    node->ascii = texparser_own_slice(p, start + 1, end);
    texparser_set_children(p, node, parts, 2);
    return node;
}

static bool is_name(const TexParser *p, Span span)
{
    for (size_t i = span.start; i < span.end; i++)
        if (strchr("\\{}^_&$%#", p->text[i]))
            return false;
    return span.end > span.start;
}

static TexNode *parse_operatorname(TexParser *p, size_t start, size_t end)
{
    bool limits = texparser_next_is(p, "*");
    if (limits)
        p->at++;
    Span name;
    if (!texparser_raw(p, start, end, &name))
        return NULL;
    if (!is_name(p, name))
        return texparser_fail(p, name.start, name.end, "\\operatorname takes a plain name");
    TexNode *node = texparser_node(p, TEX_SYMBOL, start, p->at);
    node->unicode = node->ascii = texparser_own_slice(p, name.start, name.end);
    node->class = TEX_FUNCTION;
    node->limits = limits;
    return node;
}

static TexNode *parse_text(TexParser *p, size_t start, size_t end)
{
    Span inside;
    if (!texparser_raw(p, start, end, &inside))
        return NULL;
    TexNode *node = texparser_node(p, TEX_TEXT, start, p->at);
    node->unicode = node->ascii = texparser_own_slice(p, inside.start, inside.end);
    return node;
}

/* \mathbf{x}; \mathrm{max} and its kin with a plain name are one word. */
static TexNode *parse_font(TexParser *p, size_t start, size_t end)
{
    size_t at = p->at;
    texparser_skip_blanks(p);
    size_t close = texparser_next_is(p, "{") ? texparser_group_end(p, p->at) : 0;
    bool upright = end - start == strlen("\\mathrm") && memcmp(p->text + start, "\\mathrm", 7) == 0;
    if (upright && close && is_name(p, (Span){p->at + 1, close - 1})) {
        TexNode *word = texparser_node(p, TEX_SYMBOL, start, close);
        word->unicode = word->ascii = texparser_own_slice(p, p->at + 1, close - 1);
        p->at = close;
        return word;
    }
    p->at = at;
    TexNode *node = node_with_one(p, TEX_FONT, start, end);
    if (node)
        node->ascii = texparser_own_slice(p, start + 1, end);
    return node;
}

/* \term{id}{body}, \color{id}{body} */
static TexNode *parse_term(TexParser *p, size_t start, size_t end)
{
    Span id;
    if (!texparser_raw(p, start, end, &id))
        return NULL;
    TexNode *node = node_with_one(p, TEX_TERM, start, end);
    if (node)
        node->ascii = texparser_own_slice(p, id.start, id.end);
    return node;
}

static const struct {
    const char *name;
    size_t blanks;
} spaces[] = {{",", 0},
              {"!", 0},
              {":", 0},
              {">", 0},
              {";", 1},
              {" ", 1},
              {"quad", 2},
              {"qquad", 4},
              {"thinspace", 0},
              {"enspace", 1},
              {"limits", 0},
              {"nolimits", 0},
              {"displaystyle", 0},
              {"textstyle", 0},
              {"big", 0},
              {"Big", 0},
              {"bigg", 0},
              {"Bigg", 0},
              {"bigl", 0},
              {"bigr", 0},
              {"Bigl", 0},
              {"Bigr", 0},
              {"biggl", 0},
              {"biggr", 0}};

/* A space, or a command that only says how large something is drawn. */
static TexNode *parse_space(TexParser *p, size_t start, size_t end)
{
    TexNode *node = texparser_node(p, TEX_SPACE, start, end);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strlen(spaces[i].name) == end - start - 1 &&
            memcmp(spaces[i].name, p->text + start + 1, end - start - 1) == 0)
            node->width = spaces[i].blanks;
    return node;
}

/* A bracket after \left or \right; false if there is none. */
static bool parse_delimiter(TexParser *p, const char **unicode, const char **ascii)
{
    texparser_skip_blanks(p);
    if (p->at >= p->length)
        return false;
    size_t start = p->at;
    const TexSymbol *symbol;
    if (p->text[start] == '\\') {
        p->at = texparser_command_end(p, start);
        symbol = tex_symbol_find(p->text + start + 1, p->at - start - 1);
        static const char allowed[] = "{ } | lbrace rbrace langle rangle vert Vert lvert rvert "
                                      "lVert rVert lfloor rfloor lceil rceil ";
        char *word = memory_copy_slice(p->text + start + 1, p->at - start);
        word[p->at - start - 1] = ' ';
        bool known = symbol && strstr(allowed, word);
        free(word);
        if (!known)
            return false;
        *unicode = symbol->unicode;
        *ascii = symbol->ascii;
        return true;
    }
    p->at++;
    if (p->text[start] == '.') {
        *unicode = *ascii = "";
        return true;
    }
    if (!strchr("()[]|/", p->text[start]))
        return false;
    *unicode = *ascii = texparser_own_slice(p, start, p->at);
    return true;
}

/* \left delimiter row \right delimiter */
static TexNode *parse_left(TexParser *p, size_t start, size_t end)
{
    TexNode *node = texparser_node(p, TEX_FENCED, start, end);
    if (!parse_delimiter(p, &node->open, &node->ascii_open))
        return texparser_fail(p, start, end, "\\left needs a bracket after it");
    TexNode *row = texparser_row(p, false);
    if (!row)
        return NULL;
    if (!texparser_next_is_command(p, "right"))
        return texparser_fail(p, start, end, "\\left without \\right");
    size_t right = p->at;
    p->at = texparser_command_end(p, right);
    if (!parse_delimiter(p, &node->close, &node->ascii_close))
        return texparser_fail(p, right, right + 6, "\\right needs a bracket after it");
    node->span.end = p->at;
    texparser_set_children(p, node, &row, 1);
    return node;
}

static const struct {
    const char *name, *open, *close, *ascii_open, *ascii_close;
    bool aligned;
} environments[] = {
    {"matrix", "", "", "", "", false},        {"pmatrix", "(", ")", "(", ")", false},
    {"bmatrix", "[", "]", "[", "]", false},   {"vmatrix", "|", "|", "|", "|", false},
    {"Vmatrix", "‖", "‖", "||", "||", false}, {"cases", "{", "", "{", "", false},
    {"aligned", "", "", "", "", true},        {"align*", "", "", "", "", true},
    {"split", "", "", "", "", true},          {"gathered", "", "", "", "", true},
};

/* The cells of a row: row { "&" row }; false when broken. */
static bool parse_cells(TexParser *p, TexNodeList *cells, size_t *columns)
{
    for (*columns = 0;; p->at++) {
        TexNode *cell = texparser_row(p, false);
        if (!cell)
            return false;
        MEMORY_GROW(cells->items, cells->count, cells->room);
        cells->items[cells->count++] = cell;
        ++*columns;
        if (!texparser_next_is(p, "&"))
            return true;
    }
}

/* Behind "\\": an optional "[2pt]". */
static void skip_row_gap(TexParser *p)
{
    p->at += 2;
    if (!texparser_next_is(p, "["))
        return;
    const char *close = memchr(p->text + p->at, ']', p->length - p->at);
    if (close)
        p->at = (size_t)(close - p->text) + 1;
}

/* Rows up to \end, each padded with NULL to the widest, as the node's children. */
static bool parse_rows(TexParser *p, TexNode *node)
{
    TexNodeList cells = {0};
    size_t *widths = NULL, rows = 0, room = 0;
    bool ok;
    for (;;) {
        size_t width;
        if (!(ok = parse_cells(p, &cells, &width)))
            break;
        MEMORY_GROW(widths, rows, room);
        widths[rows++] = width;
        if (width > node->columns)
            node->columns = width;
        if (!texparser_next_is_command(p, "\\"))
            break;
        skip_row_gap(p);
        texparser_skip_blanks(p);
        if (texparser_next_is_command(p, "end"))
            break;
    }
    node->count = rows * node->columns;
    node->children = texparser_own(p->tex, memory_zeros(node->count, sizeof *node->children));
    for (size_t i = 0, from = 0; ok && i < rows; from += widths[i++])
        memcpy(node->children + i * node->columns, cells.items + from,
               widths[i] * sizeof *cells.items);
    free(cells.items);
    free(widths);
    return ok;
}

/* \begin{name} rows \end{name} */
static TexNode *parse_begin(TexParser *p, size_t start, size_t end)
{
    Span name, last;
    if (!texparser_raw(p, start, end, &name))
        return NULL;
    size_t length = name.end - name.start, i = 0;
    size_t count = sizeof environments / sizeof *environments;
    while (i < count && (strlen(environments[i].name) != length ||
                         memcmp(environments[i].name, p->text + name.start, length) != 0))
        i++;
    if (i == count)
        return texparser_fail(p, name.start, name.end, "this environment is not known");
    TexNode *node = texparser_node(p, TEX_GRID, start, end);
    node->open = environments[i].open;
    node->close = environments[i].close;
    node->ascii_open = environments[i].ascii_open;
    node->ascii_close = environments[i].ascii_close;
    node->aligned = environments[i].aligned;
    if (!parse_rows(p, node))
        return NULL;
    if (!texparser_next_is_command(p, "end"))
        return texparser_fail(p, start, end, "\\begin without \\end");
    size_t at = p->at;
    p->at = texparser_command_end(p, at);
    if (!texparser_raw(p, at, p->at, &last))
        return NULL;
    if (last.end - last.start != length ||
        memcmp(p->text + last.start, p->text + name.start, length) != 0)
        return texparser_fail(p, at, p->at, "\\end names another environment than \\begin");
    node->span.end = p->at;
    return node;
}

/* A command nobody knows, with the groups right behind it. */
static TexNode *parse_unknown(TexParser *p, size_t start, size_t end)
{
    texparser_add_problem(p, (Span){start, end}, "%.*s is not known in formulas",
                          (int)(end - start), p->text + start);
    while (texparser_next_is(p, "{")) {
        size_t close = texparser_group_end(p, p->at);
        if (!close)
            return texparser_fail(p, p->at, p->at + 1, "this { is not closed");
        p->at = close;
    }
    TexNode *node = texparser_node(p, TEX_SOURCE, start, p->at);
    node->unicode = node->ascii = texparser_own_slice(p, start, p->at);
    return node;
}

static TexNode *parse_right(TexParser *p, size_t start, size_t end)
{
    return texparser_fail(p, start, end, "\\right without \\left");
}

/* Commands that are more than a symbol; each is called with the span of its name,
 * the parser standing behind it. */
static const struct {
    const char *name;
    TexNode *(*parse)(TexParser *p, size_t start, size_t end);
} commands[] = {
    {"frac", parse_fraction},    {"dfrac", parse_fraction},
    {"tfrac", parse_fraction},   {"sqrt", parse_root},
    {"left", parse_left},        {"right", parse_right},
    {"begin", parse_begin},      {"operatorname", parse_operatorname},
    {"text", parse_text},        {"textrm", parse_text},
    {"textbf", parse_text},      {"textit", parse_text},
    {"mbox", parse_text},        {"mathbb", parse_font},
    {"mathbf", parse_font},      {"mathrm", parse_font},
    {"mathcal", parse_font},     {"mathit", parse_font},
    {"mathsf", parse_font},      {"boldsymbol", parse_font},
    {"underbrace", parse_brace}, {"overbrace", parse_brace},
    {"term", parse_term},        {"color", parse_term},
    {"textcolor", parse_term},
};

static bool is_word(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

TexNode *texparser_command(TexParser *p)
{
    size_t start = p->at, end = texparser_command_end(p, start);
    const char *name = p->text + start + 1;
    size_t length = end - start - 1;
    if (length == 0)
        return texparser_fail(p, start, end, "a backslash at the end");
    p->at = end;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is_word(commands[i].name, name, length))
            return commands[i].parse(p, start, end);
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
        if (is_word(accents[i].name, name, length))
            return parse_accent(p, start, end);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_word(spaces[i].name, name, length))
            return parse_space(p, start, end);
    const TexSymbol *symbol = tex_symbol_find(name, length);
    return symbol ? texparser_symbol(p, start, end, symbol) : parse_unknown(p, start, end);
}
