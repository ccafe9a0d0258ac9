#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GNU Octave as the judge of a lesson.  Shares no code with attnwalk.

  oracle.py check LESSON.md [--set n=8]... [--all-ends] [--seed-octave 3] [--random DIR]
      runs the code, prints names with shapes, checks with their measured value, inline values,
      predictions and traps; exit 1 if anything fails.
  oracle.py compare LESSON.md --dump DIR --random DIR [--set n=8]...
      runs the code on the recorded draws and holds every bound matrix, frame by frame, against
      what `attnwalk dump` wrote; exit 1 on any disagreement.

Needs octave-cli and numpy.  The field's functions come from field/, recorded draws from draws/."""
import argparse
import csv
import os
import re
import sys

import numpy as np

import octave_code
from lesson_text import read_lesson
from octave_code import CodeError
from octave_run import HERE, Piece, run_octave

DATA = os.path.normpath(os.path.join(HERE, "..", "..", "data"))
TOLERANCE = 1e-10
MOST_WORDS = 60

ALLOWED = set("""zeros ones eye rand randn repmat reshape size rows columns numel isempty sum mean prod
cumsum cumprod max min abs sign sqrt exp log log2 floor ceil round mod sin cos tanh norm dot kron trace
diag tril triu circshift sort any all find isnan isinf isfinite linspace pi e Inf NaN eps true false
softmax causal window elu1 relu identity quadratic gaussian_features orthogonal_features favor l2rows
rope softmax_attention linear_attention delta_rule gated_delta_rule selective_scan entropy
effective_rank relative_error recall_rate approx load_csv dims for while if elseif else end""".split())
DRAWING = re.compile(r"(?<![\w.])(rand|randn|gaussian_features|orthogonal_features)(?!\w)")
VIEW_OPTIONS = re.compile(r"(\s+(?:(?:rows|cols|scale)=\S+|logx|logy))+\s*$")

# ---- what is run for a check ---------------------------------------------------------------

def guarded(guard, code):
    return code if not guard else "if (%s)\n%s\nelse\naw_put (\"G\", \"skip\", 0);\nend" % (guard, code)


def check_code(item, index):
    """The condition as an if, every max and min in it watched for NaN."""
    condition = re.sub(r"(?<![\w.])(max|min)(?=\s*\()", r"aw_\1", item.text)
    return guarded(item.guard, 'aw_nan = false;\naw_ok = 0;\nif (%s)\n aw_ok = 1;\nend\n'
                   'if aw_nan\n aw_ok = 2;\nend\naw_put ("V", "%d", aw_ok);' % (condition, index))


def measure_code(item, index):
    """The measured value: approx's largest difference, or the left side of a comparison."""
    text = item.text
    if re.match(r"approx\s*\(", text) and text.endswith(")"):
        inner = text[text.index("(") + 1:-1]
        try:
            octave_code.marks(inner)
        except CodeError:
            return None
        code = '[~, aw_m] = approx (%s);\naw_put ("V", "%d", aw_m);' % (inner, index)
    else:
        found = octave_code.find_comparison(text)
        code = 'aw_put ("V", "%d", (%s));' % (index, text[:found[0]] if found else text)
    return guarded(item.guard, code)


def view_expressions(item):
    """What a view shows, as expressions; before(X) stands for X."""
    text = re.sub(r"(?<![\w.])before\s*\(", "(", VIEW_OPTIONS.sub("", item.text))
    equals = octave_code.find_equals(text)
    if item.word in ("product", "update") and equals >= 0:
        return [text[:equals].strip(), text[equals + 1:].strip()]
    return [piece.strip() for piece in octave_code.split_top(text, ",")]


