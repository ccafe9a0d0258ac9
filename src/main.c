/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attnwalk: the derivation of linear attention, one operation at a time, on live
 * numbers.  This file is the table of contents. */
#include <stdint.h>
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "app/startup.h"
#include "base/text.h"

/* name, function, least and most arguments, arguments, help */
static const Command commands[] = {
    {"list", command_list, 0, 0, "",
     "Lists the lessons with their steps and parameters."},
    {"dump", command_dump, 1, 1, "PLACE",
     "Writes the matrices of a place: lesson[:step[:stop[.statement]]][?name=value&...]."},
    {"check", command_check, 0, SIZE_MAX, "[LESSON]...",
     "Parses and runs lessons (all of them, or those named by id or path) and verifies every "
     "check and question, at the defaults and at the ends of every parameter. Checks whose guard "
     "is false at one of these settings are counted as skipped."},
    {"eval", command_eval, 1, 1, "STATEMENTS",
     "Runs statements and prints the last value; '-' reads them from standard input."},
    {"read", command_read, 1, 1, "LESSON",
     "Prints a whole lesson as linear text."},
    {"new", command_new, 1, 1, "NAME",
     "Writes NAME.md, a lesson to begin with, into the current folder."},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands, NAME_COLUMN = 9, LINE_WIDTH = 80 };

const Command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (text_equal(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static void add_usage(Str *out)
{
    str_add(out, "usage: attnwalk COMMAND [OPTION]... [ARGUMENT]...\n\n");
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

/* attnwalk --help, --version, or a first word that is no command. */
static int run_top(const char *word)
{
    Str text = {0};
    int status;
    if (text_equal(word, "--help") || text_equal(word, "-h")) {
        add_usage(&text);
        status = output_data(&text);
    } else if (text_equal(word, "--version")) {
        str_add(&text, "attnwalk " ATTNWALK_VERSION "\n");
        status = output_data(&text);
    } else {
        text_add_visible(&text, word, strlen(word));
        status = output_usage(NULL, word[0] == '-' ? "unknown option '%s'" : "unknown command '%s'",
                              str_text(&text));
    }
    str_clear(&text);
    return status;
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
            status = command->run(&options);
        }
    }
    options_clear(&options);
    return status;
}

int main(int argc, char **argv)
{
    startup_begin();
    int status = EXIT_USAGE;
    if (argc < 2) {
        Str usage = {0};
        add_usage(&usage);
        output_talk(str_text(&usage));
        str_clear(&usage);
    } else {
        const Command *command = command_find(argv[1]);
        status = command ? run_command(command, argc - 1, argv + 1) : run_top(argv[1]);
    }
    startup_end();
    return status;
}
