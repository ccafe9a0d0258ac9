# SPDX-License-Identifier: GPL-3.0-or-later
"""A lesson reads nothing outside its folder and attnwalk's data, and no file makes the program wait."""
import os
import re
import shutil
import socket
import subprocess

from hostile import Run, main, support
from support import Case, environment

SECRET = "31337.25"
OUTSIDE = "outside"

# Names as a lesson may write them; {root} is the folder above the lesson's.
TRAVERSALS = [
    "../outside/secret.csv", "sub/../../outside/secret.csv", "./../outside/secret.csv", "sub/./../../outside/secret.csv",
    "..//outside/secret.csv", "sub//..//..//outside/secret.csv", "{root}/outside/secret.csv", "//{root}/outside/secret.csv",
    "{root}/lesson/../outside/secret.csv", "..", ".", "/", "", "../lesson/../outside/secret.csv", "/etc/passwd",
    "/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/self/cwd/../outside/secret.csv", "~/secret.csv",
    "$HOME/secret.csv", "file:///etc/passwd", "%2e%2e/outside/secret.csv", "..\\\\outside\\\\secret.csv",
    "sub/..", "sub/../..", "x" * 5000, "x/" * 3000 + "x", "x" * 255, "x" * 256, "ok.csv/", "ok.csv/.", "ok.csv/x",
    "sub/up/outside/secret.csv", "-", "--", "sub",
]
# Files beside the lesson: name and what it is a link to, or how it is made.
LINKS = {
    "link.csv": "../outside/secret.csv", "absolute.csv": "{root}/outside/secret.csv", "chain.csv": "link.csv",
    "dangling.csv": "nosuch", "loop.csv": "loop.csv", "zero.csv": "/dev/zero", "null.csv": "/dev/null",
    "environ.csv": "/proc/self/environ", "stdin.csv": "/proc/self/fd/0", "maps.csv": "/proc/self/maps", "passwd.csv": "/etc/passwd",
    "tty.csv": "/dev/tty", "there": "../outside", "root": "/", "to-fifo.csv": "fifo.csv", "sub/up": "../..",
    "home.csv": "../home/data/out.csv",
}
THROUGH_LINKS = ["there/secret.csv", "root/etc/passwd", "root/dev/zero", "sub/up/outside/secret.csv",
                 "there/../outside/secret.csv", "out.csv", "data-there/secret.csv"]
SPECIAL = ["fifo.csv", "socket.csv", "folder.csv", "unreadable.csv"]
ACCEPTED = ["ok.csv", "inner.csv", "hard.csv", "sub/ok.csv", "./ok.csv", "sub//ok.csv", "sub/back.csv", "of-home.csv"]

LESSON = """---
title: T
about: A
---

%s## Step {#one}

```octave
A = %s;
```
"""


