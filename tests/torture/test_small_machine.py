# SPDX-License-Identifier: GPL-3.0-or-later
"""A stack of 256 kB and 256 MB of address space are enough for every command, and for whatever is
nested as deep as anyone likes; and a disk may be full."""
import os
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))
import support  # noqa: E402
from support import HEAD, LESSON_IDS, Case, attnwalk, contents  # noqa: E402

STACK, MEMORY = 256 << 10, 256 << 20
DEEP, DEEP_IN_A_LESSON = 100000, 20000


def limits():
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Commands(Case):
    def run_small(self, *arguments, **options):
        return self.run_ok(*arguments, before=limits, **options)

    def test_lessons(self):
        self.assertEqual(len(LESSON_IDS), len(self.run_small("check").lines))
        for lesson in LESSON_IDS:
            for command in (["show", lesson], ["read", lesson],
                            ["dump", lesson, "-o", self.path(lesson)]):
                self.run_small(*command)
            self.assertTrue(os.path.exists(self.path(lesson, "manifest.csv")))

    def test_others(self):
        for command in (["list"], ["list", "--json"], ["claims"], ["glossary"], ["manual"],
                        ["--help"]):
            self.run_small(*command)
        made = attnwalk("new", "mine", cwd=self.folder, before=limits)
        self.assertEqual(0, made.code, made.talk)
        self.run_small("check", self.path("mine.md"))
        loads = [word for name in "QKV"
                 for word in ("--load", "%s=%s" % (name, HEAD % name.lower()))]
        self.run_small("eval", "softmax(Q*K'/8)*V", *loads)
        self.run_small("eval", "softmax(Q*K'/8)*V", *loads, "--explain", "(100,3)", "--depth", "32",
                       "--cost")

    def test_too_much(self):
        """More than there is: a message, not a crash."""
        result = attnwalk("eval", "A = ones(1e4, 1e4); B = A + 1; C = A .* B;", before=limits)
        self.assertEqual((1, ""), (result.code, result.text))
        self.assertRegex(result.talk, r"^(attnwalk: out of memory|eval:1:\d+: .*)\n")


# What nests: a name, and the text that is n deep.
EXPRESSIONS = (
    ("parentheses", lambda n: "(" * n + "1" + ")" * n),
    ("brackets", lambda n: "[" * n + "1" + "]" * n),
    ("minus", lambda n: "- " * n + "1"),
    ("not", lambda n: "!" * n + "1"),
    ("transpose", lambda n: "1" + "'" * n),
    ("sum", lambda n: "1" + "+1" * n),
    ("sum of names", lambda n: "a=1;a" + "+a" * n),
    ("power", lambda n: "1" + "^1" * n),
    ("comparison", lambda n: "1" + "==1" * n),
    ("range", lambda n: "1" + ":1" * n),
    ("calls", lambda n: "abs(" * n + "1" + ")" * n),
    ("indices", lambda n: "a=1;" + "a(" * n + "1" + ")" * n),
    ("functions", lambda n: "f=@(x) " + "@(x) " * n + "x;1"),
    ("if", lambda n: "if 1," * n + "a=1;" + "end," * n + "a"),
    ("for", lambda n: "for i=1:1," * n + "a=1;" + "end," * n + "a"),
    ("chain", lambda n: "x=1;" + "x=x+1;" * n + "x"),
    ("rows", lambda n: "[" + "1;" * n + "1](1)"),
    ("columns", lambda n: "[" + "1," * n + "1](1)"),
)

FRONT = ("---\ntitle: Deep\nabout: Deep.\n---\n## Deep {#deep}\n\n"
         "%s\n\n```octave\nA = 1;\n%s```\n\n%s")

PROSE = (
    ("quotes", lambda n: "> " * n + "deep"),
    ("lists", lambda n: "\n".join("  " * i + "- deep" for i in range(min(n, 1000)))),
    ("items", lambda n: "- " * n + "deep"),
    ("emphasis", lambda n: "*a " * n + "deep" + " a*" * n),
    ("strong", lambda n: "**a " * n + "deep" + " a**" * n),
    ("stars", lambda n: "*" * n + "deep" + "*" * n),
    ("links", lambda n: "[" * n + "deep" + "](x)" * n),
    ("images", lambda n: "![" * n + "deep" + "](x)" * n),
    ("ticks", lambda n: "`" * n + "deep" + "`" * n),
    ("braces", lambda n: "$" + "{" * n + "x" + "}" * n + "$"),
    ("scripts", lambda n: "$$ x" + "^{x" * n + "}" * n + " $$"),
    ("bare scripts", lambda n: "$$ x" + "^x" * n + " $$"),
    ("primes", lambda n: "$$ x" + "'" * n + " $$"),
    ("fractions", lambda n: "$$ " + "\\frac{1}{" * n + "x" + "}" * n + " $$"),
    ("roots", lambda n: "$$ " + "\\sqrt{" * n + "x" + "}" * n + " $$"),
    ("bare roots", lambda n: "$$ " + "\\sqrt" * n + " x $$"),
    ("fences", lambda n: "$$ " + "\\left(" * n + "x" + "\\right)" * n + " $$"),
    ("matrices", lambda n: "$$ " + "\\begin{pmatrix}" * n + "x" + "\\end{pmatrix}" * n + " $$"),
    ("hats", lambda n: "$$ " + "\\hat" * n + "x $$"),
    ("texts", lambda n: "$$ " + "\\text{" * n + "x" + "}" * n + " $$"),
)

