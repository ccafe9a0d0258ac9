# SPDX-License-Identifier: GPL-3.0-or-later
"""A lesson file taken apart for the oracle: parameters, and step by step the items in file order.

Written from the format's description alone, so that a mistake in the program's own parser shows as
a difference.  Problems are collected, not raised: (line, text), lines from 1."""
import re

from octave_code import CodeError, find_word, split_top

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
BARE = r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
FENCES = ("params", "labels", "octave", "view", "check", "predict", "notes")
FRONT = ("title", "about", "author", "lang", "requires", "sources")
DASH = " — "


class Param:
    """name, default (text), low and high (text or None), choices (texts or None), line."""

    def __init__(self, name, default, line):
        self.name, self.default, self.line = name, default, line
        self.low = self.high = self.choices = None
        self.help = ""

    def is_handle(self, value):
        return re.match(r"[A-Za-z]\w*$", value) and value not in ("pi", "e", "Inf", "NaN", "eps")

    def code(self, value):
        return "%s = %s%s;" % (self.name, "@" if self.is_handle(value) else "", value)

    def others(self):
        """The values besides the default at which checks run."""
        values = self.choices or [v for v in (self.low, self.high) if v is not None]
        return [v for v in values if v != self.default]


class Item:
    """kind: code, inline, check, predict, trap, view; line of the lesson; what the kind needs."""

    def __init__(self, kind, line, text, **more):
        self.kind, self.line, self.text = kind, line, text
        self.guard = self.sentence = self.format = self.tolerance = None
        self.fold = False
        self.__dict__.update(more)


class Step:
    def __init__(self, id_, title, line):
        self.id, self.title, self.line = id_, title, line
        self.items, self.words, self.choices = [], 0, []


class Lesson:
    def __init__(self, path):
        self.path = path
        self.front, self.params, self.steps, self.labels = {}, [], [], []
        self.problems = []

    def problem(self, line, text):
        self.problems.append((line, text))


def read_lesson(path):
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    lesson = Lesson(path)
    lines = [line.rstrip("\r") for line in text.split("\n")]
    start = read_front(lesson, lines)
    read_body(lesson, lines, start)
    seen = set()
    for step in lesson.steps:
        if not step.id:
            lesson.problem(step.line, "the step has no {#id}")
        elif step.id in seen:
            lesson.problem(step.line, "the step id '%s' is used twice" % step.id)
        seen.add(step.id)
        read_questions(lesson, step)
    return lesson


def read_front(lesson, lines):
    if not lines or lines[0] != "---":
        lesson.problem(1, "no front matter")
        return 0
    for i in range(1, len(lines)):
        if lines[i] == "---":
            for key in ("title", "about"):
                if not lesson.front.get(key):
                    lesson.problem(1, "front matter: %s is missing" % key)
            return i + 1
        key, colon, value = lines[i].partition(":")
        if not colon or key.strip() not in FRONT:
            lesson.problem(i + 1, "front matter: unknown line '%s'" % lines[i])
        lesson.front[key.strip()] = value.strip()
    lesson.problem(1, "front matter is not closed")
    return len(lines)


def read_body(lesson, lines, i):
    step, prose = None, []

    def need_step(line):
        nonlocal step
        if step is None:
            step = Step("", "", line)
            lesson.steps.append(step)
        return step

    while i < len(lines):
        line = lines[i]
        fence = re.match(r"(`{3,}|~{3,})\s*(.*?)\s*$", line)
        if fence:
            end = i + 1
            while end < len(lines) and not re.match(
                    re.escape(fence.group(1)) + fence.group(1)[0] + r"*\s*$", lines[end]):
                end += 1
            if end == len(lines):
                lesson.problem(i + 1, "the fence is not closed")
            end_prose(lesson, step, prose)
            read_fence(lesson, need_step, fence.group(2), lines[i + 1:end], i + 2)
            i = end + 1
            continue
        heading = re.match(r"##\s+(.*?)\s*$", line)
        if heading:
            end_prose(lesson, step, prose)
            title = heading.group(1)
            id_ = re.search(r"\s*\{#([a-z][a-z0-9-]*)\}$", title)
            step = Step(id_.group(1) if id_ else "", title[:id_.start()] if id_ else title, i + 1)
            lesson.steps.append(step)
        else:
            if re.match(r"(=+|-+)\s*$", line) and prose and prose[-1][1].strip():
                lesson.problem(i + 1, "a setext heading")
            if re.match(r"\s+(`{3,}|~{3,})", line):
                lesson.problem(i + 1, "a fence that does not start in column 1")
            prose.append((i + 1, line))
        i += 1
    end_prose(lesson, step, prose)


def end_prose(lesson, step, prose):
    """Counts the words and takes the inline values out of the lines gathered so far."""
    block = list(prose)
    prose.clear()
    if step is None:
        if any(text.strip() for _, text in block):
            lesson.problem(block[0][0], "text before the first ## step")
        return
    joined = "\n".join(text for _, text in block)
    first = block[0][0] if block else 0
    add_inlines(step, joined, first)
    words = re.sub(r"^\$\$.*?\$\$\s*$", "", joined, flags=re.S | re.M)
    choice = False
    kept = []
    for offset, text in enumerate(words.split("\n")):
        if re.match(r"\s*[-*+] \[[ xX]\] ", text):
            choice = True
        elif not text.strip():
            choice = False
        if not choice:
            kept.append(text)
    for number, text in block:
        if re.match(r"\s*[-*+] \[[ xX]\] ", text):
            step.choices.append([number, text.strip()])
        elif step.choices and text.startswith("  ") and step.choices[-1][0] >= first:
            step.choices[-1][1] += " " + text.strip()
    words = re.sub(r"\$[^$\s][^$]*\$", "formula", "\n".join(kept))
    words = re.sub(r"`[^`]*`", "code", words)
    step.words += len(re.findall(r"\w[\w'’-]*", words))


