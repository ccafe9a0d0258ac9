/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer_stream: one causal layer whose tokens come block by block.
 *
 * A statement such as linear_attention(@elu1,Q,K,V,'causal') is taken apart: Q, K, V, and the
 * rates where they are inputs, are the caller's to feed, a block of rows at a time; everything
 * else (phi, rates that are numbers or expressions) is evaluated in a workspace.  The layer
 * runs in core/'s fast forms and keeps a state, no tokens. */
#ifndef LANG_LAYER_STREAM_H
#define LANG_LAYER_STREAM_H

#include "core/pool.h"
#include "lang/interp.h"

/* What a layer is fed. */
typedef enum {
    STREAM_Q,
    STREAM_K,
    STREAM_V,
    STREAM_ALPHA, /* of gated_delta_rule */
    STREAM_BETA,  /* of the delta rules */
    STREAM_GAMMA, /* of linear_attention */
    STREAM_PARTS
} StreamPart;

typedef struct LayerStream LayerStream;

/* Takes the statement of code apart; is_input says which names are the caller's.  code must
 * outlive the stream.  To be given back with layer_stream_free (NULL is allowed). */
Status layer_stream_new(const Code *code, bool (*is_input)(void *context, const char *name),
                        void *context, LayerStream **out, Error *error);
void layer_stream_free(LayerStream *stream);

/* The input that is fed as this part, or NULL if it is not fed; borrowed. */
const char *layer_stream_input(const LayerStream *stream, StreamPart part);

/* What messages call the part: "beta". */
const char *layer_stream_part_name(StreamPart part);

/* Evaluates phi and the rates that are not fed; interp must outlive the stream. */
Status layer_stream_begin(LayerStream *stream, Interp *interp, Error *error);

/* From here on the rate is not fed any more: one number, or one a token as a row or column. */
Status layer_stream_set_rate(LayerStream *stream, StreamPart part, const Matrix *rate,
                             Error *error);

/* The next tokens: of every part that is fed as many rows as blocks[STREAM_Q] has, rates in
 * one column.  *Y is a new reference to their outputs, (rows,d_v).  Row i of phi must depend
 * on row i alone: on each block that is tried. */
Status layer_stream_feed(LayerStream *stream, const Matrix *const blocks[STREAM_PARTS],
                         Pool *pool, Matrix **Y, Error *error);

/* Fails if a rate that is known as a whole is not one for so many tokens. */
Status layer_stream_check(const LayerStream *stream, size_t tokens, Error *error);

#endif
