/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walker_bench: the `bench` view of a step: measures this machine while the reader looks on. */
#include "app/bench_draw.h"
#include "app/walker_state.h"

/* Short enough for a class to wait for, and for a key to be answered. */
static const BenchOptions measured = {
    .d = 64, .max_n = 4096, .threads = 1, .seconds = 10, .point = 0.2,
    .forms = 1 << BENCH_SOFTMAX | 1 << BENCH_LINEAR | 1 << BENCH_DELTA};

static bool has_view(const Step *step)
{
    for (size_t b = 0; b < step->count; b++) {
        const Block *block = &step->blocks[b];
        for (size_t v = 0; block->kind == BLOCK_VIEW && v < block->view_count; v++)
            if (block->views[v].kind == VIEW_BENCH)
                return true;
    }
    return false;
}

void walker_bench(Walker *w)
{
    if (!has_view(session_step(&w->session))) {
        walker_say(w, "this step measures nothing ('attnwalk bench' does, at any time)");
        return;
    }
    bench_free(w->bench);
    w->bench = bench_new(&measured);
    w->measuring = true;
}

void walker_bench_tick(Walker *w)
{
    w->measuring = bench_step(w->bench);
}

/* ---- on the page ---- */

static Size fit(void *context, Size max)
{
    (void)context;
    return bench_figure_fit(max);
}

/* What is being done, or what can be. */
static void add_state(const Walker *w, Str *out)
{
    Input key = {0};
    action_key(ACTION_BENCH, 0, &key);
    if (w->measuring) {
        size_t count;
        bench_points(w->bench, &count);
        str_addf(out, "measuring %zu of %zu: ", count + 1, bench_planned(w->bench));
        bench_add_next(w->bench, out);
        return;
    }
    input_add_name(out, key, w->options.ascii);
    if (w->bench)
        str_add(out, " measures again");
    else
        str_addf(out, " measures this machine, up to n = %zu, for at most %.0f s", measured.max_n,
                 measured.seconds);
}

static void draw(void *context, Grid *grid, Rect area)
{
    const Walker *w = context;
    Str state = {0};
    if (w->bench)
        bench_figure_draw(w->bench, grid, area);
    add_state(w, &state);
    grid_put(grid, area, w->bench ? area.row + area.rows - 1 : area.row, area.col,
             str_text(&state), ROLE_KEYS);
    str_clear(&state);
}

Inset walker_bench_inset(Walker *w)
{
    return (Inset){w, fit, draw};
}
