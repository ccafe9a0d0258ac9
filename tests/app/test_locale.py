# SPDX-License-Identifier: GPL-3.0-or-later
"""The same bytes in every locale, one with a decimal comma included.  Needs localedef."""
import os
import shutil
import subprocess
import tempfile

import support
from support import BAD_INPUTS, Case, attnwalk, environment

LOCALES = ("C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "zh_CN.UTF-8", "zh_CN.GB18030", "nosuch_XX.UTF-8")
FEW = ("C", "de_DE.UTF-8", "zh_CN.GB18030")  # for a sanitized build, which is slow
CSV = os.path.join(BAD_INPUTS, "csv-17-digit-round-trip.csv")
# Every command that opens no terminal, and each of its forms.
COMMANDS = (
    ["dump", "brackets", "-m", "Y1"], ["dump", "recurrent", "--long"],
    ["dump", "brackets", "-m", "Y1", "--format", "json", "--set", "n=9"],
    ["dump", "brackets", "-m", "Y1", "--format", "npy"],
    ["list"], ["list", "--json"], ["list", "--places"], ["list", "--ascii"],
    ["eval", "[pi 1.5; 1e-300 NaN]"], ["eval", "sqrt(x)", "--set", "x=2.25"], ["eval", "A", "--load", "A=" + CSV],
    ["eval", "[0.1 1.5]", "--format", "json"],
    ["eval", "A=[1.5 2]*[0.25;3]", "--explain", "(1,1)", "--cost"],
    ["eval", "A=[1.5 2]*[0.25;3]", "--explain", "(1,1)", "--ascii", "--digits", "7"],
    ["check", "brackets"], ["read", "brackets"], ["read", "delta", "--notes", "--width", "60"],
    ["read", "delta", "--ascii"], ["show", "delta"], ["show", "interference:split", "--color=always", "--theme", "light"],
    ["show", "interference:split", "--ascii", "--roles"], ["show", "delta:write?beta=0.25", "--projector"],
    ["claims"], ["claims", "D4", "--json"], ["claims", "--ascii"], ["glossary"], ["glossary", "--json"],
    ["glossary", "--ascii"], ["manual", "man"], ["manual", "bash"], ["manual", "zsh"], ["manual", "fish"],
    ["--help"], ["--version"], ["show", "--help"],
)
# … and what is refused, with its exit status.
REFUSED = ((1, ["show", "nosuch.md"]), (1, ["eval", "1,5 +"]), (1, ["eval", "[1 2]*[3 4]"]), (1, ["show", "delta:nosuch"]),
           (2, ["show", "delta", "--size", "1,5x3"]), (2, ["nosuch"]), (1, ["show", "delta", "--set", "beta=1,5"]),
           (1, ["check", os.path.join(BAD_INPUTS, "lesson-unclosed-math.md")]))


def make_locales(folder):
    """de_DE and zh_CN in folder, or the test is skipped by name."""
    support.need_tool("localedef")
    for name, source, charset in (("de_DE.UTF-8", "de_DE", "UTF-8"), ("zh_CN.UTF-8", "zh_CN", "UTF-8"),
                                  ("zh_CN.GB18030", "zh_CN", "GB18030")):
        done = subprocess.run(["localedef", "-i", source, "-f", charset, os.path.join(folder, name)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if not os.path.exists(os.path.join(folder, name, "LC_NUMERIC")):
            shutil.rmtree(folder)
            support.skip_all("localedef cannot make %s: %s" % (name, done.stdout.decode().strip()))


def locales():
    return FEW if support.is_sanitized() else LOCALES


class Locale(Case):
    def test_the_same_bytes(self):
        for command in COMMANDS:
            seen = {}
            for name in locales():
                result = attnwalk(*command, env=environment(LC_ALL=name, LANG=name, LOCPATH=folder), raw=True)
                self.assertEqual((0, ""), (result.code, result.talk), (command, name))
                seen[name] = result.out
            self.assertEqual(1, len(set(seen.values())), command)

    def test_the_same_refusals(self):
        for code, command in REFUSED:
            seen = set()
            for name in locales():
                result = attnwalk(*command, env=environment(LC_ALL=name, LANG=name, LOCPATH=folder))
                self.assertEqual((code, ""), (result.code, result.text), (command, name))
                seen.add(result.talk)
            self.assertEqual(1, len(seen), (command, seen))

    def test_a_folder(self):
        """dump -o writes the same files."""
        seen = set()
        for name in locales():
            out = self.path("out-" + name)
            self.run_ok("dump", "brackets", "-o", out, env=environment(LC_ALL=name, LANG=name, LOCPATH=folder))
            files = sorted(os.path.join(at, file) for at, _, names in os.walk(out) for file in names)
            self.assertGreater(len(files), 10)
            content = []
            for file in files:
                with open(file, "rb") as f:
                    content.append((os.path.relpath(file, out), f.read()))
            seen.add(tuple(content))
        self.assertEqual(1, len(seen))

    def test_a_decimal_comma_is_refused_everywhere(self):
        path = os.path.join(BAD_INPUTS, "csv-decimal-comma-with-semicolons.csv")
        talks = {self.refused(1, path + ":1:", "eval", "A", "--load", "A=" + path,
                              env=environment(LC_ALL=name, LOCPATH=folder)).talk
                 for name in locales()}
        self.assertEqual(1, len(talks))
        self.refused(1, "neither a number", "eval", "x", "--set", "x=1,5",
                     env=environment(LC_ALL="de_DE.UTF-8", LOCPATH=folder))

    def test_the_locale_has_a_decimal_comma(self):
        """What the other tests rest on: a program that asks gets one."""
        done = subprocess.run(["locale", "decimal_point"], stdout=subprocess.PIPE, check=False,
                              env=environment(LC_ALL="de_DE.UTF-8", LOCPATH=folder))
        self.assertEqual(b",\n", done.stdout)


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="attnwalk-locales-")
    make_locales(folder)
    try:
        support.main()
    finally:
        shutil.rmtree(folder, True)
