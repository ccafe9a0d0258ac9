# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs of the language, mostly well typed, for octave_differential.py.

A program is built from the shape that is wanted down to variables and numbers, so that most of
them run; now and then a shape is chosen wrongly, so that refusals are compared too.  A program
is of one of three kinds, which say how its values must agree with Octave's:

    whole    whole numbers; every operation is exact, matrix products too     to the bit
    exact    any numbers, and operations that are exact or have one order     to the bit
    loose    also division by matrices, products, elementary functions        to a tolerance

In a loose program what is inexact never reaches an operation that jumps (a comparison, floor,
an index)."""
import random

# Functions that are given anything, and how many arguments.
ANY = {"abs": "1", "sign": "1", "floor": "1", "round": "1", "isnan": "1", "rows": "1",
       "columns": "1", "numel": "1", "isempty": "1", "trace": "1", "size": "12", "sum": "12",
       "prod": "12", "any": "12", "all": "12", "cumsum": "12", "cumprod": "12", "diag": "12",
       "tril": "12", "triu": "12", "find": "12", "sort": "12", "max": "12", "min": "12",
       "zeros": "12", "ones": "12", "eye": "12", "mod": "2", "kron": "2", "dot": "2",
       "repmat": "23", "reshape": "23", "circshift": "23", "linspace": "3", "NaN": "2", "true": "2"}
NAMES = ["A", "B", "C", "x", "y", "z", "k", "u"]
MOST = 5        # rows and columns


class Variable:
    def __init__(self, rows, cols, logical=False, exact=True, whole=False,
                 counts=False):
        self.rows, self.cols, self.logical, self.exact = rows, cols, logical, exact
        self.counts = counts    # the counter of a while
        self.whole = whole      # entries are whole numbers from 1 up: it may be an index


class Program:
    """One program: .text, .kind, .names (the variables it may have bound)."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.kind = self.r.choice(["whole", "whole", "exact", "exact", "loose"])
        self.variables, self.functions = {}, {}
        self.wild = self.r.choice([0, 0, 0.01, 0.05])
        self.careless = self.kind != "loose" and self.r.random() < 0.3     # leaves brackets out
        self.inexact = False        # what is being built may be inexact
        lines = [self.declare() for _ in range(self.r.randint(1, 3))]
        lines += [self.statement(2) for _ in range(self.r.randint(0, 4))]
        rows, cols = self.shape()
        lines.append("r = %s" % self.top(rows, cols))
        self.names = sorted(set(self.variables) | {"r", "v", "w"})
        self.text = "".join(line + self.r.choice([";\n", ";\n", "; ", "\n"])
                            if not line.endswith("\n") else line for line in lines)

    # ---- choices ----

    def chance(self, p):
        return self.r.random() < p

    def size(self):
        return self.r.choice([0, 1, 1, 2, 2, 3, 3, 4, MOST])

    def shape(self):
        return self.r.choice([(1, 1), (1, self.size()), (self.size(), 1),
                              (self.size(), self.size()), (self.size(), self.size())])

    def strayed(self, rows, cols):
        """The shape that is wanted; rarely another one."""
        return self.shape() if self.chance(self.wild) else (rows, cols)

    def op(self, a, sign, b):
        gap = self.r.choice(["", " ", " ", " "])
        if b[0] in "+-":
            gap = " "       # a--b would be a decrement
        text = a + gap + sign + gap + b
        return text if self.careless and self.chance(0.5) else "(%s)" % text

    # ---- statements ----

    def top(self, rows, cols, depth=3):
        self.inexact = self.kind == "loose" and self.chance(0.8)
        return self.value(rows, cols, depth)

    def bind(self, name, rows, cols, exact=True):
        self.variables[name] = Variable(rows, cols, exact=exact)

    def declare(self):
        name = self.r.choice(NAMES)
        rows, cols = self.shape()
        if self.chance(0.15):
            text = self.logical(rows, cols, 1)
            self.variables[name] = Variable(rows, cols, logical=True)
            return "%s = %s" % (name, text)
        if self.chance(0.15) and rows * cols:
            low = self.r.randint(1, 3)
            text = self.matrix(rows, cols, lambda: str(self.r.randint(1, low + 2)))
            self.variables[name] = Variable(rows, cols, whole=True)
            return "%s = %s" % (name, text)
        text = self.literal(rows, cols)
        self.bind(name, rows, cols)
        return "%s = %s" % (name, text)

    def statement(self, depth):
        kinds = [self.assign, self.assign, self.assign, self.assign_index, self.assign_index,
                 self.op_assign, self.grow, self.declare, self.handle]
        if self.kind != "loose":
            kinds += [self.anything, self.anything]
        if depth:
            kinds += [self.loop, self.branch, self.count_up]
        kind = self.r.choice(kinds)
        return kind(depth) if kind in (self.loop, self.branch, self.count_up) else kind()

    def assign(self):
        name = self.r.choice(NAMES)
        rows, cols = self.shape()
        text = self.top(rows, cols)
        self.bind(name, rows, cols, not self.inexact)
        return "%s = %s" % (name, text)

    def some(self, test=lambda v: True):
        """The name of a variable that passes the test, or None."""
        names = [n for n in sorted(self.variables) if test(self.variables[n])]
        return self.r.choice(names) if names else None

    def target(self, test=lambda v: True):
        """The same for a variable that may change."""
        return self.some(lambda v: not v.counts and test(v))

    def assign_index(self):
        name = self.target(lambda v: v.rows * v.cols > 0)
        if not name:
            return self.assign()
        v = self.variables[name]
        form = self.r.randint(0, 5)
        v.logical = v.whole = False
        self.inexact = self.kind == "loose" and not v.exact
        if form == 0:
            return "%s(%s, %s) = %s" % (name, self.scalar_index(v.rows), self.scalar_index(v.cols),
                                        self.value(1, 1, 1))
        if form == 1:
            return "%s(:, %s) = %s" % (name, self.scalar_index(v.cols),
                                       self.value(*self.r.choice([(v.rows, 1), (1, 1)]), 1))
        if form == 2:
            return "%s(%s, :) = %s" % (name, self.scalar_index(v.rows),
                                       self.value(*self.r.choice([(1, v.cols), (1, 1)]), 1))
        if form == 3:
            return "%s(%s) = %s" % (name, self.scalar_index(v.rows * v.cols), self.value(1, 1, 1))
        if form == 4:
            return "%s(%s) = %s" % (name, self.logical(v.rows, v.cols, 1), self.value(1, 1, 1))
        rows, cols = self.r.randint(1, v.rows), self.r.randint(1, v.cols)
        return "%s(%s, %s) = %s" % (name, self.index(rows, v.rows), self.index(cols, v.cols),
                                    self.value(rows, cols, 1))

    def argument(self):
        """Any variable, or a small number."""
        name = self.some()
        if name and self.chance(0.6):
            return self.r.choice([name, name, name, name + "'", name + "(:)", name + "(:, 1)"])
        return self.r.choice(["0", "1", "2", "3", "-1", "[]", "[1 2]", "[2; 1]", "1.5", "NaN",
                              "true", "zeros(0, 3)", "zeros(1, 0)", "1:3", "(1:2)'", "[3 -1 2; 0 1 5]"])

    def anything(self):
        """A call, an index or an operator without regard for shapes; bound to v or w."""
        r = self.r
        form = r.randint(0, 9)
        name = self.some()
        if form <= 5:
            function = r.choice(sorted(ANY))
            count = int(r.choice(ANY[function]))
            text = "%s(%s)" % (function, ", ".join(self.argument() for _ in range(count)))
            if self.chance(0.2):
                text += "(%s)" % r.choice(["1", "end", ":", "end, 1", "1, :", "[1 1]"])
        elif form == 6 and name:
            text = "%s(%s)" % (name, r.choice([self.argument(), name + " > 0",
                                               "%s, %s" % (self.argument(), self.argument())]))
        elif form == 7:
            text = "[%s]" % r.choice([", ", " ", "; ", "\n"]).join(
                self.argument() for _ in range(r.randint(1, 3)))
        elif form == 8 and name and not self.variables[name].counts:
            del self.variables[name]
            return "%s = [1 2; 3 4]; %s(%s) = %s" % (name, name, r.choice(
                [self.argument(), "%s, %s" % (self.argument(), self.argument())]), self.argument())
        else:
            signs = ["+", "-", ".*", "<", "==", "&", "|", "*"] + \
                ([".^"] if self.kind == "whole" else ["./"])
            sign = r.choice(signs)
            if sign == "*" and self.kind != "whole":
                sign = "+"
            text = "%s %s %s" % (self.argument(), sign, self.argument())
        return "%s = %s" % (r.choice("vw"), text)

    def grow(self):
        name = self.target()
        if not name:
            return self.assign()
        v = self.variables[name]
        v.logical = v.whole = False
        self.inexact = self.kind == "loose" and not v.exact
        if v.rows <= 1 and self.chance(0.5):
            v.rows, v.cols = 1, v.cols + 1
            return "%s(end+1) = %s" % (name, self.value(1, 1, 1))
        if self.chance(0.5):
            cols, v.rows = v.cols, v.rows + 1
            return "%s(end+1, :) = %s" % (name, self.value(1, cols, 1))
        i, j = self.r.randint(1, v.rows + 2), self.r.randint(1, v.cols + 2)
        v.rows, v.cols = max(v.rows, i), max(v.cols, j)
        return "%s(%d, %d) = %s" % (name, i, j, self.value(1, 1, 1))

    def op_assign(self):
        name = self.target(lambda v: v.exact or self.kind == "loose")
        if not name:
            return self.assign()
        v = self.variables[name]
        v.logical = v.whole = False
        self.inexact = self.kind == "loose" and not v.exact
        sign = self.r.choice(["+=", "-=", "*="] + (["/="] if self.kind != "whole" else []))
        value = self.number() if sign in ("*=", "/=") else self.value(v.rows, v.cols, 1)
        return "%s %s %s" % (name, sign, value)

    def handle(self):
        name = self.r.choice("fgh")
        kept, self.variables = self.variables, dict(self.variables)
        for p in "st":
            self.variables[p] = Variable(2, 3)
        self.inexact = False
        self.functions.pop(name, None)
        body = self.value(2, 3, 1)
        self.variables = kept
        self.functions[name] = True
        return "%s = @(s, t) %s" % (name, body)

    def body(self, depth):
        lines = [self.statement(depth - 1) for _ in range(self.r.randint(1, 2))]
        return "".join("  %s;\n" % line.rstrip("\n").rstrip(";") for line in lines)

    def loop(self, depth):
        name = self.r.choice(["p", "q", "k"])
        if self.chance(0.2):
            rows, cols = self.shape()
            over = self.value_exact(rows, cols, 1)
            self.variables[name] = Variable(rows, 1)
        else:
            over = "1:%d" % self.r.randint(0, 3)
            self.variables[name] = Variable(1, 1, whole=True)
        return "for %s = %s\n%send\n" % (name, over, self.body(depth))

    def branch(self, depth):
        text = "if %s\n%s" % (self.condition(), self.body(depth))
        if self.chance(0.3):
            text += "elseif %s\n%s" % (self.condition(), self.body(depth))
        if self.chance(0.6):
            text += "else\n" + self.body(depth)
        return text + "end\n"

    def count_up(self, depth):
        name = "n%d" % depth        # a counter that nothing in the body assigns to
        self.variables[name] = Variable(1, 1, counts=True)
        return "%s = 0;\nwhile %s < %d\n  %s += 1;\n%send\n" % (
            name, name, self.r.randint(0, 3), name, self.body(depth))

    def condition(self):
        return self.logical(*(self.shape() if self.chance(0.2) else (1, 1)), 1)

    # ---- numbers ----

    def number(self):
        r = self.r
        if self.kind == "whole":
            text = str(r.choice([0, 1, 1, 2, 3, 4, 5, 7, 9, 10]))
            special = ["NaN", "Inf", "-Inf", "-0"]
        else:
            text = r.choice(["0", "1", "2", "3", "0.5", "0.1", "2.5", "1e3", "0.3", "7", "1/3",
                             ".25", "3.", "12.75", "1e-3"])
            special = ["NaN", "Inf", "-Inf", "-0"] if self.kind == "exact" else ["pi", "e", "eps"]
        if self.chance(0.05):
            return r.choice(special)
        return "-" + text if self.chance(0.3) else text

    def matrix(self, rows, cols, entry):
        comma = self.r.choice([", ", " ", ","])
        semicolon = self.r.choice(["; ", ";", "\n", " ;"])
        return "[%s]" % semicolon.join(comma.join(entry() for _ in range(cols))
                                       for _ in range(rows))

    def literal(self, rows, cols):
        if rows * cols == 0:
            return self.r.choice(["zeros(%d, %d)", "ones(%d, %d)"]) % (rows, cols) \
                if rows + cols or self.chance(0.5) else "[]"
        if rows == cols == 1 and self.chance(0.7):
            return self.number() if not self.careless else self.number().replace("-", "")
        if rows == 1 and self.chance(0.15):
            low, step = self.r.randint(-3, 3), self.r.choice([1, 1, 1, 2, -1])
            high = low + step * (cols - 1)
            return "(%d:%d)" % (low, high) if step == 1 else "(%d:%d:%d)" % (low, step, high)
        return self.matrix(rows, cols, self.number)

    # ---- indices ----

    def scalar_index(self, n):
        if self.chance(0.03):
            return self.r.choice(["0", str(n + 1), "1.5", "-1", "end + 1", "NaN"])
        k = self.r.randint(1, max(n, 1))
        return self.r.choice([str(k), str(k), "end" if n == k else "end - %d" % (n - k),
                              "min(%d, %d)" % (k, k + 1)])

    def index(self, count, n):
        """An index of count of n."""
        options = []
        if count == n:
            options += [":", ":", "1:end"]
        if count == 1:
            options += [self.scalar_index(n)] * 2
        if 0 < count <= n:
            low = self.r.randint(1, n - count + 1)
            options += ["%d:%d" % (low, low + count - 1)]
            where = set(self.r.sample(range(n), count))
            options += ["[%s] > 0" % " ".join("1" if i in where else "0" for i in range(n))]
        if n and count:
            options += ["[%s]" % self.r.choice([" ", ", ", "; "]).join(
                str(self.r.randint(1, n)) for _ in range(count))] * 2
        if count == 0:
            options += ["[]", "zeros(1, 0)", "1:0"]
        return self.r.choice(options) if options else ":"

    # ---- logical values ----

    def logical(self, rows, cols, depth):
        r = self.r
        rows, cols = self.strayed(rows, cols)
        name = self.some(lambda v: v.logical and (v.rows, v.cols) == (rows, cols))
        if name and self.chance(0.3):
            return name
        a, b = self.broadcast(rows, cols)
        form = r.randint(0, 9)
        if depth <= 0 or form <= 3:
            sign = r.choice(["<", "<=", ">", ">=", "==", "!=", "~="])
            return self.op(self.value_exact(*a, depth - 1), sign, self.value_exact(*b, depth - 1))
        if form <= 5:
            return self.op(self.logical(*a, depth - 1), r.choice("&|"),
                           self.logical(*b, depth - 1))
        if form == 6:
            return r.choice("!~") + self.logical(rows, cols, depth - 1)
        if form == 7 and (rows, cols) == (1, 1):
            return self.op(self.logical(*self.r.choice([(1, 1), self.shape()]), depth - 1),
                           r.choice(["&&", "||"]), self.logical(1, 1, depth - 1))
        if form == 8:
            return "%s(%s)" % (r.choice(["isnan", "isinf", "isfinite"]),
                               self.value_exact(rows, cols, depth - 1))
        if form == 9 and rows == 1:
            return "%s(%s, 1)" % (r.choice(["any", "all"]),
                                  self.value_exact(self.size(), cols, depth - 1))
        if form == 9 and cols == 1:
            return "%s(%s, 2)" % (r.choice(["any", "all"]),
                                  self.value_exact(rows, self.size(), depth - 1))
        return "%s(%d, %d)" % (r.choice(["true", "false"]), rows, cols)

    # ---- values ----

    def broadcast(self, rows, cols):
        """Two shapes that an entry-by-entry operation takes to rows x cols."""
        a, b = [rows, cols], [rows, cols]
        if self.chance(0.3):
            for shape in self.r.choice([(a,), (b,)]):
                for k in (0, 1):
                    if self.chance(0.6):
                        shape[k] = 1
        elif self.chance(0.1):
            a[0], b[1] = 1, 1
        return tuple(a), tuple(b)

    def value_exact(self, rows, cols, depth):
        kept, self.inexact = self.inexact, False
        text = self.value(rows, cols, depth)
        self.inexact = kept
        return text

    def value(self, rows, cols, depth):
        rows, cols = self.strayed(rows, cols)
        fits = lambda v: (v.rows, v.cols) == (rows, cols) and (v.exact or self.inexact)
        name = self.some(fits)
        if name and self.chance(0.35 if depth > 0 else 0.7):
            return name
        if depth <= 0:
            return self.literal(rows, cols)
        makers = [self.entrywise] * 5 + [self.signed, self.transposed, self.indexed, self.indexed,
                                         self.joined, self.reduced, self.reduced, self.running,
                                         self.moved, self.moved, self.made, self.stepped,
                                         self.number_of, self.called, self.linear_indexed]
        if self.kind == "whole" or self.inexact:
            makers += [self.product] * 3
        if self.inexact:
            makers += [self.smooth] * 3 + [self.solved]
        return self.r.choice(makers)(rows, cols, depth - 1) or self.literal(rows, cols)

    def entrywise(self, rows, cols, depth):
        a, b = self.broadcast(rows, cols)
        signs = ["+", "-", ".*", "+", "-"] + (["./"] if self.kind != "whole" else [])
        sign = self.r.choice(signs)
        if a == (1, 1) or b == (1, 1):
            sign = self.r.choice([sign, "*"])
        if self.chance(0.1):
            return "%s(%s, %s)" % (self.r.choice(["max", "min"]), self.value(*a, depth),
                                   self.value(*b, depth))
        if self.kind == "whole" and self.chance(0.1):
            power = "^" if (rows, cols) == (1, 1) and self.chance(0.5) else ".^"
            return self.op(self.value(rows, cols, depth), power, self.r.choice("0123"))
        return self.op(self.value(*a, depth), sign, self.value(*b, depth))

    def signed(self, rows, cols, depth):
        text = self.value(rows, cols, depth)
        return self.r.choice(["-%s", "-%s", "+%s", "abs(%s)"]) % (
            "(%s)" % text if text[0] in "+-" else text)

    def transposed(self, rows, cols, depth):
        text = self.value(cols, rows, depth)
        return ("%s'" if text.isalnum() or text[-1] in ")]" and text[0] in "([" else "(%s)'") % text

    def source(self, exact=False):
        """(text, rows, cols) of something that can be indexed."""
        name = self.some(lambda v: v.rows * v.cols > 0 and (v.exact or self.inexact))
        if name:
            v = self.variables[name]
            return name, v.rows, v.cols
        rows, cols = self.r.randint(1, 4), self.r.randint(1, 4)
        return "(%s)" % self.literal(rows, cols), rows, cols

    def indexed(self, rows, cols, depth):
        text, n, m = self.source()
        return "%s(%s, %s)" % (text, self.index(rows, n), self.index(cols, m))

    def linear_indexed(self, rows, cols, depth):
        text, n, m = self.source()
        if rows == 1 and (n == 1 or m > 1):
            return "%s(%s)" % (text, self.index(cols, n * m))
        if cols == 1 and self.chance(0.5):
            return self.r.choice(["%s(:)(%s)", "%s(%s)(:)"]) % (text, self.index(rows, n * m))
        if n > 1 and m > 1 and rows * cols:
            return "%s(%s)" % (text, self.matrix(rows, cols,
                                                 lambda: str(self.r.randint(1, n * m))))
        return None

    def joined(self, rows, cols, depth):
        if self.chance(0.5) and cols > 1:
            k = self.r.randint(0, cols)
            parts, sign = [(rows, k), (rows, cols - k)], self.r.choice([", ", " "])
        elif rows > 1:
            k = self.r.randint(0, rows)
            parts, sign = [(k, cols), (rows - k, cols)], self.r.choice(["; ", "\n"])
        else:
            return None
        return "[%s]" % sign.join(self.value(*p, depth) for p in parts)

    def reduced(self, rows, cols, depth):
        function = self.r.choice(["sum", "sum", "mean", "prod", "max", "min"])
        if self.kind == "whole" and function == "mean":
            function = "sum"
        n = self.size() if not self.chance(0.1) else 0
        if rows == 1 and self.chance(0.5):
            shape, dim = (n, cols), 1
        elif cols == 1:
            shape, dim = (rows, n), 2
        elif rows == 1:
            shape, dim = (n, cols), 1
        else:
            return None
        first = 1 if shape[0] != 1 else 2      # the dimension that is meant without saying so
        text = self.value(*shape, depth)
        if dim == first and self.chance(0.5):
            return "%s(%s)" % (function, text)
        return ("%s(%s, [], %d)" if function in ("max", "min") else "%s(%s, %d)") % (
            function, text, dim)

    def running(self, rows, cols, depth):
        return "%s(%s%s)" % (self.r.choice(["cumsum", "cumsum", "cumprod"]),
                             self.value(rows, cols, depth), self.r.choice(["", ", 1", ", 2"]))

    def moved(self, rows, cols, depth):
        r = self.r
        form = r.randint(0, 7)
        if form == 0:
            return "%s(%s%s)" % (r.choice(["tril", "triu"]), self.value(rows, cols, depth),
                                 r.choice(["", ", -1", ", 1", ", 2"]))
        if form == 1:
            return "circshift(%s, %d%s)" % (self.value(rows, cols, depth), r.randint(-3, 3),
                                            r.choice(["", ", 1", ", 2"]))
        if form == 2:
            return "sort(%s%s)" % (self.value_exact(rows, cols, depth),
                                   r.choice(["", ", 1", ", 2", ", 'descend'", ", 2, 'descend'"]))
        if form == 3:
            a = r.choice([k for k in range(1, rows + 1) if rows % k == 0] or [0])
            b = r.choice([k for k in range(1, cols + 1) if cols % k == 0] or [0])
            if a * b:
                return "repmat(%s, %d, %d)" % (self.value(a, b, depth), rows // a, cols // b)
        if form == 4:
            cells = rows * cols
            a = r.choice([k for k in range(1, cells + 1) if cells % k == 0 and k <= 25] or [0])
            if a:
                return r.choice(["reshape(%s, %d, %d)", "reshape(%s, [%d, %d])"]) % (
                    self.value(a, cells // a, depth), rows, cols)
        if form == 5 and cols == 1 and rows:
            return "diag(%s)" % self.value(rows, rows + r.randint(0, 1), depth)
        if form == 6 and rows == cols and rows > 1:
            return "diag(%s)" % self.value(*r.choice([(1, rows), (rows, 1)]), depth)
        if form == 7 and rows * cols and rows % 2 == 0:
            return "kron(%s, %s)" % (self.value(2, 1, depth), self.value(rows // 2, cols, depth))
        return None

    def made(self, rows, cols, depth):
        r = self.r
        shape = (rows, cols)
        if rows == cols and self.chance(0.3):
            return r.choice(["zeros(%d)", "ones(%d)", "eye(%d)"]) % rows
        if self.chance(0.2):
            return r.choice(["zeros([%d, %d])", "ones([%d %d])", "NaN(%d, %d)",
                             "Inf(%d, %d)"]) % shape
        if self.chance(0.2) and self.variables:
            name = self.some()
            v = self.variables[name]
            if (v.rows, v.cols) == shape:
                return r.choice(["zeros(size(%s))", "ones(size(%s))"]) % name
        if rows == 1 and cols > 0 and self.kind != "whole":
            return "linspace(%s, %s, %d)" % (self.number(), self.number(), cols) \
                if self.inexact else None
        return r.choice(["zeros(%d, %d)", "ones(%d, %d)", "eye(%d, %d)"]) % shape

    def stepped(self, rows, cols, depth):
        """Functions that jump: of what is exact only."""
        r = self.r
        if self.kind == "loose" and self.chance(0.5):
            return None
        form = r.randint(0, 3)
        if form == 0:
            return self.op(self.logical(rows, cols, depth), r.choice(["+", "*", "-"]),
                           self.value(1, 1, 0))
        if form == 1:
            return "mod(%s, %s)" % (self.value_whole(rows, cols, depth), r.choice("0234"))
        return "%s(%s)" % (r.choice(["floor", "ceil", "round", "sign"]),
                           self.value_exact(rows, cols, depth))

    def value_whole(self, rows, cols, depth):
        return self.value_exact(rows, cols, depth) if self.kind == "whole" else \
            "floor(%s)" % self.value_exact(rows, cols, depth)

    def number_of(self, rows, cols, depth):
        r = self.r
        if (rows, cols) == (1, 2) and self.chance(0.5):
            return "size(%s)" % self.value(*self.shape(), depth)
        if (rows, cols) != (1, 1):
            return None
        of = self.value_exact(*self.shape(), depth)
        return r.choice(["numel(%s)", "rows(%s)", "columns(%s)", "size(%s, 1)", "size(%s, 2)",
                         "isempty(%s)", "numel(find(%s))", "sum(find(%s)(:))", "trace(%s)"]) % of

    def called(self, rows, cols, depth):
        if not self.functions or not self.chance(0.5):
            return None
        return "%s(%s, %s)" % (self.r.choice(sorted(self.functions)),
                               self.value_exact(2, 3, depth), self.value_exact(2, 3, depth))

    def product(self, rows, cols, depth):
        k = self.size()
        return self.op(self.value(rows, k, depth), "*", self.value(k, cols, depth))

    def smooth(self, rows, cols, depth):
        r = self.r
        text = self.value(rows, cols, depth)
        form = r.randint(0, 6)
        if form == 0:
            return "sqrt(abs(%s))" % text
        if form == 1:
            return "log(abs(%s) + 1)" % text
        if form == 2:
            return "(%s .^ %s)" % (text, r.choice(["2", "3", "0"]))
        if form == 3:
            return "exp(-abs(%s))" % text
        if form == 4 and (rows, cols) == (1, 1):
            return "norm(%s%s)" % (self.value(*self.shape(), depth),
                                   r.choice(["", ", 1", ", Inf", ", 'fro'"]))
        if form == 5:       # of large numbers the last digit decides: of exact ones only
            return "%s(%s)" % (r.choice(["sin", "cos"]), self.value_exact(rows, cols, depth))
        return "tanh(%s)" % text

    def solved(self, rows, cols, depth):
        kept, self.inexact = self.inexact, False
        n = self.r.choice([rows, cols]) or 1
        matrix = "(%s + %d * eye(%d))" % (self.matrix(n, n, lambda: str(self.r.randint(0, 2))),
                                          3 * n + 1, n)
        self.inexact = kept
        if n == rows:
            return "(%s \\ %s)" % (matrix, self.value(rows, cols, depth))
        return "(%s / %s)" % (self.value(rows, cols, depth), matrix) if n == cols else None
