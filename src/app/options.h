/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options: the options of a command line, read off one table (options.def).
 *
 * The table drives getopt_long, the commands' --help, and whatever else lists
 * options.  Long names are never abbreviated: a script that works today must not
 * change its meaning when an option is added.  The texts are those of argv and
 * live as long as it does. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/command.h"
#include "base/str.h"

typedef enum {
#define OPTION(id, ...) OPTION_##id,
#include "app/options.def"
#undef OPTION
    OPTION_COUNT
} OptionId;

/* A row of the table. */
typedef struct {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    bool many;
    const char *commands; /* names separated by blanks; "": all */
    const char *help;
} OptionRow;

/* The arguments of one option, in the order given (an option without arguments
 * counts how often it was given). */
typedef struct {
    const char **items;
    size_t count, room;
} OptionValues;

typedef struct Options {
    const Command *command;
    OptionValues given[OPTION_COUNT];
    const char **arguments; /* what is no option */
    size_t argument_count, argument_room;
} Options;

/* Reads argv[1] ... argv[argc - 1] (argv[0] is the command's own name) for command.
 * False if they are wrong: then one line was said on stderr. */
bool options_parse(const Command *command, int argc, char **argv, Options *options);
void options_clear(Options *options);

/* True if the option was given. */
bool options_has(const Options *options, OptionId id);

/* The argument of an option that may be given once, or NULL. */
const char *options_text(const Options *options, OptionId id);

/* A whole number from low to high, otherwise when the option was not given; false
 * (and one line on stderr) if its argument is anything else. */
bool options_integer(const Options *options, OptionId id, double low, double high, double otherwise,
                     double *out);

/* The row of an option, for whatever lists options. */
const OptionRow *options_row(OptionId id);

/* True if command takes the option. */
bool options_applies(OptionId id, const Command *command);

/* Appends the help of command: usage, what it does, its options. */
void options_add_help(Str *out, const Command *command);

#endif
