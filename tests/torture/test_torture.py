# SPDX-License-Identifier: GPL-3.0-or-later
"""Every allocation and every call that touches files, made to fail one after the other."""
import json
import os
import re
import shutil

from torture import LESSON, TortureCase, is_said, main
from support import HEAD, ROOT, contents

MEMORY = b"attnwalk: out of memory\n"
FILES = ("open", "read", "write", "close", "stat", "change")

# What may fail unnoticed, the output being the same: (class, what failed).
HARMLESS = (
    ("alloc", r"malloc libc\.so\.6 qsort_r", "sorting falls back to doing it in place"),
    ("close", r"close read", "a file that was only read"),
    ("stat", r"stat %s(/lessons.*)?" % re.escape(ROOT), "whether a lesson has an id, or is there"),
)


def harmless(kind, what):
    return any(kind == k and re.fullmatch(pattern, what) for k, pattern, _ in HARMLESS)


def parts(out):
    """The lines of out, or the items of the JSON list that it is."""
    if out.startswith(b"["):
        return [json.dumps(item) for item in json.loads(out)]
    return out.splitlines()


class Torture(TortureCase):
    def setUp(self):
        super().setUp()
        self.ten = self.write("ten.md", LESSON)
        self.failed = 0

    def fail_each(self, kind, arguments, step=1, verify=None, prepare=None, lasting=False,
                  **changes):
        """Runs with every step-th call of a class failing.  verify(run, whole) adds to what every
        run must keep; prepare() comes before each."""
        def one(at):
            if prepare:
                prepare()
            return self.runner.run(kind, at, arguments, lasting, **changes)
        whole = one(0)
        self.assertEqual(0, whole.code, whole.err)
        for at in range(1, whole.calls + 1, step):
            run = one(at)
            where = "%s: call %d of %s: %s" % (" ".join(arguments), at, kind, run.what)
            self.assertGreaterEqual(run.failures, 1, where)
            self.verify(kind, run, whole, where)
            if verify:
                verify(run, whole, where)
            self.assertEqual([], self.left_behind(), where)
            self.failed += 1
        return whole

    def verify(self, kind, run, whole, where):
        if kind in ("short", "interrupt"):
            self.assertEqual(whole.outcome, run.outcome, where)
        elif run.code == 0:
            self.assertEqual(whole.outcome, run.outcome, where)
            self.assertTrue(harmless(kind, run.what), where)
        else:
            self.assertEqual(1, run.code, (where, run.err))
            talk = run.err
            if whole.err and talk.startswith(whole.err):
                talk = talk[len(whole.err):]
            if kind == "alloc" and b"annot allocate memory" not in talk:
                self.assertEqual(MEMORY, talk, where)
            self.assertTrue(is_said(talk), (where, talk))
            rest = iter(parts(whole.out))  # what has begun goes on without what failed
            self.assertTrue(all(part in rest for part in parts(run.out)), where)

    def fail_some(self, kind, arguments, count, **options):
        """About count of the calls of a class, from the first to the last."""
        calls = self.runner.run(kind, 0, arguments).calls
        return self.fail_each(kind, arguments, step=1 + calls // count, **options)

    def fail_files(self, arguments, **options):
        for kind in FILES + ("short", "interrupt"):
            self.fail_each(kind, arguments, **options)

    def tearDown(self):
        print("%s: %d calls failed in %d runs" % (self.id().split(".")[-1], self.failed,
                                                  self.runner.runs))

    # ---- commands that print ----

    def test_check(self):
        self.fail_each("alloc", ["check", self.ten])
        self.fail_each("alloc", ["check", self.ten], step=7, lasting=True)
        self.fail_files(["check", self.ten])

    def test_check_real_lessons(self):
        for lesson in ("factor", "softmax"):
            self.fail_some("alloc", ["check", lesson], 150)
            self.fail_some("alloc", ["check", lesson], 25, TORTURE_FROM="libmd4c")
            for kind in FILES + ("short", "interrupt"):
                self.fail_some(kind, ["check", lesson], 12)

    def test_text(self):
        for command in ("show", "read"):
            self.fail_each("alloc", [command, self.ten], step=3)
            self.fail_each("alloc", [command, self.ten], step=40, lasting=True)
            self.fail_files([command, self.ten])
        self.fail_some("alloc", ["show", "softmax"], 40)
        self.fail_some("alloc", ["read", "softmax"], 40)

    def test_lists(self):
        for arguments in (["list"], ["glossary"], ["claims"], ["manual", "zsh"], ["--help"]):
            self.fail_some("alloc", arguments, 40)
            for kind in FILES + ("short", "interrupt"):
                self.fail_some(kind, arguments, 12)

    def test_json(self):
        """What is printed is JSON even if lessons are missing from it."""
        for kind in ("alloc",) + FILES:
            self.fail_some(kind, ["list", "--json"], 12)

    def test_dump_to_stdout(self):
        for more in (["-m", "A"], ["-m", "A", "--format", "json"], ["-m", "A", "--format", "npy"],
                     ["--long"]):
            self.fail_each("alloc", ["dump", self.ten, *more])
            self.fail_files(["dump", self.ten, *more])

    # ---- eval ----

    def test_eval(self):
        for statements in ("softmax(randn(3)*randn(3))", "sort(rand(300,1))",
                           "tanh(sin(1:9)*2).^3"):
            self.fail_each("alloc", ["eval", statements], step=3)
        explain = ["--explain", "(1,2)", "--depth", "3", "--cost"]
        self.fail_each("alloc", ["eval", "softmax(randn(3)*randn(3))", *explain], step=5)

    def test_eval_loads(self):
        npy = self.write("q.npy", self.runner.run("alloc", 0, ["eval", "rand(3)", "--format",
                                                               "npy"]).out)
        for path in (HEAD % "q", npy):
            arguments = ["eval", "Q*Q'", "--load", "Q=" + path]
            self.fail_each("alloc", arguments)
            self.fail_files(arguments)
        self.fail_each("read", ["eval", "-"], stdin=self.write("code", "1+1"))

    def test_libraries(self):
        """What GSL and MPFR ask for comes to the same door as everything else, whether they are
        part of the program or libraries beside it."""
        for statements in ("A=rand(4); B=A\\rand(4,2); C=rand(3,4)\\B(1:3,:); A^-1*B",
                           "effective_rank(rand(4))", "tanh(1:9)"):
            calls = sum(self.fail_each("alloc", ["eval", statements], TORTURE_FROM=library).calls
                        for library in ("libgsl", "libmpfr", "attnwalk"))
            self.assertGreater(calls, 0, statements)

    # ---- commands that write ----

    def test_dump_to_folder(self):
        target = self.path("target")
        arguments = ["dump", self.ten, "-o", target]
        self.runner.run("alloc", 0, arguments)
        wanted = contents(target)
        self.assertEqual(3, len(wanted))

        def verify(run, whole, where):
            found = contents(target)
            self.assertLessEqual(found.items(), wanted.items(), where)
            if run.code == 0 or "manifest.csv" in found:
                self.assertEqual(wanted, found, where)

        options = {"verify": verify, "prepare": lambda: shutil.rmtree(target, True)}
        self.fail_each("alloc", arguments, **options)
        self.fail_files(arguments, **options)
        for kind in ("write", "open", "alloc"):
            self.fail_each(kind, arguments, lasting=True, **options)

    def test_dump_over_a_dump(self):
        """With --force: each file is the old or the new one; with a manifest all are."""
        target, old, new = self.path("target"), self.path("old"), self.path("new")
        place = self.ten + ":scores"
        changed = self.write("eleven.md", LESSON.replace("3 4]", "3 5]"))
        self.runner.run("alloc", 0, ["dump", place, "-o", old])
        self.runner.run("alloc", 0, ["dump", changed, "-o", new])
        before, after = contents(old), contents(new)

        def prepare():
            shutil.rmtree(target, True)
            shutil.copytree(old, target)

        def verify(run, whole, where):
            found = contents(target)
            for name, content in found.items():
                self.assertIn(content, (before[name], after[name]), where)
            if "manifest.csv" in found:
                self.assertIn(found, (before, after), where)

        arguments = ["dump", changed, "-o", target, "--force"]
        self.fail_each("alloc", arguments, verify=verify, prepare=prepare)
        self.fail_files(arguments, verify=verify, prepare=prepare)

    def test_dump_draws(self):
        target, place = self.path("target"), "softmax?n=2&d=1"
        arguments = ["dump", place, "--random", target]
        self.runner.run("alloc", 0, arguments)
        wanted = contents(target)

        def verify(run, whole, where):
            found = contents(target)
            self.assertLessEqual(found.items(), wanted.items(), where)
            if run.code == 0 or "draws.csv" in found:
                self.assertEqual(wanted, found, where)

        prepare = lambda: shutil.rmtree(target, True)
        for kind in FILES:
            self.fail_some(kind, arguments, 15, verify=verify, prepare=prepare)

    def test_new(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.runner.run("alloc", 0, ["new", "mine"])
        wanted = contents(self.folder)["mine.md"]

        def prepare():
            if os.path.exists("mine.md"):
                os.remove("mine.md")

        def verify(run, whole, where):
            found = contents(self.folder).get("mine.md")
            self.assertIn(found, (wanted,) if run.code == 0 else (wanted, None), where)

        self.fail_each("alloc", ["new", "mine"], verify=verify, prepare=prepare)
        self.fail_files(["new", "mine"], verify=verify, prepare=prepare)


if __name__ == "__main__":
    main()
