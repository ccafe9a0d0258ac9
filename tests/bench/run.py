#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what our forms and files cost beside their peers, with the goals, as one table.

    run.py BUILD [--level LEVEL] [--rounds 5] [--quick] [--only WORD] [--blas FOLDER]

BUILD is the folder of a Release build.  Ours and the peer run in turn, one thread each,
--rounds times; a figure is the median of the rounds, each of which is a median itself, and
a ratio the median of the rounds' ratios.  Figures are CPU time, so that other work on the
machine disturbs them less.  --level runs a lower instruction set of ours (x86-64-v3,
portable); the peer keeps its own.  --blas names a folder with the libblas.so.3 that NumPy
shall use.  --quick takes smaller sizes, for which the goals were not set.  Nothing here
fails for being slow."""
import argparse
import math
import os
import platform
import subprocess
import sys
import tempfile

import program

HERE = os.path.dirname(os.path.abspath(__file__))
NUMPY, TORCH = ["/usr/bin/python3", "-B", f"{HERE}/peer_numpy.py"], \
    ["/usr/bin/python3", "-B", f"{HERE}/peer_torch.py"]


def cpu():
    """The processor's name and flags."""
    found = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            found.setdefault(name.strip(), value.strip())
    return found.get("model name", platform.processor()), found.get("flags", "").split()


def peer_environment(args, flags):
    """One thread, and the OpenBLAS kernels of this processor: 0.3.21 takes the oldest ones
    on processors that it does not know yet."""
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1",
               BENCH_CSV=args.csv)
    if "avx512f" in flags:
        env.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
    elif "avx2" in flags:
        env.setdefault("OPENBLAS_CORETYPE", "Haswell")
    if args.blas:
        env["LD_LIBRARY_PATH"] = args.blas
    return env


class Bench:
    def __init__(self, args):
        self.args = args
        self.name, flags = cpu()
        self.env = peer_environment(args, flags)
        self.forms = self.program("tests/bench/bench_forms")
        self.loop = self.program("tests/bench/peer_blas")
        self.attnwalk = self.program("attnwalk")

    def program(self, path):
        path = os.path.join(self.args.build, path)
        if not os.path.exists(path):
            sys.exit(f"{path} is missing: build first")
        return path

    def run(self, command):
        """The fields of the command's one line, or None if it cannot run here."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=False)
        if done.returncode == 77:
            return None
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
        fields = done.stdout.strip().split(",")
        return {"cpu": float(fields[5]), "peak": float(fields[6]), "above": float(fields[7]),
                "sum": float(fields[8])}

    def ours(self, case, n, d, runs):
        return [self.forms, case, str(n), str(d), str(runs), self.args.level]

    def in_turn(self, ours, peer, rounds):
        """Medians of both over the rounds, and of the peer's time over ours; None for a peer
        that is not there."""
        a, b = [], []
        for _ in range(rounds):
            a.append(self.run(ours))
            b.append(self.run(peer))
            if b[-1] is None:
                return median(a), None, None
        ratios = [{"cpu": y["cpu"] / x["cpu"]} for x, y in zip(a, b)]
        return median(a), median(b), median(ratios)["cpu"]


def median(results):
    return {key: sorted(r[key] for r in results)[len(results) // 2] for key in results[0]}


def row(work, ours, peer, ratio, goal):
    print(f"| {work} | {ours} | {peer} | {ratio} | {goal} |", flush=True)


def compare(bench, work, case, peer, goal, n, d, peer_case=None, runs=5, rounds=None):
    """One row: the peer's time over ours."""
    if bench.args.only and bench.args.only not in work:
        return
    command = peer + ([peer_case] if peer_case else []) + [str(n), str(d), str(runs)]
    a, b, ratio = bench.in_turn(bench.ours(case, n, d, runs), command, rounds or bench.args.rounds)
    if b is None:
        row(work, f"{a['cpu']:.2f} ms", "not installed", "-", goal)
        return
    agree = "" if b["sum"] == 0 or abs(a["sum"] / b["sum"] - 1) < 1e-9 else " (RESULTS DIFFER)"
    row(work, f"{a['cpu']:.2f} ms", f"{b['cpu']:.2f} ms", f"{ratio:.2f}×{agree}", goal)


