# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, mouse and paste, as terminals send them."""
import os
import re
import shutil
import signal
import subprocess
import time

import terminal
from terminal import Case, environment, main


class Keys(Case):
    def test_walk(self):
        t = self.open("brackets:shapes:1")
        for keys, place in ((["Right"], "brackets:shapes:2"), (["\033[C"], "brackets:shapes:3"),
                            (["h"], "brackets:shapes:2"), (["]", "]"], "brackets:scores:1"),
                            (["\033OF"], "brackets:end:1"), (["\033OH"], "brackets:shapes:1"),
                            (["g", "prefix:4.1", "Enter"], "brackets:prefix:4.1"),
                            ([","], "brackets:prefix:3")):
            t.send(*keys)
            t.wait_for(place)
        self.quit(t)

    def test_escape_is_quick(self):
        """Curses waits a second unless told; one try of many shows it, on a busy machine too."""
        t = self.open()
        for _ in range(20):
            t.send("Enter")
            t.wait_for("A0(1,1) = ")
            t.settle()
            start = time.monotonic()
            t.send("Esc")
            while "A0(1,1) = " in t.screen():
                t.read(0.05)
            if time.monotonic() - start < 0.9:
                break
        else:
            self.fail("Esc waits for more")
        self.quit(t)

    def test_unicode_prompt(self):
        t = self.open()
        t.send("/", "中文é")
        t.wait_for("/中文é")
        t.send("Backspace", "Backspace")
        t.settle()
        self.assertNotIn("文", t.screen())
        t.send("Esc")
        self.quit(t)

    def test_bytes_that_are_no_characters(self):
        t = self.open()
        os.write(t.fd, b"\xff\xfe\xc3(\x80\x01\x02\x1d")
        t.settle()
        t.send("Right")
        t.wait_for("brackets:mix:1")
        self.quit(t)

    def test_paste(self):
        t = self.open()
        t.send("\033[200~qm]q\r\033[201~")
        t.send("Right")
        t.wait_for("brackets:mix:1")
        t.send(":", "\033[200~1+\n1\033[201~")
        t.wait_for(":1+ 1")
        t.send("Enter")
        t.wait_for("(1+ 1) = 2")
        self.quit(t)

    def test_mouse(self):
        t = self.open()
        lines = t.screen().splitlines()
        row = next(i for i, line in enumerate(lines) if "▸ A0  4×4" in line)
        t.send("\033[<0;%d;%dM" % (lines[row].index("A0") + 1, row + 2))
        t.wait_for("A0(1,1) = ")
        self.quit(t)
        t = self.open("brackets:prefix:3", rows=12)
        t.send("\033[<65;5;5M")
        t.settle()
        t.wait_for("▼" if "▼" in t.screen() else "▲")
        self.quit(t)
        t = self.start("open", "--no-mouse", "brackets:scores")
        t.wait_for("brackets:scores:1")
        self.assertNotIn(b"1000h", t.bytes)
        self.quit(t)

    def test_write_is_dump(self):
        t = self.open("brackets:scores?Q0(1,1)=0.1")
        out = os.path.join(self.folder, "out")
        t.send("w", "\x15", out, "Enter")
        t.wait_for("3 matrices written")
        self.quit(t)
        for name in ("Q0", "K0", "A0"):
            dumped = subprocess.run([terminal.program, "dump", "brackets:scores?Q0(1,1)=0.1", "-m", name],
                                    capture_output=True, check=True, env=environment(self.folder)).stdout
            with open(os.path.join(out, name + ".csv"), "rb") as f:
                self.assertEqual(dumped, f.read())
        self.assertEqual(["A0.csv", "K0.csv", "Q0.csv"], sorted(os.listdir(out)))

    def test_resume(self):
        t = self.open("brackets:scores")
        t.send("]")
        t.wait_for("brackets:mix:1")
        self.quit(t)
        t = self.start()
        t.wait_for("2 of 3")
        t.send("Enter")
        t.wait_for("where you stopped")
        t.send("Esc")
        t.wait_for("brackets:mix:1")
        self.quit(t)
        t = self.start("open", "--no-resume")
        t.wait_for("Swapping the brackets")
        self.assertNotIn("2 of 3", t.screen())
        self.quit(t)

    def test_changed_file(self):
        path = os.path.join(self.folder, "mine.md")
        text = "---\ntitle: Mine\nabout: x\n---\n\n## One {#one}\n\n%s\n\n```octave\na = 1;\n```\n"
        with open(path, "w") as f:
            f.write(text % "First words.")
        t = self.start(path)
        t.wait_for("First words.")
        with open(path + "~", "w") as f:
            f.write(text % "Second words.")
        os.rename(path + "~", path)
        t.wait_for("Second words.")
        self.quit(t)

    def test_one_write_a_key(self):
        strace = shutil.which("strace")
        if not strace:
            self.skipTest("strace is missing")
        for rows, cols in ((24, 80), (60, 200)):
            t = self.open(rows=rows, cols=cols, ASAN_OPTIONS="detect_leaks=0") # not when traced
            t.settle()
            log = os.path.join(self.folder, "log")
            tracer = subprocess.Popen([strace, "-e", "trace=write,writev,dup2,poll", "-o", log, "-p", str(t.pid)],
                                      stderr=subprocess.DEVNULL)
            self.addCleanup(tracer.kill)
            end = time.monotonic() + terminal.DEADLINE
            while not os.path.exists(log) or os.path.getsize(log) == 0:
                t.send("C-l") # a call is logged when it ends
                t.settle(0.05)
                if tracer.poll() is not None or time.monotonic() > end:
                    self.skipTest("strace cannot trace here")
                time.sleep(0.01)
            t.settle()
            before = os.path.getsize(log)
            fds = "/proc/%d/fd" % t.pid
            leads_to_terminal = {fd: os.readlink(os.path.join(fds, fd)).startswith("/dev/pts")
                                 for fd in os.listdir(fds)}
            keys = ["Right", "Right", "Left", "Enter", "Right", "P", "P", "t", "?", "q"]
            for key in keys:
                t.send(key)
                t.settle()
            self.quit(t)
            tracer.wait()
            with open(log) as f:
                f.seek(before)
                self.assertEqual(len(keys), count_writes(f, leads_to_terminal))


def count_writes(log, leads_to_terminal):
    """The writes that reach the terminal, up to the good-bye on descriptor 1."""
    count = 0
    for line in log:
        moved = re.match(r"dup2\((\d+), (\d+)\)", line)
        written = re.match(r"write\((\d+), ", line)
        if moved:
            leads_to_terminal[moved[2]] = leads_to_terminal.get(moved[1], False)
        elif written and written[1] == "1":
            break
        elif written:
            count += leads_to_terminal.get(written[1], False)
    return count


if __name__ == "__main__":
    main()
