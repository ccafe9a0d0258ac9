/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/cases.h"

#include <sys/stat.h>
#include <unistd.h>

#include "lesson/find.h"
#include "lesson/lesson.h"

/* A folder with two beside each other, home/ and work/, and what is in them. */
static char *make_folder(void)
{
    Str path = {0};
    const char *tmp = getenv("TMPDIR");
    str_addf(&path, "%s/attnwalk-find-XXXXXX", tmp ? tmp : "/tmp");
    char *folder = str_take(&path);
    assert_non_null(mkdtemp(folder));
    return folder;
}

static char *join(const char *folder, const char *name)
{
    Str path = {0};
    str_addf(&path, "%s/%s", folder, name);
    return str_take(&path);
}

static void make_dir(const char *root, const char *name)
{
    char *path = join(root, name);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

static void make_file(const char *root, const char *name, const char *text)
{
    char *path = join(root, name);
    Error error = {0};
    assert_int_equal(file_write(path, text, strlen(text), &error), STATUS_OK);
    free(path);
}

static void make_link(const char *root, const char *to, const char *name)
{
    char *path = join(root, name);
    assert_int_equal(symlink(to, path), 0);
    free(path);
}

static const char lesson_text[] = "---\ntitle: T\nabout: A.\n---\n## S {#s}\n\nText.\n";

static int set_up(void **state)
{
    char *root = make_folder();
    static const char *const folders[] = {"home", "home/lessons", "home/data", "home/data/use-lite",
                                          "work", "work/sub",     "work2"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        make_dir(root, folders[i]);
    make_file(root, "home/lessons/beta.md", lesson_text);
    make_file(root, "home/lessons/alpha.md", lesson_text);
    make_file(root, "home/lessons/alpha.zh.md", lesson_text);
    make_file(root, "home/lessons/README.md", lesson_text);
    make_file(root, "home/data/use-lite/q.csv", "1\n");
    make_file(root, "work/own.csv", "2\n");
    make_file(root, "work/sub/deep.csv", "3\n");
    make_file(root, "work2/secret.csv", "4\n");
    make_link(root, "../work2/secret.csv", "work/out.csv");
    make_link(root, "own.csv", "work/in.csv");
    make_link(root, "../work2", "work/dir");
    make_link(root, "loop", "work/loop");
    char *fifo = join(root, "work/fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    free(fifo);
    char *home = join(root, "home");
    setenv("ATTNWALK_HOME", home, 1);
    free(home);
    *state = root;
    return 0;
}

static int tear_down(void **state)
{
    Str command = {0};
    str_addf(&command, "rm -r '%s'", (char *)*state);
    int failed = system(str_text(&command));
    str_clear(&command);
    free(*state);
    return failed;
}

/* find_lesson where nothing goes wrong. */
static char *found_lesson(const char *id)
{
    char *path = NULL;
    Error error = {0};
    assert_int_equal(find_lesson(id, &path, &error), STATUS_OK);
    return path;
}

static void test_lessons(void **state)
{
    IdList list = {0};
    Error error = {0};
    assert_int_equal(find_lessons(&list, &error), STATUS_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0], "alpha");
    assert_string_equal(list.items[1], "beta");
    id_list_clear(&list);
    char *found = found_lesson("beta"), *expected = join(*state, "home/lessons/beta.md");
    assert_string_equal(found, expected);
    free(found);
    free(expected);
    assert_null(found_lesson("gamma"));
    assert_null(found_lesson("../lessons/beta"));
    assert_null(found_lesson("README"));
}

/* find_lessons with that course: the ids between blanks, or the error with its line. */
static char *order_with(const char *root, const char *course)
{
    IdList list = {0};
    Error error = {0};
    Str out = {0};
    make_file(root, "home/lessons/course", course);
    if (find_lessons(&list, &error))
        cases_add_error(&out, &error);
    for (size_t i = 0; i < list.count; i++)
        str_addf(&out, "%s%s", i ? " " : "", list.items[i]);
    error_clear(&error);
    id_list_clear(&list);
    char *path = join(root, "home/lessons/course");
    assert_int_equal(remove(path), 0);
    free(path);
    return str_take(&out);
}

static void test_course(void **state)
{
    static const struct {
        const char *course, *order;
    } cases[] = {
        {"", "alpha beta"},
        {"beta\n", "beta alpha"},
        {"# first\r\n\r\n  beta\t\r\nalpha", "beta alpha"},
        {"alpha\n", "alpha beta"},
        {"absent\nbeta\nother\n", "beta alpha"},
        {"beta\n../alpha\n", "2:1: not the id of a lesson: small letters, digits and -\n"},
        {"beta\nbeta alpha\n", "2:1: not the id of a lesson: small letters, digits and -\n"},
        {"beta\n# again\n beta\n", "3:2: this lesson was named before\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *order = order_with(*state, cases[i].course);
        assert_string_equal(order, cases[i].order);
        free(order);
    }
}

static void test_home_data(void **state)
{
    Str path = {0};
    Error error = {0};
    char *root = realpath(*state, NULL), *expected = join(root, "home/data/use-lite/q.csv");
    assert_int_equal(find_home_data("use-lite/q.csv", &path, &error), STATUS_OK);
    assert_string_equal(str_text(&path), expected);
    assert_int_equal(find_home_data("../lessons/beta.md", &path, &error), STATUS_ERROR);
    error_clear(&error);
    assert_int_equal(find_home_data("claims.csv", &path, &error), STATUS_ERROR);
    error_clear(&error);
    str_clear(&path);
    free(expected);
    free(root);
}

static void test_load_by_id(void **state)
{
    (void)state;
    Lesson *lesson = NULL;
    Error error = {0};
    assert_int_equal(lesson_load("alpha", &lesson, &error), STATUS_OK);
    assert_string_equal(lesson->id, "alpha");
    lesson_free(lesson);
    assert_int_equal(lesson_load("gamma", &lesson, &error), STATUS_ERROR);
    assert_string_equal(error.message, "there is no lesson 'gamma'");
    error_clear(&error);
}

static void test_data(void **state)
{
    static const struct {
        const char *path, *found, *message; /* one of the two is NULL */
    } cases[] = {
        {"own.csv", "work/own.csv", NULL},
        {"./own.csv", "work/own.csv", NULL},
        {"sub/deep.csv", "work/sub/deep.csv", NULL},
        {"in.csv", "work/own.csv", NULL},
        {"use-lite/q.csv", "home/data/use-lite/q.csv", NULL},
        {"a..b.csv", NULL, "a..b.csv: not in the lesson's folder nor in attnwalk's data"},
        {"../work2/secret.csv", NULL, "../work2/secret.csv: leads out of the lesson's folder"},
        {"sub/../own.csv", NULL, "sub/../own.csv: leads out of the lesson's folder"},
        {"..", NULL, "..: leads out of the lesson's folder"},
        {"out.csv", NULL, "out.csv: leads out of the lesson's folder"},
        {"dir/secret.csv", NULL, "dir/secret.csv: leads out of the lesson's folder"},
        {"/etc/passwd", NULL,
         "/etc/passwd: an absolute path; files are named from the lesson's folder"},
        {"sub", NULL, "sub: not a regular file"},
        {".", NULL, ".: not a regular file"},
        {"", NULL, ": not a regular file"},
        {"fifo", NULL, "fifo: not a regular file"},
        {"loop", NULL, "loop: Too many levels of symbolic links"},
        {"nosuch", NULL, "nosuch: not in the lesson's folder nor in attnwalk's data"},
    };
    char *folder = join(*state, "work");
    char *root = realpath(*state, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str path = {0};
        Error error = {0};
        Status status = find_data(folder, cases[i].path, &path, &error);
        if (cases[i].found) {
            char *expected = join(root, cases[i].found);
            assert_int_equal(status, STATUS_OK);
            assert_string_equal(str_text(&path), expected);
            free(expected);
        } else {
            assert_int_equal(status, STATUS_ERROR);
            assert_string_equal(error.message, cases[i].message);
        }
        error_clear(&error);
        str_clear(&path);
    }
    free(root);
    free(folder);
}

static void test_home(void **state)
{
    (void)state;
    char *old = memory_copy_text(getenv("ATTNWALK_HOME"));
    Str home = {0};
    Error error = {0};
    setenv("ATTNWALK_HOME", "/nosuch", 1);
    assert_int_equal(find_home(&home, &error), STATUS_ERROR);
    assert_string_equal(error.message, "ATTNWALK_HOME=/nosuch is no folder");
    error_clear(&error);
    unsetenv("ATTNWALK_HOME");
    assert_int_equal(find_home(&home, &error), STATUS_OK);
    assert_string_equal(str_text(&home), PROJECT_ROOT);
    str_clear(&home);
    setenv("ATTNWALK_HOME", old, 1);
    free(old);
}

/* `requires` that names no lesson is a remark. */
static void test_requires(void **state)
{
    make_file(*state, "work/own.md",
              "---\ntitle: T\nabout: A.\nrequires: alpha, gamma\n---\n## S {#s}\n");
    char *path = join(*state, "work/own.md");
    Lesson *lesson = NULL;
    Error error = {0};
    assert_int_equal(lesson_load(path, &lesson, &error), STATUS_OK);
    assert_int_equal(lesson->remark_count, 1);
    assert_string_equal(lesson->remarks[0].text, "requires 'gamma', which is no lesson here");
    size_t line, column;
    source_position(lesson->source, lesson->remarks[0].span.start, &line, &column);
    assert_int_equal(line, 4);
    assert_int_equal(column, 18);
    lesson_free(lesson);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lessons),  cmocka_unit_test(test_load_by_id),
        cmocka_unit_test(test_data),     cmocka_unit_test(test_home),
        cmocka_unit_test(test_requires), cmocka_unit_test(test_course),
        cmocka_unit_test(test_home_data),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
