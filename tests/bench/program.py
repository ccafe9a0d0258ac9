# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program costs as its user meets it: a lesson checked, beside Octave, and the screen, on a
pseudo-terminal.  Each function gives rows of run.py's table."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LESSON, PLACE = "recurrent", "brackets:scores"
ROWS, COLS = 60, 200


def milliseconds(usage):
    return (usage.ru_utime + usage.ru_stime) * 1e3


def children_ms(work):
    """CPU time of the processes that work() starts and waits for."""
    before = milliseconds(resource.getrusage(resource.RUSAGE_CHILDREN))
    work()
    return milliseconds(resource.getrusage(resource.RUSAGE_CHILDREN)) - before


def median(values):
    return sorted(values)[len(values) // 2]


def check_rows(program, rounds):
    """The code, checks, views and questions of one lesson, at the defaults and every end of every
    parameter, by us and by one octave-cli."""
    work = f"check {LESSON} / octave-cli running the same code"
    env = dict(os.environ, ATTNWALK_HOME=ROOT)

    def ours():
        subprocess.run([program, "check", LESSON], env=env, check=True, stdout=subprocess.DEVNULL)

    if shutil.which("octave-cli") is None:
        yield work, f"{children_ms(ours):.1f} ms", "not installed", "-", "≥ 5×"
        return
    sys.path.insert(0, os.path.join(ROOT, "tests", "octave"))
    import oracle  # needs NumPy
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    lesson = oracle.read_lesson(os.path.join(ROOT, "lessons", LESSON + ".md"))
    pieces = oracle.check_pieces(lesson)
    settings = [setting for _, setting in oracle.all_settings(lesson, {}, True)]

    def octave():
        oracle.run_octave(lesson, pieces, settings, 1, None, oracle.DATA)

    pairs = [(children_ms(ours), children_ms(octave)) for _ in range(rounds)]
    a, b = (median([pair[i] for pair in pairs]) for i in (0, 1))
    yield work, f"{a:.1f} ms", f"{b:.1f} ms", f"{median([y / x for x, y in pairs]):.1f}×", "≥ 5×"


class Screen:
    """The program on a pseudo-terminal."""

    def __init__(self, program, folder, rows, cols):
        sys.path.insert(0, os.path.join(ROOT, "tests", "terminal"))
        import terminal
        terminal.program = program
        self.terminal = terminal.Terminal(folder, PLACE, "--no-resume", rows=rows, cols=cols)
        self.answer()

    def answer(self, *keys):
        """Sends keys, reads until the screen is quiet again; how many bytes came."""
        before = len(self.terminal.bytes)
        self.terminal.send(*keys)
        self.terminal.read(5)
        self.terminal.settle(0.1)
        return len(self.terminal.bytes) - before

    def idle(self):
        """CPU time in ms (in clock ticks, 10 ms each) and bytes of one second without a key."""
        ticks, size = self.terminal.ticks(), len(self.terminal.bytes)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            self.terminal.read(end - time.monotonic())
        return (self.terminal.ticks() - ticks) * 10, len(self.terminal.bytes) - size

    def quit(self):
        """Its CPU time, the start included."""
        self.terminal.send("q")
        while self.terminal.read(5) and not self.terminal.bytes.endswith(b"\033[?1049l"):
            pass
        self.terminal.hang_up()
        usage = os.wait4(self.terminal.pid, 0)[2]
        self.terminal.status = 0
        return milliseconds(usage)


def screen_rows(program):
    steps, starts = 20, 5
    with tempfile.TemporaryDirectory() as folder:
        first = median([Screen(program, folder, ROWS, COLS).quit() for _ in range(starts)])
        yield f"first page at {COLS}×{ROWS}, start and end included", f"{first:.1f} ms CPU", "-", "-", \
            "< 50 ms"
        screen = Screen(program, folder, ROWS, COLS)
        for _ in range(steps):
            screen.answer("Right")
        yield f"key to page at {COLS}×{ROWS}, mean of {steps} stops", \
            f"{(screen.quit() - first) / steps:.2f} ms CPU", "-", "-", "≤ 8 ms"
        screen = Screen(program, folder, 24, 80)
        screen.answer("Enter")
        cell = median([screen.answer(key) for key in ("Right", "Right", "Down", "Left", "Down")])
        spent, size = screen.idle()
        screen.quit()
        yield "cursor one cell on, its row, column and sentence too", f"{cell} bytes", "-", "-", \
            "≤ 128 (a cell alone)"
        yield "idle for a second", f"{spent} ms CPU, {size} bytes", "-", "-", "< 2 ms; 0"
