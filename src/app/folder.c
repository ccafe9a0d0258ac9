/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/folder.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

static Status refuse(const char *path, const char *what, Error *error)
{
    return error_in_file(error, path, 0, 0, "%s: %s", what, strerror(errno));
}

/* Makes path unless it is a folder already; *made says which. */
static Status make(const char *path, bool *made, Error *error)
{
    *made = mkdir(path, 0777) == 0;
    if (*made)
        return STATUS_OK;
    struct stat info;
    if (errno != EEXIST)
        return refuse(path, "cannot make this folder", error);
    if (stat(path, &info) != 0)
        return refuse(path, "cannot open", error);
    if (!S_ISDIR(info.st_mode))
        return error_in_file(error, path, 0, 0, "this is not a folder");
    return STATUS_OK;
}

static Status check_empty(const char *path, Error *error)
{
    DIR *folder = opendir(path);
    if (!folder)
        return refuse(path, "cannot open", error);
    bool empty = true;
    struct dirent *entry;
    errno = 0;
    while (empty && (entry = readdir(folder)))
        empty = text_equal(entry->d_name, ".") || text_equal(entry->d_name, "..");
    Status status = empty && errno ? refuse(path, "cannot read", error) : STATUS_OK;
    closedir(folder);
    if (empty)
        return status;
    return error_in_file(error, path, 0, 0,
                         "this folder is not empty (--force writes into it all the same)");
}

Status folder_prepare(const char *path, bool force, Error *error)
{
    bool made;
    if (make(path, &made, error))
        return STATUS_ERROR;
    return made || force ? STATUS_OK : check_empty(path, error);
}

static void join(Str *out, const char *path, const char *name)
{
    str_addf(out, "%s/%s", path, name);
}

Status folder_make_inner(const char *path, const char *name, Error *error)
{
    Str full = {0};
    bool made;
    join(&full, path, name);
    Status status = make(str_text(&full), &made, error);
    str_clear(&full);
    return status;
}

Status folder_write(const char *path, const char *name, const Str *text, Error *error)
{
    Str full = {0};
    join(&full, path, name);
    Status status = file_write(str_text(&full), str_text(text), text->length, error);
    str_clear(&full);
    return status;
}

Status folder_remove(const char *path, const char *name, Error *error)
{
    Str full = {0};
    join(&full, path, name);
    Status status = STATUS_OK;
    if (unlink(str_text(&full)) != 0 && errno != ENOENT)
        status = refuse(str_text(&full), "cannot remove", error);
    str_clear(&full);
    return status;
}
