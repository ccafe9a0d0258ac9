# SPDX-License-Identifier: GPL-3.0-or-later
"""One octave-cli process that evaluates the pieces of a lesson, once for each setting of its
parameters, and hands every value back bit for bit."""
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))

# What Octave runs around the lesson: every record is a line `kind label rows cols`, then the bytes.
HARNESS = r'''1;
warning ("off", "all");
function aw_put (kind, label, x)
  global aw_file
  if kind == "E"
    x = uint8 (x);
    fprintf (aw_file, "%s %s 1 %d\n", kind, label, numel (x));
    fwrite (aw_file, x, "uint8");
  elseif ! (isnumeric (x) || islogical (x)) || ndims (x) > 2
    fprintf (aw_file, "%sh %s 0 0\n", kind, label);
  elseif ! isreal (x)
    fprintf (aw_file, "%sc %s %d %d\n", kind, label, rows (x), columns (x));
  else
    fprintf (aw_file, "%s %s %d %d\n", kind, label, rows (x), columns (x));
    fwrite (aw_file, double (full (x)), "double");
  end
end
function aw_frame (name, x)
  aw_put ("F", name, x);
end
function aw_more (name, x)
  aw_put ("M", name, x);
end
function aw_loop (name, x)
  aw_put ("L", name, x);
end
function m = aw_max (varargin)
  global aw_nan
  for i = 1:min (numel (varargin), 2)
    aw_nan = aw_nan || any (isnan (varargin{i}(:)));
  end
  m = max (varargin{:});
end
function m = aw_min (varargin)
  global aw_nan
  for i = 1:min (numel (varargin), 2)
    aw_nan = aw_nan || any (isnan (varargin{i}(:)));
  end
  m = min (varargin{:});
end
function aw_run (aw_k)
  global aw_nan aw_setup aw_code aw_fatal
  aw_put ("R", "run", aw_k);
  eval (aw_setup{aw_k});
  for aw_i = 1:numel (aw_code)
    try
      eval (aw_code{aw_i});
    catch aw_caught
      aw_put ("E", sprintf ("%d", aw_i - 1), aw_caught.message);
      if aw_fatal(aw_i)
        return
      end
    end
  end
end
'''


def octave_string(text):
    return '"%s"' % (text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


class Piece:
    """One thing Octave evaluates by itself: code, and whether the run ends when it fails."""

    def __init__(self, kind, line, code, fatal=False, item=None, step=None, part=None):
        self.kind, self.line, self.code, self.fatal = kind, line, code, fatal
        self.item, self.step, self.part = item, step, part


def run_octave(lesson, pieces, settings, seed, random, data):
    """-> for each setting the records [(kind, label, value)], value: array, text or None."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "records")
        script = os.path.join(folder, "run.m")
        folders = [os.path.dirname(os.path.abspath(lesson.path)), os.path.abspath(data)]
        paths = [os.path.join(HERE, "field")] + ([os.path.join(HERE, "draws")] if random else [])
        with open(script, "w", encoding="utf-8") as f:
            f.write(HARNESS)
            for path in paths:
                f.write("addpath (%s);\n" % octave_string(path))
            f.write("global aw_file aw_nan aw_setup aw_code aw_fatal attnwalk_folders\n")
            f.write("aw_nan = false;\n")
            f.write("attnwalk_folders = {%s};\n" % ", ".join(map(octave_string, folders)))
            f.write("aw_file = fopen (%s, \"w\");\n" % octave_string(out))
            start = ("draws_open (%s);" % octave_string(os.path.abspath(random)) if random else
                     'randn ("twister", %d); rand ("twister", %d);' % (seed, seed))
            for k, setting in enumerate(settings):
                code = start + " " + " ".join(p.code(setting[p.name]) for p in lesson.params)
                f.write("aw_setup{%d} = %s;\n" % (k + 1, octave_string(code)))
            for k, piece in enumerate(pieces):
                f.write("aw_code{%d} = %s;\n" % (k + 1, octave_string(piece.code)))
            if not pieces:
                f.write("aw_code = {};\n")
            f.write("aw_fatal = [%s];\n" % " ".join("%d" % p.fatal for p in pieces))
            f.write("for aw_k = 1:%d\n  aw_run (aw_k);\nend\n" % len(settings))
            if random:
                f.write("global attnwalk_draws\n"
                        "aw_put (\"U\", \"draws\", [attnwalk_draws.calls, "
                        "numel(attnwalk_draws.lines)]);\n")
            f.write("aw_put (\"D\", \"done\", 1);\nfclose (aw_file);\n")
        done = subprocess.run(["octave-cli", "-qf", "--no-history", script], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        runs = read_records(out) if os.path.exists(out) else []
    if not runs or not runs[-1] or runs[-1][-1][0] != "D":
        sys.exit("oracle: octave-cli did not finish:\n" + done.stderr.decode("utf-8", "replace"))
    runs[-1].pop()
    return runs


def read_records(path):
    runs = []
    with open(path, "rb") as f:
        while True:
            head = f.readline()
            if not head:
                return runs
            kind, label, rows, cols = head.decode().split()
            rows, cols = int(rows), int(cols)
            if kind == "E":
                value = f.read(cols).decode("utf-8", "replace")
            elif len(kind) > 1:
                value = None
            else:
                value = np.frombuffer(f.read(8 * rows * cols)).reshape(cols, rows).T
            if kind == "R":
                runs.append([])
            else:
                runs[-1].append((kind, label, value))
