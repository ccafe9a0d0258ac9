# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is asked for ends by itself, with an error that says so, in bounded memory."""
import struct

from hostile import Run, main, support
from support import Case, environment

# What a lesson keeps is limited to 256 MB, counted as the heap gives them out; the rest is for
# what is not counted: the program, the text of the lesson and its parsed form, what an operation
# needs while it runs.
MEGABYTES = 320


def lesson(body, head=""):
    return "---\ntitle: T\nabout: A\n---\n\n%s## S {#s}\n\n%s\n" % (head, body)


def octave(code, fold=False):
    return lesson("```octave%s\n%s\n```" % (" fold" if fold else "", code))


def params(lines):
    return "```params\n%s```\n\n" % lines


TOO_MUCH = "too much work"

# Code that must be refused, and what must be said.
CODE = {
    "while": ("x = 0; while true, x = x + 1; end", "256 MB"),
    "an empty while": ("while true, end", "more than 1000000 statements"),
    "a long range": ("for i = 1:1e12, end", "more than 1048576 entries"),
    "empty loops in one another": ("for i = 1:1e6, for j = 1:1e6, end, end", "more than 1000000 statements"),
    "loops in one another": ("for i = 1:1e5, for j = 1:1e5, x = 1; end, end", "256 MB"),
    "recursion": ("f = @(x) x; for i = 1:400, f = @(x) f(x) + 1; end, y = f(1);", "max_recursion_depth"),
    "recursion that branches": ("f = @(x) x; for i = 1:60, f = @(x) f(x) + f(x); end, y = f(1);", "MB of values"),
    "many functions": ("f = @(x) x; for i = 1:1e6, f = @() f; end", "256 MB"),
    "repmat": ("x = repmat(ones(1000), 1000, 1000);", "more than 1048576 entries"),
    "kron": ("x = ones(30); x = kron(x, x); x = kron(x, x);", "more than 1048576 entries"),
    "range": ("x = 1:1e9;", "more than 1048576 entries"), "fine range": ("x = 0:1e-300:1;", "more than 1048576 entries"),
    "endless range": ("x = 1:Inf;", "more than 1048576 entries"),
    "many matrices": ("for i = 1:100000, x = ones(300, 300); end", "MB of values"),
    "doubling": ("x = 1; for i = 1:60, x = [x x]; end", "more than 1048576 entries"),
    "growing": ("x = []; for i = 1:1e6, x(i) = i; end", "256 MB"),
    "a far index": ("x(1e9) = 1;", "more than 1048576 entries"),
    "products": ("x = ones(1000); for i = 1:1000, x = x * x / 1000; end", TOO_MUCH),
    "slow functions": ("x = ones(1000); for i = 1:1000, y = x .^ pi; end", TOO_MUCH),
    "a decomposition": ("x = effective_rank(ones(1000));", TOO_MUCH),
    "many decompositions": ("for i = 1:1000, x = norm(ones(200)); end", TOO_MUCH),
    "a singular system": ("x = ones(1000) \\ ones(1000, 1);", TOO_MUCH),
    "many names": ("".join("n%d = 1; " % i for i in range(1000)) +
                   "for i = 1:100000, x = [" + " ".join("n%d" % i for i in range(1000)) + "]; end", TOO_MUCH),
    "sorting": ("x = rand(1000); for i = 1:1000, y = sort(x); end", TOO_MUCH),
    "linspace": ("x = linspace(0, 1, 1e12);", "more than 1048576 entries"),
}
N = 300000
NESTED = {
    "parentheses": "x = " + "(" * N + "1" + ")" * N + ";", "brackets": "x = " + "[" * N + "1" + "]" * N + ";",
    "open brackets": "x = " + "[" * N, "minus": "x = " + "- " * N + "1;", "not": "x = " + "!" * N + "1;",
    "transposes": "x = 1" + "'" * N + ";", "functions": "f = " + "@(x) " * 150000 + "x;", "sums": "x = 1" + "+1" * N + ";",
    "powers": "x = 1" + "^1" * N + ";", "and": "x = 1" + "&&1" * N + ";", "indices": "x = 1; y = x" + "(1)" * N + ";",
    "calls": "y = " + "abs(" * 150000 + "1" + ")" * 150000 + ";", "ranges": "y = 1" + ":1" * N + ";",
    "for": "for i = 1, " * 80000, "if": "if 1, " * 100000 + "end " * 80000, "while": "while 1, " * 100000,
    "a matrix of commas": "x = [" + "," * N + "];", "a string": "x = '" + "a" * N, "comparisons": "x = 1" + "==1" * N + ";",
}
# Lessons that are refused or accepted, but end.
LESSONS = {
    "braces": lesson("$$ " + "{" * N + "x" + "}" * N + " $$"), "open braces": lesson("$$ " + "{" * N + " $$"),
    "fractions": lesson("$$ " + "\\frac{" * 150000 + "x $$"), "subscripts": lesson("$$ x" + "_{x" * 200000 + "}" * 200000 + " $$"),
    "roots": lesson("$$ " + "\\sqrt" * 150000 + " $$"), "accents": lesson("$$ " + "\\hat" * 200000 + "x $$"),
    "quotes": lesson("> " * N + "x"), "lists": lesson("".join("  " * i + "- a\n" for i in range(900))),
    "a line of lists": lesson("- " * N + "x"), "stars": lesson("*a " * N), "brackets": lesson("[" * N),
    "links": lesson("[a](" * 200000), "images": lesson("![" * N), "tags": lesson("<a " * 250000),
    "remarks": lesson("<!-- " * 180000), "references": lesson("&#x1b;" * 150000), "one word": lesson("w" * 900000),
    "marks": lesson("a" + "\u0301" * 400000), "dollars": lesson("$" * 900000), "fences": lesson("```octave\n" * 80000),
    "many steps": "---\ntitle: T\nabout: A\n---\n\n" + "".join("## S {#s%d}\n\n" % i for i in range(60000)),
    "many parameters": lesson("", params("".join("p%d = 1 0..2 h\n" % i for i in range(50000)))),
    "many choices": lesson("", params("p = 1 " + " | ".join(str(i) for i in range(100000)) + " h\n")),
    "many labels": lesson("", "```labels\n%s```\n\n" % "".join("x%d = a\n" % i for i in range(80000))),
    "a long list of labels": lesson("", "```labels\nx = %s\n```\n\n" % ",".join("t" for _ in range(400000))),
    "what is required": "---\ntitle: T\nabout: A\nrequires: %s\n---\n\n## S {#s}\n" % ",".join("q%d" % i for i in range(100000)),
    "work at every setting": lesson("```octave\nx = ones(500); for i = 1:20, y = x * x; end\n```",
                                    params("".join("p%d = 1 0..2 h\n" % i for i in range(200)))),
    "work of checks": lesson("```octave\nA = ones(1000);\n```\n\n```check\n" + "sum(sum(A*A)) > 0 : a\n" * 1000 + "```"),
    "calls in a check": lesson("```octave fold\nf = @(x) x; for i = 1:30, f = @(x) f(f(x)); end\n```\n\n"
                               "```check\nf(1) == 1 : a\n```"),
}
PARAMETERS = ["p%d" % i for i in range(200)]
ONES = params("".join("%s = 1 1..1 h\n" % p for p in PARAMETERS))
LONG = "n" * 100000
LESSONS.update({
    "long polynomials": lesson("```octave\nq = %s; for i = 1:1e5, y = q + 1; end\n```"
                               % "*".join(PARAMETERS), ONES),
    "polynomials of many terms": lesson("```octave\nq = %s; for i = 1:1e6, y = q + 1; end\n```"
                                        % "+".join(PARAMETERS[:30]), ONES),
    "long names": octave("%s = @() 1; for i = 1:1e4, %s = @() %s(); end" % (LONG, LONG, LONG),
                         fold=True),
})
REFUSED_LESSONS = {
    "many steps": "more than 2000 steps", "many parameters": "more than 256 parameters",
    "many choices": "more than 256 choices", "many labels": "more than 256 sets of labels",
    "work at every setting": TOO_MUCH, "work of checks": TOO_MUCH, "calls in a check": TOO_MUCH,
    "long polynomials": "256 MB", "polynomials of many terms": "256 MB", "long names": "256 MB",
}
SHOWN = ("fractions", "lists", "marks", "one word")  # in a sanitized build, too


