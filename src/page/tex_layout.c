/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/tex_layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/tex_script.h"

typedef struct {
    Grid *grid;
    int base;
    TexClass class; /* how it behaves towards its neighbours */
    bool name;      /* a word of letters, which must not run into another */
    bool fenced;    /* brackets with something in them */
} Box;

typedef struct {
    bool ascii, raised;
    bool compact;   /* inside a script: no blanks around operators */
    bool continued; /* a later line: a + at its beginning is no sign */
    const char *highlight;
} Layout;

static Box lay_node(const Layout *l, const TexNode *node);
static Box lay_row(const Layout *l, TexNode *const *items, size_t count);

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* ---- boxes ---- */

static Box box_new(const Layout *l, int rows, int cols, int base)
{
    return (Box){.grid = grid_new(rows, cols, l->ascii), .base = base, .class = TEX_ORDINARY};
}

static Box box_text(const Layout *l, const char *text)
{
    Grid probe = {.ascii = l->ascii};
    Box box = box_new(l, 1, grid_text_width(&probe, text, strlen(text)), 0);
    grid_put(box.grid, grid_rect(box.grid), 0, 0, text, ROLE_FORMULA);
    return box;
}

static void put_box(Grid *to, int row, int col, Box *from)
{
    grid_copy(to, grid_rect(to), row, col, from->grid, grid_rect(from->grid));
    grid_free(from->grid);
    from->grid = NULL;
}

static int above(const Box *box)
{
    return box->base;
}

static int below(const Box *box)
{
    return box->grid->rows - 1 - box->base;
}

/* Boxes on one baseline, gaps[i] blanks before each.  Takes the boxes over. */
static Box join(const Layout *l, Box *boxes, const int *gaps, size_t count)
{
    int up = 0, down = 0, cols = 0;
    for (size_t i = 0; i < count; i++) {
        up = larger(up, above(&boxes[i]));
        down = larger(down, below(&boxes[i]));
        cols += gaps[i] + boxes[i].grid->cols;
    }
    Box box = box_new(l, up + 1 + down, cols, up);
    int col = 0;
    for (size_t i = 0; i < count; i++) {
        col += gaps[i];
        int width = boxes[i].grid->cols;
        put_box(box.grid, up - above(&boxes[i]), col, &boxes[i]);
        col += width;
    }
    return box;
}

static Box join_two(const Layout *l, Box a, Box b)
{
    Box boxes[2] = {a, b};
    return join(l, boxes, (const int[2]){0, 0}, 2);
}

/* Up to three boxes centred above each other; the middle one keeps the baseline.
 * Absent ones have no grid. */
static Box stack(const Layout *l, Box top, Box middle, Box bottom)
{
    int top_rows = top.grid ? top.grid->rows : 0, bottom_rows = bottom.grid ? bottom.grid->rows : 0;
    int cols = middle.grid->cols;
    cols = larger(cols, top.grid ? top.grid->cols : 0);
    cols = larger(cols, bottom.grid ? bottom.grid->cols : 0);
    int middle_rows = middle.grid->rows;
    Box box = box_new(l, top_rows + middle_rows + bottom_rows, cols, top_rows + middle.base);
    if (top.grid)
        put_box(box.grid, 0, (cols - top.grid->cols) / 2, &top);
    put_box(box.grid, top_rows, (cols - middle.grid->cols) / 2, &middle);
    if (bottom.grid)
        put_box(box.grid, top_rows + middle_rows, (cols - bottom.grid->cols) / 2, &bottom);
    return box;
}

/* ---- scripts ---- */

static bool can_raise(const TexNode *script, bool up)
{
    return !script || tex_add_raised(NULL, script, up, TEX_SIGN_ANYWHERE);
}

static bool has_limits(const TexNode *scripts)
{
    const TexNode *base = tex_unwrap(scripts->children[0]);
    return (base->kind == TEX_SYMBOL && base->limits) || base->kind == TEX_BRACE;
}

/* True if every script below node that does not stand above or below its base has a
 * raised or lowered form. */
