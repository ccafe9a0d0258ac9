#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms as a careful NumPy user writes them, float64, one head.

    peer_numpy.py CASE N [D=64] [RUNS=7]

prints numpy,case,n,d,wall_ms,cpu_ms,peak_mb,above_mb,checksum with the inputs of
measure.h.  `peer_numpy.py blas` prints the library behind its products."""
import os
import sys
import time

import numpy as np

CHUNK = 64  # the best of 32..256 for these sizes


def weyl(rows, cols, start):
    x = np.arange(rows * cols, dtype=np.float64) * 0.6180339887498949 + start
    return (2 * (x - np.floor(x)) - 1).reshape(rows, cols)


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def softmax_textbook(q, k, v):
    s = (q @ k.T) / np.sqrt(q.shape[1])
    s = np.where(np.tri(len(q), dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return (p / p.sum(axis=1, keepdims=True)) @ v


def softmax_blocks(q, k, v, rows=128):
    """Blocks of query rows against the keys they see: O(rows n) memory."""
    y, turned = np.empty_like(v), np.ascontiguousarray(k.T)
    hidden = ~np.tri(rows, dtype=bool)
    q = q / np.sqrt(q.shape[1])
    for i in range(0, len(q), rows):
        j = min(i + rows, len(q))
        s = q[i:j] @ turned[:, :j]
        s[:, i:j][hidden[:j - i, :j - i]] = -np.inf
        s -= s.max(axis=1, keepdims=True)
        np.exp(s, out=s)
        y[i:j] = (s @ v[:j]) / s.sum(axis=1, keepdims=True)
    return y


def linear_loop(q, k, v):
    fq, fk = phi(q), phi(k)
    s, z, y = np.zeros((q.shape[1], v.shape[1])), np.zeros(q.shape[1]), np.empty_like(v)
    for t in range(len(q)):
        s += np.outer(fk[t], v[t])
        z += fk[t]
        y[t] = (fq[t] @ s) / (fq[t] @ z)
    return y


def linear_chunk(q, k, v):
    s, z, y = np.zeros((q.shape[1], v.shape[1])), np.zeros(q.shape[1]), np.empty_like(v)
    lower = np.tri(CHUNK)
    for t in range(0, len(q), CHUNK):
        fq, fk, vc = phi(q[t:t + CHUNK]), phi(k[t:t + CHUNK]), v[t:t + CHUNK]
        a = (fq @ fk.T) * lower[:len(fq), :len(fq)]
        y[t:t + CHUNK] = (a @ vc + fq @ s) / (a.sum(1) + fq @ z)[:, None]
        s += fk.T @ vc
        z += fk.sum(0)
    return y


def delta_loop(q, k, v, beta, alpha=None):
    s, y = np.zeros((q.shape[1], v.shape[1])), np.empty_like(v)
    for t in range(len(q)):
        if alpha is not None:
            s *= alpha[t]
        s += np.outer(k[t], beta[t] * (v[t] - k[t] @ s))
        y[t] = q[t] @ s
    return y


def delta_chunk(q, k, v, beta, alpha=None):
    s, y = np.zeros((q.shape[1], v.shape[1])), np.empty_like(v)
    for t in range(0, len(q), CHUNK):
        end = min(t + CHUNK, len(q))
        qc, kc, vc, bc = q[t:end], k[t:end], v[t:end], beta[t:end]
        if alpha is None:
            decay, before = np.tri(end - t), np.ones(end - t)
        else:
            log = np.cumsum(np.log(alpha[t:end]))
            decay = np.tril(np.exp(np.minimum(log[:, None] - log[None, :], 0)))
            before = np.exp(log)
        a = np.eye(end - t) + bc[:, None] * np.tril((kc @ kc.T) * decay, -1)
        u = np.linalg.solve(a, bc[:, None] * (vc - before[:, None] * (kc @ s)))
        y[t:end] = before[:, None] * (qc @ s) + ((qc @ kc.T) * decay) @ u
        s = before[-1] * s + (kc * decay[-1][:, None]).T @ u
    return y


def savetxt(path, x):
    np.savetxt(path, x, fmt="%.17g", delimiter=",")
    return np.zeros(1)


def forms(n, d, case):
    """The function to time, without arguments."""
    if case in ("savetxt", "loadtxt"):
        path, x = os.environ.get("BENCH_CSV", "bench.csv"), None
        if case == "loadtxt":
            return lambda: np.loadtxt(path, delimiter=",")
        x = np.random.default_rng(1).standard_normal((n, d))
        return lambda: savetxt(path, x)
    q, k, v = weyl(n, d, 0.1), weyl(n, d, 0.3), weyl(n, d, 0.5)
    if case.startswith(("delta", "gated")):
        k /= np.sqrt((k * k).sum(1, keepdims=True))
    beta, alpha = 0.5 + 0.4 * weyl(n, 1, 0.7)[:, 0], 0.95 + 0.04 * weyl(n, 1, 0.9)[:, 0]
    return {
        "dgemm": lambda: q @ k,
        "exp": lambda: np.exp(q),
        "softmax_textbook": lambda: softmax_textbook(q, k, v),
        "softmax_blocks": lambda: softmax_blocks(q, k, v),
        "linear_loop": lambda: linear_loop(q, k, v),
        "linear_chunk": lambda: linear_chunk(q, k, v),
        "delta_loop": lambda: delta_loop(q, k, v, beta),
        "delta_chunk": lambda: delta_chunk(q, k, v, beta),
        "gated_loop": lambda: delta_loop(q, k, v, beta, alpha),
        "gated_chunk": lambda: delta_chunk(q, k, v, beta, alpha),
    }[case]


def timed(work, runs):
    """Medians of wall and CPU time of one call in milliseconds, and the last result."""
    begun = time.perf_counter()
    result = work()
    first = time.perf_counter() - begun
    inner, wall, cpu = int(0.02 / first) + 1, [], []
    for _ in range(runs):
        begun, spent = time.perf_counter(), time.process_time()
        for _ in range(inner):
            result = work()
        cpu.append((time.process_time() - spent) / inner * 1e3)
        wall.append((time.perf_counter() - begun) / inner * 1e3)
    return sorted(wall)[runs // 2], sorted(cpu)[runs // 2], result


def peak_mb():
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def main():
    if sys.argv[1] == "blas":
        np.ones((2, 2)) @ np.ones((2, 2))
        with open("/proc/self/maps", encoding="utf-8") as maps:
            names = {line.split()[-1] for line in maps if "blas" in line.rsplit("/", 1)[-1]}
        print(" ".join(sorted(os.path.basename(name) for name in names)))
        return
    case, n = sys.argv[1], int(sys.argv[2])
    d = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 7
    work = forms(n, d, case)
    base = peak_mb()
    wall, cpu, result = timed(work, runs)
    checksum = float(np.abs(result).sum())
    print(f"numpy,{case},{n},{d},{wall:.4f},{cpu:.4f},{peak_mb():.1f},"
          f"{peak_mb() - base:.1f},{checksum:.13g}")


if __name__ == "__main__":
    main()
