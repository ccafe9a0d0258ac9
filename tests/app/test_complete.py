# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion in bash, zsh and fish: each shell runs on a pty, a line is typed with Tab, and what
the shell then hands to attnwalk is compared.  A class a shell: test_complete.py ATTNWALK Bash"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import support
from support import environment, need_tool



class Shell:
    """A shell on a pty in which attnwalk prints its words, apart from 'attnwalk list'."""

    def __init__(self, argv, setup, folder):
        self.seen = b""
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            path = os.path.dirname(support.program) + ":" + os.environ.get("PATH", "/usr/bin:/bin")
            os.execvpe(argv[0], argv, environment(PATH=path, TERM="xterm", HOME=folder,
                                                  XDG_CONFIG_HOME=None, XDG_DATA_HOME=None,
                                                  INPUTRC="/dev/null", ZDOTDIR=folder))
        self.pid = pid
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.send(". %s\r" % setup)
        self.wait(rb"READY>")

    def send(self, text):
        os.write(self.fd, text.encode())

    def wait(self, pattern):
        """Reads until pattern was seen; what was read up to its end is used up."""
        end = time.monotonic() + support.DEADLINE
        while not (found := re.search(pattern, self.seen, re.S)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise AssertionError("%r not seen in %r" % (pattern, self.seen))
            self.seen += os.read(self.fd, 65536)
        self.seen = self.seen[found.end():]
        return found

    def words(self, line):
        """The words that attnwalk gets of a line with Tabs."""
        self.send(line + "\r")
        text = self.wait(rb"BEGIN>(.*?)END>").group(1).decode()
        self.wait(rb"READY>")
        return re.findall(r"<([^\n]*)>\r?\n", text)

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Cases:
    """What every shell completes."""

    argv, form, setup = [], "", ""
    format_words = ("--format", "csv")  # of --form, Tab, csv

    @classmethod
    def setUpClass(cls):
        need_tool(cls.argv[0])
        cls.folder = tempfile.mkdtemp(prefix="attnwalk-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        script = os.path.join(cls.folder, "_attnwalk" if cls.form == "zsh" else "completion")
        with open(script, "wb") as f:
            f.write(subprocess.run([support.program, "manual", cls.form], stdout=subprocess.PIPE,
                                   check=True).stdout)
        subprocess.run([cls.argv[0], "-n", script], check=True)
        setup = os.path.join(cls.folder, "setup")
        with open(setup, "w", encoding="utf-8") as f:
            f.write(cls.setup.replace("SCRIPT", script).replace("FOLDER", cls.folder))
        for name in ("inputs", "mine"):
            os.mkdir(os.path.join(cls.folder, name))
        for name in ("inputs/q.csv", "mine/own.md"):
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as f:
                f.write("1\n")
        cls.shell = Shell(cls.argv, setup, cls.folder)
        cls.addClassCleanup(cls.shell.close)

    def typed(self, line, *words):
        self.assertEqual(list(words), self.shell.words("attnwalk " + line), line)

    def test_commands(self):
        self.typed("du\t", "dump")
        self.typed("manu\tm\t", "manual", "man")

    def test_options(self):
        self.typed("dump --form\tcsv", "dump", *self.format_words)
        self.typed("dump --forc\tbrackets", "dump", "--force", "brackets")
        self.typed("show --projec\tbrackets", "show", "--projector", "brackets")
        self.typed("--asc\tbrackets", "--ascii", "brackets")
        self.typed("dump --projec\t", "dump", "--projec")

    def test_arguments_of_options(self):
        self.typed("dump --format np\t", "dump", "--format", "npy")
        self.typed("dump --format=js\t", "dump", "--format=json")
        self.typed("dump -o inp\t", "dump", "-o", "inputs/")
        self.typed("show brackets --theme li\t--ascii", "show", "brackets", "--theme", "light",
                   "--ascii")

    def test_lessons(self):
        self.typed("check gat\t", "check", "gated-delta")
        self.typed("read brac\t", "read", "brackets")
        self.typed("claims D1\t", "claims", "D1")

    def test_steps(self):
        self.typed("brackets:hal\t", "brackets:half")
        self.typed("show brackets:hal\t--ascii", "show", "brackets:half", "--ascii")
        self.typed("dump -m A delta:wri\t", "dump", "-m", "A", "delta:write")

    def test_files(self):
        self.typed("check ./mine/ow\t", "check", "./mine/own.md")

    def test_parameters(self):
        self.typed("show factor --set ph\tqua\t", "show", "factor", "--set", "phi=quadratic")

    def test_nothing_to_offer(self):
        self.typed("dump --seed\t", "dump", "--seed")
        self.typed("brackets:zzz\t", "brackets:zzz")


class Bash(Cases, unittest.TestCase):
    argv, form = ["bash", "--norc", "--noprofile", "-i"], "bash"
    setup = r"""
PS1='READY''>'
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
. SCRIPT
attnwalk() {
    if [[ $1 == list ]]; then command attnwalk "$@"
    else echo "BEGIN"">"; printf '<%s>\n' "$@"; echo "END"">"
    fi
}
"""

    def test_load(self):
        self.typed("show softmax --load Q=inputs/\t", "show", "softmax", "--load", "Q=inputs/q.csv")

    def test_without_break_at_colons(self):
        self.shell.send("COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]}\r")
        self.shell.wait(rb"READY>")
        self.typed("brackets:hal\t", "brackets:half")
        self.typed("dump --format=js\t", "dump", "--format=json")
        self.shell.send("COMP_WORDBREAKS+=:=\r")
        self.shell.wait(rb"READY>")


class Zsh(Cases, unittest.TestCase):
    argv, form = ["zsh", "-f", "-i"], "zsh"
    format_words = ("--format=csv",)
    setup = r"""
PS1='READY''>' RPS1=
unsetopt prompt_cr prompt_sp auto_remove_slash
unset zle_bracketed_paste
fpath=(FOLDER $fpath)
autoload -U compinit
compinit -u -d FOLDER/dump
attnwalk() {
    if [[ $1 == list ]]; then command attnwalk "$@"
    else echo "BEGIN"">"; printf '<%s>\n' "$@"; echo "END"">"
    fi
}
"""

    def test_load(self):
        self.typed("show softmax --load Q=inputs/\t", "show", "softmax", "--load", "Q=inputs/q.csv")


class Fish(Cases, unittest.TestCase):
    argv, form = ["fish", "--private", "--no-config"], "fish"
    setup = r"""
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
function fish_prompt; printf 'READY%s' '>'; end
. SCRIPT
function attnwalk
    if test "$argv[1]" = list
        command attnwalk $argv
    else
        printf 'BEGIN%s\n' '>'; printf '<%s>\n' $argv; printf 'END%s\n' '>'
    end
end
"""


if __name__ == "__main__":
    support.main()