static bool all_can_raise(const TexNode *node)
{
    if (!node)
        return true;
    if (node->kind == TEX_SCRIPTS && !has_limits(node) &&
        !(can_raise(node->children[1], false) && can_raise(node->children[2], true)))
        return false;
    for (size_t i = 0; i < node->count; i++)
        if (!all_can_raise(node->children[i]))
            return false;
    return true;
}

static bool only_primes(const TexNode *script)
{
    script = tex_unwrap(script);
    if (script->kind != TEX_ROW)
        return tex_is_symbol(script, "′");
    for (size_t i = 0; i < script->count; i++)
        if (!tex_is_symbol(script->children[i], "′"))
            return false;
    return script->count > 0;
}

static Box lay_script(const Layout *l, const TexNode *node)
{
    Layout inner = *l;
    inner.compact = true;
    inner.continued = false;
    return lay_node(&inner, node);
}

/* Scripts in rows of their own, right of base. */
static Box add_scripts(const Layout *l, Box base, const TexNode *sub, const TexNode *sup)
{
    Box low = {0}, high = {0};
    if (sub)
        low = lay_script(l, sub);
    if (sup)
        high = lay_script(l, sup);
    bool tall = base.grid->rows > 1;
    int up = sup ? larger(high.grid->rows - tall, 0) : 0;
    int down = sub ? larger(low.grid->rows - tall, 0) : 0;
    int wide = larger(sub ? low.grid->cols : 0, sup ? high.grid->cols : 0);
    int rows = base.grid->rows, cols = base.grid->cols;
    Box box = box_new(l, up + rows + down, cols + wide, up + base.base);
    put_box(box.grid, up, 0, &base);
    if (sup)
        put_box(box.grid, up + tall - high.grid->rows, cols, &high);
    if (sub)
        put_box(box.grid, up + rows - tall, cols, &low);
    return box;
}

static Box lay_scripts(const Layout *l, const TexNode *node)
{
    const TexNode *sub = node->children[1], *sup = node->children[2];
    Box base = lay_node(l, node->children[0]);
    TexClass class = base.class;
    bool name = base.name;
    if (has_limits(node)) {
        Box top = sup ? lay_script(l, sup) : (Box){0};
        Box bottom = sub ? lay_script(l, sub) : (Box){0};
        base = stack(l, top, base, bottom);
    } else if (sup && !sub && only_primes(sup)) {
        base = join_two(l, base, lay_node(l, sup));
    } else if (l->raised) {
        Str text = {0};
        if (sub)
            tex_add_raised(&text, sub, false, TEX_SIGN_ANYWHERE);
        if (sup)
            tex_add_raised(&text, sup, true, TEX_SIGN_ANYWHERE);
        base = join_two(l, base, box_text(l, str_text(&text)));
        str_clear(&text);
    } else {
        base = add_scripts(l, base, sub, sup);
    }
    base.class = class;
    base.name = name;
    return base;
}

/* ---- brackets ---- */

/* The pieces of a bracket: alone, top, middle, bottom, and what is in the middle of
 * a brace. */
typedef struct {
    const char *sign;
    const char *unicode[4];
    const char *ascii[4];
} Bracket;

static const Bracket brackets[] = {
    {"(", {"⎛", "⎜", "⎝", "⎜"}, {"/", "|", "\\", "|"}},
    {")", {"⎞", "⎟", "⎠", "⎟"}, {"\\", "|", "/", "|"}},
    {"[", {"⎡", "⎢", "⎣", "⎢"}, {"[", "[", "[", "["}},
    {"]", {"⎤", "⎥", "⎦", "⎥"}, {"]", "]", "]", "]"}},
    {"{", {"⎧", "⎪", "⎩", "⎨"}, {"/", "|", "\\", "<"}},
    {"}", {"⎫", "⎪", "⎭", "⎬"}, {"\\", "|", "/", ">"}},
};

static Box lay_bracket(const Layout *l, const char *unicode, const char *ascii, int rows, int base)
{
    if (rows == 1 || !*unicode)
        return box_text(l, l->ascii ? ascii : unicode);
    const Bracket *found = NULL;
    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++)
        if (strcmp(brackets[i].sign, unicode) == 0)
            found = &brackets[i];
    const char *alone = l->ascii ? ascii : unicode;
    Box box = box_new(l, rows, found ? 1 : (int)text_width(alone, strlen(alone)), base);
    for (int i = 0; i < rows; i++) {
        const char *const *pieces = found ? (l->ascii ? found->ascii : found->unicode) : NULL;
        int piece = i == 0 ? 0 : i == rows - 1 ? 2 : i == rows / 2 ? 3 : 1;
        grid_put(box.grid, grid_rect(box.grid), i, 0, pieces ? pieces[piece] : alone, ROLE_FORMULA);
    }
    return box;
}

