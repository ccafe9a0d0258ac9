# SPDX-License-Identifier: GPL-3.0-or-later
"""eval --fast, --stream, --threads and -o: the same numbers as plain eval, in constant memory."""
import io
import os
import signal
import subprocess
import sys
import time

import support
from support import Case, attnwalk, environment

numpy = support.need_numpy() if __name__ == "__main__" else None

TOLERANCE = 1e-12
BLOCK = 1024  # rows that --stream reads at once
LINEAR = "linear_attention(@elu1,Q,K,V,'causal')"
DECAYED = "linear_attention(@elu1,Q,K,V,'causal',a)"
QUADRATIC = "linear_attention(@(X) quadratic(X),Q,K,V,'causal')"
FAVOR = "linear_attention(@(X) favor(X,W),Q,K,V,'causal',0.9)"
DELTA = "delta_rule(Q,K,V,b)"
GATED = "gated_delta_rule(Q,K,V,a,b)"
STREAMED = (LINEAR, DECAYED, QUADRATIC, FAVOR, DELTA, GATED, "gated_delta_rule(Q,K,V,0.5,1-c)",
            "linear_attention(@relu,Q,K,V,'causal')")


def read_csv(text, cols):
    return numpy.loadtxt(io.StringIO(text), delimiter=",", ndmin=2).reshape(-1, cols)


class Layers(Case):
    """Inputs of a layer in files, as CSV and NPY."""

    def make(self, n, d_k, d_v, seed=1, kinds=("npy", "csv")):
        random = numpy.random.default_rng(seed)
        alpha = random.uniform(0.5, 1, n)
        alpha[::7] = 10.0 ** random.integers(-9, 0, len(alpha[::7]))
        alpha[5::50] = 0
        self.d_v = d_v
        inputs = {"Q": random.normal(size=(n, d_k)), "K": random.normal(size=(n, d_k)) / d_k ** 0.5,
                  "V": random.normal(size=(n, d_v)), "W": random.normal(size=(2 * d_k, d_k)),
                  "a": alpha.reshape(-1, 1), "b": random.uniform(0, 1, (n, 1))}
        for name, matrix in inputs.items():
            if "npy" in kinds:
                numpy.save(self.path(name + ".npy"), matrix)
            if "csv" in kinds:
                numpy.savetxt(self.path(name + ".csv"), matrix, delimiter=",", fmt="%.17g")

    def loads(self, kind="npy", names="QKVWab", **other):
        """The words --load NAME=FILE; other names another file."""
        words = []
        for name in names:
            path = other.get(name, self.path("%s.%s" % (name, kind)))
            words += ["--load", "%s=%s" % (name, path)]
        return words + ["--set", "c=0.25"]

    def value(self, *words, **options):
        return read_csv(self.run_ok("eval", *words, **options).text, self.d_v)

    def assert_near(self, expected, got, what):
        self.assertEqual(expected.shape, got.shape, what)
        if expected.size:
            worst = numpy.abs(expected - got).max() / numpy.abs(expected).max()
            self.assertLessEqual(worst, TOLERANCE, what)


