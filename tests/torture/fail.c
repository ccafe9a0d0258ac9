/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fail: makes one call of one class fail, in whatever program this is preloaded into.
 *
 * The environment says which: TORTURE_CLASS is a name of the table below, TORTURE_AT the
 * number of the call that fails, counted from 1 and from the first call after the libraries'
 * own start (0: none, calls are only counted), TORTURE_LASTING that the calls after it fail
 * as well, TORTURE_FROM that of allocations only those of the library of that name count.
 * TORTURE_COUNTS is a file of the size of Counts that is mapped and holds the
 * number of calls and of failures at any time, however the program ends, and what failed
 * first: "rename /tmp/a", or "malloc libgsl.so.27 gsl_vector_alloc" after who asked.
 *
 * What libc calls within itself is not seen, but for the heap: there malloc and its kin are
 * found by name. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- which call fails ---- */

typedef enum { ALLOC, OPEN, READ, WRITE, SHORT, INTERRUPT, CLOSE, STAT, CHANGE } Class;

/* What a failing call of each class says. */
static const struct {
    const char *name;
    int error;
} classes[] = {
    [ALLOC] = {"alloc", ENOMEM},       [OPEN] = {"open", EMFILE},
    [READ] = {"read", EIO},            [WRITE] = {"write", ENOSPC},
    [SHORT] = {"short", 0},            [INTERRUPT] = {"interrupt", EINTR},
    [CLOSE] = {"close", ENOSPC},       [STAT] = {"stat", EIO},
    [CHANGE] = {"change", EDQUOT},
};

typedef struct {
    atomic_ulong calls, failures;
    char first[240];
} Counts;

static Counts own_counts, *counts = &own_counts;
static int wanted = -1; /* the class, -1 before the start */
static unsigned long at;
static bool lasting;
static const char *wanted_library;

static void note(const char *text)
{
    size_t length = strlen(counts->first);
    if (length && length + 1 < sizeof counts->first)
        counts->first[length++] = ' ';
    for (; *text && length + 1 < sizeof counts->first; text++)
        counts->first[length++] = *text;
}

/* True if this call of a function, of a class, is to fail; errno is set then.  about and more
 * (NULL: nothing) are what is noted of it. */
static bool fails(Class class, const char *name, const char *about, const char *more)
{
    if ((int)class != wanted)
        return false;
    unsigned long number = atomic_fetch_add(&counts->calls, 1) + 1;
    if (at == 0 || (lasting ? number < at : number != at))
        return false;
    if (atomic_fetch_add(&counts->failures, 1) == 0) {
        note(name);
        note(about);
        if (more)
            note(more);
    }
    errno = classes[class].error;
    return true;
}

__attribute__((constructor)) static void begin(void)
{
    const char *class = getenv("TORTURE_CLASS"), *number = getenv("TORTURE_AT");
    const char *path = getenv("TORTURE_COUNTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *map = mmap(NULL, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED)
            counts = map;
        close(fd);
    }
    at = number ? strtoul(number, NULL, 10) : 0;
    lasting = getenv("TORTURE_LASTING");
    wanted_library = getenv("TORTURE_FROM");
    for (size_t i = 0; class && i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, class) == 0)
            wanted = (int)i;
}