static Box enclose(const Layout *l, const TexNode *node, Box inside)
{
    int rows = inside.grid->rows, base = inside.base;
    Box left = lay_bracket(l, node->open, node->ascii_open, rows, base);
    Box right = lay_bracket(l, node->close, node->ascii_close, rows, base);
    Box boxes[3] = {left, inside, right};
    int gap = node->kind == TEX_GRID && *node->open ? 1 : 0;
    Box box = join(l, boxes, (const int[3]){0, gap, gap && *node->close}, 3);
    box.fenced = *node->open != '\0';
    return box;
}

/* ---- the other kinds ---- */

static Box lay_fraction(const Layout *l, const TexNode *node)
{
    Box top = lay_node(l, node->children[0]), bottom = lay_node(l, node->children[1]);
    int cols = larger(top.grid->cols, bottom.grid->cols) + 2;
    Box line = box_new(l, 1, cols, 0);
    for (int i = 0; i < cols; i++)
        grid_put_either(line.grid, grid_rect(line.grid), 0, i, "─", "-", ROLE_FORMULA);
    return stack(l, top, line, bottom);
}

static Box lay_root(const Layout *l, const TexNode *node)
{
    const TexNode *inside = tex_unwrap(node->children[0]);
    Box body = lay_node(l, node->children[0]);
    Box sign = box_text(l, l->ascii ? "sqrt" : "√");
    if (node->children[1])
        sign = join_two(l, lay_node(l, node->children[1]), sign);
    bool bare =
        !l->ascii && body.grid->rows == 1 &&
        (inside->kind == TEX_SYMBOL ||
         (inside->kind == TEX_SCRIPTS && tex_unwrap(inside->children[0])->kind == TEX_SYMBOL));
    if (!bare) {
        int rows = body.grid->rows, base = body.base;
        Box boxes[3] = {lay_bracket(l, "(", "(", rows, base), body,
                        lay_bracket(l, ")", ")", rows, base)};
        body = join(l, boxes, (const int[3]){0, 0, 0}, 3);
    }
    return join_two(l, sign, body);
}

static Box lay_grid(const Layout *l, const TexNode *node)
{
    size_t columns = node->columns ? node->columns : 1;
    size_t rows = (node->count + columns - 1) / columns;
    Box *cells = memory_zeros(node->count + 1, sizeof *cells);
    int *widths = memory_zeros(columns, sizeof *widths);
    int *ups = memory_zeros(rows + 1, sizeof *ups), *downs = memory_zeros(rows + 1, sizeof *downs);
    int cols = 0, total = 0;
    for (size_t i = 0; i < node->count; i++) {
        cells[i] = node->children[i] ? lay_node(l, node->children[i]) : box_text(l, "");
        widths[i % columns] = larger(widths[i % columns], cells[i].grid->cols);
        ups[i / columns] = larger(ups[i / columns], above(&cells[i]));
        downs[i / columns] = larger(downs[i / columns], below(&cells[i]));
    }
    int gap = node->aligned ? 1 : 2;
    for (size_t j = 0; j < columns; j++)
        cols += widths[j] + (j ? gap : 0);
    for (size_t i = 0; i < rows; i++)
        total += ups[i] + 1 + downs[i];
    Box box = box_new(l, larger(total, 1), cols, (total - 1) / 2);
    int row = 0;
    for (size_t i = 0; i < rows; i++) {
        int col = 0;
        for (size_t j = 0; j < columns && i * columns + j < node->count; j++) {
            Box *cell = &cells[i * columns + j];
            bool right = node->aligned && j % 2 == 0;
            int shift = right ? widths[j] - cell->grid->cols : 0;
            put_box(box.grid, row + ups[i] - above(cell), col + shift, cell);
            col += widths[j] + gap;
        }
        row += ups[i] + 1 + downs[i];
    }
    free(cells);
    free(widths);
    free(ups);
    free(downs);
    return enclose(l, node, box);
}

