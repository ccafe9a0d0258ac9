# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program, run from anywhere: cmake --install into a prefix that is then moved.

CMAKE_COMMAND and BUILD_DIR come from ctest; without them, cmake and the program's folder."""
import os
import shutil
import subprocess
import tempfile

import support
from support import Case, LESSON_IDS, ROOT, contents, environment

SHARE = "share/attnwalk"
PLACES = ["bin/attnwalk", SHARE + "/lessons/brackets.md", SHARE + "/lessons/course",
          SHARE + "/data/claims.csv", SHARE + "/data/use-lite/ATTRIBUTION.md",
          "share/man/man1/attnwalk.1", "share/bash-completion/completions/attnwalk",
          "share/zsh/site-functions/_attnwalk", "share/fish/vendor_completions.d/attnwalk.fish",
          "share/doc/attnwalk/LICENSE", "share/doc/attnwalk/README.md"]


def install(*options, **changes):
    """cmake --install of the build that the program stands in."""
    build = os.environ.get("BUILD_DIR") or os.path.dirname(support.program)
    subprocess.run([os.environ.get("CMAKE_COMMAND", "cmake"), "--install", build, *options],
                   stdout=subprocess.DEVNULL, check=True, env=environment(**changes))


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="attnwalk-test-")
        cls.addClassCleanup(shutil.rmtree, cls.base, True)
        install("--prefix", os.path.join(cls.base, "first"), DESTDIR=None)
        cls.prefix = os.path.join(cls.base, "moved here")
        os.rename(os.path.join(cls.base, "first"), cls.prefix)

    def run_at(self, program, *arguments):
        """A run in an empty folder, without HOME and ATTNWALK_HOME."""
        done = subprocess.run([program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=support.DEADLINE,
                              env=environment(ATTNWALK_HOME=None, HOME=None))
        self.assertEqual((0, b""), (done.returncode, done.stderr), arguments)
        return done.stdout.decode("utf-8")

    def run_installed(self, *arguments):
        return self.run_at(os.path.join(self.prefix, "bin", "attnwalk"), *arguments)

    def test_everything_is_in_place(self):
        for place in PLACES:
            self.assertTrue(os.path.isfile(os.path.join(self.prefix, place)), place)
        for name in ("lessons", "data"):
            self.assertEqual(contents(os.path.join(ROOT, name)),
                             contents(os.path.join(self.prefix, SHARE, name)))

    def test_what_is_installed_is_what_the_program_prints(self):
        for form, place in (("man", PLACES[5]), ("bash", PLACES[6]), ("zsh", PLACES[7]),
                            ("fish", PLACES[8])):
            with open(os.path.join(self.prefix, place), encoding="utf-8") as f:
                self.assertEqual(self.run_installed("manual", form), f.read())

    def test_commands_do_as_in_the_build_contents(self):
        for line in (["list", "--json"], ["check", "brackets"], ["claims"],
                     ["show", "brackets", "--size", "80x24"], ["dump", "brackets", "-m", "Y1"],
                     ["read", "selector"]):
            self.assertEqual(self.run_ok(*line).text, self.run_installed(*line), line)
        self.assertEqual([], os.listdir(self.folder))

    def test_lessons_are_those_of_the_prefix(self):
        own = os.path.join(self.prefix, SHARE, "lessons", "zz-own.md")
        shutil.copy(os.path.join(ROOT, "lessons", "brackets.md"), own)
        self.addCleanup(os.remove, own)
        self.assertIn("\nzz-own\n", self.run_installed("list", "--places"))
        self.assertNotIn("zz-own", self.run_at(support.program, "list", "--places"))

    def test_data_is_that_of_the_prefix(self):
        path = os.path.join(self.prefix, SHARE, "data", "claims.csv")
        shutil.copy(path, self.path("kept"))
        self.addCleanup(shutil.copy, self.path("kept"), path)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace("QK^T is n x n", "QK^T is not seen in the source tree"))
        self.assertIn("not seen in the source tree", self.run_installed("claims", "--json"))

    def test_links_to_the_program(self):
        link = self.path("walk")
        os.symlink(os.path.join(self.prefix, "bin", "attnwalk"), link)
        self.assertEqual(self.run_installed("list"), self.run_at(link, "list"))
        os.remove(link)

    def test_home_is_stronger(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, "lessons"))
        shutil.copy(os.path.join(ROOT, "lessons", "brackets.md"),
                    os.path.join(home, "lessons", "only.md"))
        done = subprocess.run([os.path.join(self.prefix, "bin", "attnwalk"), "list", "--places"],
                              stdout=subprocess.PIPE, check=True,
                              env=environment(ATTNWALK_HOME=home))
        self.assertEqual({"only"}, {word.split(":")[0].split("?")[0]
                                    for word in done.stdout.decode().split()})

    def test_destdir(self):
        """As a package is made: the configured prefix beneath another folder."""
        install(DESTDIR=self.path("stage"))
        found = [path for path in contents(self.path("stage")) if path.endswith("bin/attnwalk")]
        self.assertEqual(1, len(found))
        words = self.run_at(self.path("stage", found[0]), "list", "--places").split()
        self.assertEqual(LESSON_IDS, sorted(word for word in words if word.isascii() and
                                            not set(word) & set(":?")))


if __name__ == "__main__":
    support.main()