class Files(Case):
    def setUp(self):
        super().setUp()
        self.root = os.path.realpath(self.folder)
        for name in ("outside", "lesson", "lesson/sub", "lesson/folder.csv", "home", "home/lessons", "home/data"):
            os.mkdir(self.path(name))
        self.write("outside/secret.csv", SECRET + "\n")
        for name in ("lesson/ok.csv", "lesson/sub/ok.csv", "home/data/of-home.csv"):
            self.write(name, "1,2\n")
        for name, target in LINKS.items():
            os.symlink(target.replace("{root}", self.root), self.path("lesson", name))
        os.symlink("ok.csv", self.path("lesson/inner.csv"))
        os.symlink("../ok.csv", self.path("lesson/sub/back.csv"))
        os.symlink("../../outside/secret.csv", self.path("home/data/out.csv"))
        os.symlink("../../outside", self.path("home/data/data-there"))
        os.link(self.path("lesson/ok.csv"), self.path("lesson/hard.csv"))
        os.mkfifo(self.path("lesson/fifo.csv"))
        self.socket = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.socket.close)
        here = os.getcwd()
        os.chdir(self.path("lesson"))  # a socket's name is short
        self.socket.bind("socket.csv")
        os.chdir(here)
        self.write("lesson/unreadable.csv", "1,2\n")
        os.chmod(self.path("lesson/unreadable.csv"), 0)

    def run_here(self, *arguments, **options):
        env = environment(ATTNWALK_HOME=self.path("home"))
        return Run(list(arguments), cwd=self.path("lesson"), env=env, **options)

    def judge(self, run, what, good=False):
        self.assertFalse(run.late, what)
        self.assertEqual(0 if good else 1, run.code, (what, run.err))
        for stream in (run.out, run.err):
            self.assertNotIn(SECRET.encode(), stream, what)
            self.assertNotIn(b"root:x:", stream, what)
            self.assertNotIn(b"ATTNWALK_HOME=", stream, what)
        if not good:
            self.assertEqual(b"", run.out, what)
            self.assertNotEqual(b"", run.err, what)

    def refused_names(self):
        names = [name.replace("{root}", self.root) for name in TRAVERSALS]
        names += [name for name in LINKS if name not in ("there", "root", "sub/up")] + THROUGH_LINKS + SPECIAL
        return [name for name in names if name != "unreadable.csv" or os.getuid() != 0]

    def lesson(self, name, form):
        labels = "```labels\nx = file %s\n```\n\n" % name if form == "labels" else ""
        self.write("lesson/m.md", LESSON % (labels, "load_csv('%s')" % name if form == "load" else "1"))

    def test_names_in_a_lesson(self):
        count = 0
        for form in ("load", "labels"):
            for name in self.refused_names():
                if form == "labels" and not name:
                    continue
                self.lesson(name, form)
                for arguments in (["check", "m.md"], ["show", "./m.md:one"], ["dump", "m.md", "--long"]):
                    with self.subTest(form=form, name=name[:80], arguments=arguments):
                        self.judge(self.run_here(*arguments), (form, name[:80]))
                    count += 1
            for name in ACCEPTED:
                self.lesson(name, form)
                with self.subTest(form=form, name=name):
                    self.judge(self.run_here("check", "m.md"), (form, name), good=True)
        self.assertGreater(count, 300)

    def test_translations(self):
        """A translation is looked for beside the lesson; one that is a link out of there is not read."""
        self.lesson("ok.csv", "load")
        self.write("outside/secret.md", "---\ntitle: %s\nabout: B\n---\n\n## %s {#one}\n" % (SECRET, SECRET))
        self.write("lesson/good.md", "---\ntitle: C\nabout: B\n---\n\n## D {#one}\n")
        for target, good in (("../outside/secret.md", False), (self.root + "/outside/secret.md", False),
                             ("/etc/passwd", False), ("/dev/zero", False), ("fifo.csv", False),
                             ("folder.csv", False), ("nosuch", False), ("m.zh.md", False), ("good.md", True)):
            os.symlink(target, self.path("lesson/m.zh.md"))
            with self.subTest(target=target):
                self.judge(self.run_here("check", "m.md"), target, good)
            os.unlink(self.path("lesson/m.zh.md"))

    def test_files_that_a_user_names(self):
        """--load and the lesson itself may stand anywhere, but nothing waits and nothing is endless."""
        names = SPECIAL + ["zero.csv", "/dev/zero", "/dev/tty", "/dev/full", "/dev/null", "/dev/random", "/dev/stdin",
                           "/proc/self/mem", "/proc/self/pagemap", "/proc/kmsg", "loop.csv", "dangling.csv", "nosuch/x",
                           "x" * 300, "sparse.csv", ".", "..", "/", ""]
        with open(self.path("lesson/sparse.csv"), "wb") as f:
            f.truncate(1 << 42)
        self.write("lesson/m.md", LESSON % ("", "ones(2, 2)"))
        for name in names:
            if name == "unreadable.csv" and os.getuid() == 0:
                continue
            for arguments in (["check", name if "/" in name else "./" + name], ["show", "./m.md", "--load", "A=" + name],
                              ["eval", "A", "--load", "A=" + name], ["show", "./m.md?A=@" + name],
                              ["eval", "load_csv('%s')" % name], ["read", "./" + name]):
                with self.subTest(name=name[:60], arguments=arguments[:2]):
                    self.judge(self.run_here(*arguments, stdin=b"1,2\n"), (name[:60], arguments[0]))

    def test_what_is_opened(self):
        """strace sees no file outside the lesson's folder and attnwalk's data opened."""
        if shutil.which("strace") is None:
            self.skipTest("strace is missing")
        opened = set()
        for name in ["ok.csv", "of-home.csv"] + self.refused_names():
            if len(name) > 1000:
                continue
            self.write("lesson/m.md", LESSON % ("```labels\nx = file %s\n```\n\n" % (name or "ok.csv") if name in ACCEPTED
                                                else "", "load_csv('%s')" % name))
            log = self.path("strace.log")
            done = subprocess.run(["strace", "-f", "-y", "-s", "8192", "-o", log, "-e", "trace=open,openat,openat2,creat",
                                   support.program, "check", "m.md"], cwd=self.path("lesson"), capture_output=True,
                                  env=environment(ATTNWALK_HOME=self.path("home"), LSAN_OPTIONS="detect_leaks=0",
                                                  ASAN_OPTIONS="detect_leaks=0"), timeout=support.DEADLINE, check=False)
            if b"ptrace" in done.stderr:
                self.skipTest("strace may not trace here")
            with open(log) as f:
                for line in f:
                    at = re.search(r"\) = \d+<([^>]*)>", line)
                    if at and "O_PATH" not in line:
                        opened.add(at.group(1))
        self.assertIn(self.root + "/lesson/ok.csv", opened)
        self.assertIn(self.root + "/home/data/of-home.csv", opened)
        locale = os.environ.get("LOCPATH", "/usr/lib/locale")
        for path in opened:
            inside = path.startswith((self.root + "/lesson", self.root + "/home"))
            system = path.startswith((locale, "/lib", "/usr/lib", "/usr/share/locale", "/etc/ld.so", "/etc/locale.alias", "/proc/", "/sys/"))
            self.assertTrue(inside or system, path)
            if not support.is_sanitized():  # the sanitizer looks for its options there
                self.assertNotIn("/environ", path)


if __name__ == "__main__":
    main()
