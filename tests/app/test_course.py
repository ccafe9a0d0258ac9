# SPDX-License-Identifier: GPL-3.0-or-later
"""What concerns the course as a whole: its order, its claims, its glossary."""
import csv
import json
import os

import support
from support import Case, ROOT, attnwalk, environment

with open(os.path.join(ROOT, "data", "claims.csv"), encoding="utf-8", newline="") as f:
    CLAIMS = list(csv.DictReader(f))
with open(os.path.join(ROOT, "lessons", "course"), encoding="utf-8") as f:
    COURSE = [line.strip() for line in f if line.strip() and not line.startswith("#")]


def squeezed(text):
    return " ".join(text.split())


class Order(Case):
    def test_list_and_check(self):
        lessons = json.loads(self.run_ok("list", "--json").text)
        self.assertEqual(COURSE, [lesson["id"] for lesson in lessons][:len(COURSE)])

    def test_a_course_that_is_wrong(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, "lessons"))
        self.write("home/lessons/course", "brackets\n\nBrackets\n")
        result = attnwalk("list", env=environment(ATTNWALK_HOME=home))
        self.assertEqual(1, result.code)
        self.assertIn("lessons/course:3:1: not the id of a lesson", result.talk)


class Claims(Case):
    def test_all(self):
        text = squeezed(self.run_ok("claims").text)
        for claim in CLAIMS:
            place = claim["place"] if claim["verdict"] != "UNCHECKABLE" else "no place"
            self.assertIn(" ".join([claim["number"], claim["verdict"], place,
                                    claim["documents"] + ":", claim["claim"]]), text)
            self.assertIn(claim["section"], text)
            if place == "no place":
                self.assertIn("(%s)" % claim["place"], text)

    def test_lines(self):
        for option in ([], ["--ascii"]):
            result = self.run_ok("claims", *option)
            self.assertTrue(all(len(line) <= 80 and line == line.rstrip() for line in result.lines))
            self.assertEqual(bool(option), result.text.isascii())

    def test_one_document(self):
        for document in ("D1", "D2", "D3", "D4"):
            expected = [c["number"] for c in CLAIMS if document in c["documents"]]
            self.assertGreater(len(expected), 10)
            got = json.loads(self.run_ok("claims", document, "--json").text)
            self.assertEqual(expected, [c["number"] for c in got])
            text = self.run_ok("claims", document).text
            self.assertEqual(expected, [line.split()[0] for line in text.splitlines()
                                        if line[:2] in ("C%d" % i for i in range(10))])

    def test_json(self):
        got = json.loads(self.run_ok("claims", "--json").text)
        self.assertEqual(len(CLAIMS), len(got))
        for want, have in zip(CLAIMS, got):
            checked = want["verdict"] != "UNCHECKABLE"
            self.assertEqual(want["place"] if checked else None, have["place"])
            self.assertEqual(None if checked else want["place"], have["reason"])
            for key in ("number", "section", "documents", "claim", "verdict"):
                self.assertEqual(want[key], have[key])

    def test_a_place_opens(self):
        self.run_ok("dump", next(c["place"] for c in CLAIMS if c["number"] == "C10"), "--long")

    def test_refused(self):
        for document in ("D5", "d1", "", "brackets"):
            self.refused(2, "there are the documents D1, D2, D3 and D4", "claims", document)
        self.refused(2, "one argument too many", "claims", "D1", "D2")

    def test_broken_table(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, "lessons"))
        os.makedirs(os.path.join(home, "data"))
        env = environment(ATTNWALK_HOME=home)
        result = attnwalk("claims", env=env)
        self.assertEqual((1, ""), (result.code, result.text))
        self.assertIn("claims.csv", result.talk)
        head = "number,section,documents,claim,verdict,place\n"
        for text, message in ((head + "C1,S,D1,\"A\nB\",PERHAPS,a:b\n", "'PERHAPS' is no verdict"),
                              ("x\n", "the first line is not"), (head + "C1\n", "1 fields, not 6")):
            self.write("home/data/claims.csv", text)
            result = attnwalk("claims", env=env)
            self.assertEqual((1, ""), (result.code, result.text))
            self.assertIn(message, result.talk)


class Glossary(Case):
    def test_all(self):
        for option in ([], ["--ascii"]):
            result = self.run_ok("glossary", *option)
            self.assertTrue(all(len(line) <= 80 for line in result.lines))
            self.assertEqual(bool(option), result.text.isascii())
            heads = [line.split(":")[0] for line in result.lines if line and line[0] != " "]
            self.assertEqual(COURSE, sorted(set(heads), key=heads.index))

    def test_terms(self):
        for term, place, words in (("phi", "kernels:shapes", "feature map"),
                                   ("φ", "kernels:shapes", "feature map"),
                                   ("S", "shapes:letters", "sum of outer products"),
                                   ("dot product", "shapes:words", "entry by entry"),
                                   ("beta", "delta:symbols", "how much of it is written"),
                                   ("token", "shapes:symbols", "pieces")):
            lines = self.run_ok("glossary", term).lines
            self.assertEqual(place, lines[0])
            self.assertIn(words, squeezed(" ".join(lines[1:])))

    def test_json(self):
        entries = json.loads(self.run_ok("glossary", "--json", "S").text)
        self.assertEqual({"lesson": "shapes", "step": "letters"},
                         {key: entries[0][key] for key in ("lesson", "step")})
        self.assertIn("S", entries[0]["names"])
        self.assertGreater(len({entry["lesson"] for entry in entries}), 5)
        every = json.loads(self.run_ok("glossary", "--json").text)
        for entry in every:
            self.assertTrue(entry["term"] and entry["names"] and entry["definition"])
            with open(os.path.join(ROOT, "lessons", entry["lesson"] + ".md"),
                      encoding="utf-8") as f:
                self.assertIn("{#%s}" % entry["step"], f.read())

    def test_unknown(self):
        for term in ("xyzzy", "", "\x1b[31m"):
            result = self.refused(1, "no lesson defines", "glossary", term)
            self.assertNotIn("\x1b", result.talk)

    def test_a_broken_lesson_does_not_hide_the_others(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, "lessons"))
        self.write("home/lessons/alas.md", "no front matter\n")
        self.write("home/lessons/mine.md", "---\ntitle: T\nabout: A.\n---\n## S {#symbols}\n\n"
                                           "- *Thing*: \x1b[31m `x` and $\\alpha$.\n")
        result = attnwalk("glossary", env=environment(ATTNWALK_HOME=home))
        self.assertEqual(1, result.code)
        self.assertIn("alas.md:", result.talk)
        self.assertEqual("mine:symbols\n  Thing: \u241b[31m x and α\n", result.text)


if __name__ == "__main__":
    support.main()
