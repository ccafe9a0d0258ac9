# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hostile tests share: measured runs, and what may stand in an output.

Each test file is a unittest program: FILE ATTNWALK VTERM_DUMP [unittest's arguments]."""
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), name) for name in ("app", "terminal")]
import support  # noqa: E402
import terminal  # noqa: E402

MOST_CPU = 60   # seconds of a processor after which it counts as computing for ever

# Code points that no output may hold: they act on a terminal, reorder what stands around them,
# or carry text that nobody sees.
FORBIDDEN = [(0x00, 0x09), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x61C, 0x61C),
             (0x180E, 0x180E), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
             (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE0FFF)]
FORBIDDEN_PATTERN = re.compile(
    "[%s]" % "".join("\\U%08x-\\U%08x" % pair for pair in FORBIDDEN))
FORGED = "forged line"

# A colour, as --color=always writes it.
COLOR = re.compile(r"\033\[[0-9;]*m")


class Run:
    """One run: exit status (negative: a signal), both streams, seconds, peak memory in MB."""

    def __init__(self, arguments, stdin=None, cwd=None, env=None, before=None, feed=None):
        """stdin: bytes, or a file; feed: a function that writes into standard input."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            process = subprocess.Popen(
                [support.program, *arguments], stdout=out, stderr=err, cwd=cwd,
                stdin=subprocess.PIPE if feed or isinstance(stdin, bytes) else
                (stdin or subprocess.DEVNULL), env=env or support.environment(), preexec_fn=before)
            self.late = False  # ended by us, or later than it should have
            timer = threading.Timer(support.DEADLINE, self.stop, [process])
            timer.start()
            if process.stdin:
                try:
                    if feed:
                        feed(process.stdin)
                    else:
                        process.stdin.write(stdin)
                except BrokenPipeError:
                    pass
                try:
                    process.stdin.close()
                except BrokenPipeError:
                    pass
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            self.seconds = time.monotonic() - start
            self.code = process.returncode = os.waitstatus_to_exitcode(status)
            self.megabytes = usage.ru_maxrss / 1024
            self.cpu = usage.ru_utime + usage.ru_stime
            self.late = self.late or self.cpu > MOST_CPU
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read()

    def stop(self, process):
        self.late = True
        process.kill()


def combined(*lists, release=1, debug=1):
    """Every combination of one element of each list, or every release-th (debug-th in a sanitized
    build): a prime that divides no list's length still leaves every element of every list in."""
    every = debug if support.is_sanitized() else release
    return list(itertools.product(*lists))[::every]


def what_is_wrong(output, colors=False):
    """None, or what of output (bytes) must not be sent to a terminal."""
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        return "not UTF-8 at byte %d: %r" % (error.start, output[error.start - 20:error.start + 20])
    if colors:
        text = COLOR.sub("", text)
    found = FORBIDDEN_PATTERN.search(text)
    if found:
        return "U+%04X in %r" % (ord(found.group()), text[max(0, found.start() - 30):found.end() + 20])
    if any(line.startswith(FORGED) for line in text.split("\n")):
        return "a line that begins with what was to stand inside a line"
    return None


# What the program itself sends to a terminal of the xterm family.
OWN = re.compile(
    rb"\033\[[0-9;]*[ABCDGHJKLMPSTXdfmr@]|\033\[\?[0-9;]*[hl]|\033\[[0-9;]*[lht]|\033[()][AB0]"
    rb"|\033\[=[0-9]+[hl]|\033[=>78M]|[\r\n\b]")


def what_is_wrong_on_a_terminal(stream):
    return what_is_wrong(OWN.sub(b"", stream))


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: %s ATTNWALK VTERM_DUMP [unittest's arguments]" % sys.argv[0])
    terminal.program = os.path.abspath(sys.argv[1])
    terminal.vterm_dump = os.path.abspath(sys.argv.pop(2))
    support.main()