class Fast(Layers):
    CALLS = STREAMED + (
        "softmax_attention(Q,K,V)", "softmax_attention(Q,K,V,'causal')",
        "softmax_attention(Q,K,V,1)", "softmax_attention(Q,K,V,7)", "softmax_attention(Q,K,V,Inf)",
        "linear_attention(@elu1,Q,K,V)", "linear_attention(@(X) favor(X,W),Q,K,V)",
        "linear_attention(@identity,abs(Q),abs(K),V)", "linear_attention(@exp,Q,K,V,'causal',a')",
        "linear_attention(f,Q,K,V,'causal',1)")

    def test_equal_to_plain(self):
        sizes = ((1, 1, 1), (2, 3, 1), (7, 1, 5), (64, 8, 8), (130, 5, 33), (257, 16, 7))
        for seed, (n, d_k, d_v) in enumerate(sizes):
            self.make(n, d_k, d_v, seed, ("npy",))
            for call in self.CALLS:
                words = [call, *self.loads(), "--set", "f=relu"]
                if "relu" in call or "f," in call:
                    words[0] = call.replace("Q,K", "abs(Q),abs(K)")
                plain = self.value(*words)
                self.assert_near(plain, self.value("--fast", *words), (call, n, d_k, d_v))

    def test_no_table_of_scores(self):
        """65536 tokens would need 4 * 10^9 scores: refused plainly, run fast."""
        code = "Q = zeros(65536,1); Q(1) = 1; Y = softmax_attention(Q,Q,Q,3); [size(Y), Y(1)]"
        self.refused(1, "dimension too large", "eval", code)
        self.assertEqual("65536,1,1\n", self.run_ok("eval", "--fast", code).text)

    def test_the_rest_is_the_same_bytes(self):
        code = "A = randn(9,9); softmax(A*A')*exp(A)"
        self.assertEqual(self.run_ok("eval", code).out, self.run_ok("eval", "--fast", code).out)

    def test_errors_are_the_same(self):
        self.make(4, 3, 2)
        for call in ("softmax_attention(Q,V,V)", "linear_attention(@elu1,Q,V,V,'causal')",
                     "linear_attention(@elu1,Q,K,V,'other')", "linear_attention(3,Q,K,V)",
                     "delta_rule(Q,K,V,[1 2])", "linear_attention(@(X) X',Q,K,V)"):
            plain = self.refused(1, "eval:1:", "eval", call, *self.loads())
            fast = self.refused(1, "eval:1:", "eval", "--fast", call, *self.loads())
            self.assertEqual(plain.talk.replace("phi(", "").replace(")", ""),
                             fast.talk.replace("phi(", "").replace(")", ""))

    def test_threads(self):
        """Enough work for all of them: the same bytes."""
        self.make(2000, 64, 128, kinds=("npy",))
        for call in ("softmax_attention(Q,K,V,'causal')", LINEAR, GATED):
            one = self.run_ok("eval", "--fast", "--threads", "1", call, *self.loads()).out
            for threads in ("2", "3"):
                self.assertEqual(one, self.run_ok("eval", "--fast", "--threads", threads, call,
                                                  *self.loads()).out)

    def test_usage(self):
        for count in ("0", "257", "1.5", "two", ""):
            self.refused(2, "--threads takes a whole number from 1 to 256", "eval", "1", "--fast",
                         "--threads", count)
        self.refused(2, "--threads goes with --fast or --stream", "eval", "1", "--threads", "2")


