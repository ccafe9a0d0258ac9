/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims: what the documents say, whether it holds, and where that is computed. */
#include <string.h>

#include "app/command.h"
#include "app/options.h"
#include "app/output.h"
#include "base/text.h"
#include "io/json.h"
#include "lesson/claims.h"
#include "page/grid.h"

enum { LINE_WIDTH = 80, INDENT = 6, VERDICT_WIDTH = 13 };

/* ---- as text ---- */

static void add_clean(Str *out, const char *text, bool ascii)
{
    if (ascii)
        grid_add_ascii(out, text, strlen(text));
    else
        text_add_visible(out, text, strlen(text));
}

static void add_wrapped(Str *out, const char *text, bool ascii)
{
    Str line = {0};
    str_add_repeat(&line, ' ', INDENT);
    add_clean(&line, text, ascii);
    text_add_wrapped(out, str_text(&line), LINE_WIDTH, INDENT);
    str_add_char(out, '\n');
    str_clear(&line);
}

/* C3    FALSE        brackets:half
 *       D2: … */
static void add_claim_text(Str *out, const Claim *claim, bool ascii)
{
    Str line = {0};
    bool checked = !claim_is_uncheckable(claim);
    str_addf(&line, "%-*s%-*s%s", INDENT, claim->number, VERDICT_WIDTH, claim->verdict,
             checked ? claim->place : "no place");
    add_clean(out, str_text(&line), ascii);
    str_add_char(out, '\n');
    str_cut(&line, 0);
    str_addf(&line, "%s: %s", claim->documents, claim->text);
    add_wrapped(out, str_text(&line), ascii);
    if (!checked) {
        str_cut(&line, 0);
        str_addf(&line, "(%s)", claim->place);
        add_wrapped(out, str_text(&line), ascii);
    }
    str_clear(&line);
}

static void add_heading(Str *out, const char *section, bool ascii)
{
    str_add(out, out->length ? "\n" : "");
    add_clean(out, section, ascii);
    str_add(out, "\n\n");
}

/* ---- as JSON ---- */

static void add_member(Json *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text)
        json_text(json, text);
    else
        json_null(json);
}

static void add_claim_json(Json *json, const Claim *claim)
{
    bool checked = !claim_is_uncheckable(claim);
    json_open_object(json);
    add_member(json, "number", claim->number);
    add_member(json, "section", claim->section);
    add_member(json, "documents", claim->documents);
    add_member(json, "claim", claim->text);
    add_member(json, "verdict", claim->verdict);
    add_member(json, "place", checked ? claim->place : NULL);
    add_member(json, "reason", checked ? NULL : claim->place);
    json_close_object(json);
}

/* ---- the command ---- */

/* Appends the claims that document makes (all if it is NULL). */
static void add_text(Str *out, const Claims *claims, const char *document, bool ascii)
{
    const char *section = "";
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->items[i];
        if (document && !claim_is_in(claim, document))
            continue;
        if (!text_equal(section, claim->section))
            add_heading(out, claim->section, ascii);
        section = claim->section;
        add_claim_text(out, claim, ascii);
    }
}

static void add_json(Str *out, const Claims *claims, const char *document)
{
    Json json = json_begin(out);
    json_open_array(&json);
    for (size_t i = 0; i < claims->count; i++)
        if (!document || claim_is_in(&claims->items[i], document))
            add_claim_json(&json, &claims->items[i]);
    json_close_array(&json);
    str_add_char(out, '\n');
}

int command_claims(const Options *options)
{
    const char *document = options->argument_count ? options->arguments[0] : NULL;
    if (document && !claims_know(document))
        return output_usage(options->command, "there are the documents D1, D2, D3 and D4, no '%s'",
                            document);
    Claims claims;
    Error error = {0};
    if (claims_load(&claims, &error))
        return output_error(&error);
    Str out = {0};
    if (options_has(options, OPTION_JSON))
        add_json(&out, &claims, document);
    else
        add_text(&out, &claims, document, output_is_ascii(options_has(options, OPTION_ASCII)));
    int code = output_data(&out);
    str_clear(&out);
    claims_clear(&claims);
    return code;
}
