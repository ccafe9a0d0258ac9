# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work says so on the terminal, and what it said is gone when it is over."""
import os
import re
import signal
import time

from terminal import DEADLINE, Case, left_on, main

LESSON = """---
title: T
about: A
---

```params
n = 0 0..4 whether to work
```

## S {#s}

```octave fold
x = ones(1000); for i = 1:min(n, 1), y = sin(x); end
```

```octave
A = n
```
"""
ROWS = 1000  # of a stream; more bytes than are read at once
RUNS = 4  # of the lesson, each with a million sines
WAIT = 1.05  # seconds, after which long work shows


class Meter(Case):
    def path(self, name):
        return os.path.join(self.folder, name)

    def wait_for_bytes(self, t, pattern):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if re.search(pattern, t.bytes):
                return
            t.read(0.1)
        raise AssertionError((pattern, t.bytes))

    def stream(self, to_file, **options):
        """eval, waiting for rows on its standard input; and the other end of that."""
        reading, writing = os.pipe()
        for name, row in (("K", "1\n"), ("V", "0\n")):
            with open(self.path(name), "w") as f:
                f.write(row * ROWS)

        def before():
            os.dup2(reading, 0)
            if to_file:
                os.dup2(os.open(self.path("out"), os.O_WRONLY | os.O_CREAT, 0o600), 1)

        t = self.start("eval", "--stream", "linear_attention(@relu,Q,K,V,'causal')",
                       "--load", "Q=-", "--load", "K=" + self.path("K"),
                       "--load", "V=" + self.path("V"), before=before, **options)
        os.close(reading)
        rows = open(writing, "w")
        rows.write(("1." + "0" * 200 + "\n") * (ROWS - 1))
        rows.flush()
        return t, rows

    def test_command(self):
        t, rows = self.stream(True)
        self.wait_for_bytes(t, rb"\rattnwalk: \d+ rows, [1-9]\d* s\r")
        with rows:
            print(1, file=rows)
        self.assertEqual(0, t.wait())
        self.assertEqual("", t.screen().strip())
        with open(self.path("out")) as f:
            self.assertTrue(f.read() == "0\n" * ROWS)

    def test_narrow_command(self):
        t, rows = self.stream(True, cols=10)
        self.wait_for_bytes(t, rb"\rattnwalk:\r|\rattnwalk\r")
        rows.close()
        t.wait()

    def test_keyboard(self):
        """Nobody is interrupted who types statements."""
        t = self.start("eval", "-")
        t.settle(2 * WAIT)
        self.assertEqual(b"", t.bytes)
        t.send("1 + 1", "Enter", "\x04")
        self.assertEqual(0, t.wait())

    def test_data_in_the_way(self):
        """The meter leaves a terminal alone that data goes to."""
        t, rows = self.stream(False)
        t.settle(2 * WAIT)
        with rows:
            print(1, file=rows)
        self.assertEqual(0, t.wait())
        self.assertTrue(t.bytes == b"0\r\n" * ROWS, t.bytes[:200])

    def work(self, **options):
        """The lesson at work, RUNS times before the next page, for longer than a second."""
        with open(self.path("slow.md"), "w") as f:
            f.write(LESSON)
        t = self.start("slow.md", before=lambda: os.chdir(self.folder), **options)
        t.wait_for("slow.")
        t.settle()
        t.send("".join("g?n=%d\r" % n for n in range(1, RUNS + 1)))
        return t

    def test_page(self):
        t = self.work()
        self.wait_for_bytes(t, rb"\033\[24;1H\033\[7mworking: [1-9]\d* s *\033\(B\033\[m\033\[24;")
        t.wait_for("slow.md:s:1?n=4")
        self.assertNotIn("working", t.screen())
        self.quit(t)

    def test_narrow_page(self):
        t = self.work(cols=7)
        self.wait_for_bytes(t, rb"\033\[7mworkin\033")
        self.quit(t)

    def test_end_while_working(self):
        t = self.work()
        self.wait_for_bytes(t, rb"working: ")
        t.kill(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, t.wait())
        self.assertEqual([], left_on(t.bytes))


if __name__ == "__main__":
    main()
