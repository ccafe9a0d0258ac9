/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/complete.h"

#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "base/text.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static void add_lines(Str *out, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, lines[i]);
        str_add_char(out, '\n');
    }
}

/* Appends text as one word in single quotes of a shell; marks: characters that get a
 * backslash before them. */
static void add_quoted(Str *out, const char *text, const char *marks)
{
    str_add_char(out, '\'');
    for (; *text; text++) {
        if (strchr(marks, *text))
            str_add_char(out, '\\');
        if (*text == '\'')
            str_add(out, "'\\''");
        else
            str_add_char(out, *text);
    }
    str_add_char(out, '\'');
}

/* "[D1|D2]" and "[LESSON]..." without what says how many. */
static void add_kind(Str *out, const char *argument)
{
    for (; *argument && *argument != '.'; argument++)
        if (*argument != '[' && *argument != ']')
            str_add_char(out, *argument);
}

/* ---- bash ---- */

static const char *const bash_body[] = {
    "# The words up to the cursor; what bash breaks at ':' and '=' is put together again.",
    "_attnwalk_split() {",
    "    local line=${COMP_LINE:0:COMP_POINT} rest i",
    "    words=()",
    "    for ((i = 0; i <= COMP_CWORD; i++)); do",
    "        rest=${line#\"${line%%[![:blank:]]*}\"}",
    "        local part=${COMP_WORDS[i]}",
    "        ((i == COMP_CWORD)) && part=$rest",
    "        if ((i > 0)) && [[ $rest == \"$line\" ]]; then",
    "            words[${#words[@]} - 1]+=$part",
    "        else",
    "            words+=(\"$part\")",
    "        fi",
    "        line=${rest#\"$part\"}",
    "    done",
    "}",
    "",
    "# Offers those lines of the input that begin with $2, each after $1.",
    "_attnwalk_offer() {",
    "    local line",
    "    while IFS= read -r line; do",
    "        [[ -n $line && $line == \"$2\"* ]] && COMPREPLY+=(\"$1$line\")",
    "    done",
    "}",
    "",
    "# Offers files (-f) or folders (-d) that begin with $3, each after $2.",
    "_attnwalk_files() {",
    "    compopt -o filenames 2>/dev/null",
    "    _attnwalk_offer \"$2\" \"$3\" < <(compgen \"$1\" -- \"$3\")",
    "}",
    "",
    "_attnwalk_lessons() { # that begin with $1",
    "    _attnwalk_offer '' \"$1\" < <(\"$program\" list --places 2>/dev/null | grep -v '[?:]')",
    "}",
    "",
    "_attnwalk_places() { # lessons, behind a ':' steps",
    "    case $1 in",
    "    *:*)",
    "        _attnwalk_offer '' \"$1\" < <(\"$program\" list --places 2>/dev/null | grep -v '?')",
    "        ;;",
    "    *)",
    "        _attnwalk_lessons \"$1\"",
    "        compopt -o nospace 2>/dev/null # a step may follow",
    "        ;;",
    "    esac",
    "}",
    "",
    "# Offers NAME=, or the values after it, of the lesson on the line or of all.",
    "_attnwalk_settings() {",
    "    local word lesson='' all",
    "    all=$(\"$program\" list --places 2>/dev/null)",
    "    for word in \"${words[@]:1}\"; do",
    "        word=${word%%[:?]*}",
    "        grep -qxF -e \"$word\" <<<\"$all\" && lesson=$word",
    "    done",
    "    all=$(sed -n \"s/^${lesson:-[^:?]*}?//p\" <<<\"$all\" | sort -u)",
    "    if [[ $2 == *=* ]]; then",
    "        _attnwalk_offer \"$1\" \"$2\" <<<\"$all\"",
    "    else",
    "        _attnwalk_offer \"$1\" \"$2\" < <(sed 's/=.*/=/' <<<\"$all\" | sort -u)",
    "        compopt -o nospace 2>/dev/null",
    "    fi",
    "}",
    "",
    "# Offers what is of the kind $1 and begins with $3, each after $2.",
    "_attnwalk_kind() {",
    "    case $1 in",
    "    *'|'*) _attnwalk_offer \"$2\" \"$3\" <<<\"${1//|/$'\\n'}\" ;;",
    "    PLACE) _attnwalk_places \"$3\"; _attnwalk_markdown \"$3\" ;;",
    "    LESSON) _attnwalk_lessons \"$3\"; _attnwalk_markdown \"$3\" ;;",
    "    DIR) _attnwalk_files -d \"$2\" \"$3\" ;;",
    "    FILE) _attnwalk_files -f \"$2\" \"$3\" ;;",
    "    NAME=VALUE) _attnwalk_settings \"$2\" \"$3\" ;;",
    "    NAME=FILE) [[ $3 == *=* ]] && _attnwalk_files -f \"$2${3%%=*}=\" \"${3#*=}\" ;;",
    "    esac",
    "}",
    "",
    "# Where no lesson fits: folders and the lessons in them.",
    "_attnwalk_markdown() {",
    "    ((${#COMPREPLY[@]})) && return",
    "    _attnwalk_files -d '' \"$1\"",
    "    _attnwalk_offer '' \"$1\" < <(compgen -f -X '!*.md' -- \"$1\")",
    "}",
    "",
    "# Readline replaces only what stands behind the last break: takes the rest away.",
    "_attnwalk_trim() {",
    "    local sign before head=''",
    "    for sign in : =; do",
    "        [[ $COMP_WORDBREAKS == *\"$sign\"* && $cur == *\"$sign\"* ]] || continue",
    "        before=${cur%\"$sign\"*}$sign",
    "        ((${#before} > ${#head})) && head=$before",
    "    done",
    "    COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")",
    "}",
    "",
    "_attnwalk() {",
    "    local words cur last command=open program=${1/#\\~/$HOME} kind",
    "    COMPREPLY=()",
    "    _attnwalk_split",
    "    cur=${words[${#words[@]} - 1]} last=${words[${#words[@]} - 2]}",
    "    ((${#words[@]} > 2)) && [[ -n $(_attnwalk_options \"${words[1]}\") ]] &&",
    "        command=${words[1]}",
    "    kind=$(_attnwalk_argument \"$command $last\")",
    "    if [[ $cur == --*=* ]]; then",
    "        last=${cur%%=*}",
    "        _attnwalk_kind \"$(_attnwalk_argument \"$command $last\")\" \"$last=\" \"${cur#*=}\"",
    "    elif [[ -n $kind ]]; then",
    "        _attnwalk_kind \"$kind\" '' \"$cur\"",
    "    elif [[ $cur == -* ]]; then",
    "        _attnwalk_offer '' \"$cur\" < <(_attnwalk_options \"$command\" | tr ' ' '\\n')",
    "        ((${#words[@]} == 2)) && _attnwalk_offer '' \"$cur\" <<<--version",
    "    else",
    "        _attnwalk_kind \"$(_attnwalk_operand \"$command\")\" '' \"$cur\"",
    "        if ((${#words[@]} == 2)); then",
    "            _attnwalk_offer '' \"$cur\" < <(_attnwalk_commands)",
    "            ((${#COMPREPLY[@]} == 1)) && [[ -n $(_attnwalk_options \"${COMPREPLY[0]}\") ]] &&",
    "                compopt +o nospace 2>/dev/null",
    "        fi",
    "    fi",
    "    ((${#COMPREPLY[@]})) && _attnwalk_trim",
    "    return 0",
    "}",
    "",
    "complete -F _attnwalk attnwalk",
};

