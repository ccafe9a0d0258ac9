# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed standard streams, odd HOME and XDG_STATE_HOME, read-only places, umask and TZ: commands do
what they do elsewhere, or say what is wrong.  FILE ATTNWALK [unittest's arguments]."""
import itertools
import os
import pwd
import stat
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "app"), os.path.join(HERE, "..", "terminal")]
import support  # noqa: E402
import terminal  # noqa: E402
from support import Case, attnwalk, contents, environment  # noqa: E402
from terminal import Terminal, left_on  # noqa: E402


def closing(fds):
    return lambda: [os.close(fd) for fd in fds]


class ClosedStreams(Case):
    """Each of the eight ways to close standard input, output and error.  A file that is opened must
    not take their place: what is written would land in it."""

    def each(self, *arguments, stdin=b"", **options):
        for count in range(4):
            for fds in itertools.combinations(range(3), count):
                yield fds, attnwalk(*arguments, stdin=stdin, before=closing(fds), **options)

    def test_data(self):
        for arguments in (["list"], ["list", "--json"], ["claims"], ["glossary", "phi"], ["manual"],
                          ["--help"], ["--version"], ["eval", "1+1"], ["check", "shapes"],
                          ["show", "shapes"], ["read", "shapes"], ["dump", "shapes", "--long"]):
            whole = attnwalk(*arguments)
            self.assertEqual(0, whole.code, whole.talk)
            for fds, result in self.each(*arguments):
                out, talk = whole.text, ""
                if 1 in fds:
                    out, talk = "", "<stdout>: cannot write: Bad file descriptor\n"
                self.assertEqual((int(1 in fds), out, "" if 2 in fds else talk),
                                 (result.code, result.text, result.talk), (arguments, fds))

    def test_input(self):
        for fds, result in self.each("eval", "-", stdin=b"1+1"):
            talk = ("<stdin>: cannot read: Bad file descriptor\n" if 0 in fds else
                    "<stdout>: cannot write: Bad file descriptor\n" if 1 in fds else "")
            self.assertEqual(("" if talk else "2\n", "" if 2 in fds else talk),
                             (result.text, result.talk), fds)
            self.assertEqual(int(bool(talk)), result.code, fds)

    def test_errors(self):
        """A message goes to standard error or nowhere."""
        path = self.write("wrong.md", "---\ntitle: Wrong\n")
        before = contents(self.folder)
        for fds, result in self.each("check", path):
            self.assertEqual((1, ""), (result.code, result.text), fds)
            self.assertEqual(2 in fds, result.talk == "", fds)
        for fds, result in self.each("eval", "--nosuch"):
            self.assertEqual((2, ""), (result.code, result.text), fds)
            self.assertEqual(2 in fds, result.talk == "", fds)
        self.assertEqual(before, contents(self.folder))

    def test_files(self):
        target = self.path("whole")
        self.run_ok("dump", "shapes", "-o", target)
        wanted = contents(target)
        for count in range(4):
            for fds in itertools.combinations(range(3), count):
                target = self.path("target" + "".join(map(str, fds)))
                result = attnwalk("dump", "shapes", "-o", target, before=closing(fds))
                self.assertEqual((0, "", ""), (result.code, result.text, result.talk), fds)
                self.assertEqual(wanted, contents(target), fds)
                name = "mine" + "".join(map(str, fds))
                result = attnwalk("new", name, before=closing(fds), cwd=self.folder)
                self.assertEqual((0, ""), (result.code, result.text), fds)
                self.run_ok("check", self.path(name + ".md"))


class SessionCase(Case):
    def setUp(self):
        super().setUp()
        terminal.program = support.program
        self.home = self.path("home")
        os.mkdir(self.home)

    def session(self, before=None, status=0, keys=("Right", "q"), **changes):
        """One session from the first page to the end; what the terminal got."""
        t = Terminal(None, "shapes", before=before, HOME=changes.pop("HOME", self.home),
                     XDG_STATE_HOME=changes.pop("XDG_STATE_HOME", None), **changes)
        self.addCleanup(t.end)
        t.settle(0.3)
        for key in keys:
            if t.wait(0) is None:
                t.send(key)
                t.settle()
        self.assertEqual(status, t.wait(), t.bytes[-300:])
        self.assertEqual([], left_on(t.bytes))
        return t.bytes

    def remembered(self, *names):
        """True if the file of that name is there and tells of the session; nothing else is."""
        found = contents(self.folder)
        if not found:
            return False
        self.assertEqual([os.path.join(*names, "attnwalk", "progress")], list(found))
        self.assertIn(b"lesson shapes\n", list(found.values())[0])
        return True


