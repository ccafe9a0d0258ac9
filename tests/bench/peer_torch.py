#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's own scaled dot product attention, causal, float64, on one thread.

    peer_torch.py sdpa N [D=64] [RUNS=7]

prints the line of peer_numpy.py; exit 77 if there is no PyTorch."""
import sys

try:
    import torch
except ImportError:
    sys.exit(77)

from peer_numpy import peak_mb, timed, weyl


def main():
    n = int(sys.argv[2])
    d = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 7
    torch.set_num_threads(1)
    q, k, v = (torch.from_numpy(weyl(n, d, start))[None, None] for start in (0.1, 0.3, 0.5))
    functional = torch.nn.functional
    attention = getattr(functional, "scaled_dot_product_attention", None) or \
        functional._scaled_dot_product_attention

    def work():
        result = attention(q, k, v, is_causal=True)
        return result[0] if isinstance(result, tuple) else result

    base = peak_mb()
    wall, cpu, result = timed(work, runs)
    print(f"torch {torch.__version__},sdpa,{n},{d},{wall:.4f},{cpu:.4f},{peak_mb():.1f},"
          f"{peak_mb() - base:.1f},{float(result.abs().sum()):.13g}")


if __name__ == "__main__":
    main()
