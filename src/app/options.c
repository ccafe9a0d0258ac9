/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "app/output.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/number.h"

static const OptionRow rows[] = {
#define OPTION(id, ...) {__VA_ARGS__},
#include "app/options.def"
#undef OPTION
};

/* getopt_long answers ROW_BASE + i for the long option of row i. */
enum { ROW_BASE = 1000, HELP_COLUMN = 26, HELP_WIDTH = 80 };

/* True if row belongs to command. */
static bool row_applies(const OptionRow *row, const Command *command)
{
    size_t length = strlen(command->name);
    const char *at = row->commands;
    if (!*at)
        return true;
    while ((at = strstr(at, command->name))) {
        bool begins = at == row->commands || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

/* The tables that getopt_long wants, for one command. */
typedef struct {
    struct option longs[OPTION_COUNT + 1];
    char letters[2 + 2 * OPTION_COUNT + 1];
} Tables;

static void tables_fill(Tables *tables, const Command *command)
{
    *tables = (Tables){0};
    char *letter = tables->letters;
    *letter++ = '-'; /* keep the order, so that we know which word is being read */
    *letter++ = ':'; /* tell a missing argument from an unknown option */
    size_t count = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const OptionRow *row = &rows[i];
        if (!row_applies(row, command))
            continue;
        int takes = row->argument ? required_argument : no_argument;
        tables->longs[count++] = (struct option){row->name, takes, NULL, ROW_BASE + (int)i};
        if (row->letter) {
            *letter++ = row->letter;
            if (row->argument)
                *letter++ = ':';
        }
    }
}

/* The row of command that getopt_long answered, or -1. */
static int row_of(const Command *command, int answer)
{
    if (answer >= ROW_BASE)
        return answer - ROW_BASE;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rows[i].letter && rows[i].letter == answer && row_applies(&rows[i], command))
            return i;
    return -1;
}

static void add_argument(Options *options, const char *text)
{
    MEMORY_GROW(options->arguments, options->argument_count, options->argument_room);
    options->arguments[options->argument_count++] = text;
}

/* One line on stderr; always false. */
static bool refuse(const Command *command, const char *what, const char *word, size_t length)
{
    char *text = memory_copy_slice(word, length);
    output_usage(command, what, text);
    free(text);
    return false;
}

/* An option that is not in the table: the long word (an abbreviation too), or one
 * letter of a cluster. */
static bool refuse_unknown(const Command *command, const char *word)
{
    if (word[1] == '-')
        return refuse(command, "unknown option '%s'", word, strcspn(word, "="));
    char letter[3] = {'-', (char)optopt, '\0'};
    return refuse(command, "unknown option '%s'", letter, 2);
}

/* True if word is --name, or --name=…, of row in full. */
static bool is_whole_name(const OptionRow *row, const char *word)
{
    size_t length = strcspn(word, "=");
    return strlen(row->name) == length - 2 && strncmp(word + 2, row->name, length - 2) == 0;
}

/* A word that getopt_long refused: unknown, an argument missing or one too many. */
static bool refuse_word(const Command *command, const char *word, int answer)
{
    int row = row_of(command, optopt);
    if (word[1] == '-' && row >= 0 && !is_whole_name(&rows[row], word))
        return refuse_unknown(command, word);
    if (answer == ':')
        return refuse(command, "option '%s' needs an argument", word, strcspn(word, "="));
    if (optopt >= ROW_BASE) /* a long option that takes none */
        return refuse(command, "option '%s' takes no argument", word, strcspn(word, "="));
    return refuse_unknown(command, word);
}

/* "NAME=VALUE" has to hold a '=' that is not its first character. */
static bool binding_is_whole(const OptionRow *row, const char *argument)
{
    bool wanted = row->argument && strchr(row->argument, '=');
    return !wanted || (argument[0] != '=' && strchr(argument, '='));
}

static bool refuse_binding(const Command *command, const OptionRow *row, const char *argument)
{
    Str what = {0};
    str_addf(&what, "--%s takes %s, not '%%s'", row->name, row->argument);
    refuse(command, str_text(&what), argument, strlen(argument));
    str_clear(&what);
    return false;
}

