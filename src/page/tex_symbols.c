/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of names and of raised and lowered characters. */
#include "page/tex.h"

#include <string.h>

static const TexSymbol symbols[] = {
#define SYMBOL(name, unicode, ascii, class, limits) {name, unicode, ascii, class, limits},
#include "page/tex_symbols.def"
#undef SYMBOL
};

static bool is_text(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

const TexSymbol *tex_symbol_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (is_text(symbols[i].name, name, length))
            return &symbols[i];
    return NULL;
}

const TexSymbol *tex_symbol_find_character(const char *text, size_t length)
{
    /* a command's word ("exp") is no character: letters typed one by one are letters */
    if (length == 0 || (text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'))
        return NULL;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (is_text(symbols[i].unicode, text, length))
            return &symbols[i];
    return NULL;
}

/* What has a raised or a lowered form; "" where Unicode has none. */
static const struct {
    const char *plain, *up, *down;
} scripts[] = {
    {"0", "⁰", "₀"}, {"1", "¹", "₁"}, {"2", "²", "₂"}, {"3", "³", "₃"}, {"4", "⁴", "₄"},
    {"5", "⁵", "₅"}, {"6", "⁶", "₆"}, {"7", "⁷", "₇"}, {"8", "⁸", "₈"}, {"9", "⁹", "₉"},
    {"+", "⁺", "₊"}, {"-", "⁻", "₋"}, {"a", "ᵃ", "ₐ"}, {"b", "ᵇ", ""},  {"c", "ᶜ", ""},
    {"d", "ᵈ", ""},  {"e", "ᵉ", "ₑ"}, {"f", "ᶠ", ""},  {"g", "ᵍ", ""},  {"h", "ʰ", "ₕ"},
    {"i", "ⁱ", "ᵢ"}, {"j", "ʲ", "ⱼ"}, {"k", "ᵏ", "ₖ"}, {"l", "ˡ", "ₗ"}, {"m", "ᵐ", "ₘ"},
    {"n", "ⁿ", "ₙ"}, {"o", "ᵒ", "ₒ"}, {"p", "ᵖ", "ₚ"}, {"r", "ʳ", "ᵣ"}, {"s", "ˢ", "ₛ"},
    {"t", "ᵗ", "ₜ"}, {"u", "ᵘ", "ᵤ"}, {"v", "ᵛ", "ᵥ"}, {"w", "ʷ", ""},  {"x", "ˣ", "ₓ"},
    {"y", "ʸ", ""},  {"z", "ᶻ", ""},  {"A", "ᴬ", ""},  {"B", "ᴮ", ""},  {"D", "ᴰ", ""},
    {"E", "ᴱ", ""},  {"G", "ᴳ", ""},  {"H", "ᴴ", ""},  {"I", "ᴵ", ""},  {"J", "ᴶ", ""},
    {"K", "ᴷ", ""},  {"L", "ᴸ", ""},  {"M", "ᴹ", ""},  {"N", "ᴺ", ""},  {"O", "ᴼ", ""},
    {"P", "ᴾ", ""},  {"R", "ᴿ", ""},  {"T", "ᵀ", ""},  {"U", "ᵁ", ""},  {"V", "ⱽ", ""},
    {"W", "ᵂ", ""},  {"⊤", "ᵀ", ""},  {"′", "′", ""},  {"β", "ᵝ", "ᵦ"}, {"γ", "ᵞ", "ᵧ"},
    {"δ", "ᵟ", ""},  {"θ", "ᶿ", ""},  {"ρ", "", "ᵨ"},  {"φ", "ᵠ", "ᵩ"}, {"χ", "ᵡ", "ᵪ"},
};

const char *tex_symbol_script(const char *text, bool up)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(scripts[i].plain, text) == 0) {
            const char *form = up ? scripts[i].up : scripts[i].down;
            return *form ? form : NULL;
        }
    return NULL;
}
