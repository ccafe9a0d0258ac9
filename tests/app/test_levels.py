# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons give the same bytes whatever vector extensions the processor has: with each of our builds
of the kernels (ATTNWALK_CPU), and with the C library kept from using what it finds."""
import hashlib
import re
import shutil

import support
from support import Case, LESSON_IDS, attnwalk, contents, environment

# What glibc chooses its own functions by; it knows nothing of ours.
MASKED = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,"
                            "-AVX2,-FMA,-FMA4,-AVX,-BMI2,-ERMS,-SSE4_2,-SSE4_1"}
# Larger than their defaults: past the width of every vector, and no multiple of it.
LARGER = ["softmax?n=23", "recurrent?n=21", "delta?n=19", "gated-delta?n=19", "kernels?n=101"]


def levels():
    """What this processor runs: as the refusal of another says."""
    talk = attnwalk("eval", "1", env=environment(ATTNWALK_CPU="nosuch")).talk
    return re.search(r"runs: (.*)\n\Z", talk).group(1).split(", ")


class Levels(Case):
    def digest(self, place, **changes):
        """Of the names and contents of all that dump writes."""
        folder = self.path("dump")
        self.run_ok("dump", place, "-o", folder, env=environment(**changes))
        sums = {name: hashlib.sha256(content).hexdigest()
                for name, content in contents(folder).items()}
        shutil.rmtree(folder)
        self.assertGreater(len(sums), 5)
        return sums

    def same_everywhere(self, place):
        known = levels()
        ways = [{"ATTNWALK_CPU": level} for level in known[1:]]
        ways.append(dict(MASKED, ATTNWALK_CPU=None))
        expected = self.digest(place, ATTNWALK_CPU=known[0])
        for changes in ways:
            self.assertEqual(expected, self.digest(place, **changes), (place, changes))

    def test_lessons(self):
        for lesson in LESSON_IDS:
            self.same_everywhere(lesson)

    def test_larger(self):
        for place in LARGER:
            self.same_everywhere(place)

    def test_names(self):
        known = levels()
        self.assertEqual("portable", known[0])
        for level in known + ["", None]:
            env = environment(ATTNWALK_CPU=level)
            self.assertEqual("2\n", self.run_ok("eval", "1+1", env=env).text)
        for word in ("avx", "Portable", "x86-64-v9", "a\tb", "portable "):
            env = environment(ATTNWALK_CPU=word)
            result = self.refused(2, "ATTNWALK_CPU", "eval", "1+1", env=env)
            self.assertIn(", ".join(known), result.talk)
            self.assertNotIn("\t", result.talk)
            self.assertEqual(1, result.talk.count("\n"))


if __name__ == "__main__":
    support.main()
