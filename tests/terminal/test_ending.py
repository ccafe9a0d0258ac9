# SPDX-License-Identifier: GPL-3.0-or-later
"""However it ends, the terminal is given back; and it ends when it should."""
import os
import signal
import subprocess
import termios
import time

import terminal
from terminal import Case, environment, left_on, main


class Ending(Case):
    def test_quit(self):
        t = self.open()
        before = termios.tcgetattr(t.fd)
        self.assertFalse(before[3] & termios.ICANON)
        self.quit(t)
        after = termios.tcgetattr(t.fd)
        self.assertTrue(after[3] & termios.ICANON and after[3] & termios.ECHO)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                       signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE):
            t = self.open()
            t.settle()
            t.kill(number)
            self.assertEqual(-number, t.wait())
            self.assertEqual([], left_on(t.bytes), number)
            self.assertTrue(termios.tcgetattr(t.fd)[3] & termios.ECHO)

    def test_keys_that_are_signals(self):
        for key, number in (("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)):
            t = self.open()
            t.settle()
            t.send(key)
            self.assertEqual(-number, t.wait())
            self.assertEqual([], left_on(t.bytes))

    def test_lost_terminal(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        for before, wanted in ((None, -signal.SIGHUP), (ignore, 1)):
            t = self.open(before=before)
            t.settle()
            t.hang_up()
            self.assertEqual(wanted, t.wait())

    def test_idle(self):
        """Once its page is there it does nothing: a busy machine only puts that off."""
        t = self.open()
        for _ in range(20):
            t.settle(0.5)
            before = (t.ticks(), len(t.bytes))
            t.read(1.0)
            if before == (t.ticks(), len(t.bytes)):
                break
        else:
            self.fail("it is never idle")
        self.quit(t)

    def refuses(self, message, *arguments, before=None, **changes):
        t = self.start(*(arguments or ("brackets",)), before=before, **changes)
        self.assertEqual(1, t.wait())
        self.assertIn(message, t.bytes.decode())
        self.assertNotIn(b"\033", t.bytes)

    def test_types(self):
        self.refuses("TERM is not set", TERM=None)
        self.refuses("TERM is not set", TERM="")
        self.refuses("'nosuch' is not known", TERM="nosuch")
        self.refuses("'dumb' cannot place the cursor", TERM="dumb")
        self.refuses("is not known", TERM="a\033[31mb")

    def test_errors_come_before_the_screen(self):
        self.refuses("has no step 'nosuch'", "brackets:nosuch")
        self.refuses("nosuch.md", "./nosuch.md")

    def test_stdin(self):
        """Keys come from the terminal whatever standard input is."""
        def null():
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)

        def pipe():
            reading, writing = os.pipe()
            os.write(writing, b"qqqq")
            os.dup2(reading, 0)

        for before in (null, pipe, lambda: os.close(0)):
            t = self.open(before=before)
            t.send("Right")
            t.wait_for("brackets:mix:1")
            self.quit(t)

    def test_terminal_that_does_not_wait(self):
        """Another program has left O_NONBLOCK on: what does not fit now is written later."""
        t = self.start("brackets:scores", rows=60, cols=200, before=lambda: os.set_blocking(0, False))
        t.wait_for("brackets:scores")
        t.settle()
        page = t.screen()
        for _ in range(40):  # more than the kernel keeps, and nobody reads
            t.send("C-l")
            time.sleep(0.02)
        t.settle()
        t.send("Right", "Left")
        t.settle()
        self.assertEqual(page, t.screen())
        self.quit(t)

    def test_no_terminal(self):
        for options in ({"stdin": subprocess.DEVNULL}, {}):
            done = subprocess.run([terminal.program, "brackets"], capture_output=True,
                                  start_new_session=True, env=environment(self.folder),
                                  timeout=terminal.DEADLINE, check=False, **options)
            self.assertEqual((1, b""), (done.returncode, done.stdout))
            self.assertIn(b"not a terminal", done.stderr)
        reading, writing = os.openpty()
        done = subprocess.run([terminal.program, "brackets"], stdin=subprocess.DEVNULL,
                              stdout=writing, stderr=subprocess.PIPE, start_new_session=True,
                              env=environment(self.folder), timeout=terminal.DEADLINE, check=False)
        self.assertEqual(1, done.returncode)
        self.assertIn(b"no terminal to read keys from", done.stderr)
        os.close(reading)
        os.close(writing)


def shell(program, arguments, env):
    """A parent with job control: reports when its child stops, continues it on a line."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execve(program, [program, *arguments], env)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        os.tcsetpgrp(0, os.getpgrp())
        os.write(1, b"<STOPPED>")
        os.read(0, 1)
        os.tcsetpgrp(0, child)
        os.kill(child, signal.SIGCONT)


class Stopping(Case):
    def test_stop_and_continue(self):
        env = environment(os.path.join(self.folder, "state"))
        t = self.start(before=lambda: shell(terminal.program, ["brackets:scores"], env))
        t.wait_for("brackets:scores")
        t.settle()
        t.send("\x1a")
        t.wait_for("<STOPPED>")
        self.assertEqual([], left_on(t.bytes))
        self.assertTrue(termios.tcgetattr(t.fd)[3] & termios.ICANON)
        since = len(t.bytes)
        t.resize(30, 100)
        t.send("\n")
        t.wait_for("brackets:scores:1", since)
        t.settle()
        shown = terminal.show("brackets:scores", "--size", "100x30").splitlines()
        self.assertEqual(shown[:28], t.screen(since).splitlines()[:28])
        self.assertIn(b"\033[?2004h", t.bytes[since:])
        t.send("Right")
        t.wait_for("brackets:mix:1", since)
        self.quit(t)

    def test_sigstop(self):
        """A stop that cannot be caught: the modes are set again, and the page is painted."""
        t = self.open()
        t.settle()
        t.kill(signal.SIGSTOP)
        modes = termios.tcgetattr(t.fd)
        modes[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(t.fd, termios.TCSANOW, modes)
        since = len(t.bytes)
        t.kill(signal.SIGCONT)
        t.wait_for("brackets:scores:1", since)
        t.settle()
        self.assertFalse(termios.tcgetattr(t.fd)[3] & (termios.ICANON | termios.ECHO))
        t.send("Right")
        t.wait_for("brackets:mix:1", since)
        self.quit(t)


if __name__ == "__main__":
    main()