class Stream(Layers):
    def test_equal_to_plain(self):
        for n in (1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 77):
            self.make(n, 6, 5, n)
            for call in STREAMED:
                if "relu" in call and n == 1:
                    continue  # a row without a positive entry is 0/0
                plain = self.value(call, *self.loads())
                finite = numpy.isfinite(plain)
                for kind in ("csv", "npy"):
                    got = self.value("--stream", call, *self.loads(kind))
                    self.assertTrue((numpy.isfinite(got) == finite).all(), (call, n, kind))
                    self.assert_near(plain[finite], got[finite], (call, n, kind))

    def test_formats(self):
        """The same numbers in CSV and NPY, from CSV and NPY, to stdout and to files."""
        self.make(BLOCK + 5, 4, 3)
        text = self.run_ok("eval", "--stream", GATED, *self.loads()).text
        expected = read_csv(text, 3)
        for kind in ("csv", "npy"):
            for form in ("csv", "npy"):
                path = self.path("out." + form)
                result = self.run_ok("eval", "--stream", GATED, *self.loads(kind), "--format", form,
                                     "-o", path)
                self.assertEqual("", result.text)
                got = numpy.load(path) if form == "npy" else numpy.loadtxt(path, delimiter=",")
                self.assertTrue((expected == got).all())
        raw = attnwalk("eval", "--stream", GATED, *self.loads(), "--format", "npy", raw=True).out
        with open(self.path("out.npy"), "rb") as file:
            self.assertEqual(file.read(), raw)
        self.refused(1, "write to a file", "eval", "--stream", GATED, *self.loads("csv"),
                     "--format", "npy")

    def test_standard_input(self):
        self.make(BLOCK + 9, 4, 3)
        expected = self.run_ok("eval", "--stream", LINEAR, *self.loads()).text
        for kind in ("csv", "npy"):
            with open(self.path("K." + kind), "rb") as file:
                keys = file.read()
            self.assertEqual(expected, self.run_ok("eval", "--stream", LINEAR, *self.loads(K="-"),
                                                   stdin=keys).text)
        self.assertEqual(expected, self.run_ok("eval", "--stream", "-", *self.loads(),
                                               stdin=LINEAR.encode()).text)
        self.refused(1, "standard input is Q already", "eval", "--stream", LINEAR,
                     *self.loads(K="-", Q="-"))
        self.refused(1, "the statements come from standard input", "eval", "--stream", "-",
                     *self.loads(K="-"), stdin=LINEAR.encode())

    def test_one_file_for_all(self):
        self.make(BLOCK + 3, 4, 4)
        call = "linear_attention(@elu1,Q,Q,Q,'causal')"
        self.assert_near(self.value(call, *self.loads()),
                         self.value("--stream", call, *self.loads()), call)

    def test_rates(self):
        """One number, a column, a row; a file of any of these, or an expression."""
        self.make(BLOCK + 3, 4, 3)
        numpy.save(self.path("row.npy"), numpy.load(self.path("b.npy")).reshape(1, -1))
        numpy.savetxt(self.path("one.csv"), [0.5])
        numpy.savetxt(self.path("row.csv"), numpy.load(self.path("row.npy")), delimiter=",",
                      fmt="%.17g")
        for file, call in (("row.npy", DELTA), ("row.csv", DELTA), ("one.csv", DELTA),
                           ("b.npy", "delta_rule(Q,K,V,1-b)"), ("b.npy", "delta_rule(Q,K,V,b')"),
                           ("b.npy", "delta_rule(Q,K,V,linspace(0,1,%d))" % (BLOCK + 3))):
            loads = self.loads(b=self.path(file))
            self.assert_near(self.value(call, *loads), self.value("--stream", call, *loads), call)
        for count in (BLOCK + 2, BLOCK + 4):
            self.refused(1, "beta has %d numbers, but there are %d tokens" % (count, BLOCK + 3),
                         "eval", "--stream", "delta_rule(Q,K,V,ones(1,%d))" % count, *self.loads())
        self.refused(1, "(K has 4 columns)", "eval", "--stream", "delta_rule(Q,K,V,K)",
                     *self.loads())

    def test_no_tokens(self):
        self.make(1, 4, 3)
        for name in "QKVab":
            rows = numpy.load(self.path(name + ".npy"))
            numpy.save(self.path(name + ".npy"), rows[:0])
        for call in (LINEAR, QUADRATIC, GATED):
            self.assertEqual("", self.run_ok("eval", "--stream", call, *self.loads()).text)
            self.run_ok("eval", "--stream", call, *self.loads(), "--format", "npy", "-o",
                        self.path("out.npy"))
            self.assertEqual((0, 3), numpy.load(self.path("out.npy")).shape)
        self.write("K.csv", "")
        self.refused(1, "K.csv:1:1: no data", "eval", "--stream", LINEAR,
                     *self.loads(K=self.path("K.csv")))

    def test_threads(self):
        self.make(BLOCK + 1, 80, 160, kinds=("npy",))
        for call in (LINEAR, DELTA):
            one = self.run_ok("eval", "--stream", "--threads", "1", call, *self.loads()).out
            for threads in ("2", "3"):
                self.assertEqual(one, self.run_ok("eval", "--stream", "--threads", threads, call,
                                                  *self.loads()).out)

    def test_what_it_takes(self):
        self.make(4, 4, 4)
        takes = "--stream takes one call of linear_attention(phi,Q,K,V,'causal'[,gamma])"
        for call in ("softmax_attention(Q,K,V,'causal')", "linear_attention(@elu1,Q,K,V)",
                     "selective_scan(Q,K,V,K,V)", "1+2", "Q", LINEAR + "; 1", "Y = " + LINEAR,
                     "for i = 1:3, Q, end", "(%s)'" % LINEAR):
            self.refused(1, takes, "eval", "--stream", call, *self.loads())
        self.refused(1, "'causal' is expected here", "eval", "--stream",
                     "linear_attention(@elu1,Q,K,V,'other')", *self.loads())
        self.refused(1, "eval:1:25: Q must be a name that --load gives", "eval", "--stream",
                     "linear_attention(@elu1,Q*2,K,V,'causal')", *self.loads())
        self.refused(1, "V must be a name", "eval", "--stream", "delta_rule(Q,K,c,b)",
                     *self.loads())
        self.refused(1, "K is read row by row", "eval", "--stream",
                     "linear_attention(@(X) X*K',Q,K,V,'causal')", *self.loads())
        self.refused(1, "b is read row by row", "eval", "--stream",
                     "gated_delta_rule(Q,K,V,1-b,b)", *self.loads())
        self.refused(1, "phi must be a function", "eval", "--stream",
                     "linear_attention(7,Q,K,V,'causal')", *self.loads())
        self.refused(2, "not JSON", "eval", "--stream", LINEAR, "--format", "json", *self.loads())
        for option in (["--cost"], ["--explain", "(1,1)"]):
            self.refused(2, "--stream keeps no values", "eval", "--stream", LINEAR, *option,
                         *self.loads())

    def test_phi_maps_each_row_by_itself(self):
        self.make(9, 4, 4)
        for phi in ("X-mean(X)", "rope(X)", "cumsum(exp(X))", "X/max(max(abs(X)))",
                    "X*randn(4,4)"):
            self.refused(1, "phi must map each row by itself", "eval", "--stream",
                         "linear_attention(@(X) %s,Q,K,V,'causal')" % phi, *self.loads())
        self.refused(1, "as many rows as it gets", "eval", "--stream",
                     "linear_attention(@(X) X',Q,K,V,'causal')", *self.loads())

    def test_shapes(self):
        self.make(4, 4, 3)
        self.refused(1, "(Q has 4 columns, K has 3)", "eval", "--stream", LINEAR,
                     *self.loads(K=self.path("V.csv")))
        self.refused(1, "is given twice", "eval", "--stream", LINEAR, *self.loads(), "--load",
                     "Q=x")
        self.refused(1, "nosuch.npy: cannot open", "eval", "--stream", LINEAR,
                     *self.loads(V=self.path("nosuch.npy")))

    def test_counts_of_rows(self):
        """NPY files that differ are refused at once, CSV as late as it shows."""
        self.make(3 * BLOCK, 4, 3)
        for name, rows in (("V", 3 * BLOCK - 1), ("K", BLOCK)):
            matrix = numpy.load(self.path(name + ".npy"))[:rows]
            numpy.save(self.path("short.npy"), matrix)
            numpy.savetxt(self.path("short.csv"), matrix, delimiter=",")
            out = self.path("out.csv")
            short = {name: self.path("short.npy")}
            message = "Q (%s) has %d rows, %s (%s) has %d rows" % (
                self.path("Q.npy"), 3 * BLOCK, name, short[name], rows)
            self.refused(1, message, "eval", "--stream", LINEAR, *self.loads(**short))
            short = {name: self.path("short.csv")}
            result = self.refused(1, "%s (%s) has %d rows" % (name, short[name], rows), "eval",
                                  "--stream", LINEAR, *self.loads("csv", **short), "-o", out)
            self.assertIn("Q (%s) has" % self.path("Q.csv"), result.talk)
            self.assertFalse(os.path.exists(out))

    def test_errors_in_files(self):
        """As eval says them, wherever they are; an output file keeps what it held."""
        self.make(2 * BLOCK + 50, 4, 3)
        with open(self.path("K.csv"), encoding="ascii") as file:
            lines = file.read().split("\n")
        faults = ((0, "x,y,z,u"), (BLOCK, "1,2,3"), (BLOCK + 7, "1,2,,4"), (2 * BLOCK, ""),
                  (2 * BLOCK + 49, "1,2,3,4e999"), (2 * BLOCK + 3, "1,2,3,4,5"))
        for at, line in faults:
            bad = self.write("bad.csv", "\n".join(lines[:at] + [line] + lines[at + 1:]))
            plain = self.refused(1, "bad.csv:%d:" % (at + 1), "eval", "K", "--load", "K=" + bad)
            self.write("out.csv", "old")
            stream = self.refused(1, plain.talk, "eval", "--stream", LINEAR, *self.loads(K=bad),
                                  "-o", self.path("out.csv"))
            self.assertEqual(plain.talk, stream.talk)
            with open(self.path("out.csv"), encoding="ascii") as file:
                self.assertEqual("old", file.read())
        self.assertEqual([], [name for name in os.listdir(self.folder) if name.startswith(".")])

    def test_closed_pipe(self):
        self.make(20 * BLOCK, 4, 3, kinds=("npy",))
        reader, writer = os.pipe()
        with subprocess.Popen([support.program, "eval", "--stream", LINEAR, *self.loads()],
                              stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE,
                              env=environment()) as child:
            os.close(writer)
            self.assertTrue(os.read(reader, 100))
            os.close(reader)
            self.assertEqual((b"", 0), (child.stderr.read(), child.wait(60)))


