# SPDX-License-Identifier: GPL-3.0-or-later
"""The program on a pseudo-terminal of its own.

Each test file is a unittest program: FILE ATTNWALK VTERM_DUMP [unittest's arguments].  Nothing
sleeps for luck: what is waited for is a condition, with a deadline."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEADLINE = 300  # seconds after which something counts as never, also on a busy machine

program = vterm_dump = None

KEYS = {"Right": "\033OC", "Left": "\033OD", "Up": "\033OA", "Down": "\033OB", "Enter": "\r",
        "Home": "\033OH", "End": "\033OF", "Esc": "\033", "Tab": "\t", "Backspace": "\x7f",
        "C-l": "\x0c"}


def skip_all(tool):
    print("skipped: %s is missing" % tool)
    sys.exit(77)


def is_sanitized():
    with open(program, "rb") as f:
        return b"__asan_init" in f.read()


def environment(state, **changes):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("LC_") and k not in ("LANGUAGE", "NO_COLOR", "COLORFGBG", "ESCDELAY")}
    env.update(LANG="C.UTF-8", TERM="xterm-256color", ATTNWALK_HOME=ROOT, XDG_STATE_HOME=state)
    for name, value in changes.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


def show(*arguments, **changes):
    """What `attnwalk show` prints."""
    done = subprocess.run([program, "show", *arguments], capture_output=True, check=True,
                          env=environment("/nonexistent", **changes))
    return done.stdout.decode()


class Terminal:
    """A running attnwalk, its window, and everything it has written."""

    def __init__(self, state, *arguments, rows=24, cols=80, before=None, **changes):
        self.rows, self.cols, self.bytes, self.status = rows, cols, b"", None
        env = environment(state, **changes)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                set_size(0, rows, cols)
                if before:
                    before()
                os.execve(program, [program, *arguments], env)
            finally:
                os._exit(127)

    def read(self, timeout):
        """Reads what there is, waiting at most timeout; False at the end of the stream."""
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if not ready:
            return True
        try:
            more = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        self.bytes += more
        return bool(more)

    def settle(self, quiet=0.15):
        """Reads until nothing has come for a while."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            before = len(self.bytes)
            if not self.read(quiet) or len(self.bytes) == before:
                return

    def wait_for(self, text, since=0):
        """Waits until the screen shows text."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if text in self.screen(since):
                return
            self.read(0.1)
        raise AssertionError("%r is not on the screen:\n%s" % (text, self.screen(since)))

    def send(self, *keys):
        """Sends keys by their names, or text."""
        for key in keys:
            os.write(self.fd, KEYS.get(key, key).encode())

    def screen(self, since=0, layer=False):
        arguments = [vterm_dump, str(self.rows), str(self.cols)] + (["layer"] if layer else [])
        done = subprocess.run(arguments, input=self.bytes[since:], capture_output=True, check=True)
        return done.stdout.decode()

    def resize(self, rows, cols):
        self.rows, self.cols = rows, cols
        set_size(self.fd, rows, cols)

    def kill(self, number):
        os.kill(self.pid, number)

    def wait(self, seconds=DEADLINE):
        """The exit status (negative: the signal) once it has ended; reads on meanwhile."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(status)
            elif self.fd >= 0:
                self.read(0.02)
            else:
                time.sleep(0.01)
        if self.fd >= 0:
            while self.status is not None and select.select([self.fd], [], [], 0)[0]:
                if not self.read(0):
                    break
        return self.status

    def hang_up(self):
        os.close(self.fd)
        self.fd = -1

    def ticks(self):
        with open("/proc/%d/stat" % self.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def end(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        if self.fd >= 0:
            os.close(self.fd)


def set_size(fd, rows, cols):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


# Every mode that is switched on, and how it is switched off.
MODES = [(b"\033[?1049h", b"\033[?1049l"), (b"\033[?25l", b"\033[?25h"),
         (b"\033[?2004h", b"\033[?2004l"), (b"\033[?1h", b"\033[?1l"),
         (b"\033[?1006;1000h", b"\033[?1000l|\033[?1006;1000l"), (b"\033=", b"\033>")]


def left_on(stream):
    """The modes that the stream leaves switched on."""
    left = []
    for on, offs in MODES:
        at = stream.rfind(on)
        if at >= 0 and all(stream.rfind(off) < at for off in offs.split(b"|")):
            left.append(on)
    return left


# All that a terminal may be sent: printable text, and sequences of our own.
ALLOWED = re.compile(
    rb"[\r\n\b\x0e\x0f]|[\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]+"
    rb"|\033\[[0-9;]*[ABCDGHJKPXLMdfmrS@]|\033\[\?[0-9;]*[hl]|\033\[[0-9;]*[lht]|\033[()][AB0]|\033[=>78M]|\033\[\?[0-9]*c")


def not_allowed(stream):
    at = 0
    while at < len(stream):
        found = ALLOWED.match(stream, at)
        if not found:
            return stream[at:at + 20]
        at = found.end()
    return None


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="attnwalk-terminal-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def start(self, *arguments, **options):
        terminal = Terminal(os.path.join(self.folder, "state"), *arguments, **options)
        self.addCleanup(terminal.end)
        return terminal

    def open(self, place="brackets:scores", *arguments, **options):
        """Started, and its first page is there."""
        terminal = self.start(place, *arguments, **options)
        terminal.wait_for(place.split("?")[0])
        return terminal

    def quit(self, terminal):
        terminal.settle()
        terminal.send("q")
        self.assertEqual(0, terminal.wait())
        self.assertEqual([], left_on(terminal.bytes))


def main():
    global program, vterm_dump
    if len(sys.argv) < 3:
        sys.exit("usage: %s ATTNWALK VTERM_DUMP [unittest's arguments]" % sys.argv[0])
    import terminal
    terminal.program = program = os.path.abspath(sys.argv.pop(1))
    terminal.vterm_dump = vterm_dump = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