/* "dump) echo '-m --matrix …' ;;" */
static void add_bash_options(Str *out, const Command *command)
{
    str_addf(out, "    %s) echo '", command->name);
    for (int id = 0, count = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        if (!options_applies((OptionId)id, command))
            continue;
        str_add(out, count++ ? " " : "");
        if (row->letter)
            str_addf(out, "-%c ", row->letter);
        str_addf(out, "--%s", row->name);
    }
    str_add(out, "' ;;\n");
}

/* "'dump -o' | 'dump --output') echo 'DIR' ;;" */
static void add_bash_arguments(Str *out, const Command *command)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        if (!row->argument || !options_applies((OptionId)id, command))
            continue;
        str_add(out, "    ");
        if (row->letter)
            str_addf(out, "'%s -%c' | ", command->name, row->letter);
        str_addf(out, "'%s --%s') echo ", command->name, row->name);
        add_quoted(out, row->argument, "");
        str_add(out, " ;;\n");
    }
}

static void add_bash_operand(Str *out, const Command *command)
{
    Str kind = {0};
    add_kind(&kind, command->arguments);
    str_addf(out, "    %s) echo ", command->name);
    add_quoted(out, str_text(&kind), "");
    str_add(out, " ;;\n");
    str_clear(&kind);
}

/* A function of bash that answers by its argument, one case or more a command. */
static void add_bash_function(Str *out, const char *name, const char *comment,
                              void (*add)(Str *out, const Command *command))
{
    const Command *command;
    str_addf(out, "# %s\n%s() {\n    case $1 in\n", comment, name);
    for (size_t i = 0; (command = command_at(i)); i++)
        add(out, command);
    str_add(out, "    esac\n}\n\n");
}

