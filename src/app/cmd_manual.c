/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manual: the manual page and the completions, from the tables. */
#include <string.h>

#include "app/command.h"
#include "app/complete.h"
#include "app/manual.h"
#include "app/options.h"
#include "app/output.h"

static const struct {
    const char *word;
    void (*add)(Str *out);
} forms[] = {
    {"man", manual_add_page},
    {"bash", complete_add_bash},
    {"zsh", complete_add_zsh},
    {"fish", complete_add_fish},
};

int command_manual(const Options *options)
{
    const char *word = options->argument_count ? options->arguments[0] : forms[0].word;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (text_equal(forms[i].word, word)) {
            Str out = {0};
            forms[i].add(&out);
            int code = output_data(&out);
            str_clear(&out);
            return code;
        }
    return output_usage(options->command, "man, bash, zsh or fish, not '%s'", word);
}
