# SPDX-License-Identifier: GPL-3.0-or-later
"""dump: one matrix, tidy rows, a folder with its manifest, draws; and what it refuses."""
import csv
import io
import json
import os
import subprocess

import support
from support import Case, HEAD, LESSON_IDS, attnwalk, contents


def loads(names="QKV"):
    return [word for name in names for word in ("--load", "%s=%s" % (name, HEAD % name.lower()))]


def matrix(text):
    return [[float(field) for field in row] for row in csv.reader(io.StringIO(text))]


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


class One(Case):
    def test_rows_follow_the_parameter(self):
        self.assertEqual(6, len(self.run_ok("dump", "brackets", "-m", "Y1").lines))
        nine = self.run_ok("dump", "brackets", "-m", "Y1", "--set", "n=9")
        self.assertEqual(9, len(nine.lines))
        self.assertEqual(nine.text, self.run_ok("dump", "brackets?n=9", "--matrix=Y1").text)
        self.assertEqual(nine.text, self.run_ok("dump", "brackets?n=3", "-mY1", "--set=n=9").text)
        self.assertEqual({4}, {len(row) for row in matrix(nine.text)})

    def test_the_same_bytes_twice(self):
        for name in LESSON_IDS:
            one = self.run_ok("dump", name, "--long").out
            self.assertEqual(one, self.run_ok("dump", name, "--long").out, name)
            self.assertGreater(len(one), 1000)

    def test_json(self):
        rows = json.loads(self.run_ok("dump", "brackets", "-m", "Y1", "--format", "json").text)
        self.assertEqual(matrix(self.run_ok("dump", "brackets", "-m", "Y1").text), rows)

    def test_last_frame_of_the_place(self):
        """A name that is bound again and again: the value seen where the place ends."""
        rows = table(self.run_ok("dump", "recurrent", "--long", "-m", "S").text)
        frames = sorted({int(row["frame"]) for row in rows})
        self.assertGreater(len(frames), 2)
        seen = matrix(self.run_ok("dump", "recurrent", "-m", "S").text)
        last = [float(row["value"]) for row in rows if int(row["frame"]) == frames[-1]]
        self.assertEqual(last, [x for row in seen for x in row])

    def test_a_parameter(self):
        self.assertEqual("6\n", self.run_ok("dump", "brackets", "-m", "n").text)

    def test_edited_cell(self):
        place = "brackets?Q(2,3)=0.5"
        self.assertEqual(0.5, matrix(self.run_ok("dump", place, "-m", "Q").text)[1][2])
        plain = matrix(self.run_ok("dump", "brackets", "-m", "Y1").text)
        changed = matrix(self.run_ok("dump", place, "-m", "Y1").text)
        self.assertEqual([1], [i for i in range(6) if plain[i] != changed[i]])

    def test_refusals(self):
        self.refused(1, "'nosuch' has no value at this place; here are: ", "dump", "brackets", "-m",
                     "nosuch")
        self.refused(1, "phi", "dump", "recurrent", "-m", "phi")
        self.refused(1, "nosuch", "dump", "nosuch", "-m", "Q")
        self.refused(1, "nosuch", "dump", "brackets:nosuch", "-m", "Q")
        self.refused(1, "99", "dump", "brackets:99", "-m", "Q")
        self.refused(1, "", "dump", "brackets:", "-m", "Q")
        self.refused(1, "", "dump", "", "-m", "Q")
        self.refused(1, "n", "dump", "brackets", "-m", "Q", "--set", "n=0")
        self.refused(1, "n", "dump", "brackets", "-m", "Q", "--set", "n=2.5")
        self.refused(1, "nosuch", "dump", "brackets", "-m", "Q", "--set", "nosuch=1")
        self.refused(1, "nosuch", "dump", "recurrent", "-m", "Q", "--set", "phi=nosuch")
        self.refused(1, "nosuch", "dump", "./nosuch.md", "-m", "Q")

    def test_usage(self):
        result = self.refused(2, "nothing asked for", "dump", "brackets")
        self.assertIn("Y1 (6x4)", result.talk)
        self.refused(2, "several -m", "dump", "brackets", "-m", "Q", "-m", "K")
        self.refused(2, "--force goes with", "dump", "brackets", "-m", "Q", "--force")
        self.refused(2, "--long goes to standard output", "dump", "brackets", "--long", "-o", "x")
        self.refused(2, "--long is CSV", "dump", "brackets", "--long", "--format", "json")