def check_pieces(lesson):
    pieces = []

    def add(kind, line, code, **more):
        pieces.append(Piece(kind, line, code, **more))

    def value(kind, item, step, part=None):
        add(kind, item.line, 'aw_put ("V", "%d", (%s));' % (len(pieces), item.text),
            item=item, step=step, part=part)

    for step in lesson.steps:
        late, bound = [], []
        for item in step.items:
            try:
                if item.kind == "code":
                    statements = octave_code.split_statements(item.text)
                    lint(lesson, item, statements)
                    for s in statements:
                        add("code", item.line + s.line, s.source, fatal=True, item=item, step=step)
                    bound += [n for n in octave_code.names_bound(statements) if n not in bound]
                elif item.kind == "check":
                    refuse_drawing(lesson, item)
                    add("check", item.line, check_code(item, len(pieces)), item=item, step=step)
                    code = measure_code(item, len(pieces))
                    if code:
                        add("measure", item.line, code, item=item, step=step)
                elif item.kind == "inline":
                    refuse_drawing(lesson, item)
                    octave_code.marks(item.text)
                    value("inline", item, step)
                else:
                    late.append(item)
            except CodeError as e:
                lesson.problem(item.line + (e.line or 0), str(e))
        for item in late:
            try:
                if item.kind == "view":
                    refuse_drawing(lesson, item)
                    for text in view_expressions(item):
                        add("view", item.line, 'aw_put ("V", "%d", (%s));' % (len(pieces), text),
                            item=item, step=step, part=text)
                else:
                    octave_code.marks(item.text)
                    value(item.kind, item, step)
            except CodeError as e:
                lesson.problem(item.line, str(e))
        for name in bound:
            add("shape", step.line, 'if exist ("%s", "var")\n aw_put ("V", "%d", %s);\nend'
                % (name, len(pieces), name), step=step, part=name)
    return pieces


def refuse_drawing(lesson, item):
    if DRAWING.search(item.text):
        lesson.problem(item.line, "random numbers in a %s: '%s'" % (item.kind, item.text))


def lint(lesson, item, statements):
    """What Octave does and the lessons' language refuses, as far as it shows in the text."""
    known = ALLOWED | {p.name for p in lesson.params}
    for step in lesson.steps:
        for other in step.items:
            if other.kind == "code":
                try:
                    known |= set(octave_code.names_bound(octave_code.split_statements(other.text)))
                except CodeError:
                    pass                        # said where that block is met
    kind, _ = octave_code.marks(item.text)
    code = "".join(c if k == "c" or c == "\n" else " " for c, k in zip(item.text, kind))
    for m in re.finditer(r"@\s*\(([^()]*)\)", code):
        known |= set(re.findall(r"\w+", m.group(1)))
    for m in re.finditer(r"(?<![\w.])[A-Za-z_]\w*", code):
        if m.group() not in known:
            lesson.problem(item.line + code.count("\n", 0, m.start()),
                           "'%s' is not in the lessons' language" % m.group())
    for s in statements:
        if s.kind == "simple":
            at = octave_code.find_equals(s.text)
            if at >= 0 and s.text.lstrip().startswith("["):
                lesson.problem(item.line + s.line, "several outputs: '%s'" % s.text)
            if at >= 0 and s.text[at + 1:].strip() == "[]" and ")" in s.text[:at]:
                lesson.problem(item.line + s.line, "deletion: '%s'" % s.text)


# ---- what a check prints -------------------------------------------------------------------

def show(value, form=None):
    if value is None:
        return "(a function or complex)"
    if value.size == 1:
        x = value.flat[0]
        return form % x if form else "%.10g" % x
    size = "%dx%d" % value.shape
    if 0 < value.size <= 12:
        return size + " [" + "; ".join(" ".join("%.5g" % x for x in row) for row in value) + "]"
    return size


class Report:
    """Counts and lines of one run; quiet prints failures only.  seen: failures of earlier runs,
    which are counted but not printed again."""

    def __init__(self, quiet, path, seen):
        self.quiet, self.path, self.seen = quiet, path, seen
        self.failures = self.checks = self.skipped = 0

    def say(self, text):
        if not self.quiet:
            print(text)

    def fail(self, line, text):
        self.failures += 1
        if (line, text) not in self.seen:
            self.seen.add((line, text))
            print("  FAIL %s:%d: %s" % (self.path, line, text))