void complete_add_bash(Str *out)
{
    const Command *command;
    str_add(out, "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                 "# Completes attnwalk in bash; made by 'attnwalk manual bash'.\n\n"
                 "_attnwalk_commands() {\n    printf '%s\\n'");
    for (size_t i = 0; (command = command_at(i)); i++)
        str_addf(out, " %s", command->name);
    str_add(out, "\n}\n\n");
    add_bash_function(out, "_attnwalk_options", "The options of a command.", add_bash_options);
    add_bash_function(out, "_attnwalk_argument", "What an option of a command takes.",
                      add_bash_arguments);
    add_bash_function(out, "_attnwalk_operand", "What a command takes beside options.",
                      add_bash_operand);
    add_lines(out, bash_body, COUNT(bash_body));
}

/* ---- zsh ---- */

static const char *const zsh_body[] = {
    "_attnwalk_list() {",
    "    _call_program places $program list --places",
    "}",
    "",
    "_attnwalk_lessons() {",
    "    local -a lessons",
    "    lessons=(${(f)\"$(_attnwalk_list)\"})",
    "    lessons=(${lessons:#*[:?]*})",
    "    _alternative 'lessons:lesson:compadd -a lessons' 'files:file:_files -g \"*.md\"'",
    "}",
    "",
    "_attnwalk_places() {",
    "    local -a places lessons",
    "    places=(${(f)\"$(_attnwalk_list)\"})",
    "    places=(${places:#*\\?*})",
    "    lessons=(${places:#*:*})",
    "    places=(${(M)places:#*:*})",
    "    if [[ $PREFIX == *:* ]]; then",
    "        _wanted steps expl step compadd -a places",
    "    else",
    "        _alternative 'lessons:lesson:compadd -S \"\" -a lessons' \\",
    "            'files:file:_files -g \"*.md\"'",
    "    fi",
    "}",
    "",
    "# NAME=, or the values after it, of the lesson on the line or of all.",
    "_attnwalk_settings() {",
    "    local word lesson='[^:?]#' ",
    "    local -a all found",
    "    setopt local_options extended_glob",
    "    all=(${(f)\"$(_attnwalk_list)\"})",
    "    for word in ${words[2,-1]}; do",
    "        word=${${word#\\'}%%[:?]*}",
    "        (( ${all[(Ie)$word]} )) && lesson=$word",
    "    done",
    "    found=(${${(M)all:#${~lesson}\\?*}#*\\?})",
    "    if [[ $PREFIX == *=* ]]; then",
    "        _wanted values expl value compadd -a found",
    "    else",
    "        found=(${(u)found%%\\=*})",
    "        _wanted parameters expl parameter compadd -S '=' -a found",
    "    fi",
    "}",
    "",
    "_attnwalk_loads() {",
    "    if compset -P '*='; then",
    "        _files",
    "    else",
    "        _message 'NAME=FILE'",
    "    fi",
    "}",
    "",
    "_attnwalk() {",
    "    local curcontext=$curcontext program=$words[1] command=open expl",
    "    local -A opt_args",
    "    local -a line state",
    "    if (( CURRENT == 2 )); then",
    "        if [[ $PREFIX == -* ]]; then",
    "            _attnwalk_command open '(- *)--version[print the version and leave]'",
    "            return",
    "        fi",
    "        local -a rows",
    "        _attnwalk_commands",
    "        _alternative 'commands:command:{_describe command rows}' \\",
    "            'places:place:_attnwalk_places'",
    "        return",
    "    fi",
    "    local -a rows names",
    "    _attnwalk_commands",
    "    names=(\"${(@)rows%%:*}\")",
    "    if (( ${names[(Ie)$words[2]]} )); then",
    "        command=$words[2]",
    "        shift words",
    "        (( CURRENT-- ))",
    "    fi",
    "    _attnwalk_command $command",
    "}",
    "",
    "if [[ $funcstack[1] == _attnwalk ]]; then",
    "    _attnwalk \"$@\"",
    "else",
    "    compdef _attnwalk attnwalk",
    "fi",
};

