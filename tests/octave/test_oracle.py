#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The oracle on itself: the splitter on awkward code, and a made-up dump that agrees, then one that
does not in each way a dump can be wrong.  A comparison that always says yes fails here.  Exit 77
(ctest: skipped) if octave-cli or numpy is missing."""
import contextlib
import csv
import io
import os
import shutil
import sys
import tempfile
import types
import unittest

if shutil.which("octave-cli") is None:
    print("skipped: octave-cli is missing")
    sys.exit(77)
try:
    import numpy as np
except ModuleNotFoundError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

import octave_code
import oracle
from lesson_text import read_lesson

LESSON = """---
title: T
about: A lesson made up for the test of the oracle
---

```params
n = 3   1..5   tokens
phi = elu1   elu1 | relu   map
```

## One {#one}

Words and `=n*2|%.1f`, `code`.

```octave
Q = randn(n, 2);   % a comment; with = signs
W = orthogonal_features(3, 2);
S = zeros(2, 1);
for t = 1:n
  S = S + phi(Q(t,:))';  if t > 1, S(1) += 1; else, x = numel('it''s'); end
end
bad = 0/0 * [1 -Inf];
```

```check
approx(S, S, 0) : same
all(S(:) != 1) && n > 0 when n > 2 : sentence: with a colon, it's (fine
```

## Two {#two}

```octave fold
for m = 1:2
  r(m) = sum(rand(m)(:));
end
```

