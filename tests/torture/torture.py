# SPDX-License-Identifier: GPL-3.0-or-later
"""Running the program with one call failing.

Each test file is a unittest program: PROGRAM.py ATTNWALK FAIL_LIBRARY [unittest's arguments]; see
fail.c for what the library does.  Thousands of runs: each is a posix_spawn with its streams in
files that stay open."""
import os
import re
import signal
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))
import support  # noqa: E402
from support import ROOT, Case  # noqa: E402

library = None
COUNTS = struct.Struct("LL240s")

# One lesson with everything a lesson can have, in little.
LESSON = """\
---
title: Ten lines
about: One product.
---
## Scores {#scores}

$$ A = QK^{\\top} $$

```octave
Q = [1 2; 3 4];
A = Q * Q';
```

```check
A(1,1) == 5 : a sum of squares
```
"""


class Run:
    """How one run ended: exit status (negative: a signal), both streams, and what the library saw:
    the number of calls of the class, how many failed, and which failed first."""

    def __init__(self, code, out, err, counts):
        self.code, self.out, self.err = code, out, err
        self.calls, self.failures, what = COUNTS.unpack(counts)
        self.what = what.split(b"\0")[0].decode()
        self.outcome = (code, out, err)


class Runner:
    def __init__(self, folder):
        self.folder = folder
        self.out, self.err, self.counts = (self.open(name) for name in ("out", "err", "counts"))
        os.ftruncate(self.counts, COUNTS.size)
        self.runs = 0

    def open(self, name):
        return os.open(os.path.join(self.folder, name), os.O_RDWR | os.O_CREAT | os.O_EXCL)

    def close(self):
        for fd in (self.out, self.err, self.counts):
            os.close(fd)

    def take(self, fd):
        return os.pread(fd, os.fstat(fd).st_size, 0)

    def run(self, kind, at, arguments, lasting=False, stdin=os.devnull, **changes):
        env = {"PATH": os.environ["PATH"], "ATTNWALK_HOME": ROOT, "LC_ALL": "C", **changes,
               "LD_PRELOAD": library, "TORTURE_CLASS": kind, "TORTURE_AT": str(at),
               "TORTURE_COUNTS": os.path.join(self.folder, "counts")}
        if lasting:
            env["TORTURE_LASTING"] = "1"
        os.ftruncate(self.out, 0)
        os.ftruncate(self.err, 0)
        os.pwrite(self.counts, bytes(COUNTS.size), 0)
        for fd in (self.out, self.err):
            os.lseek(fd, 0, os.SEEK_SET)
        actions = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_DUP2, self.out, 1), (os.POSIX_SPAWN_DUP2, self.err, 2)]
        pid = os.posix_spawn(support.program, [support.program, *arguments], env,
                             file_actions=actions)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
        signal.alarm(support.DEADLINE)
        status = os.waitpid(pid, 0)[1]
        signal.alarm(0)
        self.runs += 1
        return Run(os.waitstatus_to_exitcode(status), self.take(self.out), self.take(self.err),
                   os.pread(self.counts, COUNTS.size, 0))


def is_said(talk):
    """True if talk is errors as the program words them: 'attnwalk: ...' or 'FILE...: ...', each
    perhaps with the line of the source and a caret."""
    lines = talk.decode().split("\n")
    return (lines[-1] == "" and len(lines) > 1
            and all(re.match(r"(attnwalk|<stdout>|<stdin>|\S+(\.\w+|/[\w-]+)(:\d+:\d+)?): \S|  ",
                             line) for line in lines[:-1])
            and not lines[0].startswith("  ") and "ssertion" not in lines[0])


class TortureCase(Case):
    def setUp(self):
        super().setUp()
        place = tempfile.mkdtemp(dir=self.folder, prefix="runs-")
        self.runner = Runner(place)
        self.addCleanup(self.runner.close)

    def left_behind(self):
        """The temporaries below the test's folder."""
        return [name for _, _, names in os.walk(self.folder) for name in names
                if name.startswith(".attnwalk-")]


def main():
    global library
    if len(sys.argv) < 3:
        sys.exit("usage: %s ATTNWALK FAIL_LIBRARY [unittest's arguments]" % sys.argv[0])
    library = os.path.abspath(sys.argv.pop(2))
    support.program = sys.argv[1]
    if support.is_sanitized():
        support.skip_all("a sanitized build has a heap of its own that cannot be made to fail so")
    support.main()
