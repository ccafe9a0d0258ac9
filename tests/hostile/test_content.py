# SPDX-License-Identifier: GPL-3.0-or-later
"""Content cannot act: for every way into the program and every way out of it, no control
character, nothing that reorders text and nothing invisible comes out.

A way in is a hole of the lesson below, a file, a name, an argument or a variable; each is filled
with every kind of payload; each lesson that results goes through every command."""
import os
import shutil

from hostile import Run, combined, main, support, what_is_wrong
from payload import FAILING, LESSON, NAMES, PAYLOADS, fill, holes, npy
from support import Case, environment

# The ways out of a lesson called m that stands in the home, from the folder above it.
WAYS_OUT = {
    "show": ["show", "m", "--notes", "--color=always"],
    "show --ascii --roles": ["show", "m:words:1", "--ascii", "--roles", "--size", "40x200"],
    "show --projector": ["show", "m:words:2", "--projector"],
    "read": ["read", "m", "--notes"],
    "read --ascii": ["read", "m", "--ascii", "--width", "20"],
    "check": ["check", "m"],
    "check by path": ["check", "lessons/m.md"],
    "list": ["list"], "list --json": ["list", "--json"], "list --places": ["list", "--places"],
    "list --ascii": ["list", "--ascii"],
    "glossary": ["glossary"], "glossary --json": ["glossary", "--json"],
    "dump --long": ["dump", "m", "--long"],
    "dump -m": ["dump", "lessons/m.md:words", "-m", "nosuch"],
    "dump -o": ["dump", "m", "-o", "out"],
}


# … of which one asks for what there is not, and these do not read the lesson whole.
NEVER_ACCEPTED = ("dump -m", "list", "list --json", "list --places", "list --ascii", "glossary", "glossary --json")


class Content(Case):
    runs = 0
    seen = 0  # streams in which a payload is to be seen

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("lessons"))
        os.mkdir(self.path("data"))
        self.write("lessons/a.csv", "1,2\n")

    def judge(self, run, what):
        """Ended by itself, said nothing that acts, and refused with nothing on stdout."""
        Content.runs += 1
        self.assertFalse(run.late, what)
        self.assertIn(run.code, (0, 1, 2), (what, run.err[-2000:]))
        for stream in (run.out, run.err):
            self.assertIsNone(what_is_wrong(stream, colors=True), (what, stream[:4000]))
            Content.seen += "\u241b".encode() in stream or b"<U+202E>" in stream
        return run

    def run_here(self, what, *arguments, **options):
        changes = options.pop("changes", {})
        env = environment(**{"ATTNWALK_HOME": self.folder, **changes})
        return self.judge(Run(list(arguments), cwd=self.folder, env=env, **options), what)

    def way_out(self, what, name):
        run = self.run_here(what + (name,), *WAYS_OUT[name])
        if name == "dump -o" and run.code == 0:
            self.judge_folder(what)
        shutil.rmtree(self.path("out"), True)
        return run

    def judge_folder(self, what):
        """What a dump writes is data, but names and statements in it come from the lesson."""
        for folder, _, files in os.walk(self.path("out")):
            for name in files:
                path = os.path.join(folder, name)
                self.assertIsNone(what_is_wrong(path.encode()), what)
                with open(path, "rb") as f:
                    self.assertIsNone(what_is_wrong(f.read()), what + (path,))


class Lessons(Content):
    def test_the_lesson_itself_is_good(self):
        self.write("lessons/m.md", fill(LESSON, {}))
        for name, arguments in WAYS_OUT.items():
            run = self.run_here((name,), *arguments)
            wanted = 1 if name == "dump -m" else 0
            self.assertEqual(wanted, run.code, (name, run.err.decode()))
        self.write("lessons/m.md", fill(FAILING, {}))
        run = self.run_here(("failing",), "check", "m")
        self.assertEqual((1, b""), (run.code, run.out))

    def test_every_hole(self):
        self.assertGreater(len(holes()), 55)
        accepted, refused = set(), set()
        for hole, kind, name in combined(holes(), PAYLOADS, WAYS_OUT, release=7, debug=17):
            self.write("lessons/m.md", fill(LESSON, {hole: PAYLOADS[kind]}))
            with self.subTest(hole=hole, kind=kind, name=name):
                run = self.way_out((hole, kind), name)
            if name not in NEVER_ACCEPTED:
                (accepted if run.code == 0 else refused).add(hole)
        self.assertGreater(len(accepted), 25)
        self.assertGreater(len(refused), 15)
        self.assertGreater(self.seen, 20)

    def test_failing_checks(self):
        for kind, payload in PAYLOADS.items():
            for hole in ("sentence", "condition", "label", "step", "comment"):
                self.write("lessons/m.md", fill(FAILING, {hole: payload}))
                self.run_here((hole, kind), "check", "m")


