/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/start.h"

#include <gsl/gsl_errno.h>

#include "core/elementary.h"

void core_start(void)
{
    gsl_set_error_handler_off();
}

void core_end(void)
{
    elementary_free_cache();
}
