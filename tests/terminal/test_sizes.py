# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of every size, and windows that change."""
import random

import terminal
from terminal import Case, main, show


class Sizes(Case):
    def ends_right(self, t, place):
        """At 24 x 80 again, the page is what it should be."""
        t.resize(24, 80)
        for _ in range(50):  # a busy machine may draw afresh before it hears of the last size
            t.settle(0.3)
            since = len(t.bytes)
            t.send("C-l")
            t.settle(0.3)
            if place in t.screen(since):
                break
        self.assertEqual(show(place).splitlines()[:23], t.screen(since).splitlines()[:23])

    def test_sweep(self):
        t = self.open()
        for rows in range(1, 41):
            for cols in (range(1, 121) if rows % 2 else range(120, 0, -1)):
                t.resize(rows, cols)
                t.read(0.003)
        self.ends_right(t, "brackets:scores:1")
        self.quit(t)

    def test_storm(self):
        rand = random.Random(7)
        t = self.open()
        for i in range(500):
            t.resize(rand.randint(1, 60), rand.randint(1, 200))
            t.send(rand.choice(["Right", "Left", "Enter", "Esc", "p", "+", "-", "P", ".", ",", "Tab"]))
            t.read(0.002)
        t.settle(0.5)
        t.send("Esc")
        t.settle(0.3)
        t.send("Esc", "Esc", "C-l")
        t.settle(0.3)
        self.assertIsNone(t.status)
        self.quit(t)

    def test_prompt(self):
        t = self.open()
        t.send(":", "Q0(1,1)+2")
        t.wait_for("Q0(1,1)+2")
        for rows, cols in ((5, 12), (1, 1), (2, 3), (40, 120), (24, 80)):
            t.resize(rows, cols)
            t.settle(0.1)
        since = len(t.bytes)
        t.send("Enter")
        t.wait_for("= 3", 0)
        self.ends_right_prompt(t, since)
        self.quit(t)

    def ends_right_prompt(self, t, since):
        t.send("C-l")
        t.wait_for("(Q0(1,1)+2) = 3", since)

    def test_no_size(self):
        t = self.start("brackets:scores", rows=0, cols=0)
        t.rows, t.cols = 24, 80
        t.wait_for("brackets:scores:1")
        self.quit(t)


if __name__ == "__main__":
    main()
