# SPDX-License-Identifier: GPL-3.0-or-later
"""A second opinion on the picture: tmux."""
import os
import shutil
import subprocess
import time

import terminal
from terminal import Case, environment, main, show, skip_all


class Tmux(Case):
    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", os.path.join(self.folder, "tmux"), "-f", "/dev/null",
                               *arguments], capture_output=True, text=True, check=True,
                              env=environment(os.path.join(self.folder, "state"))).stdout

    def stop(self):
        subprocess.run(["tmux", "-S", os.path.join(self.folder, "tmux"), "kill-server"],
                       capture_output=True, check=False)

    def wait_for(self, name, place):
        end = time.monotonic() + terminal.DEADLINE
        while time.monotonic() < end:
            lines = self.tmux("capture-pane", "-p", "-t", name).splitlines()
            if lines and place in lines[-1]:
                return [line.rstrip() for line in lines]
            time.sleep(0.05)
        raise AssertionError("%s is not on the screen:\n%s" % (place, "\n".join(lines)))

    def test_pages(self):
        self.addCleanup(self.stop)
        for cols, rows in ((80, 24), (120, 40)):
            name = "s%d" % cols
            self.tmux("new-session", "-d", "-s", name, "-x", str(cols), "-y", str(rows),
                      terminal.program + " brackets:shapes")
            for place in ("brackets:shapes:1", "brackets:shapes:2", "brackets:shapes:3",
                          "brackets:names:1", "brackets:scores:1"):
                seen = self.wait_for(name, place)
                shown = show(place, "--size", "%dx%d" % (cols, rows)).splitlines()
                self.assertEqual(shown[:-1], seen[:rows - 1])
                self.tmux("send-keys", "-t", name, "Right")


if __name__ == "__main__":
    if not shutil.which("tmux"):
        skip_all("tmux")
    main()
