/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/color.h"

#include <stdlib.h>
#include <string.h>

#include "app/output.h"

static bool refuse(const Options *options, const char *what, const char *word)
{
    output_usage(options->command, what, word);
    return false;
}

bool color_when(const Options *options, ColorWhen *out)
{
    static const char *const words[] = {"auto", "always", "never"};
    const char *text = options_text(options, OPTION_COLOR);
    *out = COLOR_AUTO;
    for (int i = 0; text && i < 3; i++)
        if (text_equal(text, words[i])) {
            *out = (ColorWhen)i;
            return true;
        }
    return !text || refuse(options, "--color takes auto, always or never, not '%s'", text);
}

bool color_is_wanted(ColorWhen when, bool able)
{
    const char *no = getenv("NO_COLOR");
    return when == COLOR_ALWAYS || (when == COLOR_AUTO && able && !(no && *no));
}

/* COLORFGBG is "15;0" or "15;default;0": the last is the background's number. */
static bool background_is_light(void)
{
    const char *text = getenv("COLORFGBG");
    const char *last = text ? strrchr(text, ';') : NULL;
    return last && (text_equal(last, ";7") || text_equal(last, ";15"));
}

bool color_theme(const Options *options, ThemeKind *out)
{
    const char *text = options_text(options, OPTION_THEME);
    *out = background_is_light() ? THEME_LIGHT : THEME_DARK;
    if (!text || theme_find(text, out))
        return true;
    return refuse(options, "--theme takes dark, light or mono, not '%s'", text);
}

int color_count(void)
{
    const char *term = getenv("TERM"), *true_color = getenv("COLORTERM");
    if (!term || strstr(term, "256") || (true_color && *true_color))
        return 256;
    return strstr(term, "16color") ? 16 : 8;
}
