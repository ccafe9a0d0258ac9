# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs, run by attnwalk and by GNU Octave: every value must agree.

    octave_differential.py RUN_PROGRAMS [--count N] [--seed S] [--keep FILE]

RUN_PROGRAMS is the test program of run_programs.c.  Sizes and the logical flag must be the same,
numbers too: to the bit in whole and exact programs (programs.py), else to 1e-12 of the largest
number in sight.  Where Octave fails attnwalk must refuse.  Where only attnwalk refuses, its
message must be one of those in REFUSED, which are left out on purpose.  eye and diag return full
matrices (tests/octave/field): Octave's diagonal type has rules of its own.  Exits 1 on any
disagreement, which is printed (and appended to FILE), 77 where there is no octave-cli."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import programs

SKIPPED = 77
TOLERANCE = 1e-12
BATCH = 5000

# What attnwalk leaves out on purpose: Octave goes on.
REFUSED = [
    r"^'(--|\+\+)' is not part of this language",     # a--b
    r"^complex result",
    r"^deletion A",
    r"^Invalid call to (pi|e)$",            # there pi(2, 3) is a matrix
    r"^[+-]=: nonconformant",               # Octave refuses only what it can do in place
    r"^all: a NaN in a row",
    # arguments that Octave reads in some way of its own
    r": argument \d must be a number, not a \d+x\d+ matrix",
    r": invalid dimension (DIM|argument) = ",
    r"^(zeros|ones|eye|NaN|Inf|true): (the size must not be empty|more than two dimensions)",
    r"^diag: invalid argument K",
    r"^find: N must be an integer",
    r"^circshift: ",
    r"^sort: DIM must be a valid dimension",
    r"^reshape: SIZE must be two numbers",
    r"^for x\^y, only square matrix arguments",
    r"^conversion of .* to int64_t value failed",
]
FIELD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "octave", "field")

HARNESS = r"""1;
warning ("off", "all");
function aw_run (aw_names, aw_code)
  global aw_out
  try
    evalc (aw_code);
  catch aw_error
    fprintf (aw_out, "failed %s\n", strtok (aw_error.message, "\n"));
    return
  end
  fprintf (aw_out, "ran\n");
  for aw_k = 1:numel (aw_names)
    if exist (aw_names{aw_k}, "var")
      aw_x = eval (aw_names{aw_k});
      if isreal (aw_x) && (isnumeric (aw_x) || islogical (aw_x)) && ndims (aw_x) == 2
        fprintf (aw_out, "%s %d %d %d\n", aw_names{aw_k}, islogical (aw_x), rows (aw_x),
                 columns (aw_x));
        fwrite (aw_out, double (full (aw_x)), "double");
      else
        fprintf (aw_out, "%s 2 0 0\n", aw_names{aw_k});
      end
    end
  end
  fprintf (aw_out, ".\n");
end
global aw_out
addpath (argv (){3});
aw_out = fopen (argv (){2}, "w");
aw_in = fopen (argv (){1});
aw_programs = ostrsplit (char (fread (aw_in, Inf, "uint8")'), "\1");
for aw_i = 1:numel (aw_programs) - 1
  [aw_first, aw_rest] = strtok (aw_programs{aw_i}, "\n");
  aw_run (ostrsplit (aw_first, " "), aw_rest);
end
fclose (aw_out);
"""


def read_outcomes(path):
    """-> for each program None and a message, or its variables {name: (logical, array)} and ''; only
    those that were written to their end."""
    outcomes = []
    with open(path, "rb") as f:
        for head in iter(f.readline, b""):
            if not head.startswith(b"ran"):
                outcomes.append((None, head.decode("utf-8", "replace").strip()))
                continue
            values, line = {}, f.readline()
            while line.endswith(b"\n") and line != b".\n":
                name, logical, rows, cols = line.decode().split()
                rows, cols = int(rows), int(cols)
                cells = f.read(8 * rows * cols)
                if len(cells) < 8 * rows * cols:
                    break
                values[name] = (int(logical), np.frombuffer(cells).reshape(cols, rows).T)
                line = f.readline()
            if line == b".\n":
                outcomes.append((values, ""))
    return outcomes


def run_octave(batch, folder):
    """What read_outcomes says; a program that ends octave-cli itself is told and left out."""
    outcomes = run_octave_once(batch, folder)
    while len(outcomes) < len(batch):
        print("octave-cli ended in this program:\n" + batch[len(outcomes)].text)
        outcomes.append(("ended", ""))
        outcomes += run_octave_once(batch[len(outcomes):], folder)
    return outcomes