class Sessions(SessionCase):
    """The interactive program, which remembers where the reader was."""

    def test_closed_streams(self):
        """Keys come from the terminal whatever stdin is; without stdout there is no screen."""
        for count in range(4):
            for fds in itertools.combinations(range(3), count):
                stream = self.session(before=closing(fds), status=int(1 in fds))
                self.assertEqual(1 not in fds, b"\033" in stream, fds)
                self.assertEqual(1 in fds and 2 not in fds,
                                 b"attnwalk: standard output is not a terminal" in stream, fds)

    def test_places(self):
        """(XDG_STATE_HOME, HOME, where the file is)."""
        state = self.path("state")
        local = ("home", ".local", "state")
        for xdg, home, wanted in ((None, self.home, local), ("", self.home, local),
                                  ("state", self.home, local), ("./state", self.home, local),
                                  (state, self.home, ("state",)), (state, None, ("state",)),
                                  (state + "/a/b", "", ("state", "a", "b")),
                                  (None, None, None), (None, "", None), (None, "home", None),
                                  ("/dev/null", self.home, None), ("/dev/null/x", None, None),
                                  ("/proc/nosuch", None, None), (None, "/dev/null", None)):
            self.session(XDG_STATE_HOME=xdg, HOME=home, before=lambda: os.chdir(self.folder))
            self.assertEqual(bool(wanted), self.remembered(*(wanted or ())), (xdg, home))
            for name in contents(self.folder):
                os.remove(self.path(name))

    def test_a_file_where_a_folder_should_be(self):
        for path in (self.path("file"), self.path("file", "state")):
            self.write("file", "mine")
            self.session(XDG_STATE_HOME=path)
            self.assertEqual({"file": b"mine"}, contents(self.folder))

    def test_a_folder_where_the_file_should_be(self):
        os.makedirs(self.path("state", "attnwalk", "progress"))
        self.session(XDG_STATE_HOME=self.path("state"))
        self.assertEqual({}, contents(self.folder))

    def test_what_cannot_be_read_is_kept(self):
        os.makedirs(self.path("state", "attnwalk"))
        large = b"lesson shapes\n" * 100000
        self.write("state/attnwalk/progress", large)
        self.session(XDG_STATE_HOME=self.path("state"))
        self.assertEqual([large], list(contents(self.folder).values()))

    def test_umask(self):
        """Folders are for the reader alone, whatever the umask; the file's mode is the umask's."""
        for mask in (0, 0o022, 0o077):
            state = self.path("state%o" % mask)
            self.session(before=lambda: os.umask(mask), XDG_STATE_HOME=state)
            mode = lambda *names: stat.S_IMODE(os.stat(os.path.join(state, *names)).st_mode)
            self.assertEqual((0o700, 0o700, 0o666 & ~mask),
                             (mode(), mode("attnwalk"), mode("attnwalk", "progress")))
        self.session(before=lambda: os.umask(0o777), XDG_STATE_HOME=self.path("state777"))