class Files(Content):
    """What stands in files beside the lesson, and what they are called."""

    def fill_files(self, **fillings):
        self.write("lessons/m.md", fill(LESSON, {k: v for k, v in fillings.items()}))

    def test_data(self):
        contents = {
            "text": lambda p: p, "cell": lambda p: b"1,2\n3," + p + b"\n",
            "header": lambda p: p + b",b\n1,2\n", "quoted": lambda p: b'"' + p + b'",1\n',
            "shape": lambda p: npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1" + p + b"), }"),
            "type": lambda p: npy(b"{'descr': '" + p + b"', 'fortran_order': False, 'shape': (1, 1), }"),
            "key": lambda p: npy(b"{'" + p + b"': 1}"),
        }
        path = "lessons/x"
        in_code, in_labels = {"string": b"x"}, {"labels": b"more = file x", "rows": b"rows=more"}
        ways = ((in_code, ["check", "m"]), (in_code, ["show", "m:words"]), ({}, ["eval", "A", "--load", "A=" + path]),
                ({}, ["eval", "load_csv('%s')" % path]), ({}, ["show", "m", "--load", "Q=" + path]),
                ({}, ["show", "m:words?Q=@" + path]), (in_labels, ["check", "m"]), (in_labels, ["read", "m"]),
                (in_labels, ["show", "m", "--color=always"]))
        for kind, form, (fillings, arguments) in combined(PAYLOADS, contents, ways, debug=2):
            with self.subTest(what=(kind, form, arguments)):
                self.write(path, contents[form](PAYLOADS[kind]))
                self.fill_files(**fillings)
                self.run_here((kind, form, *arguments), *arguments)

    def test_translations_course_and_claims(self):
        parts = (("translation", "lessons/m.zh.md", lambda p: fill(LESSON, {"title": p, "prose": p, "label": p})),
                 ("translation of words", "lessons/m.zh.md", lambda p: p),
                 ("a translated sentence", "lessons/m.zh.md", lambda p: b"---\ntitle: " + p + b"\nabout: " + p +
                  b"\n---\n\n## S {#words}\n\n" + p + b"\n\n```check\n" + p + b"\n```\n\n## " + p + b" {#x}\n"),
                 ("course", "lessons/course", lambda p: p + b"\n"),
                 ("course with m", "lessons/course", lambda p: b"m\n# " + p + b"\nm" + p + b"\n"),
                 ("claims", "data/claims.csv", lambda p: b"number,section,documents,claim,verdict,place\n" +
                  b",".join([b"C1", b'"s ' + p + b'"', b'"D1 ' + p + b'"', b'"t ' + p + b'"', b"UNCHECKABLE",
                             b'"r ' + p + b'"']) + b"\n"),
                 ("claims' verdict", "data/claims.csv", lambda p: b"number,section,documents,claim,verdict,place\n" +
                  b'"' + p + b'",s,D1,c,"' + p + b'",p\n'),
                 ("claims' place", "data/claims.csv", lambda p: b"number,section,documents,claim,verdict,place\n" +
                  b'"' + p + b'",s,D1,c,TRUE,"' + p + b'"\n'),
                 ("claims' header", "data/claims.csv", lambda p: p))
        ways = (["check"], ["check", "m"], ["list"], ["list", "--json"], ["list", "--places"], ["claims"],
                ["claims", "--json"], ["claims", "--ascii"], ["glossary"], ["claims", "D1"], ["show", "m:words"])
        self.fill_files()
        for kind, (name, path, content), arguments in combined(PAYLOADS, parts, ways, debug=7):
            with self.subTest(what=(name, kind, arguments)):
                self.write(path, content(PAYLOADS[kind]))
                self.run_here((name, kind, *arguments), *arguments)
                os.unlink(self.path(path))

    def test_names_of_files(self):
        lesson, data = fill(LESSON, {}), b"1,2\n"
        for kind, payload in NAMES.items():
            with self.subTest(kind=kind):
                folder = os.fsencode(self.path("lessons"))
                for name, content in ((payload + b".md", lesson), (payload + b".csv", data),
                                      (b"m.md", fill(LESSON, {"labels": b"x = file " + payload + b".csv",
                                                              "string": payload + b".csv"}))):
                    with open(os.path.join(folder, name), "wb") as f:
                        f.write(content)
                    try:
                        os.symlink(name, os.path.join(folder, payload))
                    except FileExistsError:
                        pass
                path = b"lessons/" + payload
                for arguments in (["check", path + b".md"], ["show", path + b".md", "--notes"],
                                  ["read", path + b".md"], ["show", path + b".md:words:1"],
                                  ["show", path + b".md:nosuch"], ["dump", path + b".md", "--long"],
                                  ["dump", path + b".md", "-m", "nosuch"], ["check"], ["list"],
                                  ["list", "--json"], ["list", "--places"], ["check", "m"], ["read", "m"],
                                  ["check", path], ["check", b"nosuch/" + payload + b".md"],
                                  ["eval", "A", "--load", b"A=" + path + b".csv", "--explain", "A(1,1)"],
                                  ["eval", "A", "--load", b"A=" + path + b".md"],
                                  ["show", "m:words", "--load", b"Q=" + path + b".csv"],
                                  ["dump", "m", "-m", "A", "-o", path + b".csv"],
                                  ["dump", "m", "-o", b"lessons"], ["dump", "m", "-o", payload],
                                  ["dump", "m", "--random", payload],
                                  ["dump", path + b".md", "--long", "--load", b"Q=" + path + b".nosuch"]):
                    self.run_here((kind, *arguments), *arguments)
                    shutil.rmtree(os.path.join(os.fsencode(self.folder), payload), True)
                for entry in os.listdir(folder):
                    os.unlink(os.path.join(folder, entry))


