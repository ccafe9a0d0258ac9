/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are read whole or refused, and written whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/file.h"
#include "io/folder.h"

/* Writes text and expects success. */
static void put(const char *path, const char *text)
{
    Error error = {0};
    if (file_write(path, text, strlen(text), &error) != STATUS_OK)
        fail_msg("%s: %s", path, error.message);
}

/* Expects that path holds text. */
static void expect(const char *path, const char *text)
{
    Str s = {0};
    Error error = {0};
    if (file_read(path, 1000000, false, &s, &error) != STATUS_OK)
        fail_msg("%s: %s", path, error.message);
    assert_string_equal(str_text(&s), text);
    str_clear(&s);
}

/* Expects that reading / writing path fails with this message. */
static void expect_unreadable(const char *path, size_t limit, bool allow_stdin, const char *message)
{
    Str s = {0};
    Error error = {0};
    assert_int_equal(file_read(path, limit, allow_stdin, &s, &error), STATUS_ERROR);
    assert_string_equal(error.message, message);
    assert_string_equal(error.file, path);
    error_clear(&error);
    str_clear(&s);
}

static void expect_unwritable(const char *path, const char *message)
{
    Error error = {0};
    assert_int_equal(file_write(path, "new", 3, &error), STATUS_ERROR);
    assert_string_equal(error.message, message);
    assert_string_equal(error.file, path);
    error_clear(&error);
}

/* Number of entries of the folder, hidden ones too. */
static size_t count_entries(void)
{
    size_t count = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void test_read(void **state)
{
    (void)state;
    put("five", "12345");
    expect("five", "12345");
    Str s = {0};
    Error error = {0};
    str_add(&s, "0");
    assert_int_equal(file_read("five", 5, false, &s, &error), STATUS_OK); /* at the limit */
    assert_string_equal(str_text(&s), "012345");
    str_clear(&s);
    expect_unreadable("five", 4, false, "too large: more than the limit of 4 bytes");
    expect_unreadable("none", 9, false, "cannot open: No such file or directory");
    expect_unreadable("five/x", 9, false, "cannot open: Not a directory");
    expect_unreadable(".", 9, true, "cannot read this: it is a directory, not a regular file");
    expect_unreadable("/dev/zero", 9, false,
                      "cannot read this: it is a device, not a regular file");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    expect_unreadable("pipe", 9, true,
                      "cannot read this: it is a named pipe, not a regular file "
                      "(use '-' for standard input)");
    expect_unreadable("-", 9, false, "cannot open: No such file or directory");
    expect_unreadable("/proc/self/environ/x", 9, false, "cannot open: Not a directory");
    unlink("pipe");
    /* a file that says it has 0 bytes but has more */
    expect_unreadable("/proc/self/maps", 9, false, "too large: more than the limit of 9 bytes");
}

static void expect_unreal(const char *path, const char *message)
{
    Str s = {0};
    Error error = {0};
    char *here = realpath(".", NULL);
    str_addf(&s, "%s/%s", here, path);
    char *full = str_take(&s);
    assert_int_equal(file_read_real(full, 9, &s, &error), STATUS_ERROR);
    assert_string_equal(error.message, message);
    assert_string_equal(error.file, full);
    error_clear(&error);
    str_clear(&s);
    free(full);
    free(here);
}

/* No link is followed, wherever on the way it stands. */
static void test_read_real(void **state)
{
    (void)state;
    assert_int_equal(mkdir("in", 0700), 0);
    put("in/five", "12345");
    assert_int_equal(symlink("five", "in/link"), 0);
    assert_int_equal(symlink("in", "folder"), 0);
    assert_int_equal(mkfifo("in/pipe", 0600), 0);
    char *full = realpath("in/five", NULL);
    Str s = {0};
    Error error = {0};
    assert_int_equal(file_read_real(full, 5, &s, &error), STATUS_OK);
    assert_string_equal(str_text(&s), "12345");
    str_clear(&s);
    assert_int_equal(file_read_real(full, 4, &s, &error), STATUS_ERROR);
    assert_string_equal(error.message, "too large: more than the limit of 4 bytes");
    error_clear(&error);
    free(full);
    expect_unreal("in/link", "cannot open: Too many levels of symbolic links");
    expect_unreal("folder/five", "cannot open: Not a directory");
    expect_unreal("in/none", "cannot open: No such file or directory");
    expect_unreal("in/five/x", "cannot open: Not a directory");
    expect_unreal("in", "cannot read this: it is a directory, not a regular file");
    expect_unreal("in/pipe", "cannot read this: it is a named pipe, not a regular file");
    unlink("in/pipe");
    unlink("in/link");
    unlink("in/five");
    unlink("folder");
    rmdir("in");
}

static void test_read_stdin(void **state)
{
    (void)state;
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a\0b", 3), 3);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    Str s = {0};
    Error error = {0};
    assert_int_equal(file_read("-", 3, true, &s, &error), STATUS_OK);
    assert_int_equal(s.length, 3);
    assert_memory_equal(s.data, "a\0b", 3);
    str_clear(&s);
    dup2(old, STDIN_FILENO);
    close(old);
}

static void test_write(void **state)
{
    (void)state;
    umask(027);
    put("new", "one");
    expect("new", "one");
    assert_int_equal(mode_of("new"), 0640); /* what the umask leaves of 0666 */
    assert_int_equal(chmod("new", 0604), 0);
    put("new", "two");
    expect("new", "two");
    assert_int_equal(mode_of("new"), 0604); /* kept */
    put("new", "");
    expect("new", "");
    umask(022);
    put("./sub", "x");
    expect("sub", "x");
    /* a link stays a link */
    assert_int_equal(symlink("new", "link"), 0);
    put("link", "three");
    expect("new", "three");
    struct stat info;
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink("new"), unlink("sub"), unlink("link");
}

static void test_write_refused(void **state)
{
    (void)state;
    put("old", "old");
    size_t before = count_entries();
    expect_unwritable(".", "cannot write: Is a directory");
    expect_unwritable("none/x", "cannot write: No such file or directory");
    expect_unwritable("old/x", "cannot write: Not a directory");
    expect_unwritable("/dev/null/x", "cannot write: Not a directory");
    expect_unwritable("", "cannot write: No such file or directory");
    expect_unwritable("/dev/full", "cannot write: No space left on device");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    expect_unwritable("dangling", "cannot write: No such file or directory");
    unlink("dangling");
    put("/dev/null", "goes nowhere");
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    expect("old", "old");
    assert_int_equal(count_entries(), before);
    unlink("old");
}

/* A disk that is full in the middle, played by a limit on file sizes. */
static void test_write_fails_half_way(void **state)
{
    (void)state;
    put("kept", "kept");
    size_t before = count_entries();
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 1000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static char big[5000];
    Error error = {0}, error_new = {0};
    Status status = file_write("kept", big, sizeof big, &error);
    Status status_new = file_write("fresh", big, sizeof big, &error_new);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, STATUS_ERROR);
    assert_int_equal(status_new, STATUS_ERROR);
    assert_string_equal(error.message, "cannot write: File too large");
    error_clear(&error);
    error_clear(&error_new);
    expect("kept", "kept");
    assert_int_equal(count_entries(), before); /* no "fresh", no temporary */
    unlink("kept");
}