static bool take(Options *options, int row, const char *word, const char *argument)
{
    if (word[1] == '-' && !is_whole_name(&rows[row], word))
        return refuse_unknown(options->command, word);
    OptionValues *given = &options->given[row];
    if (given->count && rows[row].argument && !rows[row].many)
        return refuse(options->command, "option '--%s' is given twice", rows[row].name,
                      strlen(rows[row].name));
    if (!binding_is_whole(&rows[row], argument))
        return refuse_binding(options->command, &rows[row], argument);
    MEMORY_GROW(given->items, given->count, given->room);
    given->items[given->count++] = argument ? argument : "";
    return true;
}

static bool parse_words(const Command *command, int argc, char **argv, Options *options)
{
    Tables tables;
    tables_fill(&tables, command);
    opterr = 0;
    optind = 1;
    int at = optind;
    int answer;
    while ((answer = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
        const char *word = argv[at];
        if (answer == 1)
            add_argument(options, optarg);
        else if (answer == '?' || answer == ':')
            return refuse_word(command, word, answer);
        else if (!take(options, row_of(command, answer), word, optarg))
            return false;
        at = optind;
    }
    for (; optind < argc; optind++)
        add_argument(options, argv[optind]);
    return true;
}

bool options_parse(const Command *command, int argc, char **argv, Options *options)
{
    *options = (Options){.command = command};
    if (!parse_words(command, argc, argv, options))
        return false;
    if (options_has(options, OPTION_HELP))
        return true;
    if (options->argument_count < command->min_arguments)
        return refuse(command, "%s is missing", command->arguments, strlen(command->arguments));
    if (options->argument_count <= command->max_arguments)
        return true;
    const char *extra = options->arguments[command->max_arguments];
    return refuse(command, "one argument too many: '%s'", extra, strlen(extra));
}

void options_clear(Options *options)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        free(options->given[i].items);
    free(options->arguments);
    *options = (Options){0};
}

bool options_has(const Options *options, OptionId id)
{
    return options->given[id].count > 0;
}

const char *options_text(const Options *options, OptionId id)
{
    const OptionValues *given = &options->given[id];
    return given->count ? given->items[given->count - 1] : NULL;
}

bool options_integer(const Options *options, OptionId id, double low, double high, double otherwise,
                     double *out)
{
    const char *text = options_text(options, id);
    *out = otherwise;
    if (!text)
        return true;
    double x;
    if (number_read(text, strlen(text), &x) == NUMBER_OK && x >= low && x <= high &&
        x == (double)(long long)x) {
        *out = x;
        return true;
    }
    Str what = {0};
    str_addf(&what, "--%s takes a whole number from %.0f to %.0f, not '%%s'", rows[id].name, low,
             high);
    refuse(options->command, str_text(&what), text, strlen(text));
    str_clear(&what);
    return false;
}

/* "  -m, --matrix NAME", then the help at HELP_COLUMN, wrapped. */
static void add_row_help(Str *out, const OptionRow *row)
{
    Str left = {0}, help = {0};
    if (row->letter)
        str_addf(&left, "  -%c, --%s", row->letter, row->name);
    else
        str_addf(&left, "      --%s", row->name);
    if (row->argument)
        str_addf(&left, " %s", row->argument);
    size_t width = left.length;
    str_add(out, str_text(&left));
    if (width + 2 > HELP_COLUMN) {
        str_add_char(out, '\n');
        width = 0;
    }
    str_add_repeat(out, ' ', HELP_COLUMN - width);
    str_add(&help, row->help);
    if (row->many)
        str_add(&help, " (may be repeated)");
    Str wrapped = {0};
    text_add_wrapped(&wrapped, str_text(&help), HELP_WIDTH - HELP_COLUMN, 0);
    for (const char *c = str_text(&wrapped); *c; c++) {
        str_add_char(out, *c);
        if (*c == '\n')
            str_add_repeat(out, ' ', HELP_COLUMN);
    }
    str_add_char(out, '\n');
    str_clear(&left);
    str_clear(&help);
    str_clear(&wrapped);
}

const OptionRow *options_row(OptionId id)
{
    return &rows[id];
}

bool options_applies(OptionId id, const Command *command)
{
    return row_applies(&rows[id], command);
}

void options_add_help(Str *out, const Command *command)
{
    str_addf(out, "usage: attnwalk %s [OPTION]...%s%s\n\n", command->name,
             *command->arguments ? " " : "", command->arguments);
    text_add_wrapped(out, command->help, HELP_WIDTH, 0);
    str_add(out, "\n\n");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (row_applies(&rows[i], command))
            add_row_help(out, &rows[i]);
}
