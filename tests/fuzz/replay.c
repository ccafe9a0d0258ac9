/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a fuzz target with every file named, so that builds without libFuzzer try past
 * findings and seeds too: replay FILE... */
#include "fuzz.h"
#include "io/file.h"

enum { MOST_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        Str bytes = {0};
        Error error = {0};
        if (file_read(argv[i], MOST_BYTES, false, &bytes, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last one is the one that failed */
        LLVMFuzzerTestOneInput((const uint8_t *)str_text(&bytes), bytes.length);
        str_clear(&bytes);
    }
    core_end();
    return argc > 1 ? 0 : 1;
}
