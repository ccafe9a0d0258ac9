/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lesson/markdown.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lang/parse.h"
#include "lesson/build.h"
#include "lesson/mask.h"
#include "lesson/question.h"

/* Further loose dollar signs of the same piece of text are not remarked upon. */
enum { MAX_REMARKS = 8 };

/* One list that is open, outermost first. */
typedef struct {
    bool ordered, tight, tasks;
    size_t number; /* of the next item */
    size_t items;  /* begun so far */
} List;

typedef struct {
    Lesson *lesson;
    const Source *source;
    Masked masked;
    Step *step;                    /* where questions go, or NULL: they are refused */
    Prose prose;                   /* paragraphs since the last question */
    Runs *runs;                    /* of the paragraph or answer that is open, or NULL */
    size_t text_length, text_room; /* of the last run of runs, if it is a RUN_TEXT */
    List lists[MARKDOWN_MAX_DEPTH];
    size_t depth;     /* lists open */
    size_t quotes;    /* quotations open */
    bool item_begins; /* the next paragraph is the first of its item */
    ParagraphKind kind;
    size_t emphasis, strong; /* open */
    char *link;              /* open, or NULL */
    Question question;       /* open while lists[0].tasks */
    size_t question_room;
    bool in_answer;
    Error *error;
} Reader;

static Status refuse(Reader *r, size_t offset, const char *message)
{
    size_t at = masked_raw(&r->masked, offset);
    return error_at(r->error, r->source, (Span){at, at + 1}, "%s", message);
}

/* --- runs -------------------------------------------------------------------- */

static Run *add_run(Reader *r, RunKind kind, Span span)
{
    Runs *runs = r->runs;
    MEMORY_GROW(runs->items, runs->count, runs->room);
    Run *run = &runs->items[runs->count++];
    *run = (Run){.kind = kind,
                 .emphasis = r->emphasis > 0,
                 .strong = r->strong > 0,
                 .link = r->link ? memory_copy_text(r->link) : NULL,
                 .precision = -1,
                 .span = span};
    return run;
}

static bool is_same_style(const Reader *r, const Run *run)
{
    bool same_link = run->link && r->link ? text_equal(run->link, r->link) : run->link == r->link;
    return run->kind == RUN_TEXT && run->emphasis == (r->emphasis > 0) &&
           run->strong == (r->strong > 0) && same_link;
}

/* Appends ordinary text, to the last run where the style is the same. */
static void add_text(Reader *r, const char *text, size_t length, Span span)
{
    Runs *runs = r->runs;
    Run *last = runs->count ? &runs->items[runs->count - 1] : NULL;
    if (!last || !is_same_style(r, last)) {
        last = add_run(r, RUN_TEXT, span);
        r->text_length = r->text_room = 0;
    }
    /* a paragraph may come in many small pieces: its text grows as a Str does */
    Str grown = {.data = last->text, .length = r->text_length, .room = r->text_room};
    str_add_bytes(&grown, text, length);
    last->text = grown.data;
    r->text_length = grown.length;
    r->text_room = grown.room;
    last->span.end = span.end;
}

/* span of the source as one line: line ends become blanks. */
static char *copy_line(const Source *source, Span span)
{
    char *text = memory_copy_slice(source->text + span.start, span.end - span.start);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return text;
}

static Status add_masked(Reader *r, const Mask *mask)
{
    if (mask->kind == MASK_LITERAL) {
        add_text(r, r->source->text + mask->span.start, mask->span.end - mask->span.start,
                 mask->span);
        return STATUS_OK;
    }
    RunKind kind = mask->kind == MASK_CODE   ? RUN_CODE
                   : mask->kind == MASK_MATH ? RUN_MATH
                                             : RUN_VALUE;
    Run *run = add_run(r, kind, mask->span);
    Span inner = mask->inner;
    Status status = STATUS_OK;
    if (kind == RUN_VALUE)
        status = build_value(r->source, &inner, run, r->error);
    run->text = copy_line(r->source, inner);
    return status;
}

