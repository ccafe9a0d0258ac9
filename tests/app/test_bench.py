# SPDX-License-Identifier: GPL-3.0-or-later
"""bench: what it counts, what it makes of its measurements, and being stopped.  No time is
expected to be any: only that figures follow from each other."""
import csv
import io
import json
import math
import os
import pty
import select
import signal
import subprocess
import time

import support
from support import Case, attnwalk, environment

FORMS = ["softmax", "softmax-table", "softmax-window", "linear", "linear-chunks",
         "random-features", "delta", "delta-chunks", "gated-delta"]
HEADS = "Q=randn(n,d); K=randn(n,d); V=randn(n,d); W=randn(m,d); beta=rand(n,1); alpha=rand(n,1); "
LAYERS = {
    "softmax": "softmax_attention(Q,K,V,'causal')",
    "softmax-window": "softmax_attention(Q,K,V,256)",
    "linear": "linear_attention(@elu1,Q,K,V,'causal')",
    "delta": "delta_rule(Q,K,V,beta)",
    "gated-delta": "gated_delta_rule(Q,K,V,alpha,beta)",
}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def counted(report, name):
    """The figure of a line of eval --cost."""
    for line in report.splitlines():
        if line.startswith(name):
            return float(line[len(name):].split()[0])
    raise AssertionError(report)


class Points(Case):
    @classmethod
    def setUpClass(cls):
        done = attnwalk("bench", "--max-n", "1024", "--seconds", "12", "--json")
        assert (done.code, done.talk) == (0, ""), done.talk
        cls.all = json.loads(done.text)
        cls.points = {(p["form"], p["n"]): p for p in cls.all["points"]}

    def test_every_form_at_every_length(self):
        left_out = {f["form"]: f["left_out_from"] or math.inf for f in self.all["forms"]}
        self.assertEqual(FORMS, [f["form"] for f in self.all["forms"]])
        for form in FORMS:
            for n in (16, 32, 64, 128, 256, 512, 1024):
                self.assertEqual(n < left_out[form], (form, n) in self.points, (form, n))
                if n < left_out[form]:
                    point = self.points[form, n]
                    self.assertTrue(0 < point["seconds"] < 30 and point["runs"] >= 1, point)

    def test_shares(self):
        for point in self.all["points"]:
            rate = 2e-9 * point["multiply_adds"] / point["seconds"]
            self.assertAlmostEqual(1, point["gflops"] / rate, 12)
            self.assertAlmostEqual(1, point["share_of_peak"] * self.all["peak_gflops"] / rate, 12)

    def test_powers(self):
        for form in self.all["forms"]:
            for key, power in (("seconds", "time_power"), ("bytes", "memory_power")):
                pairs = [(math.log(n), math.log(self.points[form["form"], n][key]))
                         for n in (256, 512, 1024) if (form["form"], n) in self.points
                         and (self.points[form["form"], n][key] or 0) > 0]
                if len(pairs) < 2:
                    self.assertIsNone(form[power])
                    continue
                mean = sum(x for x, _ in pairs) / len(pairs)
                slope = sum((x - mean) * y for x, y in pairs) / sum((x - mean) ** 2
                                                                    for x, _ in pairs)
                self.assertLessEqual(abs(slope - form[power]), 1e-9)

    def test_crossovers(self):
        for form in self.all["forms"]:
            ratio = [(n, self.points["softmax", n]["seconds"]
                      / self.points[form["form"], n]["seconds"])
                     for n in (16, 32, 64, 128, 256, 512, 1024)
                     if (form["form"], n) in self.points and ("softmax", n) in self.points]
            last = None
            for (n, a), (_, b) in zip(ratio, ratio[1:]):
                if a <= 1 < b:
                    last = n * 2 ** (math.log(a) / (math.log(a) - math.log(b)))
            crosses = form["softmax_takes_longer_from"]
            if last is None or crosses is None:
                self.assertEqual(last, crosses, form)
            else:
                self.assertAlmostEqual(1, crosses / last, 9)

    def test_memory(self):
        """The table of scores is there, twice, and in no other form: far beyond what the kernel
        counts late."""
        table = self.points.get(("softmax-table", 1024))
        if table is None or table["bytes"] is None:
            self.skipTest("not measured here")
        self.assertGreaterEqual(table["bytes"], 1.5 * 1024 * 1024 * 8)
        softmax = self.points["softmax", 1024]["bytes"]
        self.assertLessEqual(softmax, 4 * 1024 * 64 * 8)


