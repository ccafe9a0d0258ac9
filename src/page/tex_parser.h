/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex_parser: what the two halves of the formula parser share.
 *
 * tex_parse.c reads characters, groups, scripts and rows, tex_command.c what
 * begins with a backslash.  After texparser_fail every function returns NULL (or
 * false), so callers pass that on and look no further. */
#ifndef PAGE_TEX_PARSER_H
#define PAGE_TEX_PARSER_H

#include "page/tex.h"

typedef struct {
    Tex *tex;
    const char *text;
    size_t length, at;
    int depth;   /* of groups and arguments in one another, at most TEX_MAX_DEPTH */
    bool broken; /* the structure is; the tree is given up */
} TexParser;

/* Nodes collected before they become a node's children. */
typedef struct {
    TexNode **items;
    size_t count, room;
} TexNodeList;

/* A node of the source from start to end, all texts empty. */
TexNode *texparser_node(TexParser *p, TexKind kind, size_t start, size_t end);

/* A TEX_SYMBOL of that row, or, if it is NULL, of the source as it stands. */
TexNode *texparser_symbol(TexParser *p, size_t start, size_t end, const TexSymbol *symbol);

/* Copies count children into node. */
void texparser_set_children(TexParser *p, TexNode *node, TexNode *const *children, size_t count);

/* A copy of the source from start to end that lives as long as the tree. */
const char *texparser_own_slice(TexParser *p, size_t start, size_t end);

/* The same for any allocation: frees p with the tree, and returns it. */
void *texparser_own(Tex *tex, void *p);

void texparser_add_problem(TexParser *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A broken structure: reports the first one, gives up on the tree, returns NULL. */
TexNode *texparser_fail(TexParser *p, size_t start, size_t end, const char *message);

void texparser_skip_blanks(TexParser *p);
bool texparser_next_is(const TexParser *p, const char *token);

/* True if the command \name (without the backslash) stands here. */
bool texparser_next_is_command(const TexParser *p, const char *name);

/* The end of the command whose backslash stands at start. */
size_t texparser_command_end(const TexParser *p, size_t start);

/* The offset behind the "}" that closes the "{" at start, or 0 if none does. */
size_t texparser_group_end(const TexParser *p, size_t start);

/* Everything up to what ends a row: "}", "&", "\\", \right, \end, with
 * to_bracket also "]", or the end.  The caller looks at what that is. */
TexNode *texparser_row(TexParser *p, bool to_bracket);

/* A group, or one token with its own arguments, for the command from start to end. */
TexNode *texparser_argument(TexParser *p, size_t start, size_t end);

/* The span of the text between "{" and "}", taken as it stands. */
bool texparser_raw(TexParser *p, size_t start, size_t end, Span *inside);

/* The command that stands here, with its arguments. */
TexNode *texparser_command(TexParser *p);

#endif
