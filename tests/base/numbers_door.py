#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks through the sources for what would make numbers depend on the locale.

Numbers are read and written by io/number.c only, and the locale is set by app/
only (which keeps LC_NUMERIC at "C").  Usage: numbers_door.py SRC
"""
import pathlib
import re
import sys

READERS = re.compile(r"\b(strto[dfl]|strtold|ato[fil]|atoll|v?[fs]?w?scanf)\s*\(")
WRITERS = re.compile(r"%[-+ #0]*(\*|\d+)?(\.(\*|\d+)?)?[lL]?[aAeEfFgG](?![A-Za-z])")
LOCALE = re.compile(r"\b(setlocale|uselocale)\s*\(")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def blank(match):
    """The same text without its characters, so that line numbers stay."""
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """text without comments (a string that holds a comment's mark is kept)."""
    both = re.compile(STRING.pattern + "|" + COMMENT.pattern, re.S)
    return both.sub(lambda m: m.group() if m.group()[0] == '"' else blank(m), text)


def findings(path, name):
    code = code_of(path.read_text(encoding="utf-8"))
    without_strings = STRING.sub(blank, code)
    for what, pattern, text in (
        ("reads a number", READERS, without_strings),
        ("sets the locale", LOCALE, without_strings),
    ):
        if name == "io/number.c" or (what.startswith("sets") and name.startswith("app/")):
            continue
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, what, match.group().rstrip(" (")
    if name != "io/number.c":
        for string in STRING.finditer(code):
            for match in WRITERS.finditer(string.group().replace("%%", "  ")):
                if match.group() == "%.0f":
                    continue  # without a decimal mark, so the same everywhere
                line = code.count("\n", 0, string.start()) + 1
                yield line, "writes a number", match.group()


def main():
    src = pathlib.Path(sys.argv[1])
    files = sorted(p for p in src.rglob("*") if p.suffix in (".c", ".h", ".def"))
    if not any(p.name == "number.c" for p in files):
        sys.exit(f"{src}: no io/number.c here: not the sources?")
    bad = 0
    for path in files:
        for line, what, found in findings(path, path.relative_to(src).as_posix()):
            print(f"{path}:{line}: {what} outside io/number.c: {found}")
            bad += 1
    print(f"{len(files)} files, {bad} findings")
    sys.exit(1 if bad else 0)


main()
