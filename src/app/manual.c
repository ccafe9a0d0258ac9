/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/manual.h"

#include <ctype.h>
#include <string.h>

#include "app/action.h"
#include "app/command.h"
#include "app/options.h"
#include "base/text.h"

/* What a word stands for. */
typedef struct {
    const char *name, *help;
} Entry;

static const Entry description[] = {
    {"", "attnwalk walks a reader through the derivation of linear attention in the terminal, "
         "one operation at a time, on live numbers: why (QK')V may be regrouped and "
         "softmax(QK')V may not, how a kernel factors into feature maps, how the sums become a "
         "running state, how the delta rule corrects what was stored, and what all this costs."},
    {"", "Lessons are Markdown files whose code is plain GNU Octave. What a lesson says is "
         "computed while it is read; every number can be asked where it comes from, down to the "
         "inputs; every matrix of every step can be written as CSV, NPY or JSON."},
    {"", "Without a command, PLACE is opened; without a PLACE, the menu of lessons."},
};

static const Entry places[] = {
    {"LESSON", "the beginning of a lesson: its id, or the path of a file, which holds a '/' or "
               "ends in '.md'"},
    {"LESSON:STEP", "a step of it, by id or by number from 1"},
    {"LESSON:STEP:STOP", "a stop of the step, counted from 1"},
    {"LESSON:STEP:STOP.STATEMENT", "a statement in it, counted from 1"},
    {"PLACE?SETTING&SETTING...", "any of these with settings; a shell wants it in quotes"},
};

static const Entry settings[] = {
    {"NAME=VALUE", "a parameter: n=8, phi=relu"},
    {"NAME(ROW,COLUMN)=NUMBER", "a cell of an input, edited: Q(2,3)=0.5"},
    {"NAME=@FILE", "a matrix of your own, CSV or NPY, instead of an input: Q=@q.csv; '&' and '%' "
                   "in the name of the file are written %26 and %25"},
};

static const Entry statuses[] = {
    {"0", "all is well"},
    {"1", "something is wrong with the input (a lesson, a place, a file, a check that does not "
          "hold, a terminal that went away), or the output cannot be written"},
    {"2", "something is wrong with the command line, or with ATTNWALK_CPU"},
};

static const Entry environment[] = {
    {"ATTNWALK_CPU", "the instruction set to compute with, portable, x86-64-v3 or x86-64-v4, instead "
                     "of the widest that the processor has; the numbers of a lesson are the same "
                     "with each"},
    {"ATTNWALK_HOME", "the folder that holds 'lessons' and 'data', instead of the installed one"},
    {"COLORFGBG", "which of the themes dark and light is meant, where --theme does not say"},
    {"COLORTERM", "for show --color: a terminal of 256 colours or more, if it is set"},
    {"ESCDELAY", "how many milliseconds Esc waits for the rest of a key; 25 unless set"},
    {"HOME", "where files are kept, see below"},
    {"LANG, LC_ALL, LC_CTYPE", "a codeset other than UTF-8 means ASCII characters only, on a "
                               "terminal; pipes and files are the same in every locale"},
    {"NO_COLOR", "set and not empty: no colours, unless --color=always"},
    {"TERM", "the terminal's type"},
    {"XDG_STATE_HOME", "where files are kept, if it is an absolute path"},
};

static const Entry files[] = {
    {"$XDG_STATE_HOME/attnwalk/progress", "where you stopped in each lesson, and the steps seen; "
                                          "in $HOME/.local/state unless XDG_STATE_HOME is set. "
                                          "It may be removed; with --no-resume it is neither "
                                          "read nor written. Nothing else is written unless "
                                          "asked for."},
    {"PREFIX/share/attnwalk/lessons", "the lessons, one file each, and the course: their order"},
    {"PREFIX/share/attnwalk/data", "the matrices that lessons load"},
};

static const Entry examples[] = {
    {"attnwalk delta:write", "opens the lesson on the delta rule at the step 'write'"},
    {"attnwalk show brackets --size 120x40 | less", "the pages of a lesson, as text"},
    {"attnwalk dump brackets -m Y1 --set n=9", "one matrix as CSV"},
    {"attnwalk check mine.md", "does a lesson of your own hold?"},
};

