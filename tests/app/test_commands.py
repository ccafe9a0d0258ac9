# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line itself: options, help, exit statuses, streams."""
import json
import os
import subprocess

import support
from support import Case, LESSON_IDS, ROOT, attnwalk, environment

COMMANDS = ["list", "claims", "glossary", "dump", "check", "eval", "read", "new"]
ARGUMENT = {"list": [], "claims": [], "glossary": [], "dump": ["brackets"],
            "check": ["brackets"], "eval": ["1"], "read": ["brackets"], "new": ["mine"]}


class Top(Case):
    def test_help(self):
        text = self.run_ok("--help").text
        for command in COMMANDS:
            self.assertRegex(text, r"(?m)^  %s  " % command)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))
        self.assertEqual(text, self.run_ok("-h").text)

    def test_version(self):
        self.assertRegex(self.run_ok("--version").text, r"\Aattnwalk \d+\.\d+\.\d+\n\Z")

    def test_nothing(self):
        self.refused(2, "usage: attnwalk")

    def test_unknown(self):
        for word in ("nosuch", "--nosuch", "-x", "", "--hel", "Eval"):
            result = self.refused(2, "'%s'" % word, word)
            self.assertEqual(1, result.talk.count("\n"))


class Options(Case):
    def test_help_of_each(self):
        for command in COMMANDS:
            for option in ("--help", "-h"):
                result = self.run_ok(command, option)
                self.assertTrue(result.text.startswith("usage: attnwalk %s" % command))
                self.assertIn("--help", result.text)
                self.assertTrue(all(len(line) <= 80 for line in result.lines), result.text)

    def test_help_lists_only_what_the_command_takes(self):
        self.assertIn("--explain", self.run_ok("eval", "--help").text)
        self.assertNotIn("--explain", self.run_ok("dump", "--help").text)

    def test_unknown_option(self):
        for command in COMMANDS:
            for option in ("--nosuch", "-Z", "--nosuch=3"):
                word = option.split("=")[0]
                result = self.refused(2, "unknown option '%s'" % word, command, option,
                                      *ARGUMENT[command])
                self.assertEqual(1, result.talk.count("\n"))
                self.assertIn("attnwalk %s:" % command, result.talk)

    def test_another_command_s_option(self):
        self.refused(2, "unknown option '--json'", "dump", "brackets", "--json")

    def test_abbreviations_are_refused(self):
        for word in ("--expl=(1,1)", "--see=3", "--hel", "--cos"):
            self.refused(2, "unknown option '%s'" % word.split("=")[0], "eval", word, "1")
        self.refused(2, "unknown option '--form'", "eval", "1", "--form")

    def test_arguments_of_options(self):
        self.refused(2, "'--seed' needs an argument", "eval", "1", "--seed")
        self.refused(2, "'-m' needs an argument", "dump", "brackets", "-m")
        self.refused(2, "'--cost' takes no argument", "eval", "--cost=1", "1")
        self.refused(2, "given twice", "eval", "--seed", "1", "--seed", "2", "1")
        self.refused(2, "not 'n'", "eval", "--set", "n", "1")
        self.refused(2, "not '=8'", "eval", "--set", "=8", "1")
        self.refused(2, "not 'q.csv'", "eval", "--load", "q.csv", "1")
        self.refused(2, "csv, json or npy, not 'xml'", "eval", "--format", "xml", "1")
        for seed in ("x", "-1", "1.5", "", "1e99", "nan"):
            self.refused(2, "--seed takes a whole number", "eval", "1", "--seed", seed)
        self.refused(2, "go with --explain", "eval", "1", "--depth", "2")
        self.refused(2, "not for --explain", "eval", "1", "--cost", "--format", "csv")

    def test_number_of_arguments(self):
        for command in ("dump", "eval", "read", "new"):
            self.refused(2, "is missing", command)
            self.refused(2, "one argument too many: 'b'", command, "a", "b")
        self.refused(2, "one argument too many: 'b'", "list", "b")

    def test_where_options_stand(self):
        expected = self.run_ok("eval", "n+1", "--set", "n=2").text
        self.assertEqual(expected, self.run_ok("eval", "--set", "n=2", "n+1").text)
        self.assertEqual(expected, self.run_ok("eval", "--set=n=2", "--", "n+1").text)
        self.assertEqual("-4\n", self.run_ok("eval", "--", "-2^2").text)
        strict = environment(POSIXLY_CORRECT="1")
        self.assertEqual(expected, self.run_ok("eval", "n+1", "--set", "n=2", env=strict).text)

    def test_control_characters_in_messages(self):
        result = self.refused(2, "", "eval", "\x1b[31m", "\x1b[31m")
        self.assertNotIn("\x1b", result.talk)
        result = self.refused(1, "", "eval", "\x1b[31m")
        self.assertNotIn("\x1b", result.talk)
        result = self.refused(1, "", "eval", "1", "--load", "Q=\x1b[31m")
        self.assertNotIn("\x1b", result.talk)
        result = self.refused(1, "", "dump", "brackets", "-m", "\x1b[31m")
        self.assertNotIn("\x1b", result.talk)


