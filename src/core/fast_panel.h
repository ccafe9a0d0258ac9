/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_panel: a state S (f,d_v) as the kernels hold it, and a job's panels shared among threads.
 *
 * Recurrent kernels hold S in panels of panel_cols columns, the chunked forms as rows of
 * fast_round_up(d_v): the same thing with one panel.  For the fast_*.c files only. */
#ifndef CORE_FAST_PANEL_H
#define CORE_FAST_PANEL_H

#include "core/fast_kernels.h"
#include "core/matrix.h"
#include "core/pool.h"

typedef struct {
    size_t f, d_v;
    size_t panel_cols, panels;
    double *memory; /* owned */
    double *S;      /* (panels, f, panel_cols), on a boundary of 64 bytes */
} PanelState;

/* S (f,d_v) or NULL: zeros; panel_cols == 0: one panel. */
PanelState panel_state_new(size_t f, size_t d_v, size_t panel_cols, const Matrix *S);
void panel_state_clear(PanelState *state);

/* The state as a matrix (f,d_v): a new reference. */
Matrix *panel_state_matrix(const PanelState *state);

/* Runs kernel(job, first, last, scratch) on all panels, shared among the pool's threads;
 * scratch has room doubles a thread. */
typedef void (*PanelKernel)(const void *job, size_t first, size_t last, double *scratch);
void panel_run(Pool *pool, size_t panels, PanelKernel kernel, const void *job, size_t room);

#endif