static const Entry notes[] = {
    {"", "A click puts the cursor on a number and the wheel scrolls; with Shift (or with "
         "--no-mouse) the terminal's own selection works."},
    {"", "The console of Linux has glyphs for Latin text only: use --ascii there; lessons "
         "in Chinese cannot be shown."},
    {"", "The terminal is given back after every signal that a program can catch. After 'kill -9' "
         "the command reset(1) does it."},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- roff ---- */

/* What roff would take for something else or typeset as something else. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '"': return "\\(dq";
    default: return NULL;
    }
}

/* Appends text; is_code: every '-' is the sign of the keyboard, as is one that begins or ends
 * a word in prose. */
static void add_text(Str *out, const char *text, bool is_code)
{
    size_t length = strlen(text);
    for (size_t i = 0, step; i < length; i += step) {
        step = text_next(text + i, length - i);
        const char *escape = escape_of(text[i]);
        bool inside = i > 0 && isalnum((unsigned char)text[i - 1]) &&
                      isalnum((unsigned char)text[i + 1]);
        if (step > 1 && text_decode(text + i, step) == 0x2026) /* an ellipsis */
            str_add(out, i ? "..." : "\\&...");
        else if (step > 1)
            str_addf(out, "\\[u%04lX]", (unsigned long)text_decode(text + i, step));
        else if (text[i] == '-' && (is_code || !inside))
            str_add(out, "\\-");
        else if (text[i] == '.' && i == 0) /* no request */
            str_add(out, "\\&.");
        else if (escape)
            str_add(out, escape);
        else
            str_add_char(out, text[i]);
    }
}

static void add_section(Str *out, const char *title)
{
    str_addf(out, ".SH %s\n", title);
}

static void add_prose(Str *out, const char *text)
{
    add_text(out, text, false);
    str_add_char(out, '\n');
}

static void add_bold(Str *out, const char *text)
{
    str_add(out, "\\fB");
    add_text(out, text, true);
    str_add(out, "\\fR");
}

static void add_italic(Str *out, const char *text)
{
    str_add(out, "\\fI");
    add_text(out, text, true);
    str_add(out, "\\fR");
}

static void add_paragraphs(Str *out, const Entry *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, ".PP\n");
        add_prose(out, rows[i].help);
    }
}

static void add_entries(Str *out, const Entry *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, ".TP\n");
        add_bold(out, rows[i].name);
        str_add_char(out, '\n');
        add_prose(out, rows[i].help);
    }
}

/* ---- the tables ---- */

/* "-m, --matrix NAME" */
static void add_option_name(Str *out, const OptionRow *row)
{
    Str name = {0};
    if (row->letter) {
        char letter[] = {'-', row->letter, '\0'};
        add_bold(out, letter);
        str_add(out, ", ");
    }
    str_addf(&name, "--%s", row->name);
    add_bold(out, str_text(&name));
    if (row->argument) {
        str_add_char(out, ' ');
        add_italic(out, row->argument);
    }
    str_clear(&name);
}

/* Does not list those that every command takes. */
static void add_options_of(Str *out, const Command *command)
{
    size_t count = 0;
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        if (!*row->commands || !options_applies((OptionId)id, command))
            continue;
        str_add(out, count++ ? ",\n" : "Options:\n");
        Str name = {0};
        str_addf(&name, "--%s", row->name);
        add_bold(out, str_text(&name));
        str_clear(&name);
    }
    if (count)
        str_add(out, ".\n");
}

static void add_commands(Str *out)
{
    const Command *command;
    add_section(out, "COMMANDS");
    for (size_t i = 0; (command = command_at(i)); i++) {
        str_add(out, ".TP\n");
        add_bold(out, command->name);
        if (*command->arguments) {
            str_add_char(out, ' ');
            add_italic(out, command->arguments);
        }
        str_add_char(out, '\n');
        add_prose(out, command->help);
        add_options_of(out, command);
    }
}

