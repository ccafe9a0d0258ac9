/* SPDX-License-Identifier: GPL-3.0-or-later */
/* new: a lesson to begin with. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "io/file.h"
#include "lesson/lesson.h"

/* Every part a lesson can have, once; it passes check as it is. */
static const char skeleton[] =
    "---\n"
    "title: A lesson about %s\n"
    "about: What it shows, in one sentence.\n"
    "---\n"
    "\n"
    "```params\n"
    "n    = 4        1..16        tokens in the sequence\n"
    "d    = 3        1..16        width of a row\n"
    "seed = 1        0..          which random numbers\n"
    "```\n"
    "\n"
    "## What goes in {#inputs}\n"
    "\n"
    "Rows are tokens: $Q$ asks, $K$ is what it is compared with. Here are `=n` of them.\n"
    "\n"
    "```octave\n"
    "Q = randn(n, d);\n"
    "K = randn(n, d);\n"
    "```\n"
    "\n"
    "```view\n"
    "heat Q, K\n"
    "```\n"
    "\n"
    "## Every query meets every key {#scores}\n"
    "\n"
    "$$ A = QK^{\\top} $$\n"
    "\n"
    "```octave\n"
    "A = Q * K';\n"
    "```\n"
    "\n"
    "```view\n"
    "product Q * K' = A\n"
    "cost A\n"
    "```\n"
    "\n"
    "```check\n"
    "numel(A) == n^2                            : one score for each pair of tokens\n"
    "approx(A(n,1), dot(Q(n,:), K(1,:)), 1e-12) : a score is an inner product\n"
    "```\n"
    "\n"
    "```notes\n"
    "What the instructor wants to remember: ask before you press the key.\n"
    "```\n"
    "\n"
    "## What would you expect? {#predict}\n"
    "\n"
    "With $n$ doubled, how many scores are there?\n"
    "\n"
    "- [ ] Twice as many. \xe2\x80\x94 That is true of $Q$ and of $K$.\n"
    "- [x] Four times as many. \xe2\x80\x94 One for each pair.\n"
    "\n"
    "```predict\n"
    "sum(A(1,:))  within 0.01 : the scores of the first query, added up\n"
    "  trap sum(A(1,:)) / n   : that is their mean\n"
    "```\n";

static int write_lesson(const char *name)
{
    Str file = {0}, text = {0};
    const char *hole = strstr(skeleton, "%s");
    struct stat info;
    Error error = {0};
    int code = EXIT_OK;
    str_addf(&file, "%s.md", name);
    str_add_bytes(&text, skeleton, (size_t)(hole - skeleton));
    str_add(&text, name);
    str_add(&text, hole + 2);
    if (lstat(str_text(&file), &info) == 0) {
        error_in_file(&error, str_text(&file), 0, 0, "this file is there already");
        code = output_error(&error);
    } else if (errno != ENOENT) {
        error_in_file(&error, str_text(&file), 0, 0, "cannot write: %s", strerror(errno));
        code = output_error(&error);
    } else if (file_write(str_text(&file), str_text(&text), text.length, &error)) {
        code = output_error(&error);
    } else {
        output_say("wrote %s; 'attnwalk check ./%s' checks it", str_text(&file), str_text(&file));
    }
    str_clear(&file);
    str_clear(&text);
    return code;
}

int command_new(const Options *options)
{
    const char *name = options->arguments[0], *what = NULL;
    if (!lesson_is_id(name, strlen(name)))
        what = "a lesson's name is letters a-z, digits and '-', a letter first; not '%s'";
    else if (command_find(name))
        what = "a lesson cannot be called '%s': that is a command";
    if (!what)
        return write_lesson(name);
    return output_usage(options->command, what, name);
}