class Output(Layers):
    def test_plain(self):
        path = self.path("out.csv")
        self.assertEqual("", self.run_ok("eval", "[1 2; 3 4]", "-o", path).text)
        with open(path, encoding="ascii") as file:
            self.assertEqual("1,2\n3,4\n", file.read())
        self.run_ok("eval", "[1 2; 3 4]", "--output", path, "--format", "json")
        with open(path, encoding="ascii") as file:
            self.assertEqual("[[1,2],[3,4]]\n", file.read().replace(" ", ""))
        self.run_ok("eval", "--cost", "ones(2,3)*ones(3,2)", "-o", path)
        with open(path, encoding="utf-8") as file:
            self.assertIn("multiply-adds", file.read())

    def test_large_values_are_whole(self):
        """More than one piece, and rows that end inside of pieces."""
        for code, shape in (("reshape(1:200000,20000,10)'", (10, 20000)),
                            ("(1:200001)'", (200001, 1)), ("zeros(5,0)", None)):
            text = self.run_ok("eval", code).text
            self.run_ok("eval", code, "-o", self.path("out.npy"), "--format", "npy")
            got = numpy.load(self.path("out.npy"))
            if shape is None:
                self.assertEqual(("\n" * 5, (5, 0)), (text, got.shape))
                continue
            self.assertEqual(shape, got.shape)
            self.assertTrue((got == read_csv(text, shape[1])).all())

    def test_refused(self):
        path = self.write("out.csv", "old")
        self.refused(1, "undefined", "eval", "nosuch", "-o", path)
        self.refused(1, "a function, not a matrix", "eval", "@exp", "-o", path)
        with open(path, encoding="ascii") as file:
            self.assertEqual("old", file.read())
        self.refused(1, "cannot write: Is a directory", "eval", "1", "-o", self.folder)
        self.refused(1, "cannot write: No such file", "eval", "1", "-o", self.path("none", "x"))
        self.assertEqual(["out.csv"], os.listdir(self.folder))

    def interrupted(self, number, *words):
        """Sends the signal as soon as the temporary is there; what is left in the folder."""
        before = set(os.listdir(self.folder))
        with subprocess.Popen([support.program, "eval", *words], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment()) as child:
            deadline = time.monotonic() + support.DEADLINE
            while set(os.listdir(self.folder)) == before and time.monotonic() < deadline:
                self.assertIsNone(child.poll())
            self.assertNotEqual(before, set(os.listdir(self.folder)))
            child.send_signal(number)
            self.assertEqual(-number, child.wait(60))
        return set(os.listdir(self.folder)) - before

    def test_signals(self):
        """Standard input never ends: the work is under way for sure."""
        self.make(5, 4, 3)
        out = self.path("out.csv")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(set(), self.interrupted(number, "--stream", LINEAR,
                                                     *self.loads(K="-"), "-o", out))
            self.assertEqual(set(), self.interrupted(number, "while 1, x = 1; end", "-o", out))