def gather(pieces, records):
    """index of piece -> ('V', value) | ('E', message) | ('G', None)."""
    results, order = {}, []
    for kind, label, value in records:
        if kind[0] in "VE":
            results[int(label)] = (kind, value)
            order.append(int(label))
        elif kind == "G":
            order.append(-1)
    return results


def plain(message):
    """Octave's message without a place in the text we gave it."""
    return re.sub(r" near line \d+, column \d+", "", message)


def below(piece, later):
    """Says so if an inline value wants a name that its step binds further down."""
    names = {q.part for q in later if q.kind == "shape" and q.step is piece.step}
    wanted = set(re.findall(r"[A-Za-z_]\w*", piece.item.text)) & names
    return " (bound below it: an inline value sees the code above it only)" if wanted else ""


def report_check(report, pieces, results, i):
    item = pieces[i].item
    got = results.get(i)
    more = results.get(i + 1) if i + 1 < len(pieces) and pieces[i + 1].kind == "measure" else None
    measured = " (%s)" % show(more[1]) if more and more[0] == "V" else ""
    if got is None:
        report.skipped += 1
        report.say("    skip   %s when %s" % (item.text, item.guard))
        return
    report.checks += 1
    if got[0] == "E":
        report.fail(item.line, "%s: %s" % (item.text, plain(got[1])))
    elif got[1].flat[0] == 2:
        report.fail(item.line, "%s: rests on a max or min over NaN" % item.text)
    elif got[1].flat[0] != 1:
        report.fail(item.line, "%s%s : %s" % (item.text, measured, item.sentence))
    else:
        report.say("    ok     %s%s : %s" % (item.text, measured, item.sentence))


def scalar(got):
    return got[1].flat[0] if got and got[0] == "V" and got[1].size == 1 else None


def report_predictions(report, lesson, pieces, results, step, strict):
    """Each prediction with its traps; strict: at the defaults, where values must differ."""
    groups = []
    for i, p in enumerate(pieces):
        if p.step is step and p.kind == "predict":
            groups.append([i])
        elif p.step is step and p.kind == "trap" and groups:
            groups[-1].append(i)
    for group in groups:
        known = []
        for i in group:
            item, got = pieces[i].item, results.get(i)
            value = scalar(got)
            if value is None or not np.isfinite(value):
                why = got[1] if got and got[0] == "E" else "not one finite number: " + (
                    show(got[1]) if got else "not evaluated")
                if strict or (got and got[0] == "E"):
                    report.fail(item.line, "%s %s: %s" % (item.kind, item.text, why))
                continue
            if item.kind == "predict":
                tolerance = item.tolerance
                report.say("    predict %s = %.10g within %g : %s"
                           % (item.text, value, tolerance, item.sentence))
            else:
                report.say("      trap  %s = %.10g : %s" % (item.text, value, item.sentence))
            for other, text in known:
                if abs(value - other) <= tolerance and strict:
                    report.fail(item.line, "%s = %.10g cannot be told from %s = %.10g within %g"
                                % (item.text, value, text, other, tolerance))
            known.append((value, item.text))


def report_run(report, lesson, pieces, records, strict):
    results = gather(pieces, records)
    for i, got in results.items():
        if got[0] == "E" and pieces[i].kind == "code":
            report.fail(pieces[i].line, "%s: %s" % (pieces[i].code.split("\n")[0],
                                                   plain(got[1])))
            report.say("    (nothing after this was run)")
            pieces, results = pieces[:i], {k: v for k, v in results.items() if k < i}
            break
    for step in lesson.steps:
        report.say("  ## %s {#%s}   %d words%s" % (
            step.title, step.id, step.words, "  > %d!" % MOST_WORDS if step.words > MOST_WORDS else ""))
        for i, piece in enumerate(pieces):
            got = results.get(i)
            if piece.step is not step or piece.kind in ("code", "measure", "predict", "trap"):
                continue
            if piece.kind == "check":
                report_check(report, pieces, results, i)
            elif got and got[0] == "E":
                report.fail(piece.line, "%s %s: %s%s" % (
                    piece.kind, piece.part or piece.item.text, plain(got[1]),
                    below(piece, pieces[i:]) if piece.kind == "inline" else ""))
            elif got and got[0] == "Vc":
                report.fail(piece.line, "%s %s is complex" % (piece.kind, piece.part or piece.item.text))
            elif piece.kind == "inline":
                if got and (got[1] is None or got[1].size != 1):
                    report.fail(piece.line, "inline %s is not one number: %s"
                                % (piece.item.text, show(got[1])))
                elif got:
                    report.say("    inline %s = %s" % (piece.item.text, show(got[1], piece.item.format)))
            elif piece.kind == "shape" and got:
                note = ""
                if got[1] is not None and np.isnan(got[1]).any():
                    note = "   has NaN"
                report.say("    name   %s %s%s" % (piece.part, show(got[1]), note))
        report_products(report, pieces, results, step)
        report_predictions(report, lesson, pieces, results, step, strict)


