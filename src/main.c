/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attnwalk: the derivation of linear attention, one operation at a time, on live
 * numbers.  This file is the table of contents. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/meter.h"
#include "app/options.h"
#include "app/output.h"
#include "app/startup.h"
#include "base/text.h"
#include "lesson/find.h"
#include "lesson/lesson.h"

/* name, function, least and most arguments, arguments, help */
static const Command commands[] = {
    {"open", command_open, 0, 1, "[PLACE]",
     "Opens a lesson in the terminal, or the menu of lessons; '?' lists the keys. 'attnwalk PLACE' "
     "and 'attnwalk' alone do the same."},
    {"show", command_show, 1, 1, "PLACE",
     "Prints the page of a place as text, or all pages of a lesson."},
    {"list", command_list, 0, 0, "",
     "Lists the lessons with their steps and parameters."},
    {"claims", command_claims, 0, 1, "[D1|D2|D3|D4]",
     "Lists what the documents behind the course say (or one of them), whether it holds, and the "
     "place that computes it."},
    {"glossary", command_glossary, 0, 1, "[TERM]",
     "Lists the symbols and terms that the lessons define, in the order of the course, or where "
     "they define one: phi, S, 'dot product'."},
    {"dump", command_dump, 1, 1, "PLACE",
     "Writes the matrices of a place: lesson[:step[:stop[.statement]]][?name=value&...]."},
    {"check", command_check, 0, SIZE_MAX, "[LESSON]...",
     "Parses and runs lessons (all of them, or those named by id or path) and verifies every "
     "check and question, at the defaults and at the ends of every parameter. Checks whose guard "
     "is false at one of these settings are counted as skipped."},
    {"eval", command_eval, 1, 1, "STATEMENTS",
     "Runs statements and prints the last value; '-' reads them from standard input."},
    {"bench", command_bench, 0, 0, "",
     "Measures what each form of attention costs on this machine, in time and in memory, against "
     "the number of tokens: tables, curves, and where they cross. Ctrl-C ends it early with what "
     "was measured so far."},
    {"read", command_read, 1, 1, "LESSON",
     "Prints a whole lesson as linear text."},
    {"new", command_new, 1, 1, "NAME",
     "Writes NAME.md, a lesson to begin with, into the current folder."},
    {"manual", command_manual, 0, 1, "[man|bash|zsh|fish]",
     "Prints the manual page ('attnwalk manual | man -l -'), or what completes command lines in "
     "that shell."},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands, NAME_COLUMN = 12, LINE_WIDTH = 80 };

const Command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (text_equal(commands[i].name, name))
            return &commands[i];
    return NULL;
}

const Command *command_at(size_t i)
{
    return i < COMMAND_COUNT ? &commands[i] : NULL;
}

static void add_usage(Str *out)
{
    str_add(out, "usage: attnwalk [PLACE]\n       attnwalk COMMAND [OPTION]... [ARGUMENT]...\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        Str line = {0};
        str_addf(&line, "  %-*s", NAME_COLUMN - 2, commands[i].name);
        str_add(&line, commands[i].help);
        text_add_wrapped(out, str_text(&line), LINE_WIDTH, NAME_COLUMN);
        str_add_char(out, '\n');
        str_clear(&line);
    }
    str_add(out, "\n'attnwalk COMMAND --help' describes one command. 'attnwalk --version' prints "
                 "the version.\nData goes to stdout, messages to stderr. Exit status: 0; 1 if "
                 "something is wrong with\nthe input; 2 if with the command line.\n");
}

/* attnwalk --help and --version; false if word is neither. */
static bool run_top(const char *word, int *status)
{
    Str text = {0};
    if (text_equal(word, "--help") || text_equal(word, "-h"))
        add_usage(&text);
    else if (text_equal(word, "--version"))
        str_add(&text, "attnwalk " ATTNWALK_VERSION "\n");
    bool known = text.length > 0;
    if (known)
        *status = output_data(&text);
    str_clear(&text);
    return known;
}

static int run_command(const Command *command, int argc, char **argv)
{
    Options options;
    int status = EXIT_USAGE;
    if (options_parse(command, argc, argv, &options)) {
        if (options_has(&options, OPTION_HELP)) {
            Str help = {0};
            options_add_help(&help, command);
            status = output_data(&help);
            str_clear(&help);
        } else {
            meter_begin();
            status = command->run(&options);
            meter_end();
        }
    }
    options_clear(&options);
    return status;
}

/* True if word can be no place: not an option, neither path nor place with a step or
 * settings, and no lesson's id. */
static bool is_unknown(const char *word)
{
    size_t length = strlen(word);
    bool is_file = length > 3 && text_equal(word + length - 3, ".md");
    if (word[0] == '-' || strpbrk(word, "/:?") || is_file)
        return false;
    char *path = NULL;
    Error error = {0};
    Status status = find_lesson(word, &path, &error); /* what is wrong is said when opening */
    error_clear(&error);
    free(path);
    return !status && !path;
}

/* A first word that is no command is a place to open (or an option of open). */
static int run_words(int argc, char **argv)
{
    int status;
    const Command *command = command_find(argv[1]);
    if (command)
        return run_command(command, argc - 1, argv + 1);
    if (run_top(argv[1], &status))
        return status;
    if (is_unknown(argv[1]))
        return output_usage(NULL, "unknown command or lesson '%s'", argv[1]);
    return run_command(command_find("open"), argc, argv);
}

/* Without a word: the menu; where there is no terminal to show it, what there is. */
static int run_bare(int argc, char **argv)
{
    if (isatty(STDOUT_FILENO))
        return run_command(command_find("open"), argc, argv);
    Str usage = {0};
    add_usage(&usage);
    output_talk(str_text(&usage));
    str_clear(&usage);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    int status = EXIT_USAGE;
    if (startup_begin())
        status = argc < 2 ? run_bare(argc, argv) : run_words(argc, argv);
    startup_end();
    return status;
}