/* Text of the masked buffer: the pieces between the marks, and what they stand for. */
static Status add_normal(Reader *r, size_t offset, size_t length)
{
    const char *text = r->masked.text.data;
    size_t end = offset + length, start = offset;
    for (size_t i = offset; i <= end; i++) {
        bool marked = i < end && (unsigned char)text[i] >= 0xF3;
        const Mask *mask = marked ? mask_find(&r->masked, i) : NULL;
        if (i < end && !mask)
            continue;
        if (i > start)
            add_text(r, text + start, i - start,
                     (Span){masked_raw(&r->masked, start), masked_raw(&r->masked, i - 1) + 1});
        if (mask) {
            if (mask->span.end > mask->span.start && add_masked(r, mask) != STATUS_OK)
                return STATUS_ERROR;
            i += MASK_BYTES - 1;
        }
        start = i + 1;
    }
    return STATUS_OK;
}

static void add_code_point(Str *out, unsigned long c)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        c = 0xFFFD;
    if (c < 0x80) {
        str_add_char(out, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    str_add_char(out, (char)((0xF00 >> (more + 1) & 0xFF) | (c >> (6 * more))));
    while (more-- > 0)
        str_add_char(out, (char)(0x80 | (c >> (6 * more) & 0x3F)));
}

/* &amp; and its kin; a name that is not known stays as it was written. */
static void add_entity(Reader *r, const char *text, size_t length, Span span)
{
    static const struct {
        const char *name, *text;
    } known[] = {{"&amp;", "&"},        {"&lt;", "<"},        {"&gt;", ">"},
                 {"&quot;", "\""},      {"&apos;", "'"},      {"&nbsp;", "\u00A0"},
                 {"&mdash;", "\u2014"}, {"&ndash;", "\u2013"}};
    Str out = {0};
    if (text[1] == '#') {
        bool hex = text[2] == 'x' || text[2] == 'X';
        add_code_point(&out, strtoul(text + (hex ? 3 : 2), NULL, hex ? 16 : 10));
    } else {
        size_t i = 0, count = sizeof known / sizeof known[0];
        while (i < count &&
               (strlen(known[i].name) != length || memcmp(known[i].name, text, length) != 0))
            i++;
        if (i < count)
            str_add(&out, known[i].text);
        else
            str_add_bytes(&out, text, length);
    }
    add_text(r, str_text(&out), out.length, span);
    str_clear(&out);
}

/* --- paragraphs -------------------------------------------------------------- */

static void open_paragraph(Reader *r, ParagraphKind kind)
{
    Prose *prose = &r->prose;
    MEMORY_GROW(prose->items, prose->count, prose->room);
    const List *list = r->depth ? &r->lists[r->depth - 1] : NULL;
    prose->items[prose->count] = (Paragraph){
        .kind = list && kind == PARAGRAPH_TEXT ? PARAGRAPH_ITEM : kind,
        .depth = r->depth + r->quotes,
        .number = list && list->ordered && r->item_begins ? list->number - 1 : 0,
        .first = list && r->item_begins,
        .quote = r->quotes > 0,
        .tight = list && list->tight && (r->item_begins ? list->items > 1 || r->depth > 1 : false),
    };
    r->runs = &prose->items[prose->count++].runs;
    r->item_begins = false;
}

/* What stands before a question, or at the end, as a block of its own. */
static void flush_prose(Reader *r)
{
    if (!r->step || r->prose.count == 0)
        return;
    Block *block = build_add_block(r->step, BLOCK_PROSE);
    block->prose = r->prose;
    r->prose = (Prose){0};
    block->span = build_prose_span(&block->prose);
    block->inner = block->span;
}

static Status open_answer(Reader *r, const MD_BLOCK_LI_DETAIL *detail)
{
    size_t at = detail->task_mark_offset - 1;
    if (!r->step)
        return refuse(r, at, "a task list here would be a question: it belongs to the text");
    if (r->depth != 1 || r->quotes > 0)
        return refuse(r, at, "the choices of a question stand in a list of their own");
    if (!r->lists[0].tasks && r->lists[0].items > 1)
        return refuse(r, at, "a choice in a list that does not begin with one");
    if (!r->lists[0].tasks)
        flush_prose(r);
    r->lists[0].tasks = true;
    Question *q = &r->question;
    MEMORY_GROW(q->answers, q->count, r->question_room);
    q->answers[q->count] = (Answer){
        .right = detail->task_mark != ' ',
        .span = {masked_raw(&r->masked, at), masked_raw(&r->masked, at) + 3},
    };
    r->runs = &q->answers[q->count++].text;
    r->in_answer = true;
    return STATUS_OK;
}

static Status close_question(Reader *r)
{
    Block *block = build_add_block(r->step, BLOCK_QUESTION);
    block->question = r->question;
    r->question = (Question){0};
    r->question_room = 0;
    return question_finish(r->source, block, r->error);
}

/* --- what MD4C calls --------------------------------------------------------- */

static Status refuse_here(Reader *r, const char *message)
{
    Span span = r->question.count ? r->question.answers[r->question.count - 1].span
                                  : (Span){r->masked.start, r->masked.start + 1};
    return error_at(r->error, r->source, span, "%s", message);
}

static Status open_list(Reader *r, bool ordered, bool tight, size_t start)
{
    if (r->depth + r->quotes == MARKDOWN_MAX_DEPTH)
        return refuse_here(r, "lists and quotations nest more than 64 deep");
    if (r->in_answer)
        return refuse_here(r, "a choice is one paragraph, without a list in it");
    r->lists[r->depth++] = (List){.ordered = ordered, .tight = tight, .number = start};
    r->runs = NULL;
    return STATUS_OK;
}

static Status open_item(Reader *r, const MD_BLOCK_LI_DETAIL *detail)
{
    List *list = &r->lists[r->depth - 1];
    list->items++;
    list->number++;
    r->item_begins = true;
    r->runs = NULL;
    if (detail->is_task)
        return open_answer(r, detail);
    if (list->tasks)
        return refuse_here(r, "the list of this choice also holds an item that is none");
    return STATUS_OK;
}

static Status open_block(Reader *r, MD_BLOCKTYPE type, void *detail)
{
    const MD_BLOCK_UL_DETAIL *ul = detail;
    const MD_BLOCK_OL_DETAIL *ol = detail;
    switch (type) {
    case MD_BLOCK_QUOTE:
        if (r->depth + ++r->quotes > MARKDOWN_MAX_DEPTH)
            return refuse_here(r, "lists and quotations nest more than 64 deep");
        r->runs = NULL;
        break;
    case MD_BLOCK_UL:
        return open_list(r, false, ul->is_tight != 0, 1);
    case MD_BLOCK_OL:
        return open_list(r, true, ol->is_tight != 0, ol->start);
    case MD_BLOCK_LI:
        return open_item(r, detail);
    case MD_BLOCK_HR:
        open_paragraph(r, PARAGRAPH_RULE);
        r->runs = NULL;
        break;
    case MD_BLOCK_H:
        open_paragraph(r, PARAGRAPH_HEADING);
        break;
    case MD_BLOCK_P:
        if (r->in_answer && r->question.answers[r->question.count - 1].text.count > 0)
            return refuse_here(r, "a choice is one paragraph");
        if (!r->in_answer)
            open_paragraph(r, PARAGRAPH_TEXT);
        break;
    default:
        break;
    }
    return STATUS_OK;
}

static Status close_block(Reader *r, MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        r->quotes--;
        r->runs = NULL;
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL: {
        bool tasks = r->lists[--r->depth].tasks;
        r->runs = NULL;
        if (tasks)
            return close_question(r);
        break;
    }
    case MD_BLOCK_LI:
        r->in_answer = false;
        r->item_begins = false;
        r->runs = NULL;
        break;
    case MD_BLOCK_H:
    case MD_BLOCK_P:
        if (!r->in_answer)
            r->runs = NULL;
        break;
    default:
        break;
    }
    return STATUS_OK;
}