/* ":NAME:action" of _arguments for what an argument is called. */
static void add_zsh_action(Str *out, const char *kind)
{
    static const struct {
        const char *kind, *action;
    } actions[] = {
        {"PLACE", "_attnwalk_places"}, {"LESSON", "_attnwalk_lessons"},
        {"DIR", "_files -/"},          {"NAME=VALUE", "_attnwalk_settings"},
        {"NAME=FILE", "_attnwalk_loads"}, {"FILE", "_files"},
    };
    str_addf(out, ":%s:", kind);
    if (strchr(kind, '|')) {
        str_add_char(out, '(');
        for (; *kind; kind++)
            str_add_char(out, *kind == '|' ? ' ' : *kind);
        str_add_char(out, ')');
        return;
    }
    for (size_t i = 0; i < COUNT(actions); i++)
        if (text_equal(kind, actions[i].kind)) {
            str_add(out, actions[i].action);
            return;
        }
    str_add_char(out, ' '); /* nothing completes it */
}

/* One word of _arguments: '*--set=[help]:NAME=VALUE:_attnwalk_settings' */
static void add_zsh_spec(Str *out, const OptionRow *row, const char *name)
{
    Str spec = {0}, help = {0};
    if (row->many)
        str_add_char(&spec, '*');
    else if (row->letter)
        str_addf(&spec, "(-%c --%s)", row->letter, row->name);
    str_addf(&spec, "%s%s", name, !row->argument ? "" : name[1] == '-' ? "=" : "+");
    for (const char *c = row->help; *c; c++) {
        if (strchr("[]\\", *c))
            str_add_char(&help, '\\');
        str_add_char(&help, *c);
    }
    str_addf(&spec, "[%s]", str_text(&help));
    if (row->argument)
        add_zsh_action(&spec, row->argument);
    str_add(out, " \\\n            ");
    add_quoted(out, str_text(&spec), "");
    str_clear(&spec);
    str_clear(&help);
}

static void add_zsh_command(Str *out, const Command *command)
{
    str_addf(out, "    %s)\n        _arguments -s -S \"$@\"", command->name);
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        if (!options_applies((OptionId)id, command))
            continue;
        Str name = {0};
        if (row->letter) {
            str_addf(&name, "-%c", row->letter);
            add_zsh_spec(out, row, str_text(&name));
            str_cut(&name, 0);
        }
        str_addf(&name, "--%s", row->name);
        add_zsh_spec(out, row, str_text(&name));
        str_clear(&name);
    }
    if (*command->arguments) {
        Str spec = {0}, kind = {0};
        add_kind(&kind, command->arguments);
        str_add(&spec, command->max_arguments > 1 ? "*" : "1");
        add_zsh_action(&spec, str_text(&kind));
        str_add(out, " \\\n            ");
        add_quoted(out, str_text(&spec), "");
        str_clear(&spec);
        str_clear(&kind);
    }
    str_add(out, "\n        ;;\n");
}

void complete_add_zsh(Str *out)
{
    const Command *command;
    str_add(out, "#compdef attnwalk\n# SPDX-License-Identifier: GPL-3.0-or-later\n"
                 "# Completes attnwalk in zsh; made by 'attnwalk manual zsh'.\n\n"
                 "_attnwalk_commands() {\n    rows=(\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        Str entry = {0};
        str_addf(&entry, "%s:%s", command->name, command->help);
        str_add(out, "        ");
        add_quoted(out, str_text(&entry), "");
        str_add_char(out, '\n');
        str_clear(&entry);
    }
    str_add(out, "    )\n}\n\n# The options and arguments of a command, and what is added.\n"
                 "_attnwalk_command() {\n    local name=$1\n    shift\n    case $name in\n");
    for (size_t i = 0; (command = command_at(i)); i++)
        add_zsh_command(out, command);
    str_add(out, "    esac\n}\n\n");
    add_lines(out, zsh_body, COUNT(zsh_body));
}