def attention_rows(bench):
    n, d = (1024 if bench.args.quick else 4096), 64
    compare(bench, "softmax, causal / NumPy by blocks", "softmax_causal", NUMPY, "≥ 2×", n, d,
            "softmax_blocks")
    compare(bench, "softmax, causal / NumPy textbook", "softmax_causal", NUMPY, "≥ 8×", n, d,
            "softmax_textbook", runs=1)
    compare(bench, "softmax, causal / PyTorch sdpa", "softmax_causal", TORCH, "≥ 8×", n, d,
            "sdpa", runs=1)
    compare(bench, "linear, elu1, normalised / NumPy chunked", "linear", NUMPY, "≥ 3.5×", n, d,
            "linear_chunk")
    compare(bench, "linear, elu1, normalised / NumPy loop", "linear", NUMPY, "≥ 25×", n, d,
            "linear_loop", runs=3)
    for rule in ("delta", "gated"):
        compare(bench, f"{rule} / NumPy chunked WY", rule, NUMPY, "≥ 8×", n, d, f"{rule}_chunk")
        compare(bench, f"{rule} / NumPy loop", rule, NUMPY, "≥ 25×", n, d, f"{rule}_loop", runs=3)
        compare(bench, f"{rule} / loop over cblas", rule, [bench.loop], "≥ 2.5×", n, d, rule)
    for name in ("linear", "delta", "gated"):
        compare(bench, f"{name}: token by token / own chunks of 32", name,
                [bench.forms, f"{name}_chunk"], "-", n, d)


def product_rows(bench):
    if bench.args.only and bench.args.only not in "product flops":
        return
    size = 512 if bench.args.quick else 1024
    a, b, ratio = bench.in_turn(bench.ours("product", size, size, 5),
                                [bench.forms, "product_gsl", str(size), str(size), "1"],
                                bench.args.rounds)
    same = "" if a["sum"] == b["sum"] else " (RESULTS DIFFER)"
    row(f"exact product, n = {size} / libgslcblas", f"{a['cpu']:.1f} ms", f"{b['cpu']:.1f} ms",
        f"{ratio:.2f}×{same}", "≥ 4×")
    n, d = 4096, 64
    a, b, ratio = bench.in_turn(bench.ours("softmax_causal", n, d, 5),
                                NUMPY + ["dgemm", "1024", "1024", "5"], bench.args.rounds)
    flops, peer_flops = 2 * n * n * d, 2 * 1024 ** 3
    ours, peer = flops / a["cpu"] / 1e6, peer_flops / b["cpu"] / 1e6
    row("softmax, causal, flop for flop / DGEMM(1024)", f"{ours:.1f} GFLOP/s",
        f"{peer:.1f} GFLOP/s", f"{ratio * flops / peer_flops:.2f}", "≥ 0.9")


def exp_rows(bench):
    compare(bench, "correctly rounded exp, 4096×64 / numpy.exp", "exp", NUMPY, "-", 4096, 64, "exp")


def memory_rows(bench):
    if bench.args.only and bench.args.only not in "memory":
        return
    n, d = 16384, 64
    above = bench.run(bench.ours("softmax_causal", n, d, 1))["above"]
    limit = 4 * n * d * 8 / 2 ** 20
    row(f"softmax, n = {n}: memory above inputs, output included", f"{above:.1f} MB",
        f"limit {limit:.0f} MB", f"{above / limit:.2f}", "≤ 1")
    for case in ("stream_linear", "stream_gated"):
        peaks = [bench.run(bench.ours(case, n, d, 1))["peak"] for n in (1000, 10 ** 6)]
        row(f"{case}: peak memory at n = 10⁶ / 10³", f"{peaks[1]:.1f} MB", f"{peaks[0]:.1f} MB",
            f"{peaks[1] / peaks[0]:.2f}", "1")


