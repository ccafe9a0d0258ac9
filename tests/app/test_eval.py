# SPDX-License-Identifier: GPL-3.0-or-later
"""eval: values, inputs, cost, explanations, and what it refuses."""
import csv
import io
import json
import math
import os
import struct

import support
from support import Case, HEAD, ROOT, attnwalk

QKV = "Q=randn(n,d); K=randn(n,d); V=randn(n,d); "
SIZES = ("--set", "n=6", "--set", "d=4")


def matrix(text):
    return [[float(field) for field in row] for row in csv.reader(io.StringIO(text))]


def npy_matrix(raw):
    """Rows of version 1.0, '<f8', C order: what eval writes."""
    assert raw[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", raw[8:10])[0]
    header = raw[10:10 + length].decode("ascii")
    assert "'descr': '<f8'" in header and "'fortran_order': False" in header, header
    rows, cols = (int(x) for x in header.split("(")[1].split(")")[0].split(",")[:2])
    numbers = struct.unpack("<%dd" % (rows * cols), raw[10 + length:])
    return [list(numbers[i * cols:(i + 1) * cols]) for i in range(rows)]


class Values(Case):
    def test_last_value(self):
        self.assertEqual("3\n", self.run_ok("eval", "1+2").text)
        self.assertEqual("1,2\n3,4\n", self.run_ok("eval", "A = [1 2; 3 4];").text)
        self.assertEqual("6\n", self.run_ok("eval", "s = 0; for i = 1:3, s += i; end").text)
        self.assertEqual("0.1\n", self.run_ok("eval", "0.1\n# a comment").text)
        self.assertEqual("9\n", self.run_ok("eval", "-", stdin=b"a = 3;\na^2").text)

    def test_formats(self):
        code = "[1.5, NaN; -Inf, 0.1]"
        self.assertEqual("1.5,nan\n-inf,0.1\n", self.run_ok("eval", code).text)
        self.assertEqual([[1.5, None], [None, 0.1]],
                         json.loads(self.run_ok("eval", code, "--format", "json").text))
        rows = npy_matrix(attnwalk_bytes("eval", code, "--format", "npy"))
        self.assertEqual((1.5, -math.inf, 0.1), (rows[0][0], rows[1][0], rows[1][1]))
        self.assertTrue(math.isnan(rows[0][1]))

    def test_digits_read_back(self):
        code = "[pi, exp(1); 1/3, 4.9e-324; 1.7976931348623157e308, -0]"
        text = matrix(self.run_ok("eval", code).text)
        self.assertEqual(npy_matrix(attnwalk_bytes("eval", code, "--format", "npy")), text)

    def test_seed(self):
        one = self.run_ok("eval", "randn(3,2)").text
        self.assertEqual(one, self.run_ok("eval", "randn(3,2)", "--seed", "1").text)
        self.assertNotEqual(one, self.run_ok("eval", "randn(3,2)", "--seed", "2").text)

    def test_set(self):
        self.assertEqual("2.5\n", self.run_ok("eval", "x", "--set", "x=2.5").text)
        self.assertEqual("1.5,0.5\n", self.run_ok("eval", "f([0.5, log(0.5)])", "--set", "f=elu1").text)
        self.refused(1, "neither a number nor a function", "eval", "1", "--set", "x=nosuch")
        self.refused(1, "too large", "eval", "1", "--set", "x=1e999")
        self.refused(1, "x is given twice", "eval", "1", "--set", "x=1", "--set", "x=2")
        self.refused(1, "expected NAME=VALUE", "eval", "1", "--set", "2x=1")

    def test_load(self):
        self.write("a.csv", "1,2\n3,4\n")
        self.assertEqual("1,3\n2,4\n", self.run_ok("eval", "A'", "--load", "A=a.csv",
                                                   cwd=self.folder).text)
        self.assertEqual("10\n", self.run_ok("eval", "sum(sum(load_csv('a.csv')))",
                                             cwd=self.folder).text)
        self.refused(1, "A is given twice", "eval", "A", "--load", "A=a.csv", "--load", "A=a.csv",
                     cwd=self.folder)
        self.refused(1, "A is given twice", "eval", "A", "--load", "A=a.csv", "--set", "A=1",
                     cwd=self.folder)
        self.refused(1, "nosuch.csv: cannot open", "eval", "A", "--load", "A=nosuch.csv")
        self.refused(1, "a directory", "eval", "A", "--load", "A=" + self.folder)
        self.write("ragged.csv", "1,2\n3\n")
        self.refused(1, "ragged.csv:2:", "eval", "A", "--load", "A=ragged.csv", cwd=self.folder)

    def test_what_is_no_matrix(self):
        self.refused(1, "is a function", "eval", "@exp")
        self.assertEqual("", self.run_ok("eval", "for i = [], x = i; end").text)
        for code in ("", " ", ";;", ", ,", "# a comment"):
            self.refused(1, "eval:1:1: there is no statement", "eval", code)

    def test_errors_have_place_line_and_caret(self):
        result = self.refused(1, "eval:2:7: ", "eval", "A = [1 2];\nB = A * A;")
        self.assertIn("nonconformant arguments (op1 is 1x2, op2 is 1x2)", result.talk)
        self.assertEqual(["  B = A * A;", "        ^"], result.talk.splitlines()[1:3])
        self.refused(1, "<stdin>:1:", "eval", "-", stdin=b"1 +")

    def test_real_head_agrees_with_the_model(self):
        loads = [word for name in "QKV" for word in ("--load", "%s=%s" % (name, HEAD % name.lower()))]
        ours = matrix(self.run_ok("eval", "softmax(Q*K'/sqrt(64))*V", *loads).text)
        loads += ["--load", "W=" + HEAD % "weights"]
        model = matrix(self.run_ok("eval", "W*V", *loads).text)
        self.assertEqual((len(model), len(model[0])), (len(ours), len(ours[0])))
        worst = max(abs(a - b) for x, y in zip(ours, model) for a, b in zip(x, y))
        self.assertLessEqual(worst, 1e-5)


def attnwalk_bytes(*arguments):
    result = attnwalk(*arguments, raw=True)
    assert result.code == 0, result.talk
    return result.out


class Cost(Case):
    def figures(self, code, *options):
        lines = self.run_ok("eval", "--cost", QKV + code, *SIZES, *options).lines
        return {line[:22].strip(): line[22:].split() for line in lines}

    def test_both_orders(self):
        first = self.figures("(Q*K')*V")
        self.assertEqual(["288", "2n²d"], first["multiply-adds"])
        self.assertEqual(["36", "n²"], first["largest intermediate"])
        second = self.figures("Q*(K'*V)")
        self.assertEqual(["192", "2nd²"], second["multiply-adds"])
        self.assertEqual(["16", "d²"], second["largest intermediate"])

    def test_ascii(self):
        self.assertEqual(["288", "2n^2*d"], self.figures("(Q*K')*V", "--ascii")["multiply-adds"])

    def test_exponentials(self):
        self.assertEqual(["36", "n²"], self.figures("softmax(Q*K')*V")["exponentials"])

    def test_the_same_bytes_in_every_locale(self):
        bytes_of = [attnwalk("eval", "--cost", QKV + "(Q*K')*V", *SIZES,
                             env=support.environment(LANG=lang, LC_ALL=lang)).out
                    for lang in ("C", "C.UTF-8", "POSIX", "nosuch_XX.UTF-8", "")]
        self.assertEqual(1, len(set(bytes_of)))

    def test_refusals(self):
        self.refused(1, "no last value", "eval", "--cost", "for i = [], x = i; end")


class Explain(Case):
    CODE = "Q=[1 2; 0 1]; K=[3 1; -1 2]; A=Q*K'"

    def test_sentence(self):
        text = self.run_ok("eval", self.CODE, "--explain", "A(1,2)").text
        self.assertEqual("A(1,2) = Q(1,:)·K(2,:)' = 1·(-1) + 2·2 = 3", text.splitlines()[0])
        self.assertRegex(text.splitlines()[1], r"^  Q\(1,:\) = 1 2 .*eval:1:1 ")
        self.assertRegex(text.splitlines()[2], r"^  K\(2,:\) = -1 2 .*eval:1:15 ")
        self.assertEqual(text, self.run_ok("eval", self.CODE, "--explain", "(1,2)").text)
        self.assertEqual(text, self.run_ok("eval", self.CODE, "--explain", "A( 1 , 2 )").text)
        self.assertEqual(text, self.run_ok("eval", self.CODE, "--explain", "(3)").text)

    def test_depth(self):
        code = self.CODE + "; B = A + 1;"
        one = self.run_ok("eval", code, "--explain", "B(1,2)").lines
        self.assertEqual("B(1,2) = A(1,2) + 1 = 3 + 1 = 4", one[0])
        self.assertRegex(one[1], r"^  A\(1,2\) = 3  \(eval:1:30 ")
        two = self.run_ok("eval", code, "--explain", "B(1,2)", "--depth", "2").lines
        self.assertEqual(one[0], two[0])
        self.assertRegex(two[1], r"^  A\(1,2\) = Q\(1,:\)·K\(2,:\)' = 1·\(-1\) \+ 2·2 = 3 ")
        self.assertRegex(two[2], r"^    Q\(1,:\) = 1 2 ")

    def test_a_loaded_matrix_names_its_file(self):
        text = self.run_ok("eval", "A=Q*Q';", "--load", "Q=" + os.path.join(ROOT, "data/demo/q.csv"),
                           "--explain", "A(1,1)", "--depth", "2", "--digits", "6").text
        self.assertIn("q.csv", text)

    def test_ascii(self):
        text = self.run_ok("eval", self.CODE, "--explain", "A(1,2)", "--ascii").text
        self.assertTrue(text.isascii(), text)

    def test_with_cost(self):
        text = self.run_ok("eval", self.CODE, "--explain", "A(1,2)", "--cost").text
        self.assertIn("multiply-adds", text)
        self.assertIn("A(1,2) =", text)

    def test_refusals(self):
        for cell in ("A", "A()", "A(1", "A 1)", "A(0,1)", "A(1.5,1)", "A(1,2,3)", "A(1,2))", "",
                     "A(1,2)x", "(", "A(,1)", "A(1,)", "A(-1,1)", "A(1e300,1)", "A(nan,1)", "2(1,1)",
                     "A(1)(1)"):
            result = self.refused(1, "--explain:1:", "eval", self.CODE, "--explain", cell)
            self.assertIn("expected a cell", result.talk, cell)
        self.refused(1, "'B' undefined", "eval", self.CODE, "--explain", "B(1,1)")
        self.refused(1, "the dimensions of A are 2x2", "eval", self.CODE, "--explain", "A(3,1)")
        self.refused(1, "the dimensions of A are 2x2", "eval", self.CODE, "--explain", "A(5)")
        self.refused(1, "not a matrix", "eval", "f=@exp", "--explain", "f(1,1)")
        self.refused(2, "--depth takes a whole number", "eval", "1", "--explain", "(1,1)", "--depth", "0")


if __name__ == "__main__":
    support.main()
