/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder: a folder that a command fills with files. */
#ifndef APP_FOLDER_H
#define APP_FOLDER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

/* Makes sure that path is a folder that may be filled: made now, or there and empty,
 * or (force) there at all. */
Status folder_prepare(const char *path, bool force, Error *error);

/* Makes the folder path/name unless it is there. */
Status folder_make_inner(const char *path, const char *name, Error *error);

/* Writes text to the file path/name, whole or not at all. */
Status folder_write(const char *path, const char *name, const Str *text, Error *error);

/* Removes the file path/name if it is there. */
Status folder_remove(const char *path, const char *name, Error *error);

#endif
