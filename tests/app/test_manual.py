# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual page: man has nothing to warn of, and what the program knows stands in it."""
import os
import re
import subprocess
import unittest

import support
from support import Case, ROOT, environment, need_tool

SOURCES = os.path.join(ROOT, "src")


def plain(text):
    """Words with one blank between, signs as a keyboard has them."""
    return " ".join(text.replace("\u2026", "...").split())


def read_sources():
    for folder, _, names in os.walk(SOURCES):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".def")):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    yield f.read()


class Page(Case):
    @classmethod
    def setUpClass(cls):
        need_tool("man")
        cls.roff = subprocess.run([support.program, "manual"], stdout=subprocess.PIPE,
                                  check=True).stdout
        cls.done = subprocess.run(
            ["man", "--warnings=w", "-E", "UTF-8", "-l", "-"], input=cls.roff,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True,
            env=environment(MANWIDTH="1000", MAN_KEEP_FORMATTING=None, MANPAGER="cat", PAGER="cat"))
        cls.text = plain(cls.done.stdout.decode("utf-8"))

    def test_no_warnings(self):
        self.assertEqual(b"", self.done.stderr)

    def test_warnings_are_seen(self):
        done = subprocess.run(["man", "--warnings=w", "-l", "-"], input=self.roff + b".nosuch\n",
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True,
                              env=environment(MANPAGER="cat", PAGER="cat"))
        self.assertIn(b"nosuch", done.stderr)

    def test_ascii(self):
        self.assertTrue(self.roff.isascii())
        self.assertEqual(self.roff, self.run_ok("manual", "man").out)

    def test_sections(self):
        titles = re.findall(rb"(?m)^\.SH (.*)$", self.roff)
        self.assertEqual([b"NAME", b"SYNOPSIS", b"DESCRIPTION", b"COMMANDS", b"OPTIONS", b"PLACES",
                          b"KEYS", b"EXIT STATUS", b"ENVIRONMENT", b"FILES", b"EXAMPLES", b"NOTES",
                          b"SEE ALSO"], titles)

    def commands(self):
        names = re.findall(r"(?m)^  ([a-z]+)  ", self.run_ok("--help").text)
        self.assertIn("dump", names)
        return names

    def test_commands(self):
        for name in self.commands():
            usage, help_text = self.run_ok(name, "--help").text.split("\n\n")[:2]
            arguments = usage.split("[OPTION]...")[1]
            self.assertIn(plain("%s%s %s" % (name, arguments, help_text)), self.text)

    def test_options(self):
        for name in self.commands():
            rows = self.run_ok(name, "--help").text.split("\n\n", 2)[2]
            for row in re.split(r"\n(?=  {1,5}-)", rows):
                self.assertIn(plain(row), self.text)
                self.assertRegex(row, r"\A\s+(-\w, )?--")

    def test_options_name_their_commands(self):
        for name in self.commands():
            help_text = self.run_ok(name, "--help").text
            options = set(re.findall(r"(?m)^ +(?:-\w, )?(--[a-z-]+)", help_text))
            tagged = re.search(r" %s( \S+)? [A-Z].*?Options: ([-a-z, ]*)\." % name, self.text)
            named = set(tagged.group(2).split(", ")) if options != {"--help"} else set()
            self.assertEqual(options - {"--help"}, named, name)

    def test_actions(self):
        with open(os.path.join(SOURCES, "app", "actions.def"), encoding="utf-8") as f:
            rows = re.findall(r'(?m)^ACTION\(\w+,\s*\w+,\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"\)',
                              f.read())
        self.assertGreater(len(rows), 40)
        for keys, name, help_text in rows:
            keys = re.sub(r"C-(\w)", lambda m: "Ctrl-" + m.group(1).upper(), keys)
            self.assertIn(plain("%s %s: %s" % (keys, name, help_text)), self.text)

    def test_every_action_was_read(self):
        with open(os.path.join(SOURCES, "app", "actions.def"), encoding="utf-8") as f:
            rows = len(re.findall(r"(?m)^ACTION\(", f.read()))
        keys = self.roff.split(b".SH KEYS")[1].split(b".SH ")[0]
        self.assertEqual(rows, keys.count(b".TP"))

    def test_environment(self):
        section = self.text.split(" ENVIRONMENT ")[1].split(" FILES ")[0]
        names = {name for text in read_sources() for name in re.findall(r'getenv\("(\w+)"\)', text)}
        self.assertIn("NO_COLOR", names)
        for name in names:
            self.assertIn(name, section)

    def test_refusals(self):
        self.refused(2, "not 'troff'", "manual", "troff")


if __name__ == "__main__":
    support.main()
