/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/tex_script.h"

#include <string.h>

#include "base/text.h"

bool tex_is_symbol(const TexNode *node, const char *unicode)
{
    return node->kind == TEX_SYMBOL && strcmp(node->unicode, unicode) == 0;
}

const TexNode *tex_unwrap(const TexNode *node)
{
    while (node && node->kind == TEX_ROW && node->count == 1)
        node = node->children[0];
    return node;
}

/* Appends the forms of all characters of text. */
static bool add_characters(Str *out, const char *text, bool up)
{
    for (size_t length = strlen(text), at = 0; at < length;) {
        size_t n = text_next(text + at, length - at);
        char one[8] = {0};
        memcpy(one, text + at, n); /* a UTF-8 sequence has at most 4 bytes */
        const char *form = tex_symbol_script(one, up);
        if (!form)
            return false;
        if (out)
            str_add(out, form);
        at += n;
    }
    return true;
}

/* True if item i is a sign that may stand there. */
static bool is_sign(TexNode *const *items, size_t count, size_t i, TexSigns signs)
{
    if (signs == TEX_SIGN_ANYWHERE)
        return tex_is_symbol(items[i], "-");
    return i == 0 && count == 2 && (tex_is_symbol(items[0], "-") || tex_is_symbol(items[0], "+")) &&
           items[1]->kind == TEX_SYMBOL && strchr("0123456789", items[1]->unicode[0]);
}

bool tex_add_raised(Str *out, const TexNode *script, bool up, TexSigns signs)
{
    script = tex_unwrap(script);
    TexNode *const *items = script->kind == TEX_ROW ? script->children : (TexNode *const *)&script;
    size_t count = script->kind == TEX_ROW ? script->count : 1;
    for (size_t i = 0; i < count; i++) {
        bool plain = items[i]->kind == TEX_SYMBOL &&
                     (items[i]->class == TEX_ORDINARY || is_sign(items, count, i, signs));
        if (!plain || !add_characters(out, items[i]->unicode, up))
            return false;
    }
    return count > 0;
}
