# SPDX-License-Identifier: GPL-3.0-or-later
"""README.md: every ```text block that begins with `$ attnwalk …` shows what that command prints.
With --update behind the program the blocks are rewritten."""
import os
import re
import shlex
import sys

import support

README = os.path.join(support.ROOT, "README.md")
BLOCK = re.compile(r"^```text\n\$ attnwalk ([^\n]*)\n(.*?)^```$", re.M | re.S)


def printed(arguments):
    """What the command prints, without blanks at the ends of lines."""
    result = support.attnwalk(*shlex.split(arguments))
    assert result.code == 0, result.talk
    return "".join(line.rstrip() + "\n" for line in result.text.splitlines())


def updated(text):
    return BLOCK.sub(lambda m: "```text\n$ attnwalk %s\n%s```" % (m[1], printed(m[1])), text)


class Readme(support.Case):
    def test_blocks(self):
        with open(README, encoding="utf-8") as file:
            text = file.read()
        self.assertGreaterEqual(len(BLOCK.findall(text)), 3)
        self.assertEqual(updated(text), text)

    def test_packages_are_in_one_place(self):
        """README and .ci name no package: .ci/packages does."""
        with open(os.path.join(support.ROOT, ".ci", "packages"), encoding="utf-8") as file:
            packages = [line.split()[1] for line in file if line[0] not in "#\n"]
        self.assertIn("libgsl-dev", packages)
        for name in ("README.md", ".ci/run", ".ci/test", ".ci/open"):
            with open(os.path.join(support.ROOT, name), encoding="utf-8") as file:
                self.assertNotIn("-dev", file.read(), name)


if __name__ == "__main__":
    if sys.argv[2:] == ["--update"]:
        support.program = sys.argv[1]
        with open(README, encoding="utf-8") as readme:
            content = readme.read()
        with open(README, "w", encoding="utf-8") as readme:
            readme.write(updated(content))
    else:
        support.main()
