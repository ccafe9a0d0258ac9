#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""every_lesson.py ATTNWALK LESSON.md... [--defaults]

Dumps each lesson with its random draws, at the defaults and at every end and choice of every
parameter, and lets Octave judge each dump (oracle.py compare).  Exit 1 if any disagrees, 77 (ctest:
skipped) if octave-cli or numpy is missing."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import types

if shutil.which("octave-cli") is None:
    print("skipped: octave-cli is missing")
    sys.exit(77)
try:
    import oracle
except ModuleNotFoundError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)
from lesson_text import read_lesson


def judge(program, path, chosen):
    """Dumps path under the chosen settings and compares; 0 if all agree."""
    with tempfile.TemporaryDirectory() as folder:
        dump, random = os.path.join(folder, "dump"), os.path.join(folder, "random")
        place = path if "/" in path else "./" + path
        command = [program, "dump", place, "-o", dump, "--random", random]
        for pair in chosen.items():
            command += ["--set", "%s=%s" % pair]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode:
            print("  %s: exit %d\n%s" % (" ".join(command), done.returncode,
                                         done.stderr.decode("utf-8", "replace")))
            return 1
        return oracle.command_compare(read_lesson(path), types.SimpleNamespace(
            chosen=chosen, dump=dump, random=random, data=oracle.DATA))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attnwalk")
    parser.add_argument("lessons", nargs="+")
    parser.add_argument("--defaults", action="store_true", help="at the defaults only")
    options = parser.parse_args()
    failed = runs = 0
    for path in options.lessons:
        settings = oracle.all_settings(read_lesson(path), {}, not options.defaults)
        for label, setting in settings:
            print("%s with %s" % (path, label), flush=True)
            chosen = {} if label == "defaults" else setting
            failed += judge(options.attnwalk, path, chosen)
            runs += 1
    print("%d runs, %d failed" % (runs, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
