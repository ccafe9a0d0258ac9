/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

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

/* Appends what is left to read from fd, at most limit bytes. */
static Status read_all(int fd, const char *name, size_t limit, Str *out, Error *error)
{
    char block[16384];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(fd, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_in_file(error, name, 0, 0, "cannot read: %s", strerror(errno));
        if (got == 0)
            return STATUS_OK;
        if ((size_t)got > limit - total)
            return refuse_size(name, limit, error);
        total += (size_t)got;
        str_add_bytes(out, block, (size_t)got);
    }
}

Status file_read(const char *path, size_t limit, bool allow_stdin, Str *out, Error *error)
{
    if (allow_stdin && text_equal(path, "-"))
        return read_all(STDIN_FILENO, "<stdin>", limit, out, error);
    struct stat info;
    if (stat(path, &info) != 0)
        return error_in_file(error, path, 0, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(info.st_mode)) /* before open: opening a device may already act */
        return refuse_kind(path, info.st_mode, allow_stdin, error);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return error_in_file(error, path, 0, 0, "cannot open: %s", strerror(errno));
    Status status;
    if (fstat(fd, &info) != 0)
        status = error_in_file(error, path, 0, 0, "cannot read: %s", strerror(errno));
    else if (!S_ISREG(info.st_mode)) /* replaced since stat */
        status = refuse_kind(path, info.st_mode, allow_stdin, error);
    else if (info.st_size > 0 && (uintmax_t)info.st_size > limit)
        status = refuse_size(path, limit, error);
    else
        status = read_all(fd, path, limit, out, error);
    close(fd);
    return status;
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
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            temporary_note(*name);
            return fd;
        }
        int code = errno;
        free(*name);
        *name = NULL;
        errno = code;
        if (code != EEXIST)
            return -1;
    }
    return -1;
}

/* Writes by way of a temporary; keep_mode is the mode of the file to be
 * replaced, or NULL.  Returns 0 or the errno of what failed. */
static int replace(const char *target, const mode_t *keep_mode, const char *bytes, size_t length)
{
    char *name = NULL;
    int fd = open_temporary(target, &name);
    if (fd < 0)
        return errno;
    int code = 0;
    if ((keep_mode && fchmod(fd, *keep_mode & 07777) != 0) || !write_all(fd, bytes, length))
        code = errno;
    if (close(fd) != 0 && code == 0)
        code = errno; /* some file systems report a full disk only here */
    if (code == 0 && rename(name, target) != 0)
        code = errno;
    if (code != 0)
        unlink(name);
    temporary_forget(name);
    free(name);
    return code;
}

/* Writes into a device or a named pipe that exists. */
static int write_directly(const char *path, const char *bytes, size_t length)
{
    int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int code = write_all(fd, bytes, length) ? 0 : errno;
    if (close(fd) != 0 && code == 0)
        code = errno;
    return code;
}

Status file_write(const char *path, const char *bytes, size_t length, Error *error)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        int code = errno == ENOENT ? replace(path, NULL, bytes, length) : errno;
        return code ? refuse_write(path, code, error) : STATUS_OK;
    }
    /* Through a link the file it names is replaced, not the link. */
    char *target = S_ISLNK(info.st_mode) ? realpath(path, NULL) : memory_copy_text(path);
    if (!target || stat(target, &info) != 0) {
        int code = errno;
        free(target);
        return refuse_write(path, code, error);
    }
    int code;
    if (S_ISDIR(info.st_mode))
        code = EISDIR;
    else if (!S_ISREG(info.st_mode))
        code = write_directly(target, bytes, length);
    else if (access(target, W_OK) != 0) /* rename alone would replace a read-only file */
        code = errno;
    else
        code = replace(target, &info.st_mode, bytes, length);
    free(target);
    return code ? refuse_write(path, code, error) : STATUS_OK;
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
