/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_panel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

PanelState panel_state_new(size_t f, size_t d_v, size_t panel_cols, const Matrix *S)
{
    assert(!S || (S->rows == f && S->cols == d_v));
    PanelState state = {.f = f, .d_v = d_v};
    state.panel_cols = panel_cols ? panel_cols : fast_round_up(d_v ? d_v : 1);
    state.panels = d_v ? (d_v + state.panel_cols - 1) / state.panel_cols : 1;
    state.memory = memory_zeros(state.panels * f * state.panel_cols + 8, sizeof *state.memory);
    state.S = fast_align(state.memory);
    if (!S)
        return state;
    for (size_t i = 0; i < f; i++)
        for (size_t c = 0; c < d_v; c++) {
            size_t panel = c / state.panel_cols;
            state.S[(panel * f + i) * state.panel_cols + c % state.panel_cols] = matrix_at(S, i, c);
        }
    return state;
}

void panel_state_clear(PanelState *state)
{
    free(state->memory);
    *state = (PanelState){0};
}

Matrix *panel_state_matrix(const PanelState *state)
{
    Matrix *S = matrix_new(state->f, state->d_v);
    double *cells = matrix_fill(S);
    for (size_t i = 0; i < state->f; i++)
        for (size_t c = 0; c < state->d_v; c++) {
            size_t panel = c / state->panel_cols;
            *cells++ = state->S[(panel * state->f + i) * state->panel_cols + c % state->panel_cols];
        }
    return S;
}

typedef struct {
    PanelKernel kernel;
    const void *job;
    size_t panels, parts;
    double *scratch;
    size_t room;
} Run;

static void run_part(void *argument, size_t index, size_t worker)
{
    const Run *run = argument;
    size_t first = run->panels * index / run->parts, last = run->panels * (index + 1) / run->parts;
    run->kernel(run->job, first, last, run->scratch + worker * run->room);
}

void panel_run(Pool *pool, size_t panels, PanelKernel kernel, const void *job, size_t room)
{
    size_t threads = pool_threads(pool);
    Run run = {.kernel = kernel, .job = job, .panels = panels, .room = fast_round_up(room)};
    run.parts = threads < panels ? threads : panels;
    double *memory = memory_zeros(threads * run.room + 8, sizeof *memory);
    run.scratch = fast_align(memory);
    pool_run(pool, run.parts, run_part, &run);
    free(memory);
}