def report_products(report, pieces, results, step):
    """`product A * B = C` must be true at the step's end."""
    for i in range(len(pieces) - 1):
        a, b = pieces[i], pieces[i + 1]
        if (a.step is step and a.kind == "view" and a.item.word == "product" and b.item is a.item
                and i in results and i + 1 in results):
            left, right = results[i], results[i + 1]
            if left[0] == right[0] == "V" and difference(left[1], right[1]) > TOLERANCE:
                report.fail(a.line, "product: %s is not %s" % (a.part, b.part))


def all_settings(lesson, chosen, ends):
    base = {p.name: chosen.get(p.name, p.default) for p in lesson.params}
    settings = [("as given" if chosen else "defaults", base)]
    if ends:
        for p in lesson.params:
            if p.name not in chosen:
                for value in p.others():
                    settings.append(("%s=%s" % (p.name, value), dict(base, **{p.name: value})))
    return settings


def check_labels(lesson, data):
    """`name = file F` must name a file beside the lesson or among the data."""
    for line, text in lesson.labels:
        _, equals, names = text.partition("=")
        words = names.split()
        if not equals or not words:
            lesson.problem(line, "not a line of labels: '%s'" % text.strip())
        elif words[0] == "file" and not any(
                os.path.isfile(os.path.join(folder, " ".join(words[1:])))
                for folder in (os.path.dirname(os.path.abspath(lesson.path)), data)):
            lesson.problem(line, "no file '%s'" % " ".join(words[1:]))


def command_check(lesson, options):
    pieces = check_pieces(lesson)
    check_labels(lesson, options.data)
    for line, text in sorted(set(lesson.problems)):
        print("  FAIL %s:%d: %s" % (lesson.path, line, text))
    failures, seen = len(set(lesson.problems)), set()
    settings = all_settings(lesson, options.chosen, options.all_ends)
    runs = run_octave(lesson, pieces, [s for _, s in settings], options.seed_octave, options.random,
                      options.data)
    for k, ((label, setting), records) in enumerate(zip(settings, runs)):
        print("%s with %s (%s)" % (lesson.path, label,
                                   " ".join("%s=%s" % pair for pair in setting.items())))
        report = Report(k > 0 and not options.verbose, lesson.path, seen)
        report_run(report, lesson, pieces, records, strict=k == 0)
        print("  %d checks, %d skipped, %d failures" % (report.checks, report.skipped, report.failures))
    failures += len(seen)
    print("%s: %s" % (lesson.path, "%d FAILURES" % failures if failures else "all good"))
    return 1 if failures else 0


# ---- comparison with a dump ----------------------------------------------------------------

def difference(a, b):
    """Largest |a-b| over max(1, largest finite |a|, |b|); inf if sizes, NaN or Inf differ."""
    if a.shape != b.shape:
        return np.inf
    if a.size == 0:
        return 0.0
    fa, fb = np.isfinite(a), np.isfinite(b)
    if (fa != fb).any() or (np.isnan(a) != np.isnan(b)).any():
        return np.inf
    inf = np.isinf(a)
    if (a[inf] != b[inf]).any():
        return np.inf
    a, b = a[fa], b[fb]
    if a.size == 0:
        return 0.0
    return np.abs(a - b).max() / max(1.0, np.abs(a).max(), np.abs(b).max())


