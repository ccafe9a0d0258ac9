# SPDX-License-Identifier: GPL-3.0-or-later
"""Octave source cut into statements, as far as the lessons' subset goes.

oracle.py uses it to put a recording call behind every assignment and to find separators that stand
at bracket depth 0 outside strings.  It knows nothing of the program under test."""
import re

OPEN, CLOSE = "([{", ")]}"
BLOCKS = ("for", "while", "if")
WORD = re.compile(r"[A-Za-z_]\w*")
TARGET = re.compile(r"\s*([A-Za-z_]\w*)\s*")


class CodeError(Exception):
    def __init__(self, message, line):
        super().__init__(message)
        self.line = line


def marks(text):
    """One letter a character: 'c' code, 's' string, '%' comment, '.' continuation and its rest of
    line; and the bracket depth before the character."""
    kind, depth, level, stack = [], [], 0, []
    i, n, operand, blank = 0, len(text), False, True

    def put(count, letter):
        kind.extend(letter * count)
        depth.extend([level] * count)

    while i < n:
        c = text[i]
        if c in "%#":
            end = text.find("\n", i)
            end = n if end < 0 else end
            put(end - i, "%")
            i = end
            continue
        if text.startswith("...", i) and re.match(r"\.\.\.[ \t]*([%#].*)?(\n|$)", text[i:]):
            end = text.find("\n", i)
            end = n if end < 0 else end + 1
            put(end - i, ".")
            i, blank = end, True
            continue
        spaced = blank and stack and stack[-1] in "[{"
        if c == '"' or (c == "'" and not (operand and not spaced)):
            j = i + 1
            while j < n and text[j] != "\n":
                if c == '"' and text[j] == "\\":
                    j += 2
                elif text[j] == c and text[j:j + 2] == c + c:
                    j += 2
                elif text[j] == c:
                    break
                else:
                    j += 1
            if j >= n or text[j] == "\n":
                raise CodeError("unterminated string", text.count("\n", 0, i))
            put(j + 1 - i, "s")
            i, operand, blank = j + 1, True, False
            continue
        if c in OPEN:
            put(1, "c")
            level += 1
            stack.append(c)
            operand = False
        elif c in CLOSE:
            if not stack or OPEN.index(stack.pop()) != CLOSE.index(c):
                raise CodeError("unbalanced '%s'" % c, text.count("\n", 0, i))
            level -= 1
            put(1, "c")
            operand = True
        else:
            put(1, "c")
            if c.isalnum() or c in "_'.":
                operand = c != "." or text[i + 1:i + 2] == "'"
            elif c not in " \t":
                operand = False
        blank = c in " \t\n"
        i += 1
    if stack:
        raise CodeError("unclosed '%s'" % stack[-1], text.count("\n"))
    return kind, depth


def split_top(text, separators):
    """Pieces of text between the characters in separators at depth 0 outside strings."""
    kind, depth = marks(text)
    pieces, start = [], 0
    for i, c in enumerate(text):
        if kind[i] == "c" and depth[i] == 0 and c in separators:
            pieces.append(text[start:i])
            start = i + 1
    return pieces + [text[start:]]


def find_word(text, word):
    """Offset of a whole word at depth 0 outside strings, or -1."""
    kind, depth = marks(text)
    for m in re.finditer(r"(?<!\w)%s(?!\w)" % word, text):
        if kind[m.start()] == "c" and depth[m.start()] == 0:
            return m.start()
    return -1


def find_comparison(text):
    """(offset, operator) of the only comparison at depth 0, or None."""
    kind, depth = marks(text)
    found = []
    i = 0
    while i < len(text):
        if kind[i] == "c" and depth[i] == 0:
            if text.startswith(("&&", "||"), i) or text[i] in "&|":
                return None
            m = re.match(r"==|!=|~=|<=|>=|<|>", text[i:])
            if m:
                found.append((i, m.group()))
                i += len(m.group())
                continue
        i += 1
    return found[0] if len(found) == 1 else None


def find_equals(text):
    """Offset of the '=' of an assignment at depth 0 (of `x += 1` too), or -1."""
    kind, depth = marks(text)
    for i, c in enumerate(text):
        if (c == "=" and kind[i] == "c" and depth[i] == 0 and text[i + 1:i + 2] != "="
                and (i == 0 or text[i - 1] not in "=<>!~")):
            return i
    return -1


class Statement:
    """kind: simple, for, while, if.  text: a simple statement, or the header of a for or while.
    name: what it binds (None if nothing; the variable of a for).  body: statements; arms of an if:
    (condition or None, statements).  source: the text with everything in it; line from 0."""

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.name, self.body, self.arms, self.source = None, [], [], text


