/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vterm_dump ROWS COLS: what a terminal shows that was sent the bytes of standard input,
 * as text; blanks at the ends of lines are dropped.  With a third argument also one letter
 * a cell: R reversed, B bold, C coloured, '.' none. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vterm.h>

static void put_utf8(char *line, size_t *length, uint32_t c)
{
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    int tails = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    line[(*length)++] = (char)(leads[tails] | c >> (6 * tails));
    while (tails-- > 0)
        line[(*length)++] = (char)(0x80 | (c >> (6 * tails) & 0x3F));
}

static void print_line(char *line, size_t length)
{
    while (length > 0 && line[length - 1] == ' ')
        length--;
    fwrite(line, 1, length, stdout);
    putchar('\n');
}

static char letter_of(const VTermScreenCell *cell)
{
    bool plain = VTERM_COLOR_IS_DEFAULT_FG(&cell->fg) && VTERM_COLOR_IS_DEFAULT_BG(&cell->bg);
    return cell->attrs.reverse ? 'R' : !plain ? 'C' : cell->attrs.bold ? 'B' : '.';
}

int main(int argc, char **argv)
{
    int rows = argc > 2 ? atoi(argv[1]) : 0, cols = argc > 2 ? atoi(argv[2]) : 0;
    if (rows < 1 || cols < 1)
        return 2;
    VTerm *vt = vterm_new(rows, cols);
    vterm_set_utf8(vt, 1);
    VTermScreen *screen = vterm_obtain_screen(vt);
    vterm_screen_enable_altscreen(screen, 1);
    vterm_screen_reset(screen, 1);
    char block[4096];
    for (size_t got; (got = fread(block, 1, sizeof block, stdin)) > 0;)
        vterm_input_write(vt, block, got);
    char *line = malloc((size_t)cols * VTERM_MAX_CHARS_PER_CELL * 4 + 1);
    for (int layer = 0; layer < (argc > 3 ? 2 : 1); layer++)
        for (int i = 0; i < rows; i++) {
            size_t length = 0;
            for (int j = 0; j < cols; j++) {
                VTermScreenCell cell;
                vterm_screen_get_cell(screen, (VTermPos){i, j}, &cell);
                if (layer == 1)
                    line[length++] = letter_of(&cell);
                else if (cell.chars[0] == 0)
                    line[length++] = ' ';
                else if (cell.chars[0] != (uint32_t)-1)
                    for (int k = 0; k < VTERM_MAX_CHARS_PER_CELL && cell.chars[k]; k++)
                        put_utf8(line, &length, cell.chars[k]);
            }
            print_line(line, length);
        }
    free(line);
    vterm_free(vt);
    return 0;
}
