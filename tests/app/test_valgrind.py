# SPDX-License-Identifier: GPL-3.0-or-later
"""The headless commands under valgrind: no wrong access, nothing lost.  Needs valgrind and a build
without sanitizers."""
import os
import subprocess
import sys

import support
from support import BAD_INPUTS, HEAD, environment

VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect,possible"]

LOAD_Q = ["--load", "Q=" + HEAD % "q"]
RUNS = (
    (0, ["--version"]), (0, ["--help"]), (2, ["nosuch"]), (2, ["eval", "--nosuch"]),
    (0, ["list"]), (0, ["list", "--json"]), (0, ["check", "factor"]), (0, ["read", "brackets"]),
    (0, ["dump", "recurrent?n=3&phi=quadratic", "--long"]),
    (0, ["dump", "brackets?n=3&Q(2,3)=0.5", "-m", "Y1", "--format", "npy"]),
    (1, ["dump", "brackets:nosuch", "-m", "Y1"]), (1, ["dump", "brackets", "-m", "Y1", "--set", "n=0"]),
    (1, ["check", "./nosuch.md"]), (1, ["eval", "[1 2] * [3 4]"]), (1, ["eval", "((1"]),
    (1, ["eval", "A", "--load", "A=" + os.path.join(BAD_INPUTS, "csv-row-2-too-long.csv")]),
    (1, ["check", os.path.join(BAD_INPUTS, "lesson-front-matter-never-closed.md")]),
    (0, ["eval", "Q=randn(3,2); for t=1:3, S=softmax(Q*Q'); end; S", "--explain", "(1,2)", "--depth",
         "4", "--cost"]),
    (0, ["eval", "exp(Q(1,1))", "--load", "Q=" + HEAD % "q"]),
    (0, ["eval", "--fast", "--threads", "2", "softmax_attention(Q,Q,Q,3)", *LOAD_Q]),
    (0, ["eval", "--stream", "linear_attention(@(X) favor(X,W),Q,Q,Q,'causal',0.5)", *LOAD_Q,
         "--load", "W=" + HEAD % "k", "-o", "y.npy", "--format", "npy"]),
    (1, ["eval", "--stream", "delta_rule(Q,K,Q,0.5)", *LOAD_Q, "--load",
         "K=" + os.path.join(BAD_INPUTS, "csv-row-2-too-long.csv"), "-o", "y.csv"]),
)


def run(arguments, cwd=None):
    done = subprocess.run(VALGRIND + [support.program, *arguments], env=environment(), cwd=cwd,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=support.DEADLINE, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


class Valgrind(support.Case):
    def test_runs(self):
        for code, arguments in RUNS:
            status, talk = run(arguments, self.folder)
            self.assertEqual(code, status, (arguments, talk))


if __name__ == "__main__":
    support.need_tool("valgrind")
    if len(sys.argv) > 1:
        support.program = sys.argv[1]
        if support.is_sanitized():
            support.skip_all("valgrind does not go with a sanitized build")
        if "debuginfo reader" in run(["--version"])[1]:
            support.skip_all("this valgrind cannot read this compiler's debugging information")
    support.main()
