/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fast_level.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/fast_kernels.h"

extern const FastKernels fast_kernels_portable;
#ifdef FAST_HAS_LEVELS
extern const FastKernels fast_kernels_v3, fast_kernels_v4;
#endif

static const struct {
    const char *name;
    const FastKernels *kernels; /* NULL: not in this program */
} levels[FAST_LEVELS] = {
    [FAST_PORTABLE] = {"portable", &fast_kernels_portable},
#ifdef FAST_HAS_LEVELS
    [FAST_V3] = {"x86-64-v3", &fast_kernels_v3},
    [FAST_V4] = {"x86-64-v4", &fast_kernels_v4},
#else
    [FAST_V3] = {"x86-64-v3", NULL},
    [FAST_V4] = {"x86-64-v4", NULL},
#endif
};

static FastLevel current = FAST_LEVELS; /* not chosen yet */

bool fast_level_supported(FastLevel level)
{
    if (level == FAST_PORTABLE)
        return true;
#ifdef FAST_HAS_LEVELS
    __builtin_cpu_init();
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (level == FAST_V3)
        return v3;
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

FastLevel fast_level(void)
{
    if (current == FAST_LEVELS)
        for (current = FAST_LEVELS - 1; !fast_level_supported(current);)
            current--;
    return current;
}

void fast_level_set(FastLevel level)
{
    assert(fast_level_supported(level));
    current = level;
}

const char *fast_level_name(FastLevel level)
{
    return levels[level].name;
}

bool fast_level_find(const char *name, FastLevel *level)
{
    for (FastLevel i = 0; i < FAST_LEVELS; i++)
        if (fast_level_supported(i) && text_equal(levels[i].name, name)) {
            *level = i;
            return true;
        }
    return false;
}

const FastKernels *fast_kernels(void)
{
    return levels[fast_level()].kernels;
}

double *fast_align(double *base)
{
    uintptr_t address = (uintptr_t)base;
    return base + ((64 - address % 64) % 64) / sizeof *base;
}
