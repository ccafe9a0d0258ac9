# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold tests/lang/expressions.txt against GNU Octave.

    expressions_octave.py [FILE]

Every case runs in one octave-cli process, each in the scope of its own
function call.  A value must agree in size, class and to 1e-12 relative; an
`!` case must fail with a message that contains the one written; a `!!` case
must not fail; a `!!x` case must fail, in whatever words.  A message that
begins with `parse error` asks only that Octave fails too, since Octave's own
has several lines.  Exits 1 on any disagreement and names the line, 77 where
there is no octave-cli.

The format of the file is described at its top.
"""

import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 1e-12
SKIPPED = 77                # what ctest takes for a skipped test
ADDRESS_SPACE = 6 << 30     # so that zeros(65536, 65537) fails instead of swapping

HARNESS = r"""
1;
function run_case (number__, prefix__, last__, name__, whole__)
  global result_file__
  fflush (result_file__);
  value__ = [];
  try
    if isempty (last__)
      eval (whole__);
      fprintf (result_file__, "%d ran\n", number__);
      return;
    elseif isempty (name__)
      eval (prefix__);
      eval (["value__ = " last__ "\n;"]);
    else
      eval (whole__);
      value__ = eval (name__);
    end
    fprintf (result_file__, "%d value %s %d %d %d", number__, class (value__), ...
             iscomplex (value__), rows (value__), columns (value__));
    if isnumeric (value__) || islogical (value__)
      fprintf (result_file__, " %.17g", real (double (full (value__))).');
    end
    fprintf (result_file__, "\n");
  catch error__
    fprintf (result_file__, "%d error %s\n", number__, ...
             strrep (strrep (error__.message, "\\", "\\\\"), "\n", "\\n"));
  end
end
"""


class Case:
    """One program with what is expected of it; kind is =, !, !! or !!x."""

    def __init__(self, line, program):
        self.line = line            # of the file, where the program starts
        self.program = program
        self.kind = None
        self.expected = None


def parse_value(text):
    """'logical 1x2 [1 0]' -> (is logical, rows, columns, numbers row by row)."""
    match = re.fullmatch(r'(logical )?(\d+)x(\d+) \[(.*)\]', text)
    if not match:
        raise ValueError('not a value: ' + text)
    rows, columns = int(match[2]), int(match[3])
    body = match[4].strip()
    table = [row.split() for row in body.split(';')] if body else []
    numbers = [float(word) for row in table for word in row]
    if len(numbers) != rows * columns or any(len(row) != columns for row in table):
        raise ValueError('the numbers do not fill %dx%d: %s' % (rows, columns, text))
    return bool(match[1]), rows, columns, numbers


def set_outcome(case, line):
    """Read the line that ends a case."""
    if line.startswith('= '):
        case.kind, case.expected = '=', parse_value(line[2:])
        return
    match = re.fullmatch(r'(!!x|!!|!) (\d+):(\d+): (.+)', line)
    if not match:
        raise ValueError('neither a value nor a message: ' + line)
    case.kind, case.expected = match[1], match[4]
    lines = case.program.split('\n')
    row, column = int(match[2]), int(match[3])
    if not (1 <= row <= len(lines) and 1 <= column <= len(lines[row - 1]) + 1):
        raise ValueError('place outside the program: ' + line)


def read_cases(path):
    cases, program, start = [], [], 0
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file.read().split('\n'), 1):
            if line.startswith('>> ') or line == '>>':
                if not program:
                    start = number
                program.append(line[3:])
            elif program:
                case = Case(start, '\n'.join(program))
                try:
                    set_outcome(case, line)
                except ValueError as error:
                    sys.exit('%s:%d: %s' % (path, number, error))
                cases.append(case)
                program = []
            elif line and not line.startswith('#'):
                sys.exit('%s:%d: no program before this line' % (path, number))
    if program:
        sys.exit('%s:%d: a program without an outcome' % (path, start))
    return cases


def skip_quoted(text, at):
    """The index after the string or comment that starts at `at`, or `at` if none does."""
    if text[at] in '%#':
        end = text.find('\n', at)
        return len(text) if end < 0 else end
    if text.startswith('...', at):
        end = text.find('\n', at)
        return len(text) if end < 0 else end + 1
    if text[at] == '"' or (text[at] == "'" and
                           (at == 0 or not re.match(r"[\w)\]}'.]", text[at - 1]))):
        end = text.find(text[at], at + 1)
        return len(text) if end < 0 else end + 1
    return at


def last_statement(program):
    """(what comes before, the last statement, the name it assigns or '').

    Cuts at separators outside brackets; the cases end with a statement that is
    no block, which is all this needs to tell apart."""
    depth, at, cut, cuts = 0, 0, 0, [0]
    while at < len(program):
        after = skip_quoted(program, at)
        if after > at:
            at = after
            continue
        if program[at] in '([{':
            depth += 1
        elif program[at] in ')]}':
            depth -= 1
        elif depth == 0 and program[at] in ';,\n':
            cuts.append(at + 1)
        at += 1
    for cut in reversed(cuts):
        rest = program[cut:]
        if re.sub(r'[%#].*', '', rest).strip(' \t\n;,'):
            break
    statement = re.sub(r'[;,\s]+$', '', rest) if not re.search(r'[%#]', rest) else rest
    match = re.match(r'\s*([A-Za-z_]\w*)\s*(\([^=]*\))?\s*([-+*/^]?=)(?!=)', statement)
    return program[:cut], statement, match[1] if match else ''


def quote(text):
    table = {'\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r'}
    return '"' + ''.join(table.get(c, c) for c in text) + '"'


def run_octave(cases):
    """What Octave makes of each case: its number -> ('value'|'error'|'ran', rest)."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, 'cases.m')
        results = os.path.join(folder, 'results')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(HARNESS)
            file.write('global result_file__\nresult_file__ = fopen (%s, "w");\n' % quote(results))
            for number, case in enumerate(cases):
                before, last, name = last_statement(case.program)
                if case.kind != '=':
                    last = ''
                file.write('run_case (%d, %s, %s, %s, %s);\n' % (
                    number, quote(before), quote(last), quote(name), quote(case.program)))
            file.write('fclose (result_file__);\n')
        done = subprocess.run(
            ['octave-cli', '--norc', '--quiet', '--no-history', script],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                  (ADDRESS_SPACE, ADDRESS_SPACE)))
        if not os.path.exists(results):
            sys.exit(done.stderr.decode(errors='replace'))
        outcomes = {}
        with open(results, encoding='utf-8', errors='replace') as file:
            for line in file:
                number, what, *rest = line.rstrip('\n').split(' ', 2)
                rest = re.sub(r'\\(.)', lambda m: '\n' if m[1] == 'n' else m[1],
                              rest[0] if rest else '')
                outcomes[int(number)] = (what, rest)
        return outcomes


