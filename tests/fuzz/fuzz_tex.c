/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas: the tree, the linear forms, the layouts at several widths. */
#include "fuzz.h"
#include "page/grid.h"
#include "page/tex.h"
#include "page/tex_layout.h"

static void try_linear(const Tex *tex)
{
    for (TexStyle style = TEX_UNICODE; style <= TEX_ASCII; style++) {
        Str out = {0};
        tex_add_linear(&out, tex, style);
        fuzz_demand_visible(&out, "a linear formula has no control characters");
        str_clear(&out);
    }
}

static void try_layout(const Tex *tex, int width)
{
    static const TexLook looks[] = {{0}, {.tall = true, .highlight = "a"}, {.ascii = true}};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        int base = -1;
        Str out = {0};
        Grid *grid = tex_layout(tex, &looks[i], width, &base);
        fuzz_demand(grid->cols <= width || width < 2, "a formula is as wide as it may be");
        fuzz_demand(base >= 0 && (base < grid->rows || grid->rows == 0),
                    "the baseline is in the grid");
        grid_add_text(&out, grid);
        fuzz_demand_visible(&out, "a layout has no control characters");
        str_clear(&out);
        grid_free(grid);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Tex *tex = tex_parse((const char *)data, size);
    for (size_t i = 0; i < tex->problem_count; i++) {
        Span span = tex->problems[i].span;
        fuzz_demand(span.start <= span.end && span.end <= size, "a problem lies in the formula");
        fuzz_demand(*tex->problems[i].message, "a problem has a message");
    }
    try_linear(tex);
    try_layout(tex, 60);
    try_layout(tex, 7);
    try_layout(tex, 1);
    tex_free(tex);
    return 0;
}