BLOCKS = (
    ("check", lambda n: "```check\n" + "(" * n + "A == 1" + ")" * n + " : deep\n```\n"),
    ("view", lambda n: "```view\nheat " + "(" * n + "A" + ")" * n + "\n```\n"),
    ("inline", lambda n: "`=" + "(" * n + "A" + ")" * n + "`\n"),
    ("fences", lambda n: "`" * n + "octave\nA=1;\n" + "`" * n + "\n"),
)


class Nesting(Case):
    """Whatever nests is answered, or refused with a message, in a small stack: a little, at the
    limit, one beyond, and far beyond."""

    def answer(self, name, n, *arguments, **options):
        result = attnwalk(*arguments, before=limits, **options)
        where = "%s, %d deep: %s" % (name, n, result.talk[:300])
        self.assertIn(result.code, (0, 1), where)
        if result.code:
            self.assertRegex(result.talk, r"^\S+(:\d+:\d+: |: too large: )\S", where)
        return result.code == 0

    def sweep(self, name, answers, deep=DEEP_IN_A_LESSON):
        """answers(n) at the ends, and at both sides of where it changes (if it does once)."""
        if not answers(1) or answers(deep):
            return
        low, high = 1, deep
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if answers(middle) else (low, middle)
        print("%s: %d deep at most" % (name, low))

    def test_expressions(self):
        for name, text in EXPRESSIONS:
            self.sweep(name, lambda n: self.answer(name, n, "eval", "-", stdin=text(n).encode()),
                       DEEP)

    def lesson(self, name, n, prose="", code="", block=""):
        path = self.write("deep.md", FRONT % (prose, code, block))
        answers = [self.answer(name, n, command, path) for command in ("check", "read", "show")]
        return all(answers)

    def test_prose(self):
        for name, text in PROSE:
            self.sweep(name, lambda n: self.lesson(name, n, prose=text(n)))

    def test_a_long_chain(self):
        """A value that 20000 statements lead to, each with a frame of its own."""
        path = self.write("chain.md", FRONT % ("", "x = 1;\n" + "x = x + 1;\n" * 20000, ""))
        for command in (["check", path], ["read", path], ["dump", path, "-m", "x"],
                        ["show", path + ":deep:20000"]):
            self.run_ok(*command, before=limits)

    def test_code(self):
        """Loops and conditions, and all that an expression can be."""
        for name, text in EXPRESSIONS:
            if name == "chain": # a page for each statement: see test_a_long_chain
                continue
            self.sweep(name, lambda n: self.lesson(name, n, code="B = [];\n" + "\n".join(
                text(n).replace(";", ";\n").replace("1,", "1\n").replace("end,", "end\n")
                .rsplit("\n", 1)[:-1] or ["B = " + text(n) + ";"]) + "\n"))

    def test_blocks(self):
        for name, text in BLOCKS:
            self.sweep(name, lambda n: self.lesson(name, n, block=text(n)))


class FullDisk(Case):
    def mount(self, options):
        place = self.path("small")
        os.mkdir(place)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place],
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        return place

    def test_dump(self):
        """Files are whole or absent, and there is no manifest."""
        whole = self.path("whole")
        self.run_ok("dump", "softmax", "-o", whole)
        wanted = contents(whole)
        place = self.mount("size=64k")
        target = os.path.join(place, "target")
        self.refused(1, "cannot write: No space left on device", "dump", "softmax", "-o", target)
        found = contents(target)
        self.assertGreater(len(found), 0)
        self.assertLess(found.items(), wanted.items())
        self.assertNotIn("manifest.csv", found)
        shutil.rmtree(target)
        self.run_ok("dump", "softmax:scores", "-o", target)

    def test_no_more_files(self):
        place = self.mount("nr_inodes=4")
        for name in ("a", "b"):
            with open(os.path.join(place, name), "w"):
                pass
        made = attnwalk("new", "mine", cwd=place)
        self.assertEqual((0, ""), (made.code, made.text), made.talk)
        self.refused(1, "yours.md: cannot write: No space left on device", "new", "yours",
                     cwd=place)
        self.assertEqual(["a", "b", "mine.md"], sorted(os.listdir(place)))

    def test_too_large_a_file(self):
        """A limit on the size of files is a full disk of its own."""
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
        self.refused(1, "mine.md: cannot write: File too large", "new", "mine", cwd=self.folder,
                     before=small)
        self.assertEqual([], os.listdir(self.folder))
        with open(self.path("out"), "wb") as out:
            result = attnwalk("list", stdout=out, before=small)
        self.assertEqual(1, result.code)
        self.assertEqual("<stdout>: cannot write: File too large\n", result.talk)

    def test_full_stdout(self):
        for arguments in (["list"], ["list", "--json"], ["claims"], ["glossary"], ["manual"],
                          ["--help"], ["--version"], ["eval", "1"], ["check", "shapes"],
                          ["show", "shapes"], ["read", "shapes"], ["eval", "--help"],
                          ["dump", "shapes", "--long"]):
            with open("/dev/full", "wb") as full:
                result = attnwalk(*arguments, stdout=full)
            self.assertEqual((1, "<stdout>: cannot write: No space left on device\n"),
                             (result.code, result.talk), arguments)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        support.program = sys.argv[1]
        if support.is_sanitized():
            support.skip_all("a sanitized build takes more memory than this machine has")
    support.main()
