/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/start.h"

#include <gmp.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "core/elementary.h"

/* Where GSL looks at no result of its own allocations this is the last chance to. */
static void meet_gsl_error(const char *reason, const char *file, int line, int code)
{
    (void)reason;
    (void)file;
    (void)line;
    if (code == GSL_ENOMEM)
        memory_exhausted();
}

static void *resize(void *p, size_t before, size_t size)
{
    (void)before;
    return memory_resize(p, size, 1);
}

static void release(void *p, size_t size)
{
    (void)size;
    free(p);
}

void core_start(void)
{
    gsl_set_error_handler(meet_gsl_error);
    mp_set_memory_functions(memory_alloc, resize, release);
}

void core_end(void)
{
    elementary_free_cache();
}