def is_slow(message):
    """True for what ends only once the limit of work is reached, in a build where that takes long:
    what is counted is the same in every build."""
    return message == TOO_MUCH and support.is_sanitized()


def npy(shape, order="False", length=None, data=b"\0" * 64):
    header = ("{'descr': '<f8', 'fortran_order': %s, 'shape': %s, }\n" % (order, shape)).encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) if length is None else length) + header + data


LYING = {
    "huge": npy("(9223372036854775808, 1)"), "product": npy("(4294967296, 4294967296)"), "empty": npy("(0, 4611686018427387904)"),
    "negative": npy("(-1, 8)"), "more": npy("(3, 3)"), "less": npy("(2, 2)"), "digits": npy("(" + "9" * 60000 + ", 1)"),
    "long header": npy("(8, 1)", length=65535), "short header": npy("(8, 1)", length=3), "no header": npy("(8, 1)", length=0),
    "order": npy("(8, 1)", order="Maybe"), "commas": b"1" + b"," * 10000000, "quotes": b'"' * 1000000, "nothing": b"\0" * 1000000,
    "dimensions": npy("(" + "1, " * 1000 + ")"),
}


class Resources(Case):
    worst = {}

    def judge(self, kind, name, run, message=None, good=False):
        self.assertFalse(run.late, name)
        self.assertIn(run.code, (0, 1), (name, run.err[:500]))
        if message:
            self.assertEqual((1, b""), (run.code, run.out), name)
            self.assertIn(message.encode(), run.err, name)
        if good:
            self.assertEqual(0, run.code, (name, run.err[:500]))
        if not support.is_sanitized():
            self.assertLess(run.megabytes, MEGABYTES, name)
        worst = Resources.worst.setdefault(kind, [(0, ""), (0, "")])
        worst[:] = max(worst[0], (run.cpu, name)), max(worst[1], (run.megabytes, name))

    @classmethod
    def tearDownClass(cls):
        for kind, (seconds, megabytes) in sorted(cls.worst.items()):
            print("%-8s at worst %.1f s of CPU (%s), %.0f MB (%s)" % (kind, *seconds, *megabytes))

    def run_here(self, *arguments, **options):
        return Run(list(arguments), cwd=self.folder, env=environment(), **options)

    def test_code(self):
        for name, (code, message) in CODE.items():
            if is_slow(message):
                continue
            with self.subTest(name=name):
                self.write("m.md", octave(code))
                self.judge("code", name, self.run_here("check", "m.md"), message)

    def test_nesting(self):
        for name, code in NESTED.items():
            with self.subTest(name=name):
                self.write("m.md", octave(code))
                self.judge("nesting", name, self.run_here("check", "m.md"), "m.md:")
                self.judge("nesting", name, self.run_here("eval", "-", stdin=code.encode()), "<stdin>:")

    def test_lessons(self):
        for name, text in LESSONS.items():
            message = REFUSED_LESSONS.get(name)
            if is_slow(message):
                continue
            with self.subTest(name=name):
                self.write("m.md", text)
                self.judge("lessons", name, self.run_here("check", "m.md"), message)
                if message != TOO_MUCH and (name in SHOWN or not support.is_sanitized()):
                    self.judge("lessons", name, self.run_here("show", "./m.md:s"))

    def test_files(self):
        for name, content in LYING.items():
            with self.subTest(name=name):
                self.write("x.npy", content)
                self.judge("files", name, self.run_here("eval", "A", "--load", "A=x.npy"), "x.npy")
        self.write("ones.csv", "1\n" * 1000000)
        self.judge("files", "ones", self.run_here("eval", "sum(A)", "--load", "A=ones.csv"), good=True)
        self.write("long.md", b"---\n" + b"x" * 50000000)
        self.judge("files", "long.md", self.run_here("check", "long.md"), "limit of")

    def test_a_pipe_without_end(self):
        self.judge("files", "pipe", self.run_here("check", "/dev/stdin", feed=self.pour), "named pipe")

    @staticmethod
    def pour(pipe):
        block = b"y" * (1 << 20)
        for _ in range(4096):
            pipe.write(block)


if __name__ == "__main__":
    main()