def run_octave_once(batch, folder):
    script, given, out = (os.path.join(folder, name) for name in ("run.m", "given", "octave"))
    with open(script, "w", encoding="utf-8") as f:
        f.write(HARNESS)
    with open(given, "w", encoding="utf-8") as f:
        f.writelines("%s\n%s\1" % (" ".join(p.names), p.text) for p in batch)
    done = subprocess.run(["octave-cli", "-qf", "--no-history", script, given, out, FIELD],
                          cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    outcomes = read_outcomes(out) if os.path.exists(out) else []
    if len(outcomes) < len(batch) and done.returncode >= 0:     # no signal: the harness is wrong
        sys.exit("octave-cli ended after program %d of %d:\n%s" % (
            len(outcomes), len(batch), done.stderr.decode("utf-8", "replace")[-2000:]))
    return outcomes


def run_ours(program, batch, folder):
    out = os.path.join(folder, "ours")
    text = "".join("%s\n%s\0" % (" ".join(p.names), p.text) for p in batch)
    with open(out, "wb") as f:
        subprocess.run([program], input=text.encode(), stdout=f, check=True)
    outcomes = read_outcomes(out)
    if len(outcomes) != len(batch):
        sys.exit("run_programs ended after program %d of %d" % (len(outcomes), len(batch)))
    return outcomes


def differs(ours, theirs, exact, scale):
    """Why two values differ, or ''."""
    if theirs[0] == 2:
        return "Octave's is no real matrix"
    if ours[1].shape != theirs[1].shape:
        return "%dx%d against Octave's %dx%d" % (ours[1].shape + theirs[1].shape)
    if ours[0] != theirs[0]:
        return "logical %d against Octave's %d" % (ours[0], theirs[0])
    a, b = ours[1], theirs[1]
    both_nan = np.isnan(a) & np.isnan(b)
    if exact:
        same = both_nan | ((a == b) & (np.signbit(a) == np.signbit(b)))
    else:
        with np.errstate(invalid="ignore"):
            same = both_nan | (a == b) | (np.abs(a - b) <= TOLERANCE * scale)
    if same.all():
        return ""
    i, j = np.argwhere(~same)[0]
    return "(%d,%d) is %r against Octave's %r" % (i + 1, j + 1, float(a[i, j]), float(b[i, j]))


def compare(program, ours, theirs):
    """(word for the counts, why they disagree or '')."""
    if theirs[0] == "ended":
        return "octave-cli ended", ""
    if theirs[0] is None:
        return ("both refuse", "") if ours[0] is None else \
            ("", "attnwalk runs it, Octave: " + theirs[1])
    if ours[0] is None:
        message = re.sub(r"^refused \d+:\d+: ", "", ours[1])
        known = [pattern for pattern in REFUSED if re.search(pattern, message)]
        return ("left out: " + known[0], "") if known else ("", "attnwalk alone says: " + ours[1])
    if set(ours[0]) != set(theirs[0]):
        return "", "other variables: %s against Octave's %s" % (sorted(ours[0]), sorted(theirs[0]))
    finite = [np.abs(m[1][np.isfinite(m[1])]).max(initial=1) for m in theirs[0].values()]
    for name in sorted(theirs[0]):
        why = differs(ours[0][name], theirs[0][name], program.kind != "loose", max(finite))
        if why:
            return "", "%s: %s" % (name, why)
    return "values agree", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_programs")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    if shutil.which("octave-cli") is None:
        print("octave_differential: octave-cli is not installed, nothing was compared")
        return SKIPPED
    counts, wrong = collections.Counter(), 0
    for start in range(0, arguments.count, BATCH):
        batch = [programs.Program("%d/%d" % (arguments.seed, start + k))
                 for k in range(min(BATCH, arguments.count - start))]
        with tempfile.TemporaryDirectory() as folder:
            ours = run_ours(arguments.run_programs, batch, folder)
            theirs = run_octave(batch, folder)
        for k, program in enumerate(batch):
            word, why = compare(program, ours[k], theirs[k])
            counts[word or "disagree"] += 1
            if not why:
                continue
            wrong += 1
            report = "program %d of seed %d (%s): %s\n%s\n" % (
                start + k, arguments.seed, program.kind, why, program.text)
            if wrong <= 20:
                print(report)
            if arguments.keep:
                with open(arguments.keep, "a", encoding="utf-8") as f:
                    f.write(report)
    for word, count in counts.most_common():
        print("%8d %s" % (count, word))
    too_few = counts["values agree"] < arguments.count // 2     # then little was compared
    return 1 if wrong or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
