/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw_plot: the view `plot`: its first argument is the x of the others. */
#include <stdlib.h>

#include "base/memory.h"
#include "page/draw_curves.h"
#include "page/draw_figure.h"

static const Matrix *numbers_of(const ShownList *list, size_t i)
{
    const Value *v = i < list->count ? list->items[i].value : NULL;
    return v && v->kind == VALUE_MATRIX ? value_matrix(v) : NULL;
}

static char *name_of(const Shown *shown)
{
    Str text = {0};
    if (shown->expr)
        expr_add_text(&text, shown->expr);
    return str_take(&text);
}

/* Argument i of list over its first. */
static Curve curve_of(const ShownList *list, size_t i, const char *name)
{
    const Matrix *x = numbers_of(list, 0), *y = numbers_of(list, i);
    return (Curve){name, x ? x->cells : NULL, y ? y->cells : NULL, x ? matrix_count(x) : 0,
                   y ? matrix_count(y) : 0};
}

Size plot_fit(const Figure *figure, const DrawContext *context, Size max)
{
    (void)figure;
    (void)context;
    return curves_fit(max);
}

void plot_draw(const Figure *figure, const DrawContext *context, Grid *grid, Rect area)
{
    const ShownList *shown = &figure->shown, *later = &figure->later;
    (void)context;
    if (shown->count == 0)
        return;
    Curve *items = memory_zeros(shown->count + later->count, sizeof *items);
    char **names = memory_zeros(shown->count, sizeof *names);
    Curves curves = {.items = items,
                     .count = shown->count - 1,
                     .unseen = later->count > 0 ? later->count - 1 : 0,
                     .log_x = figure->view->log_x,
                     .log_y = figure->view->log_y};
    for (size_t i = 0; i < shown->count; i++)
        names[i] = name_of(&shown->items[i]);
    curves.x_name = names[0];
    for (size_t i = 0; i < curves.count; i++)
        items[i] = curve_of(shown, i + 1, names[i + 1]);
    for (size_t i = 0; i < curves.unseen; i++)
        items[curves.count + i] = curve_of(later, i + 1, "");
    curves_draw(&curves, grid, area);
    for (size_t i = 0; i < shown->count; i++)
        free(names[i]);
    free(names);
    free(items);
}
