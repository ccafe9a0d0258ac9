/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* O_PATH */
#include "io/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* open(), not to be put off by a signal that the program survives. */
static int open_file(const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* ---- reading ---- */

/* What a file that is not regular is called in messages. */
static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a directory";
    if (S_ISFIFO(mode))
        return "a named pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

static Status refuse_kind(const char *path, mode_t mode, bool allow_stdin, Error *error)
{
    return error_in_file(error, path, 0, 0, "cannot read this: it is %s, not a regular file%s",
                         kind_of(mode),
                         allow_stdin && !S_ISDIR(mode) ? " (use '-' for standard input)" : "");
}

static Status refuse_size(const char *name, size_t limit, Error *error)
{
    return error_in_file(error, name, 0, 0, "too large: more than the limit of %zu bytes", limit);
}

/* Opens the absolute path, whose parts are never links; -1 with errno set if one is. */
static int open_real(const char *path, int flags)
{
    int folder = open_file("/", O_PATH | O_DIRECTORY, 0);
    while (folder >= 0) {
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        bool last = !path[length];
        char *name = memory_copy_slice(path, length);
        int fd, kind = last ? flags : O_PATH | O_DIRECTORY;
        do
            fd = openat(folder, name, kind | O_NOFOLLOW | O_CLOEXEC);
        while (fd < 0 && errno == EINTR);
        int code = errno;
        free(name);
        close(folder);
        errno = code;
        if (last)
            return fd;
        folder = fd;
        path += length;
    }
    return -1;
}

/* How a file is opened for reading. */
typedef enum {
    OPEN_USUAL,
    OPEN_OR_STDIN, /* the message about another kind of file says how "-" is meant */
    OPEN_REAL      /* the path is one that realpath gave: no link is followed */
} OpenHow;

/* Opens the regular file at path; *info is what is known of it. */
static Status open_regular(const char *path, OpenHow how, int *out, struct stat *info,
                           Error *error)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
    const bool allow_stdin = how == OPEN_OR_STDIN;
    if (stat(path, info) != 0)
        return error_in_file(error, path, 0, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(info->st_mode)) /* before open: opening a device may already act */
        return refuse_kind(path, info->st_mode, allow_stdin, error);
    int fd = how == OPEN_REAL ? open_real(path, flags) : open_file(path, flags, 0);
    if (fd < 0)
        return error_in_file(error, path, 0, 0, "cannot open: %s", strerror(errno));
    Status status = STATUS_OK;
    if (fstat(fd, info) != 0)
        status = error_in_file(error, path, 0, 0, "cannot read: %s", strerror(errno));
    else if (!S_ISREG(info->st_mode)) /* replaced since stat */
        status = refuse_kind(path, info->st_mode, allow_stdin, error);
    *out = fd;
    if (status != STATUS_OK)
        close(fd);
    return status;
}

static Status open_reader(FileReader *reader, const char *path, OpenHow how, Error *error)
{
    *reader = (FileReader){.name = path, .fd = STDIN_FILENO};
    if (how == OPEN_OR_STDIN && text_equal(path, "-")) {
        reader->name = "<stdin>";
        return STATUS_OK;
    }
    struct stat info;
    if (open_regular(path, how, &reader->fd, &info, error) != STATUS_OK)
        return STATUS_ERROR;
    reader->size = info.st_size > 0 ? (size_t)info.st_size : 0;
    return STATUS_OK;
}

Status file_reader_open(FileReader *reader, const char *path, bool allow_stdin, Error *error)
{
    return open_reader(reader, path, allow_stdin ? OPEN_OR_STDIN : OPEN_USUAL, error);
}

Status file_reader_next(const FileReader *reader, char *bytes, size_t room, size_t *got,
                        Error *error)
{
    ssize_t count;
    do
        count = read(reader->fd, bytes, room);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return error_in_file(error, reader->name, 0, 0, "cannot read: %s", strerror(errno));
    *got = (size_t)count;
    return STATUS_OK;
}

void file_reader_close(FileReader *reader)
{
    if (reader->fd != STDIN_FILENO)
        close(reader->fd);
}

