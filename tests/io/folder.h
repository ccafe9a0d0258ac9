/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder: a folder of the test's own to write into, as a group's setup and teardown.  Include
 * <cmocka.h> and what it needs first. */
#ifndef TESTS_IO_FOLDER_H
#define TESTS_IO_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/attnwalk-io-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

#endif
