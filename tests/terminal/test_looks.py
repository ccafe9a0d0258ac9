# SPDX-License-Identifier: GPL-3.0-or-later
"""What the screen shows is what `show` prints, in every kind of terminal and locale."""
import os
import re
import shutil
import subprocess
import tempfile

import terminal
from terminal import Case, main, not_allowed, show

TYPES = ["xterm-256color", "tmux-256color", "screen", "linux", "vt100", "xterm", "xterm-kitty"]
COLORS = re.compile(rb"\033\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[0-9;]*m")


class Looks(Case):
    def same(self, t, *arguments, **changes):
        """All but the bottom line, which names keys as well."""
        t.settle()
        shown = show(*arguments, **changes).splitlines()
        seen = t.screen().splitlines()
        self.assertEqual(shown[:-1], seen[:len(shown) - 1])

    def test_is_show(self):
        for place in ("brackets:scores", "delta:1", "softmax:2", "recurrent:3"):
            for cols, rows in ((80, 24), (100, 30), (120, 40), (60, 18), (200, 60)):
                t = self.start(place, rows=rows, cols=cols)
                t.wait_for(place.split(":")[0] + ":")
                self.same(t, place, "--size", "%dx%d" % (cols, rows))
                self.quit(t)

    def test_types(self):
        for kind in TYPES:
            for cols, rows in ((1, 1), (3, 2), (20, 5), (40, 10), (80, 24), (120, 40)):
                t = self.start("brackets:scores", rows=rows, cols=cols, TERM=kind)
                while not t.bytes:
                    t.read(1)
                t.settle()
                if kind not in ("vt100", "linux"): # vterm is no vt100: margins differ
                    self.same(t, "brackets:scores", "--size", "%dx%d" % (cols, rows))
                self.assertIsNone(not_allowed(t.bytes))
                self.assertNotIn(b"$<", t.bytes) # padding
                self.quit(t)

    def test_locales(self):
        t = self.start("brackets:scores", LANG="C")
        t.wait_for("brackets:scores:1")
        self.assertTrue(t.bytes.isascii())
        self.same(t, "brackets:scores", "--ascii")
        self.quit(t)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("de_DE", "zh_CN"): # without localedef: a locale that is not there
                if shutil.which("localedef"):
                    subprocess.run(["localedef", "-i", name, "-f", "UTF-8",
                                    os.path.join(folder, name + ".UTF-8")], check=False)
            for locale in ("de_DE.UTF-8", "zh_CN.UTF-8", "zh_TW.UTF-8"):
                t = self.open(LANG=locale, LOCPATH=folder)
                self.same(t, "brackets:scores")
                self.quit(t)

    def test_color(self):
        def colored(*arguments, **changes):
            t = self.start("open", "brackets:scores", *arguments, **changes)
            t.wait_for("brackets:scores:1")
            self.quit(t)
            return COLORS.search(t.bytes.replace(b"\033[39;49m", b"")) is not None

        self.assertTrue(colored())
        self.assertTrue(colored(NO_COLOR=""))
        self.assertFalse(colored(NO_COLOR="1"))
        self.assertFalse(colored(NO_COLOR="0"))
        self.assertTrue(colored("--color=always", NO_COLOR="1"))
        self.assertFalse(colored("--color=never"))
        self.assertFalse(colored("--theme=mono"))

    def test_marks_without_color(self):
        """The cursor is to be seen without colour."""
        t = self.open("brackets:scores", NO_COLOR="1")
        t.settle()
        before = t.screen(layer=True)
        t.send("Enter")
        t.wait_for("A0(1,1) = ")
        self.assertGreater(t.screen(layer=True).count("R"), before.count("R"))
        self.quit(t)

    def test_palette_is_left_alone(self):
        t = self.open()
        self.assertNotIn(b"\033]", t.bytes)
        self.quit(t)

    def test_content_cannot_act(self):
        path = os.path.join(self.folder, "evil.md")
        evil = "\033]0;title\007 \033[2J \u009b2J \u202egnp \x0e\x05 \033[?1049l"
        with open(path, "w") as f:
            f.write("---\ntitle: %s\nabout: x\n---\n\n## %s {#one}\n\n%s `%s` $x %s$\n\n```octave\n"
                    "a = [1 2];\n```\n\n```view\nheat a\n```\n\n## Two {#two}\n\nx\n" % ((evil,) * 5))
        t = self.start(path)
        t.wait_for("evil.md:one:1")
        for keys in (["Enter"], ["Esc"], ["o"], ["Esc"], ["Right"], ["/", "\x01\x02title", "Enter"]):
            t.send(*keys)
            t.settle()
        self.assertIsNone(not_allowed(t.bytes))
        self.assertNotIn("\u202e", t.bytes.decode())
        self.quit(t)


if __name__ == "__main__":
    main()