/* A signal during a write: the handler removes the temporary. */
static void on_signal(int number)
{
    file_remove_temporaries();
    _exit(number == SIGXFSZ ? 0 : 1);
}

static void test_remove_temporaries(void **state)
{
    (void)state;
    put("kept", "kept");
    size_t before = count_entries();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit small = {.rlim_cur = 1000, .rlim_max = 1000};
        static char big[5000];
        Error error = {0};
        signal(SIGXFSZ, on_signal); /* comes in the middle of write */
        setrlimit(RLIMIT_FSIZE, &small);
        file_write("kept", big, sizeof big, &error);
        _exit(2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expect("kept", "kept");
    assert_int_equal(count_entries(), before);
    file_remove_temporaries(); /* with none under way: nothing happens */
    unlink("kept");
}

static void test_write_stdout(void **state)
{
    (void)state;
    int old = dup(STDOUT_FILENO), ends[2];
    bool closed = false, closed_full = false;
    Error error = {0}, error_full = {0};
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    Status good = file_write_stdout("abc", 3, &closed, &error);
    bool closed_good = closed;
    char got[4] = "";
    ssize_t count = read(ends[0], got, 3);
    close(ends[0]), close(ends[1]);
    Status broken = file_write_stdout("abc", 3, &closed, &error);
    int full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    close(full);
    Status bad = file_write_stdout("abc", 3, &closed_full, &error_full);
    dup2(old, STDOUT_FILENO);
    close(old);
    signal(SIGPIPE, handler);
    assert_int_equal(good, STATUS_OK);
    assert_false(closed_good);
    assert_int_equal(count, 3);
    assert_string_equal(got, "abc");
    assert_int_equal(broken, STATUS_OK);
    assert_true(closed);
    assert_null(error.message);
    assert_int_equal(bad, STATUS_ERROR);
    assert_false(closed_full);
    assert_string_equal(error_full.message, "cannot write: No space left on device");
    error_clear(&error_full);
}

/* Piece by piece: nothing is there before the commit, or after an abandon. */
static void test_writer(void **state)
{
    (void)state;
    FileWriter writer;
    Error error = {0};
    put("kept", "kept");
    size_t before = count_entries();
    assert_int_equal(file_writer_open(&writer, "kept", &error), STATUS_OK);
    assert_int_equal(file_writer_add(&writer, "one, ", 5, &error), STATUS_OK);
    assert_int_equal(count_entries(), before + 1);
    expect("kept", "kept");
    assert_int_equal(file_writer_add(&writer, "two", 3, &error), STATUS_OK);
    assert_true(file_writer_can_rewind(&writer));
    assert_int_equal(file_writer_rewind(&writer, &error), STATUS_OK);
    assert_int_equal(file_writer_add(&writer, "ONE", 3, &error), STATUS_OK);
    assert_int_equal(file_writer_commit(&writer, &error), STATUS_OK);
    expect("kept", "ONE, two");
    assert_int_equal(count_entries(), before);
    assert_int_equal(file_writer_open(&writer, "fresh", &error), STATUS_OK);
    assert_int_equal(file_writer_add(&writer, "half", 4, &error), STATUS_OK);
    file_writer_abandon(&writer);
    assert_int_equal(count_entries(), before);
    assert_int_equal(file_writer_open(&writer, "/dev/null", &error), STATUS_OK);
    assert_false(file_writer_can_rewind(&writer));
    assert_int_equal(file_writer_add(&writer, "gone", 4, &error), STATUS_OK);
    assert_int_equal(file_writer_commit(&writer, &error), STATUS_OK);
    assert_int_equal(file_writer_open(&writer, "none/x", &error), STATUS_ERROR);
    error_clear(&error);
    unlink("kept");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_real),
        cmocka_unit_test(test_read_stdin),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_write_refused),
        cmocka_unit_test(test_write_fails_half_way),
        cmocka_unit_test(test_remove_temporaries),
        cmocka_unit_test(test_write_stdout),
        cmocka_unit_test(test_writer),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
