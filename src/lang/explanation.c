/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lang/explanation.h"

#include <stdlib.h>

void explanation_clear(Explanation *explanation)
{
    for (size_t k = 0; k < explanation->count; k++)
        free(explanation->parts[k].name);
    free(explanation->parts);
    free(explanation->sentence);
    *explanation = (Explanation){0};
}
