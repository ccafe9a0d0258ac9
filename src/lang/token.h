/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token: text to tokens, with Octave's rules for blanks in brackets.
 *
 * Whether a quote is a transpose or begins a string, and whether a blank inside
 * [ ] separates two elements, depends on what stands around it; the scanner
 * settles both, so that the parser never looks at blanks. The parser uses this, and expr.c to
 * print what was parsed. */
#ifndef LANG_TOKEN_H
#define LANG_TOKEN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/source.h"

typedef enum {
    TOKEN_END_OF_TEXT,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* a string literal */
    TOKEN_NAME,
    TOKEN_KEYWORD,
    TOKEN_OPERATOR,  /* see Token.spelling */
    TOKEN_COMMA,     /* also a blank that separates elements */
    TOKEN_SEMICOLON, /* also a line end inside [ ] */
    TOKEN_NEWLINE
} TokenKind;

typedef struct {
    TokenKind kind;
    Span span;
    bool space_before;
    const char *spelling; /* operators and keywords: a string of static storage */
    double number;
    char *text; /* names and unescaped strings; owned by the token */
} Token;

typedef struct {
    Token *items; /* the last one is TOKEN_END_OF_TEXT */
    size_t count, room;
} TokenList;

/* Scans span of source.  On error the list is empty. */
Status token_scan(const Source *source, Span span, TokenList *list, Error *error);
/* The same for one expression or the header of a statement, wherever it stands: line ends
 * outside [ ] are blanks, and 'end' may be a number. */
Status token_scan_part(const Source *source, Span span, TokenList *list, Error *error);
void token_list_clear(TokenList *list);

/* True if the token is the operator (or keyword) of that spelling. */
bool token_is(const Token *token, const char *spelling);

#endif