/* MD4C hands on negative results only. */
static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    return open_block(context, type, detail) == STATUS_OK ? 0 : -1;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    (void)detail;
    return close_block(context, type) == STATUS_OK ? 0 : -1;
}

/* The address of a link, with what was masked in it put back. */
static char *read_address(const Reader *r, const MD_ATTRIBUTE *attribute)
{
    Str out = {0};
    for (size_t i = 0; i < attribute->size;) {
        size_t n = text_next(attribute->text + i, attribute->size - i);
        int32_t c = text_decode(attribute->text + i, n);
        if (c >= 0xF0000 && (size_t)(c - 0xF0000) < r->masked.count) {
            Span raw = r->masked.items[c - 0xF0000].span;
            str_add_bytes(&out, r->source->text + raw.start, raw.end - raw.start);
        } else {
            str_add_bytes(&out, attribute->text + i, n);
        }
        i += n;
    }
    str_add(&out, "");
    return str_take(&out);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    Reader *r = context;
    r->emphasis += type == MD_SPAN_EM;
    r->strong += type == MD_SPAN_STRONG;
    if (type == MD_SPAN_A || type == MD_SPAN_IMG) {
        const MD_ATTRIBUTE *address = type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href
                                                        : &((MD_SPAN_IMG_DETAIL *)detail)->src;
        free(r->link);
        r->link = read_address(r, address);
    }
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    (void)detail;
    Reader *r = context;
    r->emphasis -= type == MD_SPAN_EM;
    r->strong -= type == MD_SPAN_STRONG;
    if (type == MD_SPAN_A || type == MD_SPAN_IMG) {
        free(r->link);
        r->link = NULL;
    }
    return 0;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    Reader *r = context;
    const char *buffer = r->masked.text.data;
    bool ours = text >= buffer && text < buffer + r->masked.text.length;
    Span span = {0, 0};
    if (ours)
        span = (Span){masked_raw(&r->masked, (size_t)(text - buffer)),
                      masked_raw(&r->masked, (size_t)(text - buffer) + size)};
    else if (r->runs && r->runs->count)
        span.start = span.end = r->runs->items[r->runs->count - 1].span.end;
    if (!r->runs)
        open_paragraph(r, PARAGRAPH_TEXT);
    if (type == MD_TEXT_BR)
        add_run(r, RUN_BREAK, span)->text = memory_copy_text("");
    else if (type == MD_TEXT_SOFTBR)
        add_text(r, " ", 1, span);
    else if (type == MD_TEXT_ENTITY)
        add_entity(r, text, size, span);
    else if (ours)
        return add_normal(r, (size_t)(text - buffer), size) == STATUS_OK ? 0 : -1;
    else
        add_text(r, text, size, span);
    return 0;
}