class Streams(Case):
    def shell(self, line):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line, "bash", support.program],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment(), timeout=support.DEADLINE, check=False)
        return support.Result(done)

    def test_closed_pipe_ends_quietly(self):
        result = self.shell('"$1" eval "randn(2000,50)" | head -1')
        self.assertEqual((0, "", 1), (result.code, result.talk, len(result.lines)))

    def test_full_disk(self):
        for arguments in (["eval", "1:3"], ["list"], ["list", "--json"], ["claims"],
                          ["glossary", "--json"], ["check", "brackets"],
                          ["dump", "brackets", "-m", "Y1"], ["dump", "brackets", "--long"],
                          ["read", "brackets"], ["--help"], ["--version"], ["eval", "--help"]):
            with open("/dev/full", "wb") as full:
                result = attnwalk(*arguments, stdout=full)
            self.assertEqual(1, result.code, arguments)
            self.assertIn("cannot write: No space left on device", result.talk)

    def test_closed_descriptors(self):
        result = self.shell('"$1" eval 1:3 >&-')
        self.assertEqual(1, result.code)
        self.assertIn("cannot write", result.talk)
        self.assertEqual("3\n", self.shell('"$1" eval 1+2 <&-').text)
        self.assertEqual("3\n", self.shell('"$1" eval 1+2 2>&-').text)
        self.assertEqual(1, self.shell('"$1" eval - <&-').code)
        self.assertEqual(1, self.shell('"$1" eval 1+ 2>&-').code)

    def test_no_memory(self):
        """One door for running out of memory: a line, exit 1."""
        if support.is_sanitized():
            self.skipTest("a sanitized build has no limit on its address space")
        result = self.shell('ulimit -v 200000; "$1" eval "ones(20000,20000);"')
        self.assertEqual((1, ""), (result.code, result.text))
        self.assertIn("out of memory", result.talk)


class List(Case):
    def test_text(self):
        text = self.run_ok("list").text
        for name in LESSON_IDS:
            self.assertRegex(text, r"(?m)^%s: " % name)

    def test_json(self):
        lessons = json.loads(self.run_ok("list", "--json").text)
        self.assertEqual(LESSON_IDS, sorted(lesson["id"] for lesson in lessons))
        for lesson in lessons:
            self.assertTrue(lesson["title"] and lesson["about"])
            with open(os.path.join(ROOT, "lessons", lesson["id"] + ".md"), encoding="utf-8") as f:
                source = f.read()
            for step in lesson["steps"]:
                self.assertIn("{#%s}" % step["id"], source)
        brackets = next(lesson for lesson in lessons if lesson["id"] == "brackets")
        n = next(p for p in brackets["parameters"] if p["name"] == "n")
        self.assertEqual(("integer", 6, 1, 64),
                         (n["kind"], n["default"], n["low"], n["high"]))

    def test_a_broken_lesson_does_not_hide_the_others(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, "lessons"))
        os.symlink(os.path.join(ROOT, "data"), os.path.join(home, "data"))
        os.symlink(os.path.join(ROOT, "lessons", "brackets.md"),
                   os.path.join(home, "lessons", "brackets.md"))
        self.write("home/lessons/alas.md", "no front matter\n")
        result = attnwalk("list", "--json", env=environment(ATTNWALK_HOME=home))
        self.assertEqual(1, result.code)
        self.assertIn("alas.md:", result.talk)
        self.assertEqual(["brackets"], [lesson["id"] for lesson in json.loads(result.text)])

    def test_no_home(self):
        self.refused(1, "nowhere", "list", env=environment(ATTNWALK_HOME="/nowhere"))


class New(Case):
    def test_skeleton_passes_check(self):
        result = attnwalk("new", "my-lesson", cwd=self.folder)
        self.assertEqual((0, ""), (result.code, result.text))
        self.assertIn("my-lesson.md", result.talk)
        result = self.run_ok("check", "./my-lesson.md", cwd=self.folder)
        self.assertRegex(result.text, r"\Amy-lesson  3 steps, 2 checks, 1 prediction, 1 question, "
                                      r"\d+ settings: ok\n\Z")
        self.assertEqual(4, len(self.run_ok("dump", "./my-lesson.md", "-m", "A",
                                            cwd=self.folder).lines))

    def test_refusals(self):
        self.refused(2, "is a command", "new", "eval", cwd=self.folder)
        for name in ("", "A", "a b", "9", "../x", "a/b", "-", "é"):
            self.refused(2, "a lesson's name is", "new", name, cwd=self.folder)
        self.write("mine.md", "kept")
        self.refused(1, "mine.md: this file is there already", "new", "mine", cwd=self.folder)
        with open(self.path("mine.md"), encoding="utf-8") as f:
            self.assertEqual("kept", f.read())
        self.assertEqual(["mine.md"], os.listdir(self.folder))


if __name__ == "__main__":
    support.main()