/* ---- fish ---- */

static const char *const fish_body[] = {
    "function __attnwalk_command",
    "    set -l words (commandline -opc)",
    "    if set -q words[2]; and contains -- $words[2] $__attnwalk_commands",
    "        echo $words[2]",
    "    else",
    "        echo open",
    "    end",
    "end",
    "",
    "function __attnwalk_is",
    "    test (__attnwalk_command) = $argv[1]",
    "end",
    "",
    "function __attnwalk_is_first",
    "    test (count (commandline -opc)) -eq 1",
    "end",
    "",
    "function __attnwalk_lessons",
    "    attnwalk list --places 2>/dev/null | string match -rv '[:?]'",
    "    __fish_complete_suffix .md",
    "end",
    "",
    "function __attnwalk_places",
    "    attnwalk list --places 2>/dev/null | string match -v '*\\\\?*'",
    "    __fish_complete_suffix .md",
    "end",
    "",
    "function __attnwalk_settings",
    "    attnwalk list --places 2>/dev/null | string replace -rf '^[^?]*\\\\?' '' | sort -u",
    "end",
    "",
    "complete -c attnwalk -f",
    "complete -c attnwalk -n __attnwalk_is_first -l version -d 'print the version and leave'",
};

/* " -xa '(…)'" for what an argument is called; required: that there is one. */
static void add_fish_action(Str *out, const char *kind, const char *required)
{
    static const struct {
        const char *kind, *action;
    } actions[] = {
        {"PLACE", "(__attnwalk_places)"},
        {"LESSON", "(__attnwalk_lessons)"},
        {"DIR", "(__fish_complete_directories)"},
        {"NAME=VALUE", "(__attnwalk_settings)"},
    };
    if (text_equal(kind, "NAME=FILE") || text_equal(kind, "FILE")) {
        str_addf(out, " %s", *required ? "-rF" : "-F");
        return;
    }
    str_add(out, required);
    if (strchr(kind, '|')) {
        str_add(out, " -a '");
        for (; *kind; kind++)
            str_add_char(out, *kind == '|' ? ' ' : *kind);
        str_add_char(out, '\'');
        return;
    }
    for (size_t i = 0; i < COUNT(actions); i++)
        if (text_equal(kind, actions[i].kind))
            str_addf(out, " -a '%s'", actions[i].action);
}

static void add_fish_command(Str *out, const Command *command)
{
    Str kind = {0};
    str_addf(out, "complete -c attnwalk -n __attnwalk_is_first -a %s -d ", command->name);
    add_quoted(out, command->help, "\\");
    add_kind(&kind, command->arguments);
    str_addf(out, "\ncomplete -c attnwalk -n '__attnwalk_is %s'", command->name);
    add_fish_action(out, str_text(&kind), "");
    str_clear(&kind);
    str_add_char(out, '\n');
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = options_row((OptionId)id);
        if (!options_applies((OptionId)id, command))
            continue;
        str_addf(out, "complete -c attnwalk -n '__attnwalk_is %s'", command->name);
        if (row->letter)
            str_addf(out, " -s %c", row->letter);
        str_addf(out, " -l %s", row->name);
        if (row->argument)
            add_fish_action(out, row->argument, " -x");
        str_add(out, " -d ");
        add_quoted(out, row->help, "\\");
        str_add_char(out, '\n');
    }
}

void complete_add_fish(Str *out)
{
    const Command *command;
    str_add(out, "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                 "# Completes attnwalk in fish; made by 'attnwalk manual fish'.\n\n"
                 "set -g __attnwalk_commands");
    for (size_t i = 0; (command = command_at(i)); i++)
        str_addf(out, " %s", command->name);
    str_add(out, "\n\n");
    add_lines(out, fish_body, COUNT(fish_body));
    for (size_t i = 0; (command = command_at(i)); i++)
        add_fish_command(out, command);
}