/* --- entries ----------------------------------------------------------------- */

static Status parse_masked(Reader *r)
{
    const MD_PARSER parser = {
        .flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_TASKLISTS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = on_text,
    };
    if (r->masked.text.length == 0)
        return STATUS_OK;
    int failed = md_parse(r->masked.text.data, (MD_SIZE)r->masked.text.length, &parser, r);
    if (failed && !r->error->message)
        memory_exhausted(); /* MD4C fails of itself in no other way */
    return failed ? STATUS_ERROR : STATUS_OK;
}

static void clear_reader(Reader *r)
{
    masked_clear(&r->masked);
    prose_clear(&r->prose);
    build_clear_question(&r->question);
    free(r->link);
}

static void add_loose_remarks(Reader *r)
{
    for (size_t i = 0; i < r->masked.loose_count && i < MAX_REMARKS; i++)
        build_add_remark(r->lesson, r->masked.loose[i],
                         "this '$' opens no formula; an ordinary dollar sign is written \\$");
}

static Status read_all(Reader *r, Span span)
{
    Status status = mask_text(r->source, span, &r->masked, r->error);
    if (status == STATUS_OK)
        status = parse_masked(r);
    if (status == STATUS_OK)
        add_loose_remarks(r);
    return status;
}

Status markdown_add_blocks(Lesson *lesson, Step *step, Span span, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .step = step, .error = error};
    Status status = read_all(&r, span);
    if (status == STATUS_OK)
        flush_prose(&r);
    clear_reader(&r);
    return status;
}

Status markdown_read_prose(Lesson *lesson, Span span, Prose *out, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .error = error};
    Status status = read_all(&r, span);
    if (status == STATUS_OK) {
        *out = r.prose;
        r.prose = (Prose){0};
    }
    clear_reader(&r);
    return status;
}

Status markdown_read_line(Lesson *lesson, Span span, Runs *out, Error *error)
{
    Reader r = {.lesson = lesson, .source = lesson->source, .error = error};
    /* An empty mask at the start keeps "- " and "# " from beginning anything. */
    mask_begin_line(span, &r.masked);
    Status status = read_all(&r, span);
    if (status == STATUS_OK && r.prose.count == 1) {
        *out = r.prose.items[0].runs;
        r.prose.items[0].runs = (Runs){0};
    }
    clear_reader(&r);
    return status;
}