/* ---- the heap: glibc's own functions by their other names, which need no looking up ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* The same for an allocation that returns to address. */
static bool heap_fails(const char *name, const void *address)
{
    Dl_info info;
    if (wanted != ALLOC)
        return false;
    if (!dladdr(address, &info) || !info.dli_fname)
        return fails(ALLOC, name, "?", NULL);
    const char *slash = strrchr(info.dli_fname, '/');
    const char *library = slash ? slash + 1 : info.dli_fname;
    if (wanted_library && strncmp(library, wanted_library, strlen(wanted_library)) != 0)
        return false;
    return fails(ALLOC, name, library, info.dli_sname);
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return heap_fails("malloc", CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return heap_fails("calloc", CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return heap_fails("realloc", CALLER) ? NULL : __libc_realloc(p, size);
}

void *reallocarray(void *p, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, count * size);
}

void *memalign(size_t alignment, size_t size)
{
    return heap_fails("memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return heap_fails("aligned_alloc", CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *p = heap_fails("posix_memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

/* ---- files ---- */

/* The function that this one stands before. */
static void *behind(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

/* A function of the given name that fails when its turn comes, and otherwise is itself;
 * object says what it is about. */
#define STAND_BEFORE(class, type, failure, name, object, parameters, arguments)             \
    type name parameters                                                                    \
    {                                                                                       \
        static type(*next) parameters;                                                      \
        if (!next)                                                                          \
            *(void **)&next = behind(#name);                                                \
        return fails(class, #name, object, NULL) ? failure : next arguments;                      \
    }

STAND_BEFORE(OPEN, FILE *, NULL, fopen, path, (const char *path, const char *mode), (path, mode))
STAND_BEFORE(OPEN, FILE *, NULL, fdopen, "", (int fd, const char *mode), (fd, mode))
STAND_BEFORE(OPEN, DIR *, NULL, opendir, path, (const char *path), (path))
STAND_BEFORE(OPEN, int, -1, shm_open, path, (const char *path, int flags, mode_t mode),
             (path, flags, mode))
STAND_BEFORE(OPEN, int, -1, dup, "", (int fd), (fd))
STAND_BEFORE(OPEN, int, -1, dup2, "", (int fd, int as), (fd, as))
STAND_BEFORE(READ, struct dirent *, NULL, readdir, "", (DIR * folder), (folder))
STAND_BEFORE(READ, ssize_t, -1, pread, "", (int fd, void *bytes, size_t size, off_t from),
             (fd, bytes, size, from))
STAND_BEFORE(STAT, int, -1, stat, path, (const char *path, struct stat *info), (path, info))
STAND_BEFORE(STAT, int, -1, lstat, path, (const char *path, struct stat *info), (path, info))
STAND_BEFORE(STAT, int, -1, fstat, "", (int fd, struct stat *info), (fd, info))
STAND_BEFORE(STAT, int, -1, access, path, (const char *path, int mode), (path, mode))
STAND_BEFORE(STAT, char *, NULL, realpath, path, (const char *path, char *out), (path, out))
STAND_BEFORE(STAT, off_t, -1, lseek, "", (int fd, off_t to, int from), (fd, to, from))
STAND_BEFORE(CHANGE, int, -1, mkdir, path, (const char *path, mode_t mode), (path, mode))
STAND_BEFORE(CHANGE, int, -1, rename, to, (const char *from, const char *to), (from, to))
STAND_BEFORE(CHANGE, int, -1, unlink, path, (const char *path), (path))
STAND_BEFORE(CHANGE, int, -1, fchmod, "", (int fd, mode_t mode), (fd, mode))
STAND_BEFORE(CHANGE, int, -1, ftruncate, "", (int fd, off_t size), (fd, size))

/* What close has to answer for. */
static atomic_bool written[1024];

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (!next)
        *(void **)&next = behind("open");
    if (fails(INTERRUPT, "open", path, NULL) || fails(OPEN, "open", path, NULL))
        return -1;
    return next(path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    static ssize_t (*next)(int, void *, size_t);
    if (!next)
        *(void **)&next = behind("read");
    if (fails(INTERRUPT, "read", "", NULL) || fails(READ, "read", "", NULL))
        return -1;
    return next(fd, bytes, size > 1 && fails(SHORT, "half", "", NULL) ? size / 2 : size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static ssize_t (*next)(int, const void *, size_t);
    if (!next)
        *(void **)&next = behind("write");
    if (fails(INTERRUPT, "write", "", NULL) || fails(WRITE, "write", "", NULL))
        return -1;
    if (fd >= 0 && fd < (int)(sizeof written / sizeof *written))
        written[fd] = true;
    return next(fd, bytes, size > 1 && fails(SHORT, "half", "", NULL) ? size / 2 : size);
}

/* Closed all the same, as the kernel does. */
int close(int fd)
{
    static int (*next)(int);
    if (!next)
        *(void **)&next = behind("close");
    bool is_written = fd >= 0 && fd < (int)(sizeof written / sizeof *written) &&
                      atomic_exchange(&written[fd], false);
    int status = next(fd);
    return fails(CLOSE, "close", is_written ? "written" : "read", NULL) ? -1 : status;
}