class Long(Case):
    def test_rows(self):
        rows = table(self.run_ok("dump", "brackets", "--long", "-m", "Q", "-m", "Y1").text)
        self.assertEqual(["lesson", "step", "frame", "name", "row", "col", "value"], list(rows[0]))
        self.assertEqual({"Q", "Y1"}, {row["name"] for row in rows})
        self.assertEqual({"brackets"}, {row["lesson"] for row in rows})
        seen = {(int(r["row"]), int(r["col"])): float(r["value"]) for r in rows if r["name"] == "Y1"}
        expected = matrix(self.run_ok("dump", "brackets", "-m", "Y1").text)
        self.assertEqual(expected, [[seen[i + 1, j + 1] for j in range(4)] for i in range(6)])

    def test_a_step_only(self):
        lessons = json.loads(self.run_ok("list", "--json").text)
        steps = next(x["steps"] for x in lessons if x["id"] == "brackets")
        whole = table(self.run_ok("dump", "brackets", "--long").text)
        by_step = []
        for step in steps:
            text = self.run_ok("dump", "brackets:" + step["id"], "--long").text
            part = table(text)
            self.assertTrue(all(row["step"] == step["id"] for row in part))
            by_step += part
        self.assertEqual(whole, by_step)

    def test_refusals(self):
        self.refused(1, "'nosuch' is bound by no frame", "dump", "brackets", "--long", "-m", "nosuch")


class Folder(Case):
    def dump(self, lesson, *arguments):
        out = self.path("out")
        self.run_ok("dump", lesson, "-o", out, *arguments)
        with open(os.path.join(out, "manifest.csv"), encoding="utf-8", newline="") as f:
            return out, list(csv.DictReader(f))

    def check_whole(self, out, manifest, extension=".csv"):
        """Every file is in the manifest and the other way round, named as it should be."""
        named = [row["file"] for row in manifest if row["file"]]
        self.assertEqual(len(named), len(set(named)))
        self.assertEqual(sorted(named + ["manifest.csv"]), sorted(contents(out)))
        frames = [int(row["frame"]) for row in manifest]
        self.assertEqual(frames, sorted(frames))
        for row in manifest:
            self.assertGreaterEqual(int(row["stop"]), 1)
            self.assertTrue(row["statement"])
            if row["file"]:
                self.assertEqual("%s/%04d-%s%s" % (row["step"], int(row["frame"]), row["name"],
                                                   extension), row["file"])

    def test_recurrent(self):
        out, manifest = self.dump("recurrent")
        self.check_whole(out, manifest)
        for name in ("S", "z"):
            self.assertGreaterEqual(sum(row["name"] == name for row in manifest), 6)
        rows = table(self.run_ok("dump", "recurrent", "--long").text)
        values = {}
        for row in rows:
            values.setdefault((row["frame"], row["name"]), []).append(row["value"])
        for row in manifest:
            if not row["file"]:
                continue
            with open(os.path.join(out, row["file"]), encoding="ascii") as f:
                got = list(csv.reader(f))
            self.assertEqual(int(row["rows"]), len(got))
            self.assertTrue(all(len(line) == int(row["cols"]) for line in got))
            self.assertEqual(values[row["frame"], row["name"]], [x for line in got for x in line])

    def test_every_lesson(self):
        for lesson in LESSON_IDS:
            out = self.path(lesson)
            self.run_ok("dump", lesson, "-o", out)
            with open(os.path.join(out, "manifest.csv"), encoding="utf-8", newline="") as f:
                text = f.read()
            self.assertNotIn("\r", text)
            self.check_whole(out, table(text))

    def test_names(self):
        out, manifest = self.dump("recurrent", "-m", "S", "-m", "z")
        self.check_whole(out, manifest)
        self.assertEqual({"S", "z"}, {row["name"] for row in manifest})
        self.refused(1, "'nosuch' is bound by no frame", "dump", "recurrent", "-m", "nosuch", "-o",
                     self.path("other"))
        self.assertFalse(os.path.exists(self.path("other")))

    def test_formats(self):
        for extension in ("json", "npy"):
            out = self.path(extension)
            self.run_ok("dump", "brackets", "-o", out, "--format", extension)
            with open(os.path.join(out, "manifest.csv"), encoding="utf-8", newline="") as f:
                self.check_whole(out, table(f.read()), "." + extension)

    def test_a_folder_that_is_not_empty(self):
        out, manifest = self.dump("brackets")
        before = {name: os.stat(os.path.join(out, name)).st_ino for name in sorted(contents(out))}
        self.refused(1, "out: this folder is not empty", "dump", "brackets", "-o", out)
        self.assertEqual(before, {name: os.stat(os.path.join(out, name)).st_ino
                                  for name in sorted(contents(out))})
        self.write("out/mine.txt", "kept")
        self.run_ok("dump", "brackets?n=3", "-o", out, "--force")
        with open(os.path.join(out, "manifest.csv"), encoding="utf-8", newline="") as f:
            again = table(f.read())
        self.assertEqual([row["file"] for row in manifest], [row["file"] for row in again])
        self.assertNotEqual(manifest, again)
        self.assertIn("mine.txt", sorted(contents(out)))

    def test_an_empty_folder(self):
        os.mkdir(self.path("out"))
        out, manifest = self.dump("brackets")
        self.check_whole(out, manifest)

    def test_folders_that_cannot_be(self):
        self.write("file", "kept")
        self.refused(1, "file: this is not a folder", "dump", "brackets", "-o", self.path("file"))
        self.refused(1, "cannot make this folder: No such file or directory", "dump", "brackets",
                     "-o", self.path("no", "such"))
        self.refused(1, "cannot make this folder", "dump", "brackets", "-o", "")
        self.refused(1, "", "dump", "brackets", "-o", "/proc/attnwalk")
        with open(self.path("file"), encoding="utf-8") as f:
            self.assertEqual("kept", f.read())

    def test_read_only_folder(self):
        """The superuser may write anywhere, so it becomes nobody for this run."""
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        nobody = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
        try:
            self.refused(1, "out: cannot make this folder: Permission denied", "dump", "brackets",
                         "-o", self.path("out"), before=nobody)
            self.refused(1, "mine.md: cannot write: Permission denied", "new", "mine",
                         cwd=self.folder, before=nobody)
        except (PermissionError, subprocess.SubprocessError) as error:
            self.skipTest("nobody may not run the program: %s" % error)

    def test_no_half_file(self):
        """A limit on file sizes stands for the full disk: what is there is whole."""
        import resource
        import signal

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        out = self.path("out")
        result = attnwalk("dump", "brackets", "-o", out, before=limit)
        self.assertEqual((1, ""), (result.code, result.text))
        self.assertIn("cannot write: File too large", result.talk)
        whole = self.path("whole")
        self.run_ok("dump", "brackets", "-o", whole)
        there = sorted(contents(out))
        self.assertNotIn("manifest.csv", there)
        for name in there:
            with open(os.path.join(out, name), "rb") as a, open(os.path.join(whole, name), "rb") as b:
                self.assertEqual(b.read(), a.read(), name)