static Box lay_accent(const Layout *l, const TexNode *node)
{
    const TexNode *child = tex_unwrap(node->children[0]);
    bool one = child->kind == TEX_SYMBOL && text_count(child->unicode, strlen(child->unicode)) == 1;
    Str text = {0};
    if (one && !l->ascii) {
        str_add(&text, child->unicode);
        str_add(&text, node->unicode);
        Box box = box_text(l, str_text(&text));
        str_clear(&text);
        return box;
    }
    static const char *const signs[][2] = {{"hat", "^"},       {"widehat", "^"}, {"tilde", "~"},
                                           {"widetilde", "~"}, {"bar", "_"},     {"overline", "_"},
                                           {"vec", ">"},       {"dot", "."},     {"ddot", ".."}};
    const char *sign = "^";
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(signs[i][0], node->ascii) == 0)
            sign = signs[i][1];
    return stack(l, box_text(l, sign), lay_node(l, node->children[0]), (Box){0});
}

static Box lay_brace(const Layout *l, const TexNode *node)
{
    Box body = lay_node(l, node->children[0]);
    bool under = strstr(node->ascii ? node->ascii : "", "over") == NULL;
    Box line = box_new(l, 1, larger(body.grid->cols, 1), 0);
    for (int i = 0; i < line.grid->cols; i++) {
        bool first = i == 0, last = i == line.grid->cols - 1;
        const char *piece = under ? (first  ? "╰"
                                     : last ? "╯"
                                            : "─")
                                  : (first  ? "╭"
                                     : last ? "╮"
                                            : "─");
        grid_put_either(line.grid, grid_rect(line.grid), 0, i, piece,
                        first  ? "\\"
                        : last ? "/"
                               : "_",
                        ROLE_FORMULA);
    }
    Box label = node->children[1] ? lay_node(l, node->children[1]) : (Box){0};
    Box marked = under ? stack(l, (Box){0}, body, line) : stack(l, line, body, (Box){0});
    return under ? stack(l, (Box){0}, marked, label) : stack(l, label, marked, (Box){0});
}

static Box lay_font(const Layout *l, const TexNode *node)
{
    static const char *const board[][2] = {{"C", "ℂ"}, {"H", "ℍ"}, {"N", "ℕ"}, {"P", "ℙ"},
                                           {"Q", "ℚ"}, {"R", "ℝ"}, {"Z", "ℤ"}};
    const TexNode *child = tex_unwrap(node->children[0]);
    if (!l->ascii && text_equal(node->ascii, "mathbb"))
        for (size_t i = 0; i < sizeof board / sizeof *board; i++)
            if (tex_is_symbol(child, board[i][0]))
                return box_text(l, board[i][1]);
    return lay_node(l, node->children[0]);
}

/* Source that was not understood, line ends as blanks. */
static Box lay_source(const Layout *l, const TexNode *node)
{
    Str text = {0};
    for (const char *c = node->unicode; *c; c++)
        str_add_char(&text, strchr("\t\r\n", *c) ? ' ' : *c);
    Box box = box_text(l, str_text(&text));
    str_clear(&text);
    return box;
}