/* Most bytes of a regular file that says it has none: some under /proc never end. */
enum { UNSIZED_MAX_BYTES = 64 << 20 };

static Status read_whole(const char *path, size_t limit, OpenHow how, Str *out, Error *error)
{
    FileReader reader;
    if (open_reader(&reader, path, how, error) != STATUS_OK)
        return STATUS_ERROR;
    if (reader.fd != STDIN_FILENO && reader.size == 0 && limit > UNSIZED_MAX_BYTES)
        limit = UNSIZED_MAX_BYTES;
    char block[16384];
    size_t total = 0, got = 1;
    Status status = STATUS_OK;
    if (reader.size > limit)
        status = refuse_size(reader.name, limit, error);
    while (status == STATUS_OK && got > 0) {
        status = file_reader_next(&reader, block, sizeof block, &got, error);
        if (status == STATUS_OK && got > limit - total)
            status = refuse_size(reader.name, limit, error);
        if (status == STATUS_OK)
            str_add_bytes(out, block, got);
        total += got;
    }
    file_reader_close(&reader);
    return status;
}

Status file_read(const char *path, size_t limit, bool allow_stdin, Str *out, Error *error)
{
    return read_whole(path, limit, allow_stdin ? OPEN_OR_STDIN : OPEN_USUAL, out, error);
}

Status file_read_real(const char *path, size_t limit, Str *out, Error *error)
{
    return read_whole(path, limit, OPEN_REAL, out, error);
}

/* ---- temporaries under way ---- */

/* The names of temporaries that exist now, for file_remove_temporaries.  Slots
 * are taken and given back atomically, so a handler always sees whole names. */
enum { TEMPORARIES_MAX = 16 };
static _Atomic(char *) temporaries[TEMPORARIES_MAX];

static void temporary_note(char *name)
{
    for (size_t i = 0; i < TEMPORARIES_MAX; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&temporaries[i], &none, name))
            return;
    }
    assert(!"more files being written at once than TEMPORARIES_MAX");
}

static void temporary_forget(char *name)
{
    for (size_t i = 0; i < TEMPORARIES_MAX; i++) {
        char *expected = name;
        if (atomic_compare_exchange_strong(&temporaries[i], &expected, NULL))
            return;
    }
}

void file_remove_temporaries(void)
{
    for (size_t i = 0; i < TEMPORARIES_MAX; i++) {
        char *name = atomic_load(&temporaries[i]);
        if (name)
            unlink(name);
    }
}

/* ---- writing ---- */

/* Writes all bytes to fd; false with errno set on failure. */
static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd wait = {.fd = fd, .events = POLLOUT};
            if (poll(&wait, 1, -1) < 0 && errno != EINTR)
                return false;
            continue;
        }
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

static Status refuse_write(const char *path, int code, Error *error)
{
    return error_in_file(error, path, 0, 0, "cannot write: %s", strerror(code));
}

/* Opens a new file of that name and notes it: no signal comes in between. */
static int open_noted(char *name)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int fd = open_file(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    int code = errno;
    if (fd >= 0)
        temporary_note(name);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return fd;
}

/* Makes a new file beside target, its permissions left to the umask; *name is
 * its path, noted as a temporary.  -1 with errno set on failure. */
static int open_temporary(const char *target, char **name)
{
    static atomic_ulong serial;
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    for (int tries = 0; tries < 1000; tries++) {
        unsigned long n = (unsigned long)getpid() * 1009 + atomic_fetch_add(&serial, 1);
        Str s = {0};
        str_add_bytes(&s, target, folder);
        str_addf(&s, ".attnwalk-%06lx", n);
        *name = str_take(&s);
        int fd = open_noted(*name);
        if (fd >= 0)
            return fd;
        int code = errno;
        free(*name);
        *name = NULL;
        errno = code;
        if (code != EEXIST)
            return -1;
    }
    return -1;
}

/* Opens what is to be written for target; returns 0 or the errno of what failed.  A regular
 * file, or none, is replaced by way of a temporary that takes over its mode; a device or a
 * named pipe is written directly. */