def compare_pieces(lesson):
    pieces = []
    for k, step in enumerate(lesson.steps):
        pieces.append(Piece("step", step.line, 'aw_put ("S", "%d", 0);' % k))
        for item in step.items:
            if item.kind != "code":
                continue
            try:
                statements = octave_code.split_statements(item.text)
            except CodeError as e:
                sys.exit("%s:%d: %s" % (lesson.path, item.line + e.line, e))
            if item.fold:
                source = "\n".join(s.source + ";" for s in statements)
                names = octave_code.names_bound(statements)
                # What every run of the fold assigns must be in the dump; a loop's variable, or a
                # name that only a body assigns and that was there before, may be.
                always = [s.name for s in statements if s.kind == "simple" and s.name]
                loops = [n for n in names if n not in octave_code.names_bound(statements, loops=False)]
                before = "".join('aw_was_%s = exist ("%s", "var");\n' % (n, n) for n in names)
                may, must = "", ""
                for name in names:
                    there = 'exist ("%s", "var")' % name
                    if name in loops:
                        may += 'if %s\n aw_loop ("%s", %s);\nend\n' % (there, name, name)
                    elif name in always:
                        must += 'aw_more ("%s", %s);\n' % (name, name)
                    else:
                        may += 'if aw_was_%s\n aw_loop ("%s", %s);\nend\n' % (name, name, name)
                        must += 'if %s && ! aw_was_%s\n aw_more ("%s", %s);\nend\n' % (
                            there, name, name, name)
                code = before + source + "\n" + may + 'aw_put ("B", "fold", 0);\n' + must
                pieces.append(Piece("code", item.line, code, True))
            else:
                for s in statements:
                    pieces.append(Piece("code", item.line + s.line, octave_code.instrument([s]), True))
    return pieces


class Frame:
    """What one executed assignment bound: must (names a dump has to list), may (loop variables)."""

    def __init__(self, step):
        self.step, self.must, self.may, self.strange = step, {}, {}, {}

    def put(self, where, kind, name, value):
        (self.strange if len(kind) > 1 else where)[name] = kind if value is None else value


def octave_frames(lesson, records):
    frames, step, loops = [], None, {}
    for kind, name, value in records:
        if kind == "S":
            step, loops = lesson.steps[int(name)].id, {}
        elif kind[0] == "F":
            frame = Frame(step)
            frame.may, loops = loops, {}
            frame.put(frame.must, kind, name, value)
            frames.append(frame)
        elif kind == "B":
            frames.append(Frame(step))
            frames[-1].may, loops = loops, {}
        elif kind[0] == "M":
            frames[-1].put(frames[-1].must, kind, name, value)
        elif kind[0] == "L":
            loops[name] = value
    return frames


def read_matrix(path, rows, cols):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    if rows * cols == 0:
        if any(line.strip() for line in lines):
            raise ValueError("numbers in a matrix of size %dx%d" % (rows, cols))
        return np.zeros((rows, cols))
    values = [[float(x) for x in line.split(",")] for line in lines]
    if len(values) != rows or any(len(row) != cols for row in values):
        raise ValueError("not %dx%d as the manifest says" % (rows, cols))
    return np.array(values)


