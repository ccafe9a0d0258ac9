# SPDX-License-Identifier: GPL-3.0-or-later
"""Content cannot act on the screen either: on a pseudo-terminal nothing arrives but text that can be
seen and the sequences that the program itself sends."""
import os

from hostile import FORGED, Run, main, support, terminal, what_is_wrong_on_a_terminal
from payload import LESSON, NAMES, PAYLOADS, fill, holes
from terminal import Case

# Keys of a walk that shows whatever a lesson holds; each group is followed by a look at the stream.
WALK = [["Right"], ["."], ["Right"], ["i"], ["s", "Right"], ["s", "Right"], ["Home", "Enter"], ["Tab"],
        ["Enter"], ["Enter"], ["Backspace"], ["Esc"], ["p"], ["Down"], ["Right"], ["Esc"], ["o"], ["Esc"],
        ["d"], ["Down"], ["Esc"], ["?"], ["Esc"], ["P"], ["c"], ["P"], ["]"], ["a", "Enter"], ["b"], ["m"],
        ["Esc"], ["t"], ["\x1b[6~"], ["End"], ["Home"], [":X", "Enter"], ["/the", "Enter"], ["n"], ["w", "Esc"]]


class Screen(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder, "lessons"))
        os.mkdir(os.path.join(self.folder, "data"))
        self.write("lessons/a.csv", b"1,2\n")
        self.write("lessons/n.md", fill(LESSON, {}))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name) if isinstance(name, str) else name, "wb") as f:
            f.write(content)

    def begin(self, *arguments, until=None, **options):
        t = self.start(*arguments, **{"ATTNWALK_HOME": self.folder,
                                      "before": lambda: os.chdir(self.folder), **options})
        if until:
            t.wait_for(until)
        return t

    def judge(self, t, what):
        t.settle(0.1)
        wrong = what_is_wrong_on_a_terminal(t.bytes)
        self.assertIsNone(wrong, what)

    def send(self, t, what, *keys):
        t.send(*keys)
        self.judge(t, (what, keys))

    def leave(self, t, what):
        t.send("Esc", "Esc")
        t.settle(0.1)
        t.send("q", "q")
        t.wait()
        self.assertEqual(0, t.status, what)
        self.assertIsNone(what_is_wrong_on_a_terminal(t.bytes), what)
        self.assertEqual([], terminal.left_on(t.bytes))

    def is_read(self, fillings):
        """Writes the lesson m with these fillings; True if it can be shown."""
        self.write("lessons/m.md", fill(LESSON, fillings))
        env = support.environment(ATTNWALK_HOME=self.folder)
        return Run(["show", "m", "--notes"], env=env).code == 0

    def test_every_hole(self):
        """A lesson with every hole filled that may be, walked; the others in the menu."""
        for kind, payload in PAYLOADS.items():
            good = {}
            for hole in holes():
                if self.is_read({**good, hole: payload}):
                    good[hole] = payload
                else:
                    self.write("lessons/x-%s.md" % hole, fill(LESSON, {hole: payload}))
            self.assertGreater(len(good), 20)
            self.assertTrue(self.is_read(good))
            t = self.begin("m:1", rows=60, cols=100, until="m:words:1")
            for keys in WALK:
                self.send(t, kind, *keys)
            self.leave(t, kind)
            self.menu(kind, len(holes()) - len(good))

    def menu(self, kind, refused):
        t = self.begin(rows=30, cols=200, until="lessons")
        self.judge(t, kind)
        for i in range(refused + 2):
            self.send(t, (kind, i), "Enter")
            self.send(t, (kind, i), "m", "Home", *["Down"] * (i + 1))
        self.leave(t, kind)
        for name in os.listdir(self.path("lessons")):
            if name.startswith("x-"):
                os.unlink(self.path("lessons/" + name))

    def test_reading_again(self):
        """A lesson that turns bad while it is read is complained about in the bottom line."""
        for kind in ("controls", "word", "bytes"):
            self.write("lessons/m.md", fill(LESSON, {}))
            t = self.begin("./lessons/m.md", cols=200, until="words:1")
            since = len(t.bytes)
            self.write("lessons/m.md", fill(LESSON, {"statement": PAYLOADS[kind], "front": PAYLOADS[kind] + b"\n"}))
            os.utime(self.path("lessons/m.md"), (1, 1))
            t.wait_for("m.md:8:", since)
            self.judge(t, kind)
            self.leave(t, kind)

    def test_names_of_files(self):
        for kind, payload in NAMES.items():
            folder = os.fsencode(self.path("lessons"))
            self.write(os.path.join(folder, payload + b".md"), fill(LESSON, {"labels": b"x = file a.csv"}))
            self.write(os.path.join(folder, payload + b".csv"), b"1,2\n3,4\n")
            if not set(b":?") & set(payload):  # they end the path in a place
                t = self.begin(b"./lessons/" + payload + b".md", until="Prose")
                for keys in WALK:
                    self.send(t, kind, *keys)
                self.leave(t, kind)
            t = self.begin("n", "--load", b"Q=lessons/" + payload + b".csv", until="n:words:1")
            for keys in (["Enter"], ["Enter"], ["Tab"], ["Esc"], ["Right"]):
                self.send(t, kind, *keys)
            self.leave(t, kind)

    def test_prompts(self):
        for kind, payload in {**NAMES, **PAYLOADS}.items():
            t = self.begin("n", cols=160, until="n:words:1")
            for before in ("g", "/", ":", "w", "p\r", "\re", "g:", "s"):
                for paste in (True, False):
                    t.send("Esc", "Esc", "Home")
                    self.judge(t, (kind, before))
                    t.send(before)
                    text = payload.replace(b"\x1b", b"")  # would be a key
                    os.write(t.fd, b"\x1b[200~" + payload.replace(b"\x1b[2", b"") + b"\x1b[201~" if paste else
                             text.replace(b"\n", b"").replace(b"\r", b"").replace(b"q", b""))
                    self.judge(t, (kind, before))
                    t.send("Enter")
                    self.judge(t, (kind, before, "Enter"))
                    self.assertTrue(t.read(0), (kind, before))  # it still runs
            self.leave(t, kind)

    def test_where_one_stopped(self):
        for kind, payload in PAYLOADS.items():
            os.makedirs(self.path("state/attnwalk"), exist_ok=True)
            self.write("state/attnwalk/progress",
                       b"latest n\nlesson n\nplace n:" + payload + b"\nseen " + payload + b" words\nlesson " +
                       payload + b"\nplace " + payload + b"\n" + payload)
            t = self.begin(until="lessons")
            self.judge(t, kind)
            self.send(t, kind, "Enter")
            self.leave(t, kind)

    def test_variables(self):
        for kind, payload in NAMES.items():
            text = os.fsdecode(payload)
            for name in ("LANG", "LC_ALL", "COLUMNS", "LINES", "NO_COLOR", "COLORFGBG", "COLORTERM", "TERMINFO",
                         "ESCDELAY", "XDG_STATE_HOME", "TERM", "ATTNWALK_HOME"):
                t = self.begin("n:words:1", **{name: text})
                t.settle(0.1)
                t.send("q")
                t.wait()
                self.assertIn(t.status, (0, 1), (kind, name))
                self.assertIsNone(what_is_wrong_on_a_terminal(t.bytes), (kind, name))
                self.assertNotIn(b"\n" + FORGED.encode(), t.bytes)


if __name__ == "__main__":
    main()
