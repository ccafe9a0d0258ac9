# SPDX-License-Identifier: GPL-3.0-or-later
"""What fuzzing starts from: lessons, test cases and bad inputs of this repository, cut into
small pieces, and the words of each target's grammar as a dictionary.

    seeds.py FOLDER [TARGET...]     writes FOLDER/TARGET/* and FOLDER/TARGET.dict"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = "---\ntitle: T\nabout: A.\n---\n"
MOST = 2000     # bytes of one seed: longer ones slow every try down


def read(*parts):
    with open(os.path.join(ROOT, *parts), "rb") as f:
        return f.read()


def read_all(pattern):
    return [read(path) for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]


def text(*parts):
    return read(*parts).decode()


def lessons():
    return [b.decode() for b in read_all("lessons/*.md")]


def csv():
    yield from read_all("tests/data/bad-inputs/csv-*")
    yield from read_all("tests/data/lessons/*.csv")
    for data in read_all("data/*/*.csv") + read_all("data/*/*/tokens.csv"):
        yield b"".join(data[:MOST // 2].splitlines(True)[:-1])


def npy():
    yield from read_all("tests/data/npy/*.npy")


def number():
    for word in ("0 -0 1 -1.5 .5 5. 1e5 1E-7 +3 1e308 1.7976931348623157e308 1.8e308 1e400 "
                 "4.9e-324 2e-324 2.2250738585072011e-308 nan -NaN inf -Infinity 0x1p3 1_0 1e 1e+ . - 00012 "
                 "9007199254740993 123456789012345678901234567890 0.1 "
                 "2.2250738585072014e-308 8.5e-45 1e22 1e23 7.2057594037927933e16").split():
        yield word.encode()


def lesson():
    yield from read_all("tests/data/bad-inputs/lesson-*")
    for name in ("accepted", "refused", "verify"):
        cases = text("tests/data/lessons", name + ".txt")
        for case in re.split(r"^=== .*\n", cases, flags=re.M)[1:]:
            case = re.sub(r"^-->.*\n?", "", case, flags=re.M)
            case = re.sub(r"^@head$", HEAD.rstrip("\n"), case, flags=re.M)
            yield re.sub(r"^@step$", "## S {#s}", case, flags=re.M).encode()
    for name in ("small", "draw"):
        yield read("tests/page", name + ".md")
    original = read("tests/data/lessons/translated.md")
    for words in ("de", "xx"):
        yield original + b"\0" + read("tests/data/lessons/translated.%s.md" % words)
    for whole in lessons():
        head, *steps = re.split(r"^(?=## )", whole, flags=re.M)
        yield (head + steps[0]).encode()
        yield from ((HEAD + step).encode() for step in steps)


def expression():
    yield from read_all("tests/data/bad-inputs/expr-*")
    for name in ("expressions", "field"):
        program = []
        for line in text("tests/lang", name + ".txt").split("\n"):
            if line.startswith(">>"):
                program.append(line[3:])
            elif program:
                yield "\n".join(program).encode()
                program = []
    for whole in lessons():
        for fence in re.findall(r"^```octave.*\n(.*?)^```", whole, flags=re.M | re.S):
            yield fence.encode()


def tex():
    for whole in lessons():
        for one in re.findall(r"\$\$(.*?)\$\$|\$([^$\n]+)\$", whole, flags=re.S):
            yield (one[0] or one[1]).strip().encode()
    for line in text("tests/page/layout.txt").split("\n"):
        if re.match(r"== \d+ ", line):
            yield line.split(" ", 2)[2].encode()
    for block in text("tests/page/formulas.txt").split("\n\n"):
        yield block.strip("\n").split("\n")[0].encode()


def place():
    for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text("tests/lesson/test_place.c")):
        yield literal.replace("\\'", "'").replace('\\"', '"').encode()


def op_names():
    return re.findall(r'^(?:OP|SYNTAX)\(\w+, +"([^"]+)"', text("src/lang/ops.def"), flags=re.M)


def symbol_names():
    return ["\\" + name for name in
            re.findall(r'^SYMBOL\("([a-zA-Z]+)"', text("src/page/tex_symbols.def"), flags=re.M)]


CODE_WORDS = ("for while if elseif else end endif endfor endwhile += -= *= ^= ... ( ) [ ] ; , : "
              "== != <= >= && || .* ./ .^ @( ' \" % # 1e308 NaN before causal fro ascend descend").split()
TEX_WORDS = ("\\frac{ \\sqrt[ \\left( \\right) \\left. \\begin{bmatrix} \\end{bmatrix} "
             "\\begin{cases} \\end{cases} \\begin{aligned} \\end{aligned} \\underbrace{ "
             "\\overbrace{ \\hat{ \\bar{ \\tilde{ \\mathbb{ \\mathbf{ \\text{ \\operatorname{ "
             "\\term{ \\, \\; \\quad \\\\ & ^{ _{ ' \\overline{ \\substack{ \\boxed{ \\lfloor \\rangle \\not").split()
LESSON_WORDS = ["```params\n", "```labels\n", "```octave\n", "```octave fold\n", "```view\n",
                "```check\n", "```predict\n", "```notes\n", "```\n", "\n## S {#s}\n", "\n$$\n", "`=",
                "|%.3f`", "- [x] ", "- [ ] ", " — ", " within ", "  trap ", " when ", "heat ",
                "product ", "update ", "bars ", "diff ", "plot ", "table ", "cost ", "focus ",
                "rows=", "cols=", "scale=01", "scale=signed", "logx", "logy", "file ", "1..5",
                "title: ", "about: ", "requires: ", "lang: ", "sources: ", "before(", "> ", "* "]
PLACE_WORDS = ["?", "&", "=@", "(2,3)=", ":", ".md", "%26", "%25", "./", "elu1", "1e-300"]
WORDS = {
    "csv": ["nan", "inf", "1e-310", "\r\n", "\"\"", "\ufeff"],
    "npy": ["'descr'", "'fortran_order'", "'shape'", "'<f8'", "'<f4'", "True", "False",
            b"\x93NUMPY"],
    "number": ["nan", "inf", "infinity", "e-3", "e+"],
    "expression": CODE_WORDS + op_names(),
    "tex": TEX_WORDS + symbol_names(),
    "lesson": LESSON_WORDS + CODE_WORDS + op_names(),
    "place": PLACE_WORDS,
}
TARGETS = {"csv": csv, "npy": npy, "number": number, "expression": expression, "lesson": lesson,
           "tex": tex, "place": place}


def quote(word):
    """A word as libFuzzer's dictionaries take it."""
    raw = word if isinstance(word, bytes) else word.encode()
    return '"%s"' % "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else "\\x%02x" % b
                            for b in raw)


def write(folder, target):
    """Writes the seeds of target; returns their paths."""
    where = os.path.join(folder, target)
    os.makedirs(where, exist_ok=True)
    paths = []
    for k, seed in enumerate(dict.fromkeys(s for s in TARGETS[target]() if len(s) <= MOST)):
        paths.append(os.path.join(where, "seed-%04d" % k))
        with open(paths[-1], "wb") as f:
            f.write(seed)
    with open(where + ".dict", "w", encoding="ascii") as f:
        f.writelines(quote(word) + "\n" for word in dict.fromkeys(WORDS[target]))
    if not paths:
        sys.exit("seeds: nothing was found for " + target)
    return paths


if __name__ == "__main__":
    for name in sys.argv[2:] or TARGETS:
        print("%s: %d seeds" % (name, len(write(sys.argv[1], name))))