class Counts(Case):
    def test_as_eval_counts(self):
        points = rows_of(self.run_ok("bench", "--max-n", "64", "--dim", "7", "--csv").text)
        points = {(p["form"], int(p["n"])): p for p in points}
        for form, layer in LAYERS.items():
            for n in (16, 32, 64):
                report = self.run_ok("eval", "--cost", HEADS + layer, "--set", "n=%d" % n,
                                     "--set", "d=7", "--set", "m=128").text
                point = points[form, n]
                self.assertEqual(counted(report, "multiply-adds"), float(point["multiply_adds"]),
                                 (form, n))
                self.assertEqual(counted(report, "exponentials"), float(point["exponentials"]),
                                 (form, n))

    def test_chunks(self):
        """By counting the pairs of a query and a key in one chunk."""
        points = rows_of(self.run_ok("bench", "--max-n", "64", "--dim", "3", "--csv").text)
        points = {(p["form"], int(p["n"])): float(p["multiply_adds"]) for p in points}
        for n in (16, 32, 64):
            pairs = sum(1 for i in range(n) for j in range(i + 1) if i // 32 == j // 32)
            self.assertEqual(points["linear", n] + pairs * 2 * 3, points["linear-chunks", n])
            self.assertEqual(points["delta", n] + pairs * 4 * 3, points["delta-chunks", n])


class Report(Case):
    def test_text(self):
        text = self.run_ok("bench", "--max-n", "64").text
        for words in ("d = 64", "1 thread", "GFLOP/s", "time in ms", "memory in MB", "at n = 64",
                      "Softmax attention takes longer than linear attention",
                      "log", "softmax", "delta rule"):
            self.assertIn(words, text)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()))

    def test_ascii(self):
        text = self.run_ok("bench", "--max-n", "32", "--ascii", "--threads", "2").text
        self.assertTrue(text.isascii())
        self.assertIn("2 threads", text)

    def test_refusals(self):
        self.refused(2, "exclude each other", "bench", "--csv", "--json")
        self.refused(2, "--max-n", "bench", "--max-n", "15")
        self.refused(2, "--seconds", "bench", "--seconds", "0")
        self.refused(2, "--threads", "bench", "--threads", "0")
        self.refused(2, "--dim", "bench", "--dim", "x")


class Stopped(Case):
    def test_interrupt(self):
        """Ctrl-C after the first progress: what was measured so far, and exit 0."""
        talk, side = pty.openpty()
        process = subprocess.Popen([support.program, "bench", "--max-n", "1048576", "--seconds",
                                    "3600", "--csv"], stdout=subprocess.PIPE, stderr=side,
                                   env=environment())
        os.close(side)
        self.addCleanup(os.close, talk)
        self.addCleanup(process.kill)
        seen, deadline = b"", time.monotonic() + support.DEADLINE
        while b"measurements" not in seen and time.monotonic() < deadline:
            if select.select([talk], [], [], 1)[0]:
                seen += os.read(talk, 4096)
        self.assertIn(b"%)", seen)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=support.DEADLINE)
        self.assertEqual(0, process.returncode)
        points = rows_of(out.decode())
        self.assertEqual(FORMS[:len(points)], [p["form"] for p in points][:len(FORMS)])
        self.assertTrue(points and all(float(p["seconds"]) > 0 for p in points))
        self.assertNotIn("1048576", {p["n"] for p in points})


if __name__ == "__main__":
    support.main()
