/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_peak.h"

#include "core/fast_kernels.h"

double fast_peak_run(size_t rounds, double *sum)
{
    const FastKernels *kernels = fast_kernels();
    *sum = kernels->spin(rounds);
    return (double)rounds * (double)kernels->spin_adds;
}
