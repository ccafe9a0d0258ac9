/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_draw: what was measured, as a grid. */
#ifndef APP_BENCH_DRAW_H
#define APP_BENCH_DRAW_H

#include <stdbool.h>

#include "app/bench.h"
#include "page/grid.h"

/* All of it, for `attnwalk bench`: tables, curves and what follows from them, at most `width`
 * columns; a new grid that the caller frees. */
Grid *bench_draw_report(const Bench *bench, int width, bool ascii);

/* What a page has room for: the curves of time and, below, what follows from them, in what
 * bench_figure_fit takes of max whatever was measured. */
Size bench_figure_fit(Size max);
void bench_figure_draw(const Bench *bench, Grid *grid, Rect area);

#endif
