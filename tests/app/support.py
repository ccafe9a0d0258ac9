# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the command line share: running the program, folders, skipping.

Each test file is a unittest program: PROGRAM.py ATTNWALK [unittest's arguments].  One that needs a
tool that is missing says so by name and exits 77, which ctest counts as skipped."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LESSONS = os.path.join(ROOT, "lessons")
HEAD = os.path.join(ROOT, "data", "use-lite", "C", "L0H3-%s.csv")
BAD_INPUTS = os.path.join(ROOT, "tests", "data", "bad-inputs")
LESSON_IDS = sorted(name[:-3] for name in os.listdir(LESSONS) if name.count(".") == 1)

DEADLINE = 600  # seconds after which something counts as never, also on a busy machine

program = None


def skip_all(tool):
    """Ends the test program: tool is missing."""
    print("skipped: %s" % tool)
    sys.exit(77)


def need_tool(name):
    if shutil.which(name) is None:
        skip_all("%s is missing" % name)


def need_numpy():
    """numpy, of the Python that runs this or of the system's."""
    try:
        import numpy
    except ModuleNotFoundError:
        system = "/usr/bin/python3"
        if os.environ.get("ATTNWALK_TEST_PYTHON") != "tried" and os.access(system, os.X_OK):
            os.environ["ATTNWALK_TEST_PYTHON"] = "tried"
            sys.stdout.flush()
            os.execv(system, [system] + sys.argv)
        skip_all("numpy is missing")
    return numpy


def is_sanitized():
    with open(program, "rb") as f:
        return b"__asan_init" in f.read()


def environment(**changes):
    """The environment of a run: this one's, in no locale (or in the one that tests/locales names),
    with our own lessons."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k != "LANGUAGE"}
    env.update(LANG=os.environ.get("ATTNWALK_TEST_LOCALE", "C.UTF-8"), ATTNWALK_HOME=ROOT)
    for name, value in changes.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


class Result:
    """Exit status (negative: a signal) and both streams, as bytes and as text."""

    def __init__(self, done, raw=False):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.text = "" if raw else self.out.decode("utf-8")
        self.talk = self.err.decode("utf-8")
        self.lines = self.text.splitlines()


def contents(folder):
    """What the files below folder hold, by their paths."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(top, name), "rb") as f:
                found[os.path.relpath(os.path.join(top, name), folder)] = f.read()
    return found


def limit_stack(kilobytes):
    size = kilobytes * 1024
    return lambda: resource.setrlimit(resource.RLIMIT_STACK, (size, size))


def attnwalk(*arguments, stdin=b"", cwd=None, env=None, stdout=subprocess.PIPE, timeout=DEADLINE,
             before=None, raw=False):
    """One run; raw: stdout is no text."""
    done = subprocess.run([program, *arguments], input=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, cwd=cwd, env=env or environment(),
                          timeout=timeout, check=False, preexec_fn=before)
    if done.stdout is None:
        done.stdout = b""
    return Result(done, raw)


class Case(unittest.TestCase):
    """A test in a folder of its own, self.folder, gone afterwards."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="attnwalk-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        path = self.path(name)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def run_ok(self, *arguments, **options):
        """A run that must succeed and have nothing to say."""
        result = attnwalk(*arguments, **options)
        self.assertEqual((0, ""), (result.code, result.talk), arguments)
        return result

    def refused(self, code, message, *arguments, **options):
        """A run that must end with code, nothing on stdout, and message in what it says."""
        result = attnwalk(*arguments, **options)
        self.assertEqual((code, ""), (result.code, result.text), (arguments, result.talk))
        self.assertIn(message, result.talk)
        self.assertTrue(result.talk.endswith("\n"))
        return result


def main():
    """Runs the tests of the calling file with the program named first on the command line."""
    global program
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: %s ATTNWALK [unittest's arguments]" % sys.argv[0])
    import support
    support.program = program = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