class Nobody(SessionCase):
    """As a user who may not write everywhere; needs root to become one."""

    def setUp(self):
        super().setUp()
        if os.getuid() != 0:
            self.skipTest("only root can become nobody")
        self.user = pwd.getpwnam("nobody")
        os.chmod(self.folder, 0o755)
        try:
            subprocess.run([support.program, "list"], preexec_fn=self.become, check=True,
                           env=environment(), capture_output=True)
        except (PermissionError, subprocess.CalledProcessError):
            self.skipTest("nobody cannot reach the program")

    def become(self):
        os.setgroups([])
        os.setgid(self.user.pw_gid)
        os.setuid(self.user.pw_uid)

    def give(self, *names, mode=0o755):
        os.makedirs(self.path(*names), exist_ok=True)
        os.chown(self.path(*names), self.user.pw_uid, self.user.pw_gid)
        os.chmod(self.path(*names), mode)
        return self.path(*names)

    def test_read_only_home(self):
        for mode in (0o555, 0o000):
            self.session(before=self.become, HOME=self.give("home", mode=mode))
            self.assertFalse(self.remembered())

    def test_read_only_state(self):
        """The file cannot be replaced where its folder cannot be written, and stays as it was."""
        self.give("state")
        path = self.give("state", "attnwalk")
        self.write("state/attnwalk/progress", "latest softmax\n")
        os.chmod(path, 0o555)
        self.session(before=self.become, XDG_STATE_HOME=self.path("state"))
        self.assertEqual([b"latest softmax\n"], list(contents(self.folder).values()))
        self.assertEqual(["progress"], os.listdir(path))

    def test_unreadable_state(self):
        """What cannot be read is not written over."""
        self.give("state")
        self.give("state", "attnwalk")
        path = self.write("state/attnwalk/progress", "latest softmax\n")
        os.chmod(path, 0o000)
        self.session(before=self.become, XDG_STATE_HOME=self.path("state"))
        self.assertEqual([b"latest softmax\n"], list(contents(self.folder).values()))

    def test_commands(self):
        self.give("home", mode=0o555)
        for home in (self.home, None, "", "/nonexistent"):
            env = environment(HOME=home)
            self.run_ok("list", before=self.become, env=env)
            self.run_ok("check", "shapes", before=self.become, env=env)
        self.refused(1, "mine.md: cannot write: Permission denied", "new", "mine", cwd=self.home,
                     before=self.become)
        self.refused(1, "target: cannot make this folder: Permission denied", "dump", "shapes",
                     "-o", "target", cwd=self.home, before=self.become)
        self.assertEqual([], os.listdir(self.home))
        os.mkdir(self.path("target"))
        self.refused(1, "cannot make this folder: Permission denied", "dump", "shapes", "-o",
                     self.path("target"), before=self.become)
        self.assertEqual({}, contents(self.folder))

    def test_closed_umask(self):
        """Nothing can be put into a folder that its own maker may not enter."""
        mine = self.give("mine")

        def before():
            self.become()
            os.umask(0o777)

        self.refused(1, "target/manifest.csv: cannot remove: Permission denied", "dump", "shapes",
                     "-o", "target", cwd=mine, before=before)
        result = attnwalk("new", "made", cwd=mine, before=before)
        self.assertEqual((0, ""), (result.code, result.text), result.talk)
        self.assertEqual(0, stat.S_IMODE(os.stat(self.path("mine", "made.md")).st_mode))
        self.session(before=before, XDG_STATE_HOME=self.path("mine", "state"))


class Files(Case):
    def test_umask(self):
        """Files and folders have the modes that the umask asks for."""
        for mask in (0, 0o022, 0o077):
            target = self.path("target%o" % mask)
            result = attnwalk("dump", "shapes", "-o", target, before=lambda: os.umask(mask))
            self.assertEqual((0, ""), (result.code, result.talk))
            for top, _, names in os.walk(target):
                self.assertEqual(0o777 & ~mask, stat.S_IMODE(os.stat(top).st_mode))
                for name in names:
                    mode = stat.S_IMODE(os.stat(os.path.join(top, name)).st_mode)
                    self.assertEqual(0o666 & ~mask, mode)

    def test_time_zones_and_homes(self):
        """Nothing that is printed or written depends on them."""
        arguments = (["list"], ["show", "shapes"], ["read", "shapes"], ["eval", "randn(2)"],
                     ["dump", "shapes", "--long"], ["check", "shapes"])
        wanted = [attnwalk(*a).text for a in arguments]
        for changes in ({"TZ": ""}, {"TZ": ":/dev/zero"}, {"TZ": "../../etc/passwd"},
                        {"TZ": "A" * 9999}, {"TZ": "XXX-99:99:99YYY"}, {"HOME": None}, {"HOME": ""},
                        {"HOME": "/dev/null"}, {"HOME": "relative"}, {"XDG_STATE_HOME": "relative"},
                        {"XDG_STATE_HOME": "/dev/null"}, {"TMPDIR": "/nonexistent"},
                        {"HOME": self.path("\033[31m")}):
            for a, text in zip(arguments, wanted):
                result = self.run_ok(*a, env=environment(**changes), cwd=self.folder)
                self.assertEqual(text, result.text, (a, changes))
        self.assertEqual([], os.listdir(self.folder))


if __name__ == "__main__":
    support.main()