class Splitter:
    def __init__(self, text):
        self.text = text
        self.kind, self.depth = marks(text)
        self.at = 0

    def line(self, at=None):
        return self.text.count("\n", 0, self.at if at is None else at)

    def skip(self):
        while self.at < len(self.text) and (self.kind[self.at] in "%." or
                                            self.text[self.at] in " \t\r\n;,"):
            self.at += 1

    def word(self):
        m = WORD.match(self.text, self.at)
        return m.group() if m else ""

    def clean(self, start, end):
        """Source without comments and continuations."""
        return "".join(self.text[i] if self.kind[i] in "cs" else (" " if self.kind[i] == "." else "")
                       for i in range(start, end)).strip()

    def until_separator(self):
        start = self.at
        while self.at < len(self.text):
            if (self.depth[self.at] == 0 and self.kind[self.at] == "c"
                    and self.text[self.at] in ";,\n"):
                break
            self.at += 1
        return self.clean(start, self.at)

    def header(self):
        """What follows for, while, if, elseif, to the separator or to the closing parenthesis."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        if self.text[self.at:self.at + 1] == "(":
            level = self.depth[self.at]
            self.at += 1
            while self.depth[self.at] > level + 1 or self.text[self.at] != ")" or \
                    self.kind[self.at] != "c":
                self.at += 1
            self.at += 1
            rest = re.match(r"[ \t]*", self.text[self.at:]).end() + self.at
            after = self.text[rest:rest + 1]
            if after == "" or after in "\n;,%#" or after.isalpha() or after == "_":
                return self.clean(start, self.at)
        self.until_separator()
        return self.clean(start, self.at)

    def statements(self, closers, level):
        if level > 64:
            raise CodeError("nested too deeply", self.line())
        found = []
        while True:
            self.skip()
            if self.at >= len(self.text):
                if closers:
                    raise CodeError("a block is not closed by end", self.line())
                return found
            word = self.word()
            if word in closers:
                return found
            if word in ("end", "endfor", "endif", "endwhile", "else", "elseif"):
                raise CodeError("'%s' without its block" % word, self.line())
            found.append(self.block(word, level) if word in BLOCKS else self.simple())

    def simple(self):
        start = self.at
        s = Statement("simple", None, self.line())
        s.text = self.until_separator()
        s.source = self.text[start:self.at]
        equals = find_equals(s.text)
        target = TARGET.match(s.text)
        if equals >= 0 and target:
            s.name = target.group(1)
        else:
            m = re.match(r"([A-Za-z_]\w*)\s*(\+\+|--)$", s.text) or \
                re.match(r"(?:\+\+|--)\s*()([A-Za-z_]\w*)$", s.text)
            if m:
                s.name = m.group(1) or m.group(2)
        return s

    def block(self, word, level):
        start = self.at
        s = Statement(word, None, self.line())
        self.at += len(word)
        s.text = self.header()
        ends = ("end", "end" + word)
        if word == "if":
            condition = s.text
            while True:
                body = self.statements(ends + ("elseif", "else"), level + 1)
                s.arms.append((condition, body))
                closer = self.word()
                self.at += len(closer)
                if closer in ends:
                    break
                condition = self.header() if closer == "elseif" else None
        else:
            s.body = self.statements(ends, level + 1)
            self.at += len(self.word())
            if word == "for":
                header = s.text
                if header.startswith("(") and split_top(header, "=")[0] == header:
                    header = header[1:-1]
                s.name = header.split("=")[0].strip()
        s.source = self.text[start:self.at]
        return s


def split_statements(text):
    """The statements of a piece of code, blocks nested.  CodeError says what is wrong and where."""
    return Splitter(text).statements((), 0)


def names_bound(statements, loops=True):
    """Names that statements assign, in order of first appearance; loop variables if asked."""
    found = []

    def walk(list_):
        for s in list_:
            if s.name and (loops or s.kind != "for") and s.name not in found:
                found.append(s.name)
            walk(s.body)
            for _, body in s.arms:
                walk(body)
    walk(statements)
    return found


def instrument(statements):
    """The code again, a call of aw_frame("name", value) behind every assignment and of
    aw_loop("name", value) at the start of every iteration of a for."""
    lines = []

    def walk(list_):
        for s in list_:
            if s.kind == "simple":
                lines.append(s.text + ";")
                if s.name:
                    lines.append('aw_frame("%s", %s);' % (s.name, s.name))
            elif s.kind == "if":
                for k, (condition, body) in enumerate(s.arms):
                    lines.append("else" if condition is None else
                                 ("elseif " if k else "if ") + condition)
                    walk(body)
                lines.append("end")
            else:
                lines.append(s.kind + " " + s.text)
                if s.kind == "for":
                    lines.append('aw_loop("%s", %s);' % (s.name, s.name))
                walk(s.body)
                lines.append("end")
    walk(statements)
    return "\n".join(lines)
