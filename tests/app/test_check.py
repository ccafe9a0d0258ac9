# SPDX-License-Identifier: GPL-3.0-or-later
"""check and read: whole lessons; what is broken is said with its place, its line and a caret."""
import os
import re

import support
from support import Case, LESSON_IDS, LESSONS


class Whole(Case):
    def test_all(self):
        result = support.attnwalk("check")  # remarks (a required lesson is missing) are no errors
        said = [line for line in result.talk.splitlines() if re.match(r"\S+:\d+:\d+: ", line)]
        self.assertEqual((0, []), (result.code, [x for x in said if ": remark: " not in x]))
        self.assertEqual(LESSON_IDS, sorted(line.split()[0] for line in result.lines))
        for line in result.lines:
            self.assertRegex(line, r"^[a-z-]+ +\d+ steps, \d+ checks( \(\d+ skipped\))?, "
                                   r"\d+ predictions?, \d+ questions?, \d+ settings: ok$")
            self.assertGreaterEqual(int(re.search(r"(\d+) prediction", line)[1]), 2)

    def test_by_id_and_by_path(self):
        for name in ("brackets", "factor"):
            by_id = self.run_ok("check", name).text
            self.assertEqual(by_id, self.run_ok("check", os.path.join(LESSONS, name + ".md")).text)

    def test_missing(self):
        self.refused(1, "nosuch", "check", "nosuch")
        self.refused(1, "cannot open", "check", "./nosuch.md")

    def test_translation(self):
        """What a translation lacks or has too much is reported with its place."""
        path = self.write("tiny.md", "---\ntitle: T\nabout: A\n---\n\n## One {#one}\n\nText.\n")
        good = "---\ntitle: T\nabout: A\nlang: zh\n---\n\n## \u4e00 {#one}\n\n\u6587\u3002\n"
        self.write("tiny.zh.md", good)
        self.run_ok("check", path)
        translation = self.write("tiny.zh.md", good + "\n## \u4e8c {#two}\n\n\u6587\u3002\n")
        self.refused(1, os.path.basename(translation) + ":11:", "check", path)

    def test_a_lesson_with_a_command_s_name(self):
        with open(os.path.join(LESSONS, "brackets.md"), encoding="utf-8") as f:
            path = self.write("eval.md", f.read())
        self.refused(1, "that is a command", "check", path)


class Broken(Case):
    def setUp(self):
        super().setUp()
        with open(os.path.join(LESSONS, "brackets.md"), encoding="utf-8") as f:
            self.lesson = f.read()

    def broken(self, old, new, message, fragment=None):
        """check of the lesson with the first old replaced by new is refused at the line that
        holds fragment (new, unless said), with that line and a caret below it."""
        self.assertIn(old, self.lesson)
        text = self.lesson.replace(old, new, 1)
        path = self.write("copy.md", text)
        result = self.refused(1, message, "check", path)
        fragment = fragment or new.strip().split("\n")[0]
        line = text[:text.index(fragment)].count("\n") + 1
        place = re.escape(path) + r":%d:\d+: " % line
        talk = result.talk.split("\n")
        at = [i for i, said in enumerate(talk) if re.match(place, said)]
        self.assertTrue(at, result.talk)
        self.assertIn(fragment[:40], talk[at[0] + 1])
        self.assertRegex(talk[at[0] + 2], r"^ +\^+$")

    def first(self, pattern):
        return re.search(pattern, self.lesson)[0]

    def test_check_that_fails(self):
        old = self.first(r"approx\(Y1, Y2, 1e-12\)")
        self.broken(old, "approx(Y1, Y2 + 1, 1e-12)", "both orders")

    def test_check_that_cannot_be_evaluated(self):
        self.broken(self.first(r"approx\(Y1, Y2, 1e-12\)"), "approx(Y1, Y9, 1e-12)", "Y9")

    def test_check_with_a_syntax_error(self):
        self.broken(self.first(r"approx\(Y1, Y2, 1e-12\)"), "approx(Y1, Y2, 1e-12", "")

    def test_view_of_a_name_that_is_not_there(self):
        self.broken(self.first(r"heat Q, K, V"), "heat Q, Knone, V", "Knone")

    def test_view_of_an_unknown_kind(self):
        self.broken(self.first(r"heat Q, K, V"), "heet Q, K, V", "heet")

    def test_code(self):
        self.broken(self.first(r"Y2 += Q \* \(K' \* V\);"), "Y2 = Q * (Knone' * V);", "Knone")

    def test_formula(self):
        old = self.first(r"\$\$ [^$]*K\^\{\\top\}[^$]* \$\$")
        self.broken(old, r"$$ \frac{Q}{K $$", "formula: ")
        self.broken(old, r"$$ \nosuch Q $$", "formula: ")

    def test_inline_formula(self):
        old = self.first(r"\$[A-Z]\$")
        self.broken(old, r"$\nosuch$", "formula: ")

    def test_inline_value(self):
        self.broken(self.first(r"`=[^`]*`"), "`=nosuch`", "nosuch")

    def test_fence_that_is_not_closed(self):
        path = self.write("copy.md", self.lesson[:self.lesson.rindex("```")])
        result = self.refused(1, "", "check", path)
        self.assertRegex(result.talk, re.escape(path) + r":\d+:\d+: ")
        self.assertRegex(result.talk.split("\n")[2], r"^ +\^+$")

    def test_formula_block_that_is_not_closed(self):
        old = self.first(r"\n\$\$ [^\n]* \$\$\n")
        self.broken(old, old.rstrip()[:-2] + "\n", "", old.strip()[:-2].strip())

    def test_front_matter(self):
        self.broken("title:", "titel:", "titel")

    def test_two_steps_of_one_name(self):
        ids = re.findall(r"\{#[a-z0-9-]+\}", self.lesson)
        text = self.lesson.replace(ids[1], ids[0], 1)
        path = self.write("copy.md", text)
        result = self.refused(1, ids[0][2:-1], "check", path)
        self.assertRegex(result.talk, re.escape(path) + r":\d+:\d+: ")

    def test_the_others_are_still_checked(self):
        path = self.write("copy.md", self.lesson.replace("title:", "titel:", 1))
        result = support.attnwalk("check", path, "factor")
        self.assertEqual(1, result.code)
        self.assertEqual(["factor"], [line.split()[0] for line in result.lines])


class Read(Case):
    def test_all(self):
        for name in LESSON_IDS:
            text = self.run_ok("read", name).text
            self.assertGreater(len(text), 2000)
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f]")

    def test_costs_of_brackets(self):
        text = self.run_ok("read", "brackets").text
        self.assertIn("2n²d", text)
        self.assertIn("288", text)
        self.assertIn("2nd²", text)
        self.assertIn("192", text)

    def test_ascii(self):
        text = self.run_ok("read", "brackets", "--ascii").text
        self.assertIn("2n^2*d", text)

    def test_notes(self):
        plain = self.run_ok("read", "brackets").text
        notes = self.run_ok("read", "brackets", "--notes").text
        self.assertGreater(len(notes), len(plain))

    def test_set(self):
        self.assertNotEqual(self.run_ok("read", "brackets").text,
                            self.run_ok("read", "brackets", "--set", "n=9").text)

    def test_width(self):
        self.assertNotEqual(self.run_ok("read", "brackets", "--width", "60").text,
                            self.run_ok("read", "brackets", "--width", "100").text)
        self.refused(2, "--width takes a whole number", "read", "brackets", "--width", "0")

    def test_refusals(self):
        self.refused(1, "nosuch", "read", "nosuch")


if __name__ == "__main__":
    support.main()
