# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the kept findings and some of the seeds of a fuzz target in this build:

    replay.py PROGRAM TARGET"""
import glob
import os
import subprocess
import sys
import tempfile

import seeds

HERE = os.path.dirname(os.path.abspath(__file__))

MOST = 200      # seeds: these are in other tests too


def main():
    program, target = sys.argv[1:]
    kept = sorted(glob.glob(os.path.join(HERE, "corpus", target, "*")))
    with tempfile.TemporaryDirectory() as folder:
        all_seeds = seeds.write(folder, target)
        tried = kept + all_seeds[::1 + len(all_seeds) // MOST]
        done = subprocess.run([program] + tried, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            sys.stderr.write(done.stderr.decode("utf-8", "replace")[-4000:])
            return 1
    print("%s: %d past findings, %d seeds" % (target, len(kept), len(tried) - len(kept)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