def slope(points):
    """Of the least-squares line through (log n, log time)."""
    x, y = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def slope_rows(bench):
    if bench.args.only and bench.args.only not in "slope":
        return
    for case, goal in (("softmax_causal", "1.85 to 2.15"), ("linear", "0.9 to 1.15")):
        points = [(n, bench.run(bench.ours(case, n, 64, 5))["cpu"])
                  for n in (256, 512, 1024, 2048)]
        row(f"{case}: slope on log-log, n = 256..2048", f"{slope(points):.2f}", "-", "-", goal)


def csv_rows(bench):
    n = 1024 if bench.args.quick else 4096
    size = f"{n}×{n}"
    compare(bench, f"CSV write, {size} / numpy.savetxt", "csv_write", NUMPY, "≥ 8×", n, n,
            "savetxt", runs=1, rounds=1)
    compare(bench, f"CSV write, {size} / C %.17g", "csv_write", [bench.forms], "≥ 4.5×", n, n,
            "csv_printf", runs=1, rounds=1)
    compare(bench, f"CSV read, {size} / numpy.loadtxt", "csv_read", NUMPY, "≥ 5×", n, n, "loadtxt",
            runs=1, rounds=1)
    work = f"CSV write, {size} / Octave dlmwrite"
    if bench.args.only and bench.args.only not in work:
        return
    if subprocess.run(["which", "octave-cli"], capture_output=True, check=False).returncode != 0:
        row(work, "-", "not installed", "-", "≥ 11×")
        return
    octave = ["octave-cli", "-qf", f"{HERE}/peer_csv.m", bench.args.csv, str(n)]
    a, b, ratio = bench.in_turn(bench.ours("csv_write", n, n, 1), octave, 1)
    row(work, f"{a['cpu']:.0f} ms", f"{b['cpu']:.0f} ms", f"{ratio:.2f}×", "≥ 11×")


def start_rows(bench):
    if bench.args.only and bench.args.only not in "start-up":
        return
    ours = bench.run([bench.forms, "start", bench.attnwalk, "--version"])
    peer = bench.run([bench.forms, "start", "ncdu", "--version"])
    row("start-up (--version) / ncdu --version", f"{ours['cpu']:.2f} ms, {ours['peak']:.1f} MB",
        f"{peer['cpu']:.2f} ms, {peer['peak']:.1f} MB" if peer else "not installed",
        f"{ours['cpu'] / peer['cpu']:.2f}" if peer else "-", "≤ 1.5; ≤ 6 MB")


def program_rows(bench):
    for rows, word in ((program.check_rows(bench.attnwalk, bench.args.rounds), "check octave-cli"),
                       (program.screen_rows(bench.attnwalk), "screen page idle")):
        if not bench.args.only or bench.args.only in word:
            for fields in rows:
                row(*fields)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--level", default="best")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="rows whose text holds this word")
    parser.add_argument("--blas")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        args.csv = os.path.join(folder, "bench.csv")
        bench = Bench(args)
        isa = args.level if args.level != "best" else subprocess.run(
            [bench.forms, "isa"], capture_output=True, text=True, check=True).stdout.strip()
        blas = subprocess.run(NUMPY + ["blas"], env=bench.env, capture_output=True, text=True,
                              check=False).stdout.strip()
        print(f"{bench.name}; our kernels: {isa}; NumPy's BLAS: {blas or 'no NumPy'}; CPU time, "
              f"one thread, d = 64, {'n = 1024' if args.quick else 'n = 4096'} unless said\n")
        if "openblas" not in blas:
            print("The goals were set against NumPy on OpenBLAS (libopenblas0-pthread, or "
                  "--blas).\n")
        print("| work | ours | peer | ratio | goal |\n|---|---|---|---|---|")
        for rows in (attention_rows, product_rows, exp_rows, memory_rows, slope_rows, csv_rows,
                     start_rows, program_rows):
            rows(bench)


if __name__ == "__main__":
    main()