```predict
S(1) within 0.5 : first
  trap S(1) + 5 : far
```
"""


def write_matrix(path, m):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        for row in m:
            f.write(",".join(repr(float(x)) for x in row) + "\n")


class Dump:
    """A lesson, its draws and a dump of it, written by Octave's own values."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "lesson.md")
        self.random = os.path.join(folder, "random")
        self.dump = os.path.join(folder, "dump")
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(LESSON)
        rng = np.random.default_rng(5)
        calls = [("randn", 3, 2), ("randn", 3, 2), ("randn", 3, 2), ("rand", 1, 1), ("rand", 2, 2)]
        rows = []
        for k, (name, r, c) in enumerate(calls):
            file = "%04d-%s.csv" % (k + 1, name)
            write_matrix(os.path.join(self.random, file), rng.random((r, c)) - 0.4)
            rows.append([k + 1, name, r, c, file])
        self.write_table(os.path.join(self.random, "draws.csv"),
                         ["call", "function", "rows", "cols", "file"], rows)
        lesson = read_lesson(self.path)
        pieces = oracle.compare_pieces(lesson)
        setting = {p.name: p.default for p in lesson.params}
        records = oracle.run_octave(lesson, pieces, [setting], 0, self.random, folder)[0]
        self.rows, frame = [], 0
        for f in oracle.octave_frames(lesson, records):
            frame += 1
            for name, value in f.must.items():
                file = "%s/%04d-%s.csv" % (f.step, frame, name)
                write_matrix(os.path.join(self.dump, file), value)
                self.rows.append([frame, f.step, 1, "a, \"b\"", name, *value.shape, file])
        self.write_manifest()

    def write_manifest(self):
        self.write_table(os.path.join(self.dump, "manifest.csv"),
                         ["frame", "step", "stop", "statement", "name", "rows", "cols", "file"],
                         self.rows)

    @staticmethod
    def write_table(path, head, rows):
        with open(path, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([head] + rows)

    def row(self, name):
        return [r for r in self.rows if r[4] == name][-1]

    def compare(self):
        options = types.SimpleNamespace(chosen={}, random=self.random, dump=self.dump,
                                        data=self.folder)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = oracle.command_compare(read_lesson(self.path), options)
        return code, out.getvalue()


class Splitting(unittest.TestCase):
    def names(self, code):
        return octave_code.names_bound(octave_code.split_statements(code))

    def test_strings_and_transposes(self):
        self.assertEqual(self.names("a = b'; c = 'x;y=1'; d = [b' 'z=2;']; e1 = b.'*c'';"),
                         ["a", "c", "d", "e1"])

    def test_blocks_on_one_line(self):
        found = octave_code.split_statements(
            "for (t = 1:3) if t == 2, x = t; elseif (t < 0) y(1) = 2; else z = 3; end, end; w = A(end);")
        self.assertEqual([s.kind for s in found], ["for", "simple"])
        self.assertEqual(octave_code.names_bound(found), ["t", "x", "y", "z", "w"])

    def test_comparison_is_no_assignment(self):
        self.assertEqual(self.names("x == 1; y <= 2; z != 3; u ~= 4; f = @(v) v == 1; g += 2; h--"),
                         ["f", "g", "h"])

    def test_continuation_and_brackets(self):
        found = octave_code.split_statements("a = [1, 2 % no; b = 2\n 3, 4];\nb = 1 + ...\n 2\nc = 3")
        self.assertEqual([(s.name, s.line) for s in found], [("a", 0), ("b", 2), ("c", 4)])

    def test_errors(self):
        for code in ("for t = 1:3\n x = 1;", "end", "a = (1;", "s = 'open", "a = [1)"):
            with self.assertRaises(octave_code.CodeError, msg=code):
                octave_code.split_statements(code)

    def test_separators(self):
        self.assertEqual(octave_code.split_top("A(:, 1), 'a,b', [1, 2]", ","),
                         ["A(:, 1)", " 'a,b'", " [1, 2]"])
        self.assertEqual(octave_code.find_comparison("max(a > 1) <= b(x == 2)"), (11, "<="))
        self.assertIsNone(octave_code.find_comparison("a > 1 && b > 1"))


class Reading(unittest.TestCase):
    def test_items(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lesson.md")
            with open(path, "w", encoding="utf-8") as f:
                f.write(LESSON)
            lesson = read_lesson(path)
        self.assertEqual(lesson.problems, [])
        self.assertEqual([(p.name, p.default, p.others()) for p in lesson.params],
                         [("n", "3", ["1", "5"]), ("phi", "elu1", ["relu"])])
        items = [i for s in lesson.steps for i in s.items]
        self.assertEqual([i.kind for i in items],
                         ["inline", "code", "check", "check", "code", "predict", "trap"])
        self.assertEqual((items[0].text, items[0].format), ("n*2", "%.1f"))
        self.assertEqual((items[3].text, items[3].guard, items[3].sentence),
                         ("all(S(:) != 1) && n > 0", "n > 2", "sentence: with a colon, it's (fine"))
        self.assertTrue(items[4].fold)
        self.assertEqual(items[5].tolerance, 0.5)


class Checking(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lesson.md")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            options = types.SimpleNamespace(chosen={}, all_ends=True, seed_octave=3, random=None,
                                            data=folder, verbose=False)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = oracle.command_check(read_lesson(path), options)
            return code, out.getvalue()

    def test_good(self):
        code, out = self.check(LESSON)
        self.assertEqual(code, 0, out)

    def test_bad(self):
        for old, new, said in (
                ("approx(S, S, 0)", "approx(S, S + 1, 0.1)", "same"),
                ("approx(S, S, 0)", "max(bad) < 5", "NaN"),
                ("approx(S, S, 0)", "zeros(0, 1)", "same"),
                ("trap S(1) + 5", "trap S(1) + 0.4", "cannot be told"),
                ("S = zeros(2, 1);", "S = zeros(3, 1);", "nonconformant"),
                ("S = zeros(2, 1);", "S = zeros(2, 1); u = inv(1);", "not in the lessons' language"),
                ("`=n*2|%.1f`", "`=S(1)`", "bound below"),
                ("n > 0 when", "n > 3 when", "sentence"),
                ("bad = 0/0", "bad = sqrt(-1)", "complex")):
            code, out = self.check(LESSON.replace(old, new))
            self.assertEqual((code, said in out), (1, True), out)


class Comparing(unittest.TestCase):
    def spoil(self, change, said):
        with tempfile.TemporaryDirectory() as folder:
            dump = Dump(folder)
            change(dump)
            dump.write_manifest()
            code, out = dump.compare()
            self.assertEqual((code, said in out), (1, True), out)

    def test_agrees(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out = Dump(folder).compare()
            self.assertEqual(code, 0, out)
            self.assertIn("11 matrices in 11 frames, all agree", out)

    def rewrite(self, name, change):
        def act(dump):
            row = dump.row(name)
            path = os.path.join(dump.dump, row[7])
            m = oracle.read_matrix(path, row[5], row[6])
            write_matrix(path, change(m))
        return act

    def test_number(self):
        def nudge(m):
            m[0, 0] += 1e-9
            return m
        self.spoil(self.rewrite("S", nudge), "Octave has")

    def test_nan_and_inf(self):
        self.spoil(self.rewrite("bad", lambda m: np.zeros((1, 2))), "is 0, Octave has nan")
        self.spoil(self.rewrite("Q", lambda m: m * np.nan), "is nan")

    def test_size(self):
        self.spoil(self.rewrite("Q", lambda m: m[:-1]), "as the manifest says")

    def test_frames(self):
        self.spoil(lambda dump: dump.rows.pop(), "10 frames in the dump, 11 in Octave")
        self.spoil(lambda dump: dump.row("W").__setitem__(4, "WW"), "binds WW")

    def test_draws(self):
        def short(dump):
            path = os.path.join(dump.random, "draws.csv")
            with open(path, encoding="utf-8") as f:
                lines = f.read().split("\n")
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(lines[:-2]))
        self.spoil(short, "draws were recorded")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