# What takes an argument, and where in it a payload can stand.
ARGUMENTS = [
    ["%"], ["nosuch%"], ["show", "%"], ["show", "m%"], ["show", "m:%"], ["show", "m:words:%"], ["show", "m:words:1.%"],
    ["show", "m?%"], ["show", "m?n=%"], ["show", "m?%=1"], ["show", "m?Q(1,%)=1"], ["show", "m?Q=@%"],
    ["show", "m?phi=%"], ["show", "m", "--set", "%"], ["show", "m", "--set", "n=%"], ["show", "m", "--set", "%=1"],
    ["show", "m", "--load", "%"], ["show", "m", "--load", "Q=%"], ["show", "m", "--load", "%=lessons/a.csv"],
    ["show", "m", "--size", "%"], ["show", "m", "--color", "%"], ["show", "m", "--theme", "%"],
    ["show", "m", "%"], ["show", "m", "--%"], ["show", "m", "-%"], ["show", "m", "--size=%"], ["show", "m", "--ascii=%"],
    ["read", "%"], ["read", "m:%"], ["read", "m", "--width", "%"], ["check", "%"], ["check", "m", "%.md"], ["check", "./%"],
    ["dump", "m", "-m", "%"], ["dump", "m", "--long", "-m", "%"], ["dump", "%", "-m", "Q"],
    ["dump", "m", "--format", "%"], ["dump", "m", "-o", "nosuch/%"], ["dump", "m", "--random", "nosuch/%"],
    ["eval", "%"], ["eval", "A = 1 + %"], ["eval", "'%'"], ["eval", "load_csv('%')"], ["eval", "% %"], ["eval", "x%=1"],
    ["eval", "f = @(x) x; f('%')"], ["eval", "1", "--set", "%"], ["eval", "1", "--set", "x=%"], ["eval", "1", "--load", "%"],
    ["eval", "1", "--load", "x=%"], ["eval", "1", "--explain", "%"], ["eval", "1", "--explain", "A(%)"],
    ["eval", "x=1 %", "--explain", "x(1,1)"], ["eval", "1", "--seed", "%"], ["eval", "1", "--format", "%"],
    ["eval", "1", "--explain", "(1)", "--depth", "%"], ["eval", "1", "--explain", "(1)", "--digits", "%"],
    ["claims", "%"], ["glossary", "%"], ["manual", "%"], ["manual", "%", "%"], ["new", "%"], ["new", "a%"], ["list", "%"],
    ["list", "--%"], ["open", "%"], ["open", "m:%"], ["open", "m", "--theme", "%"], ["%", "--help"], ["help", "%"],
]


class Arguments(Content):
    def setUp(self):
        super().setUp()
        self.write("lessons/m.md", fill(LESSON, {}))

    def test_every_argument(self):
        for words, kind in combined(ARGUMENTS, NAMES, debug=3):
            arguments = [word.encode().replace(b"%", NAMES[kind]) for word in words]
            with self.subTest(what=(words, kind)):
                self.run_here((words, kind), *arguments)

    def test_statements_from_standard_input(self):
        forms = (b"%", b"x = [1 2 %];", b"x = 1; %% %\nx", b"load_csv('%')", b"'%'", b"%('a')", b"x.%")
        for kind, form, more in combined(PAYLOADS, forms, ([], ["--explain", "(1,1)", "--cost"]), debug=3):
            with self.subTest(what=(kind, form)):
                self.run_here((kind, form), "eval", "-", *more, stdin=form.replace(b"%", PAYLOADS[kind]))

    def test_variables(self):
        names = ("LANG", "LC_ALL", "LANGUAGE", "TERM", "COLUMNS", "LINES", "NO_COLOR", "COLORFGBG", "COLORTERM",
                 "XDG_STATE_HOME", "HOME", "PATH", "PWD", "ATTNWALK_HOME", "TMPDIR", "POSIXLY_CORRECT", "TERMINFO")
        ways = (["list"], ["show", "m:words", "--color=always"], ["check", "nosuch"], ["open", "m"], ["--help"],
                ["manual"], ["manual", "bash"], ["manual", "zsh"], ["manual", "fish"])
        for name, kind, arguments in combined(names, NAMES, ways, debug=11):
            with self.subTest(what=(name, kind, arguments)):
                self.run_here((name, kind, *arguments), *arguments, changes={name: os.fsdecode(NAMES[kind])})

    def test_what_completes_command_lines(self):
        for arguments in (["manual"], ["manual", "man"], ["manual", "bash"], ["manual", "zsh"], ["manual", "fish"],
                          ["--help"], ["show", "--help"], ["--version"]):
            self.assertEqual(0, self.run_here(arguments, *arguments).code)


if __name__ == "__main__":
    main()
