# SPDX-License-Identifier: GPL-3.0-or-later
"""The same bytes in every locale, one with a decimal comma included.  Needs localedef."""
import os
import shutil
import subprocess
import tempfile

import support
from support import BAD_INPUTS, Case, attnwalk, environment

LOCALES = ("C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "zh_CN.GB18030", "nosuch_XX.UTF-8")
COMMANDS = (
    ["dump", "brackets", "-m", "Y1"], ["dump", "recurrent", "--long"],
    ["dump", "brackets", "-m", "Y1", "--format", "json", "--set", "n=9"], ["list", "--json"], ["list"],
    ["eval", "[pi 1.5; 1e-300 NaN]"], ["eval", "sqrt(x)", "--set", "x=2.25"],
    ["eval", "A", "--load", "A=" + os.path.join(BAD_INPUTS, "csv-17-digit-round-trip.csv")],
    ["eval", "A=[1.5 2]*[0.25;3]", "--explain", "(1,1)", "--cost"], ["check", "brackets"],
    ["read", "brackets"],
)


def make_locales(folder):
    """de_DE and zh_CN in folder, or the test is skipped by name."""
    support.need_tool("localedef")
    for name, source, charset in (("de_DE.UTF-8", "de_DE", "UTF-8"),
                                  ("zh_CN.GB18030", "zh_CN", "GB18030")):
        done = subprocess.run(["localedef", "-i", source, "-f", charset, os.path.join(folder, name)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if not os.path.exists(os.path.join(folder, name, "LC_NUMERIC")):
            shutil.rmtree(folder)
            support.skip_all("localedef cannot make %s: %s" % (name, done.stdout.decode().strip()))


class Locale(Case):
    def test_the_same_bytes(self):
        for command in COMMANDS:
            seen = {}
            for name in LOCALES:
                result = attnwalk(*command, env=environment(LC_ALL=name, LANG=name, LOCPATH=folder))
                self.assertEqual(0, result.code, (command, name, result.talk))
                seen[name] = result.out
            self.assertEqual(1, len(set(seen.values())), (command, name))

    def test_a_decimal_comma_is_refused_everywhere(self):
        path = os.path.join(BAD_INPUTS, "csv-decimal-comma-with-semicolons.csv")
        talks = {self.refused(1, path + ":1:", "eval", "A", "--load", "A=" + path,
                              env=environment(LC_ALL=name, LOCPATH=folder)).talk
                 for name in LOCALES}
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
