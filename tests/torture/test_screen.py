# SPDX-License-Identifier: GPL-3.0-or-later
"""Allocations and calls that touch files fail while the program has the terminal: it is given back,
the message comes after that, and the exit status is 1."""
import os
import re
import sys
import tempfile
import termios

import torture
from torture import COUNTS, TortureCase, main
import support

sys.path.insert(0, os.path.join(support.ROOT, "tests", "terminal"))
import terminal  # noqa: E402
from terminal import Terminal, left_on  # noqa: E402

KEYS = ["Right", "Right", "Enter", "Down", "Enter", "Backspace", "Esc", "p", "Right", "Esc", "?",
        "q", "g", "Esc", ":", "Q*2", "Enter", "Esc", "/", "q", "Esc", "P", "t", "w", "Enter", "m",
        "Esc", "q"]

# Without these ncurses goes on: a key less, a terminal's type found by another way.
LIBRARIES = r"\w+ (libncursesw|libtinfo|libc)\."


def said(stream):
    """What the terminal got after the last thing that was no text."""
    return stream[max(stream.rfind(b"\033"), 0):]


class Screen(TortureCase):
    def setUp(self):
        super().setUp()
        terminal.program = support.program
        self.failed = 0

    def session(self, kind, at, **changes):
        """One session of keys; each is sent when the one before has been drawn."""
        counts = os.path.join(self.runner.folder, "counts")
        place = tempfile.mkdtemp(dir=self.folder)
        os.pwrite(self.runner.counts, bytes(COUNTS.size), 0)
        t = Terminal(self.path("state"), "factor", before=lambda: os.chdir(place),
                     LD_PRELOAD=torture.library, TORTURE_CLASS=kind, TORTURE_AT=str(at),
                     TORTURE_COUNTS=counts, **changes)
        try:
            t.settle()
            for key in KEYS:
                if t.wait(0) is None:
                    t.send(key)
                    t.settle(0.01)
            t.wait()
            t.cooked = termios.tcgetattr(t.fd)[3] & termios.ECHO
        finally:
            t.end()
        t.calls, t.failures, what = COUNTS.unpack(os.pread(self.runner.counts, COUNTS.size, 0))
        t.what = what.split(b"\0")[0].decode()
        self.failed += t.failures
        return t

    def fail_each(self, kind, numbers, **changes):
        for at in numbers:
            t = self.session(kind, at, **changes)
            where = "call %d of %s: %s: %s" % (at, kind, t.what, t.bytes[-300:])
            self.assertEqual([], left_on(t.bytes), where)
            self.assertTrue(t.cooked, where)
            self.assertEqual([], self.left_behind(), where)
            yield t, where

    def sample(self, kind, count, **changes):
        calls = self.session(kind, 0, **changes).calls
        self.assertGreater(calls, 0)
        return range(1, calls + 1, 1 if "TORTURE_ALL" in os.environ else 1 + calls // count)

    def tearDown(self):
        print("%s: %d calls failed" % (self.id().split(".")[-1], self.failed))

    def test_memory(self):
        for t, where in self.fail_each("alloc", self.sample("alloc", 40, TORTURE_FROM="attnwalk"),
                                  TORTURE_FROM="attnwalk"):
            if t.failures:
                self.assertEqual(1, t.status, where)
                self.assertIn(b"attnwalk: out of memory\r\n", said(t.bytes), where)

    def test_memory_of_libraries(self):
        for library in ("libncursesw", "libtinfo"):
            changes = {"TORTURE_FROM": library}
            for t, where in self.fail_each("alloc", self.sample("alloc", 25, **changes), **changes):
                went_on = t.status == 0 and re.match(LIBRARIES, t.what + ".")
                spoke = t.status == 1 and b"attnwalk: " in said(t.bytes)
                self.assertTrue(not t.failures or went_on or spoke, where)

    def test_files(self):
        """Only the files of a lesson are needed: the rest goes on, or is said on the page."""
        for kind, count in (("open", 20), ("read", 10), ("write", 15), ("change", 8), ("stat", 15)):
            for t, where in self.fail_each(kind, self.sample(kind, count)):
                self.assertIn(t.status, (0, 1), where)
                if t.status == 1:
                    self.assertRegex(said(t.bytes), rb"(attnwalk|\S+): \S[^\r]*\r\n", where)

    def test_full_disk(self):
        """No write succeeds any more but to the terminal: the page says it, and it goes on."""
        self.assertEqual(0, self.session("change", 1, TORTURE_LASTING="1").status)


if __name__ == "__main__":
    main()