def value_disagreement(expected, rest):
    """Why Octave's value differs from the expected one, or ''."""
    logical, rows, columns, numbers = expected
    kind, is_complex, got_rows, got_columns, *words = rest.split()
    if kind not in ('double', 'logical') or is_complex != '0':
        return 'Octave has a %s%s' % ('complex ' if is_complex != '0' else '', kind)
    if (kind == 'logical') != logical:
        return 'Octave has class ' + kind
    if (int(got_rows), int(got_columns)) != (rows, columns):
        return 'Octave has %sx%s' % (got_rows, got_columns)
    # fprintf with an empty argument prints its format once, without a number
    for want, word in zip(numbers, words):
        got = float(word)
        if math.isnan(want) or math.isnan(got):
            same = math.isnan(want) and math.isnan(got)
        elif math.isinf(want) or math.isinf(got):
            same = want == got
        else:
            same = abs(want - got) <= TOLERANCE * max(abs(want), abs(got))
        if not same:
            return 'Octave has %s where %r is expected' % (word, want)
    return '' if len(words) == len(numbers) else 'Octave printed %d numbers' % len(words)


def disagreement(case, outcome):
    """Why the case and Octave's outcome differ, or ''."""
    if outcome is None:
        return 'Octave stopped before this case'
    what, rest = outcome
    if case.kind == '=':
        return value_disagreement(case.expected, rest) if what == 'value' else 'Octave: ' + rest
    if case.kind == '!!':
        return '' if what == 'ran' else 'Octave refuses too: ' + rest
    if what != 'error':
        return 'Octave does not fail'
    if case.kind == '!!x' or case.expected.startswith('parse error') or case.expected in rest:
        return ''
    return 'Octave says: ' + rest


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'expressions.txt')
    cases = read_cases(path)
    if shutil.which('octave-cli') is None:
        print('expressions: octave-cli is not installed, nothing was compared')
        sys.exit(SKIPPED)
    outcomes = run_octave(cases)
    counts, wrong = {'=': 0, '!': 0, '!!': 0, '!!x': 0}, 0
    for number, case in enumerate(cases):
        why = disagreement(case, outcomes.get(number))
        if why:
            wrong += 1
            print('%s:%d: %s' % (path, case.line, why))
        else:
            counts[case.kind] += 1
    print('expressions: %d values, %d errors, %d refusals agree with Octave' % (
        counts['='], counts['!'], counts['!!'] + counts['!!x']))
    if wrong:
        print('expressions: %d disagree' % wrong)
    sys.exit(1 if wrong or not cases else 0)


if __name__ == '__main__':
    main()
