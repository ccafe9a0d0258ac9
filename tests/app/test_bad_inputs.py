# SPDX-License-Identifier: GPL-3.0-or-later
"""Every bad input ends by itself within 2 s: accepted, or refused with its place; never a signal."""
import os
import re

import support
from support import BAD_INPUTS, Case, attnwalk, limit_stack

BYTES = 256 * 1024 * 1024

ACCEPTED_CSV = {"csv-17-digit-round-trip.csv", "csv-crlf-and-blank-last-line.csv",
                "csv-lone-cr-line-ends.csv", "csv-subnormal-and-dbl-max-are-valid.csv",
                "csv-utf8-bom-before-first-number.csv",
                "csv-400-distinct-values-more-than-256-colour-pairs.csv"}

# What each line of an expression file must come to: its value, or a part of the message.
VALUES = {"zeros(0, 3)": "", "zeros(0, 0)": "", "zeros(-1, 3)": "", "1/0": "inf\n", "0/0": "nan\n",
          "-1/0": "-inf\n", "1 % 0": "1\n", "0 % 0": "0\n",
          "(-9223372036854775808) % -1": "-9223372036854776000\n",
          "(-2147483648) / -1": "2147483648\n", "[1 2; 3 4] / 0": "inf,inf\ninf,inf\n",
          "log(0)": "-inf\n"}


def names(kind):
    return sorted(name for name in os.listdir(BAD_INPUTS) if name.startswith(kind))


class BadInputs(Case):
    def judge(self, *arguments, place=None, **options):
        """Exit 0, or 1 with an empty stdout and (place) a message that begins with its place."""
        result = attnwalk(*arguments, **options)
        self.assertIn(result.code, (0, 1), (arguments, result.talk))
        if result.code == 1:
            self.assertEqual("", result.text, arguments)
            if place:
                self.assertRegex(result.talk, place)
        return result

    def test_csv(self):
        self.assertGreater(len(names("csv-")), 15)
        for name in names("csv-"):
            path = os.path.join(BAD_INPUTS, name)
            result = self.judge("eval", "A", "--load", "A=" + path, place=re.escape(path) + ":")
            self.assertEqual(name in ACCEPTED_CSV, result.code == 0, (name, result.talk))

    def test_csv_places(self):
        for name, place in (("csv-nul-byte-inside-number.csv", "1:3"), ("csv-row-3-too-short.csv", "3"),
                            ("csv-row-2-too-long.csv", "2"), ("csv-trailing-comma-every-row.csv", "1")):
            path = os.path.join(BAD_INPUTS, name)
            self.refused(1, "%s:%s:" % (path, place), "eval", "A", "--load", "A=" + path)

    def test_csv_that_is_accepted_is_read_right(self):
        def value(name):
            return self.run_ok("eval", "A", "--load", "A=" + os.path.join(BAD_INPUTS, name)).text
        for name in ("csv-crlf-and-blank-last-line.csv", "csv-lone-cr-line-ends.csv"):
            self.assertEqual("1,2\n3,4\n", value(name))
        again = self.write("again.csv", value("csv-17-digit-round-trip.csv"))
        self.assertEqual(value("csv-17-digit-round-trip.csv"),
                         self.run_ok("eval", "A", "--load", "A=" + again).text)

    def test_lessons(self):
        self.assertGreater(len(names("lesson-")), 8)
        for name in names("lesson-"):
            path = os.path.join(BAD_INPUTS, name)
            for command in (["check", path], ["read", path], ["dump", path, "--long"]):
                result = self.judge(*command, place=re.escape(path) + ":")
                self.assertNotIn("\x1b", result.talk + result.text)

    def lines(self, name):
        with open(os.path.join(BAD_INPUTS, name), encoding="utf-8") as f:
            return [line for line in f.read().split("\n") if line.strip()]

    def judge_lines(self, **options):
        for name in names("expr-"):
            for line in self.lines(name):
                result = self.judge("eval", "--", line, place=r"\Aeval:1:\d+: .+\n", **options)
                if line in VALUES:
                    self.assertEqual((0, VALUES[line]), (result.code, result.text), line)

    def test_expressions(self):
        self.assertGreater(len(names("expr-")), 6)
        self.judge_lines()

    def test_expressions_with_a_small_stack(self):
        if support.is_sanitized():
            self.skipTest("a sanitized build needs more than 256 kB of stack")
        self.judge_lines(before=limit_stack(256))

    def test_too_deep_is_said(self):
        for name in ("expr-5000-nested-parentheses.txt", "expr-20000-transposes.txt",
                     "expr-20000-unary-minus-signs.txt"):
            for line in self.lines(name):
                self.refused(1, "eval:1:", "eval", "--", line)

    def test_indices(self):
        matrix, *lines = self.lines("expr-index-out-of-range.txt")
        for line in lines:
            result = self.judge("eval", "-", stdin=("%s;\n%s" % (matrix, line)).encode("utf-8"))
            if line == "A(1)":
                self.assertEqual(0, result.code, result.talk)
            elif line != "A(1,1,1)":
                self.assertRegex(result.talk, r"\A<stdin>:2:\d+: ", line)
                self.assertRegex(result.talk, r"index|subscript|out of bound", line)

    def test_malformed_lines_are_refused(self):
        for line in self.lines("expr-malformed-lines-must-end-with-an-error.txt"):
            result = self.judge("eval", "--", line, place=r"\Aeval:1:\d+: ")
            self.assertEqual(1, result.code, line)

    def test_memory(self):
        """Sizes beyond all bounds are refused before anything is allocated."""
        if support.is_sanitized():
            self.skipTest("a sanitized build has no limit on its address space")
        import resource

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        for name in names("expr-") + names("csv-"):
            path = os.path.join(BAD_INPUTS, name)
            if name.startswith("csv-"):
                result = self.judge("eval", "A", "--load", "A=" + path, before=limit)
                self.assertNotIn("attnwalk: out of memory", result.talk)
                continue
            for line in self.lines(name):
                result = self.judge("eval", "--", line, before=limit)
                self.assertNotIn("attnwalk: out of memory", result.talk, line)


if __name__ == "__main__":
    support.main()