class Memory(Layers):
    def peak(self, *words):
        """Most resident bytes of a run: the last child's, which no other may have exceeded."""
        code = ("import os,resource,sys\n"
                "child = os.spawnve(os.P_NOWAIT, sys.argv[1], sys.argv[1:], dict(os.environ))\n"
                "_, status, usage = os.wait4(child, 0)\n"
                "print(status, usage.ru_maxrss)")
        done = subprocess.run([sys.executable, "-S", "-c", code, support.program, *words],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
                              env=environment(), timeout=support.DEADLINE)
        status, kilobytes = done.stdout.split()
        self.assertEqual(b"0", status)
        return int(kilobytes) * 1024

    def test_constant(self):
        if support.is_sanitized():
            self.skipTest("a sanitized build takes more memory than the program does")
        peaks = {}
        for n in (2000, 200000):
            self.make(n, 8, 8, kinds=("npy", "csv") if n == 2000 else ("npy",))
            if n > 2000:
                for name in "QKVab":
                    self.run_ok("eval", "A", "--load", "A=" + self.path(name + ".npy"), "-o",
                                self.path(name + ".csv"))
            for kind in ("npy", "csv"):
                for call, names in ((LINEAR, "QKV"), (GATED, "QKVab")):
                    peaks[n, kind, call] = self.peak("eval", "--stream", call, "-o",
                                                     self.path("out.csv"), *self.loads(kind, names))
        for kind in ("npy", "csv"):
            for call in (LINEAR, GATED):
                small, large = peaks[2000, kind, call], peaks[200000, kind, call]
                print("%s %s: %.1f MB, %.1f MB" % (kind, call, small / 1e6, large / 1e6))
                self.assertLessEqual(large, 1.25 * small)


if __name__ == "__main__":
    support.main()