static int open_target(FileWriter *writer, const struct stat *info)
{
    if (info && S_ISDIR(info->st_mode))
        return EISDIR;
    if (info && !S_ISREG(info->st_mode)) {
        writer->fd = open_file(writer->target, O_WRONLY | O_NOCTTY, 0);
        return writer->fd < 0 ? errno : 0;
    }
    if (info && access(writer->target, W_OK) != 0) /* rename would replace a read-only file */
        return errno;
    writer->fd = open_temporary(writer->target, &writer->temporary);
    if (writer->fd < 0)
        return errno;
    return info && fchmod(writer->fd, info->st_mode & 07777) != 0 ? errno : 0;
}

static void writer_clear(FileWriter *writer)
{
    if (writer->temporary)
        temporary_forget(writer->temporary);
    free(writer->temporary);
    free(writer->target);
    *writer = (FileWriter){.fd = -1};
}

Status file_writer_open(FileWriter *writer, const char *path, Error *error)
{
    *writer = (FileWriter){.path = path, .fd = STDOUT_FILENO};
    if (!path)
        return STATUS_OK;
    struct stat info;
    bool exists = lstat(path, &info) == 0;
    int code = exists || errno == ENOENT ? 0 : errno;
    /* Through a link the file it names is replaced, not the link. */
    if (exists && S_ISLNK(info.st_mode)) {
        writer->target = realpath(path, NULL);
        if (!writer->target || stat(writer->target, &info) != 0)
            code = errno;
    } else {
        writer->target = memory_copy_text(path);
    }
    writer->fd = -1;
    if (code == 0)
        code = open_target(writer, exists ? &info : NULL);
    if (code == 0)
        return STATUS_OK;
    file_writer_abandon(writer);
    return refuse_write(path, code, error);
}

Status file_writer_add(FileWriter *writer, const char *bytes, size_t length, Error *error)
{
    if (!writer->path)
        return writer->closed
                   ? STATUS_OK
                   : file_write_stdout(bytes, length, &writer->closed, error);
    if (write_all(writer->fd, bytes, length))
        return STATUS_OK;
    return refuse_write(writer->path, errno, error);
}

bool file_writer_can_rewind(const FileWriter *writer)
{
    return writer->temporary;
}

Status file_writer_rewind(FileWriter *writer, Error *error)
{
    assert(writer->temporary);
    if (lseek(writer->fd, 0, SEEK_SET) == 0)
        return STATUS_OK;
    return refuse_write(writer->path, errno, error);
}

Status file_writer_commit(FileWriter *writer, Error *error)
{
    const char *path = writer->path;
    int code = 0;
    if (path && close(writer->fd) != 0)
        code = errno; /* some file systems report a full disk only here */
    if (writer->temporary && code == 0 && rename(writer->temporary, writer->target) != 0)
        code = errno;
    if (writer->temporary && code != 0)
        unlink(writer->temporary);
    writer_clear(writer);
    return code ? refuse_write(path, code, error) : STATUS_OK;
}

void file_writer_abandon(FileWriter *writer)
{
    if (writer->path && writer->fd >= 0)
        close(writer->fd);
    if (writer->temporary)
        unlink(writer->temporary);
    writer_clear(writer);
}

Status file_write(const char *path, const char *bytes, size_t length, Error *error)
{
    FileWriter writer;
    if (file_writer_open(&writer, path, error) != STATUS_OK)
        return STATUS_ERROR;
    if (file_writer_add(&writer, bytes, length, error) == STATUS_OK)
        return file_writer_commit(&writer, error);
    file_writer_abandon(&writer);
    return STATUS_ERROR;
}

Status file_write_stdout(const char *bytes, size_t length, bool *closed, Error *error)
{
    if (write_all(STDOUT_FILENO, bytes, length))
        return STATUS_OK;
    if (errno == EPIPE) {
        *closed = true;
        return STATUS_OK;
    }
    return refuse_write("<stdout>", errno, error);
}