/* True if the first or last cell on the baseline is a letter. */
static bool is_letter(const Box *box, bool last)
{
    if (box->grid->cols == 0)
        return false;
    uint32_t c = grid_cell(box->grid, box->base, last ? box->grid->cols - 1 : 0)->text;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static Box lay_symbol(const Layout *l, const TexNode *node)
{
    Box box = box_text(l, l->ascii ? node->ascii : node->unicode);
    box.class = node->class;
    box.name = box.grid->cols > 1 && is_letter(&box, true) && is_letter(&box, false);
    return box;
}

static Box lay_node(const Layout *l, const TexNode *node)
{
    switch (node->kind) {
    case TEX_ROW:
        return lay_row(l, node->children, node->count);
    case TEX_SYMBOL:
        return lay_symbol(l, node);
    case TEX_SCRIPTS:
        return lay_scripts(l, node);
    case TEX_FRACTION:
        return lay_fraction(l, node);
    case TEX_ROOT:
        return lay_root(l, node);
    case TEX_FENCED:
        return enclose(l, node, lay_node(l, node->children[0]));
    case TEX_GRID:
        return lay_grid(l, node);
    case TEX_ACCENT:
        return lay_accent(l, node);
    case TEX_BRACE:
        return lay_brace(l, node);
    case TEX_FONT:
        return lay_font(l, node);
    case TEX_TERM: {
        Box box = lay_node(l, node->children[0]);
        if (l->highlight && text_equal(node->ascii, l->highlight))
            grid_set_role(box.grid, grid_rect(box.grid), grid_rect(box.grid), ROLE_TERM);
        return box;
    }
    case TEX_TEXT:
        return box_text(l, node->unicode);
    case TEX_SPACE:
        return box_new(l, 1, (int)node->width, 0);
    case TEX_SOURCE:
        break;
    }
    return lay_source(l, node);
}

/* ---- rows ---- */

/* Blanks between two neighbours; sign_before: a is a + or - that belongs to b. */
static int gap_between(const Box *a, const Box *b, bool sign_before, bool sign)
{
    if (a->class == TEX_OPEN || b->class == TEX_CLOSE || b->class == TEX_PUNCTUATION || sign_before)
        return 0;
    if (a->class == TEX_LARGE || a->class == TEX_RELATION || a->class == TEX_BINARY ||
        a->class == TEX_PUNCTUATION || b->class == TEX_RELATION || b->class == TEX_LARGE)
        return 1;
    if (b->class == TEX_BINARY)
        return sign ? 0 : 1;
    if (a->class == TEX_FUNCTION)
        return b->class == TEX_OPEN || b->fenced ? 0 : 1;
    if (b->class == TEX_FUNCTION)
        return 1;
    bool letters = is_letter(a, true) && is_letter(b, false);
    if (letters && (a->name || b->name))
        return 1;
    return a->grid->rows > 1 && !a->fenced && b->class == TEX_ORDINARY; /* behind scripts */
}

static bool takes_sign(TexClass class)
{
    return class == TEX_OPEN || class == TEX_BINARY || class == TEX_RELATION ||
           class == TEX_PUNCTUATION || class == TEX_LARGE || class == TEX_FUNCTION;
}

static Box lay_row(const Layout *l, TexNode *const *items, size_t count)
{
    Box *boxes = memory_zeros(count + 1, sizeof *boxes);
    int *gaps = memory_zeros(count + 1, sizeof *gaps);
    bool sign_before = false;
    for (size_t i = 0; i < count; i++) {
        boxes[i] = lay_node(l, items[i]);
        bool space = items[i]->kind == TEX_SPACE || (i && items[i - 1]->kind == TEX_SPACE);
        bool sign = boxes[i].class == TEX_BINARY &&
                    (i == 0 ? !l->continued : takes_sign(boxes[i - 1].class));
        if (i && !space)
            gaps[i] = gap_between(&boxes[i - 1], &boxes[i], sign_before, sign);
        if (l->compact && boxes[i].class != TEX_ORDINARY && boxes[i].class != TEX_FUNCTION)
            gaps[i] = 0;
        if (l->compact && i && boxes[i - 1].class != TEX_ORDINARY &&
            boxes[i - 1].class != TEX_FUNCTION)
            gaps[i] = 0;
        sign_before = sign;
    }
    Box box = count ? join(l, boxes, gaps, count) : box_new(l, 1, 0, 0);
    if (count == 1)
        box.class = boxes[0].class;
    free(boxes);
    free(gaps);
    return box;
}

/* ---- the whole formula ---- */

/* True if a line may be broken before child i of the top row. */
static bool may_break(TexNode *const *items, size_t i, size_t depth)
{
    const TexNode *node = items[i], *before = items[i - 1];
    if (depth > 0)
        return false;
    if (node->kind == TEX_SPACE)
        return node->width >= 2;
    if (node->kind != TEX_SYMBOL || (node->class != TEX_RELATION && node->class != TEX_BINARY))
        return false;
    if (node->class == TEX_BINARY && !tex_is_symbol(node, "+") && !tex_is_symbol(node, "-"))
        return false;
    return before->kind != TEX_SYMBOL || !takes_sign(before->class);
}

static size_t bracket_depth(const TexNode *node, size_t depth)
{
    const TexNode *base = node->kind == TEX_SCRIPTS ? tex_unwrap(node->children[0]) : node;
    if (base->kind == TEX_SYMBOL && base->class == TEX_OPEN)
        return depth + 1;
    if (base->kind == TEX_SYMBOL && base->class == TEX_CLOSE && depth > 0)
        return depth - 1;
    return depth;
}

/* Lays out items [from, to) and says how wide that is; keeps it in *box if asked. */
static int line_width(const Layout *l, const TexNode *row, size_t from, size_t to, Box *box)
{
    while (from < to && row->children[from]->kind == TEX_SPACE)
        from++;
    Layout later = *l;
    later.continued = from > 0;
    Box line = lay_row(&later, row->children + from, to - from);
    int width = line.grid->cols;
    if (box)
        *box = line;
    else
        grid_free(line.grid);
    return width;
}

enum { CONTINUED = 2 }; /* blanks before the second and all later lines */

/* The formula in lines of at most width; false (and nothing kept) if one is wider. */
static bool lay_lines(const Layout *l, const TexNode *row, int width, Box *out)
{
    size_t start = 0, last = 0, apart = 0, depth = 0; /* apart: the last wide blank */
    Box all = {0};
    bool fits = true;
    for (size_t i = 1; i <= row->count && fits; i++) {
        depth = bracket_depth(row->children[i - 1], depth);
        if (i < row->count && !may_break(row->children, i, depth))
            continue;
        int indent = all.grid ? CONTINUED : 0;
        bool over = line_width(l, row, start, i, NULL) + indent > width;
        if (!over && i < row->count) {
            last = i;
            if (row->children[i]->kind == TEX_SPACE)
                apart = i;
            continue;
        }
        size_t end = !over || last <= start ? i : apart > start ? apart : last;
        Box line;
        fits = line_width(l, row, start, end, &line) + indent <= width;
        Box shift = box_new(l, 1, indent, 0);
        line = join_two(l, shift, line);
        if (all.grid) {
            Box both = box_new(l, all.grid->rows + line.grid->rows,
                               larger(all.grid->cols, line.grid->cols), all.base);
            int rows = all.grid->rows;
            put_box(both.grid, 0, 0, &all);
            put_box(both.grid, rows, 0, &line);
            line = both;
        }
        all = line;
        start = last = end;
        if (end < i) /* what did not fit begins the next line */
            i = end, depth = 0;
    }
    if (!fits || !all.grid) {
        grid_free(all.grid);
        return false;
    }
    *out = all;
    return true;
}

static Grid *lay_linear(const Tex *tex, const TexLook *look, int width)
{
    Str text = {0}, wrapped = {0};
    tex_add_linear(&text, tex, look->ascii ? TEX_ASCII : TEX_UNICODE);
    text_add_wrapped(&wrapped, str_text(&text), (size_t)width, 2);
    int rows = 1;
    for (size_t i = 0; i < wrapped.length; i++)
        rows += wrapped.data[i] == '\n';
    Grid *grid = grid_new(rows, width, look->ascii);
    const char *line = str_text(&wrapped);
    for (int i = 0; i < rows; i++) {
        size_t length = strcspn(line, "\n");
        grid_put_bytes(grid, grid_rect(grid), i, 0, line, length, ROLE_FORMULA);
        line += length + (line[length] != '\0');
    }
    str_clear(&text);
    str_clear(&wrapped);
    return grid;
}

Grid *tex_layout(const Tex *tex, const TexLook *look, int width, int *base)
{
    Layout l = {.ascii = look->ascii, .highlight = look->highlight};
    l.raised = !look->ascii && !look->tall && all_can_raise(tex->root);
    width = larger(width, 1);
    Box box = lay_node(&l, tex->root);
    if (base)
        *base = box.base;
    if (box.grid->cols <= width)
        return box.grid;
    grid_free(box.grid);
    Box lines;
    if (tex->root->kind == TEX_ROW && lay_lines(&l, tex->root, width, &lines)) {
        if (base)
            *base = lines.base;
        return lines.grid;
    }
    if (base)
        *base = 0;
    return lay_linear(tex, look, width);
}
