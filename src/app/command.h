/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command: what the command line can be asked to do, one row a command.
 *
 * main.c holds the rows; each command is a function in a file of its own
 * (cmd_list.c has command_list).  A command gets its parsed options, writes data
 * to stdout and talk to stderr, and returns the exit status of the program:
 * EXIT_OK, EXIT_INPUT or EXIT_USAGE. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stddef.h>

struct Options;

enum {
    EXIT_OK = 0,
    EXIT_INPUT = 1, /* something is wrong with the input, or cannot be written */
    EXIT_USAGE = 2  /* something is wrong with the command line */
};

typedef struct Command {
    const char *name;
    int (*run)(const struct Options *options);
    size_t min_arguments, max_arguments;
    const char *arguments; /* as in the usage line: "PLACE", "[FILE...]" */
    const char *help;      /* one line */
} Command;

/* The command of that name, or NULL. */
const Command *command_find(const char *name);

/* The i-th command in the order of the help, from 0, or NULL. */
const Command *command_at(size_t i);

/* list: every lesson with its title, steps and parameters, as text or JSON. */
int command_list(const struct Options *options);
/* claims: what the documents say, the verdict, and the place that computes it. */
int command_claims(const struct Options *options);
/* glossary: the symbols and terms that lessons define. */
int command_glossary(const struct Options *options);
/* dump: the matrices of a place as CSV, JSON or NPY. */
int command_dump(const struct Options *options);
/* check: parses, runs and verifies lessons, one line each. */
int command_check(const struct Options *options);
/* eval: runs statements and prints the last value, its cost or where it comes from. */
int command_eval(const struct Options *options);
/* bench: what each form of attention costs on this machine. */
int command_bench(const struct Options *options);
/* read: a whole lesson as linear text. */
int command_read(const struct Options *options);
/* open: the interactive program, at a place or in the menu of lessons. */
int command_open(const struct Options *options);
/* show: pages of a lesson as text. */
int command_show(const struct Options *options);
/* new: writes a lesson skeleton that passes check. */
int command_new(const struct Options *options);
/* manual: the manual page, or what completes command lines in a shell. */
int command_manual(const struct Options *options);

#endif
