# SPDX-License-Identifier: GPL-3.0-or-later
"""show: pages as text, of any size, without a terminal."""
import json
import os
import random
import unicodedata

from support import LESSON_IDS, Case, attnwalk, environment, main


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


class Show(Case):
    def test_sizes(self):
        rand = random.Random(3)
        sizes = [(1, 1), (2, 3), (80, 24), (120, 40), (200, 60), (1000, 1), (1, 1000)]
        sizes += [(rand.randint(1, 130), rand.randint(1, 45)) for _ in range(20)]
        for cols, rows in sizes:
            lines = self.run_ok("show", rand.choice(LESSON_IDS) + ":2", "--size", "%dx%d" % (cols, rows)).lines
            self.assertEqual(rows, len(lines))
            self.assertLessEqual(max(map(width, lines)), cols)

    def test_all_of_a_lesson(self):
        pages = self.run_ok("show", "brackets", "--size", "80x24").text
        lesson = next(l for l in json.loads(self.run_ok("list", "--json").text) if l["id"] == "brackets")
        self.assertEqual(0, (pages.count("\n") + 1) % 25)
        for step in lesson["steps"]:
            self.assertIn("brackets:%s:1" % step["id"], pages)

    def test_settings(self):
        place = "brackets:scores:1?Q0(1,1)=5"
        page = self.run_ok("show", place).text
        self.assertIn(place, page)
        self.assertNotEqual(page, self.run_ok("show", "brackets:scores:1").text)
        self.assertEqual(self.run_ok("show", "brackets:2?n=3").text,
                         self.run_ok("show", "brackets:2", "--set", "n=3").text)

    def test_ascii(self):
        for lesson in LESSON_IDS:
            self.assertTrue(self.run_ok("show", lesson + ":3", "--ascii").out.isascii())

    def test_color(self):
        plain = self.run_ok("show", "brackets:scores").text
        self.assertNotIn("\033", plain)
        for arguments, changes, colored in (
                (["--color=always"], {}, True), (["--color=always"], {"NO_COLOR": "1"}, True),
                (["--color=never"], {}, False), (["--color=auto"], {}, False)):
            text = self.run_ok("show", "brackets:scores", *arguments, env=environment(**changes)).text
            self.assertEqual(colored, "\033[" in text)
        themes = {self.run_ok("show", "brackets:scores", "--color=always", "--theme", theme).text
                  for theme in ("dark", "light", "mono")}
        self.assertEqual(3, len(themes))
        self.assertEqual(self.run_ok("show", "brackets:scores", "--color=always", "--theme=light").text,
                         self.run_ok("show", "brackets:scores", "--color=always",
                                     env=environment(COLORFGBG="0;15")).text)

    def test_roles(self):
        lines = self.run_ok("show", "brackets:scores", "--roles").lines
        self.assertEqual(48, len(lines))
        self.assertTrue(lines[24].strip())

    def test_projector(self):
        page = self.run_ok("show", "brackets:scores", "--projector", "--size", "60x18").text
        self.assertIn("A0", page)
        self.assertNotIn("Row i of the", page)

    def test_notes(self):
        self.assertNotIn("Point at one cell", self.run_ok("show", "brackets:scores").text)
        self.assertIn("Point at one cell", self.run_ok("show", "brackets:scores", "--notes").text)
        self.assertNotIn("Point at one cell",
                         self.run_ok("show", "brackets:scores", "--notes", "--projector").text)

    def test_nothing_is_written(self):
        self.run_ok("show", "brackets:scores", env=environment(XDG_STATE_HOME=self.folder))

        self.assertEqual([], os.listdir(self.folder))

    def test_refusals(self):
        for size in ("80", "80x", "x24", "0x24", "80x0", "1001x1", "80x24x1", "-1x2", "8 0x2", ""):
            self.refused(2, "--size takes COLUMNSxROWS", "show", "brackets", "--size", size)
        self.refused(2, "--color takes", "show", "brackets", "--color", "blue")
        self.refused(2, "--theme takes", "show", "brackets", "--theme", "blue")
        self.refused(1, "no step 'nosuch'", "show", "brackets:nosuch")


if __name__ == "__main__":
    main()
