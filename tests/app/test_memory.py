# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a run takes: real heads stay under 64 MB."""
import fcntl
import os
import select
import subprocess
import sys

import support
from support import HEAD, environment

LOADS = [word for name in "QKV" for word in ("--load", "%s=%s" % (name, HEAD % name.lower()))]


def peak(*arguments):
    """Most resident bytes of a run that writes more than a page: it is looked at while it waits for
    its reader, with all it has computed.  (getrusage would count the parent's memory before exec.)"""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    child = subprocess.Popen([support.program, *arguments], stdin=subprocess.DEVNULL, stdout=writer,
                             env=environment())
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 60)
    with open("/proc/%d/status" % child.pid, encoding="ascii") as f:
        status = dict(line.split(":", 1) for line in f)
    with os.fdopen(reader, "rb") as f:
        size = len(f.read())
    if child.wait(60) or not ready or size <= 4096:
        raise AssertionError("%s: exit %d, %d bytes" % (arguments, child.returncode, size))
    return int(status["VmHWM"].split()[0]) * 1024


class Memory(support.Case):
    def test_start(self):
        used = peak("eval", "1:2000")
        print("eval: %.1f MB" % (used / 1e6))
        self.assertLessEqual(used, 8e6)

    def test_real_heads(self):
        for lesson, name in (("brackets", "Y1"), ("recurrent", "Y")):
            used = peak("dump", lesson, "-m", name, *LOADS)
            print("%s with a head of 128x64: %.1f MB" % (lesson, used / 1e6))
            self.assertLessEqual(used, 64e6)

    def test_a_trace_is_small(self):
        base = peak("eval", "1:2000")
        used = peak("dump", "recurrent?n=64&d=16", "-m", "Y")
        print("recurrent, n=64, d=16: %.1f MB above eval" % ((used - base) / 1e6))
        self.assertLessEqual(used - base, 5e6)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        support.program = sys.argv[1]
        if support.is_sanitized():
            support.skip_all("a sanitized build takes more memory than the program does")
    support.main()