class Draws(Case):
    def test_record(self):
        folder = self.path("draws")
        self.run_ok("dump", "brackets", "--random", folder)
        with open(os.path.join(folder, "draws.csv"), encoding="ascii", newline="") as f:
            draws = list(csv.DictReader(f))
        self.assertEqual(["call", "function", "rows", "cols", "file"], list(draws[0]))
        self.assertEqual([str(i + 1) for i in range(len(draws))], [draw["call"] for draw in draws])
        self.assertEqual(sorted([draw["file"] for draw in draws] + ["draws.csv"]),
                         sorted(contents(folder)))
        for draw in draws:
            with open(os.path.join(folder, draw["file"]), encoding="ascii") as f:
                rows = matrix(f.read())
            self.assertEqual((int(draw["rows"]), int(draw["cols"])), (len(rows), len(rows[0])))
        self.refused(1, "not empty", "dump", "brackets", "--random", folder)
        self.run_ok("dump", "brackets", "--random", folder, "--force", "-o", self.path("out"))


class Loads(Case):
    def test_real_head(self):
        for lesson, name in (("brackets", "Y1"), ("recurrent", "Y")):
            rows = self.run_ok("dump", lesson, "-m", name, *loads()).lines
            self.assertEqual(128, len(rows))
            self.assertEqual(64, len(rows[0].split(",")))

    def test_conflicts(self):
        self.refused(1, "n", "dump", "brackets", "-m", "Y1", "--set", "n=5", *loads())
        self.write("small.csv", "1,2\n3,4\n5,6\n")
        small = self.path("small.csv")
        self.refused(1, "", "dump", "brackets", "-m", "Y1", "--load", "Q=" + small, *loads("KV"))
        self.refused(1, "Q", "dump", "brackets", "-m", "Y1", *loads("QQ"))
        self.refused(1, "nosuch", "dump", "brackets", "-m", "Y1", "--load", "nosuch=" + small)
        self.refused(1, "cannot open", "dump", "brackets", "-m", "Y1", "--load", "Q=nosuch.csv")
        self.write("bad.csv", "1,2\n3,x\n")
        self.refused(1, "bad.csv:2:3:", "dump", "brackets", "-m", "Y1", "--load",
                     "Q=" + self.path("bad.csv"))

    def test_all_of_one_shape(self):
        self.write("small.csv", "1,2\n3,4\n5,6\n")
        small = self.path("small.csv")
        rows = matrix(self.run_ok("dump", "brackets", "-m", "Y1", "--load", "Q=" + small, "--load",
                                  "K=" + small, "--load", "V=" + small).text)
        x = [[1, 2], [3, 4], [5, 6]]
        a = [[sum(p * q for p, q in zip(u, v)) for v in x] for u in x]
        y = [[sum(a[i][k] * x[k][j] for k in range(3)) for j in range(2)] for i in range(3)]
        self.assertEqual(y, rows)


if __name__ == "__main__":
    support.main()