def read_manifest(folder):
    """[(frame number, {name: row})] in file order."""
    frames = []
    with open(os.path.join(folder, "manifest.csv"), encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            if not row["file"]:
                continue
            if not frames or frames[-1][0] != row["frame"]:
                frames.append((row["frame"], {}))
            frames[-1][1][row["name"]] = row
    return frames


class Tally:
    """Per name: matrices compared, worst difference; and what disagreed."""

    def __init__(self):
        self.names, self.bad = {}, []

    def compare(self, folder, row, value):
        name = row["name"]
        count, worst = self.names.get(name, (0, 0.0))
        where = "frame %s, step %s, %s" % (row["frame"], row["step"], row["file"])
        try:
            ours = read_matrix(os.path.join(folder, row["file"]), int(row["rows"]), int(row["cols"]))
        except (OSError, ValueError) as e:
            self.bad.append("%s: %s" % (where, e))
            ours = np.zeros((0, 0))
        d = difference(ours, value)
        if not d <= TOLERANCE:
            self.bad.append("%s: %s" % (where, describe(ours, value)))
        self.names[name] = (count + 1, max(worst, d))


def describe(ours, theirs):
    if ours.shape != theirs.shape:
        return "size %dx%d, Octave has %dx%d" % (ours.shape + theirs.shape)
    unlike = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
    with np.errstate(invalid="ignore"):
        gap = np.abs(ours - theirs)
    gap[unlike & ~np.isfinite(gap)] = np.inf
    gap[~unlike] = 0
    i, j = np.unravel_index(np.argmax(gap), gap.shape)
    return "(%d,%d) is %.17g, Octave has %.17g" % (i + 1, j + 1, ours[i, j], theirs[i, j])


def command_compare(lesson, options):
    setting = all_settings(lesson, options.chosen, False)[0][1]
    pieces = compare_pieces(lesson)
    records = run_octave(lesson, pieces, [setting], 0, options.random, options.data)[0]
    tally = Tally()
    for kind, label, value in records:
        if kind == "E":
            piece = pieces[int(label)]
            tally.bad.append("%s:%d: Octave: %s" % (lesson.path, piece.line, value))
        elif kind == "U" and value[0, 0] != value[0, 1]:
            tally.bad.append("the code made %d draws, %d were recorded" % tuple(value[0]))
    theirs = [f for f in octave_frames(lesson, records) if f.must or f.may]
    for frame in theirs:
        tally.bad += ["step %s: %s is complex" % (frame.step, n)
                      for n, kind in frame.strange.items() if kind.endswith("c")]
    ours = read_manifest(options.dump)
    if len(ours) != len(theirs):
        tally.bad.append("%d frames in the dump, %d in Octave" % (len(ours), len(theirs)))
    for (number, rows), frame in zip(ours, theirs):
        values = dict(frame.may, **frame.must)
        missing = [n for n in frame.must if n not in rows]
        excess = [n for n in rows if n not in values]
        first = next(iter(rows.values()))
        step, folder = first["step"], first["file"].split("/")[0]
        if missing or excess or (frame.step and frame.step not in (step, folder)):
            tally.bad.append("frame %s binds %s in step %s, Octave %s in step %s" % (
                number, " ".join(rows), step, " ".join(frame.must), frame.step))
            break                       # from here on the frames would be held against the wrong ones
        for name, row in rows.items():
            tally.compare(options.dump, row, values[name])
    for name, (count, worst) in sorted(tally.names.items()):
        print("  %-16s %5d matrices, worst difference %.3g" % (name, count, worst))
    for text in tally.bad[:20]:
        print("  DIFFERENT " + text)
    if not tally.names and not tally.bad:
        tally.bad.append("nothing to compare")
    print("%s: %d matrices in %d frames, %s" % (
        lesson.path, sum(c for c, _ in tally.names.values()), len(ours),
        "%d DISAGREEMENTS" % len(tally.bad) if tally.bad else "all agree"))
    return 1 if tally.bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("check", "compare"))
    parser.add_argument("lesson")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--data", default=DATA, help="folder of load_csv's files (default: data/)")
    parser.add_argument("--random", help="folder that dump --random wrote")
    parser.add_argument("--dump", help="folder that dump -o wrote")
    parser.add_argument("--seed-octave", type=int, default=3)
    parser.add_argument("--all-ends", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="every run in full")
    options = parser.parse_args()
    lesson = read_lesson(options.lesson)
    options.chosen = dict(pair.split("=", 1) for pair in options.set)
    unknown = set(options.chosen) - {p.name for p in lesson.params}
    if unknown:
        parser.error("the lesson has no parameter " + ", ".join(sorted(unknown)))
    if options.command == "check":
        return command_check(lesson, options)
    if not options.dump:
        parser.error("compare needs --dump")
    return command_compare(lesson, options)


if __name__ == "__main__":
    sys.exit(main())