static void add_takers(Str *out, OptionId id)
{
    const Command *command;
    size_t count = 0;
    if (!*options_row(id)->commands) {
        str_add(out, "Every command takes it.\n");
        return;
    }
    str_add(out, "With");
    for (size_t i = 0; (command = command_at(i)); i++)
        if (options_applies(id, command)) {
            str_add(out, count++ ? ",\n" : "\n");
            add_bold(out, command->name);
        }
    str_add(out, ".\n");
}

static void add_options(Str *out)
{
    add_section(out, "OPTIONS");
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        Str help = {0};
        str_addf(&help, "%s%s.", row->help, row->many ? " (may be repeated)" : "");
        str_add(out, ".TP\n");
        add_option_name(out, row);
        str_add_char(out, '\n');
        add_prose(out, str_text(&help));
        add_takers(out, (OptionId)id);
        str_clear(&help);
    }
    str_add(out, ".TP\n");
    add_bold(out, "--version");
    str_add(out, "\nprint the version and leave; without a command.\n.PP\n"
                 "Long names are never abbreviated.\nAfter\n\\fB\\-\\-\\fR\n"
                 "nothing is an option.\n");
}

static void add_keys(Str *out)
{
    add_section(out, "KEYS");
    for (int context = 0; context < CONTEXT_COUNT; context++) {
        str_add(out, ".SS ");
        add_text(out, action_context_title((ActionContext)context), false);
        str_add_char(out, '\n');
        for (int id = ACTION_NONE + 1; id < ACTION_COUNT; id++) {
            const Action *action = action_get((ActionId)id);
            if ((int)action->context != context)
                continue;
            Str keys = {0};
            action_add_keys(&keys, (ActionId)id, true);
            str_add(out, ".TP\n");
            add_bold(out, str_text(&keys));
            str_add_char(out, '\n');
            add_italic(out, action->name);
            str_add(out, ":\n");
            add_prose(out, action->help);
            str_clear(&keys);
        }
    }
}

static void add_places(Str *out)
{
    add_section(out, "PLACES");
    str_add(out, "A\n\\fIPLACE\\fR\nnames a moment of a lesson:\n");
    add_entries(out, places, COUNT(places));
    str_add(out, ".PP\nA\n\\fISETTING\\fR\nis one of\n");
    add_entries(out, settings, COUNT(settings));
}

static void add_examples(Str *out)
{
    add_section(out, "EXAMPLES");
    for (size_t i = 0; i < COUNT(examples); i++) {
        str_add(out, ".TP\n");
        add_bold(out, examples[i].name);
        str_add_char(out, '\n');
        add_prose(out, examples[i].help);
    }
}

void manual_add_page(Str *out)
{
    str_add(out, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
                 ".\\\" Made by 'attnwalk manual'.\n"
                 ".TH ATTNWALK 1 \"\" \"attnwalk " ATTNWALK_VERSION "\" \"User Commands\"\n"
                 ".nh\n.ad l\n"); /* code is not broken at hyphens */
    add_section(out, "NAME");
    str_add(out, "attnwalk \\- the derivation of linear attention, on live numbers\n");
    add_section(out, "SYNOPSIS");
    str_add(out, "\\fBattnwalk\\fR [\\fIPLACE\\fR]\n.br\n"
                 "\\fBattnwalk\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n.br\n"
                 "\\fBattnwalk\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n");
    add_section(out, "DESCRIPTION");
    add_paragraphs(out, description, COUNT(description));
    add_commands(out);
    add_options(out);
    add_places(out);
    add_keys(out);
    add_section(out, "EXIT STATUS");
    add_entries(out, statuses, COUNT(statuses));
    str_add(out, ".PP\nData goes to standard output, messages to standard error.\n");
    add_section(out, "ENVIRONMENT");
    add_entries(out, environment, COUNT(environment));
    add_section(out, "FILES");
    add_entries(out, files, COUNT(files));
    add_examples(out);
    add_section(out, "NOTES");
    add_paragraphs(out, notes, COUNT(notes));
    str_add(out, ".SH SEE ALSO\n\\fBoctave\\fR(1)\n");
}