def add_inlines(step, text, first_line):
    for m in re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.S):
        body = m.group(2).strip() if m.group(2).startswith(" ") else m.group(2)
        if not body.startswith("="):
            continue
        body = body[1:]
        form = re.search(r"\|\s*(%[^|]*)$", body)
        line = first_line + text.count("\n", 0, m.start())
        if form:
            body = body[:form.start()]
        step.items.append(Item("inline", line, body.strip(),
                               format=form.group(1).strip() if form else None))


def read_fence(lesson, need_step, info, body, line):
    word = info.split()[0] if info else ""
    if word not in FENCES:
        lesson.problem(line - 1, "unknown fence '%s'" % info)
        return
    if word in ("octave", "view", "check", "predict") and info.split()[1:] not in (
            [[], ["fold"]] if word == "octave" else [[]]):
        lesson.problem(line - 1, "unknown words behind the fence: '%s'" % info)
    if word == "params":
        read_params(lesson, body, line)
    elif word == "labels":
        lesson.labels += [(line + k, text) for k, text in enumerate(body) if text.strip()]
    elif word == "notes":
        return
    elif word == "octave":
        need_step(line - 1).items.append(Item("code", line, "\n".join(body), fold="fold" in info))
    else:
        step = need_step(line - 1)
        for k, text in enumerate(body):
            if text.strip():
                try:
                    {"view": read_view, "check": read_check, "predict": read_predict}[word](
                        lesson, step, text.strip(), line + k)
                except CodeError as e:
                    lesson.problem(line + k, str(e))


def read_params(lesson, body, line):
    for k, text in enumerate(body):
        if not text.strip():
            continue
        m = re.match(r"\s*([A-Za-z]\w*)\s*=\s*(\S+)\s*(.*?)\s*$", text)
        if not m:
            lesson.problem(line + k, "not a parameter: '%s'" % text)
            continue
        p = Param(m.group(1), m.group(2), line + k)
        rest = m.group(3)
        span = re.match(r"(%s)?\.\.(%s)?(?=\s|$)" % (BARE, BARE), rest)
        choices = re.match(r"[^\s|]+(?:\s*\|\s*[^\s|]+)+", rest)
        if span:
            p.low, p.high, p.help = span.group(1), span.group(2), rest[span.end():].strip()
        elif choices:
            p.choices = [c.strip() for c in choices.group().split("|")]
            p.help = rest[choices.end():].strip()
            if p.default not in p.choices:
                lesson.problem(line + k, "the default '%s' is no choice" % p.default)
        else:
            lesson.problem(line + k, "no range and no choices: '%s'" % text)
        if span and not re.match(NUMBER + "$", p.default):
            lesson.problem(line + k, "the default '%s' is no number" % p.default)
        elif span and ((p.low and float(p.default) < float(p.low)) or
                       (p.high and float(p.default) > float(p.high))):
            lesson.problem(line + k, "the default '%s' is outside the range" % p.default)
        lesson.params.append(p)


def split_sentence(text):
    pieces = split_top_open(text)
    return pieces[0].strip(), pieces[1].strip()


def split_top_open(text):
    """(before, after) the first ':' at depth 0.  What follows is prose, where quotes and brackets
    need not close, so the code is looked for from the left."""
    at = text.find(":")
    while at >= 0:
        try:
            if len(split_top(text[:at] + ":", ":")) > 1:
                return text[:at], text[at + 1:]
        except CodeError:
            pass
        at = text.find(":", at + 1)
    return text, ""


def read_check(lesson, step, text, line):
    condition, sentence = split_sentence(text)
    if not sentence:
        lesson.problem(line, "a check needs ' : sentence'")
    guard = None
    at = find_word(condition, "when")
    if at >= 0:
        guard, condition = condition[at + 4:].strip(), condition[:at].strip()
    step.items.append(Item("check", line, condition, guard=guard, sentence=sentence))
    add_inlines(step, sentence, line)


def read_predict(lesson, step, text, line):
    code, sentence = split_sentence(text)
    if not sentence:
        lesson.problem(line, "a prediction or trap needs ' : text'")
    if re.match(r"trap\s", code):
        step.items.append(Item("trap", line, code[5:].strip(), sentence=sentence))
        if not any(i.kind == "predict" for i in step.items):
            lesson.problem(line, "a trap without its prediction")
        return
    at = find_word(code, "within")
    tolerance = "0"
    if at < 0:
        lesson.problem(line, "a prediction needs 'within TOLERANCE'")
    else:
        code, tolerance = code[:at].strip(), code[at + 6:].strip()
        if not re.match(NUMBER + "$", tolerance):
            lesson.problem(line, "the tolerance '%s' is no number" % tolerance)
            tolerance = "0"
    step.items.append(Item("predict", line, code, tolerance=float(tolerance), sentence=sentence))


VIEWS = {"heat", "product", "update", "bars", "diff", "plot", "table", "cost", "focus"}


def read_view(lesson, step, text, line):
    word, _, rest = text.partition(" ")
    if word not in VIEWS:
        lesson.problem(line, "unknown view '%s'" % word)
        return
    step.items.append(Item("view", line, rest.strip(), word=word))


def read_questions(lesson, step):
    if step.choices:
        if not any(re.match(r"[-*+] \[[xX]\]", text) for _, text in step.choices):
            lesson.problem(step.choices[0][0], "no choice of the question is right")
        for line, text in step.choices:
            if DASH not in text:
                lesson.problem(line, "a choice without feedback after '%s'" % DASH)
