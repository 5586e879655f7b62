"""How run.py and auto_files.py call the command under test."""
import os
import shlex
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOBS = 2
LIMIT = 60   # seconds of processor time for one process


# These files are about meaning: without a target they are checked and run on host, and what is not simulated is noted.
PTOG = """ptog() {
    more=
    case "$*" in "check "*--target* | "run "*--target*) ;; "check "* | "run "*) more=$PTOG_TARGET ;; esac
    case "$1" in check) more="$more --allow-unjudged" ;; run) more="$more --allow-empty" ;; esac
    "$PTOG_UNDER_TEST" "$@" $more
}
"""


class Failure(Exception):
    """What was expected and what came instead."""


class Shell:
    """The commands of one file: the tool under test in place of `ptog`, the file of %s and the prefix of %t."""

    def __init__(self, ptog, path, prefix):
        self.ptog, self.path, self.prefix = ptog, path, prefix

    def names_target(self):
        text = (HERE / self.path).read_bytes()
        return b"target_arch" in text or b"device-spec" in text

    def expand(self, text):
        return text.replace("%s", shlex.quote(self.path)).replace("%t", self.prefix)

    def call(self, command):
        """(exit status, stdout, stderr)"""
        script = f"ulimit -t {LIMIT}\n" + PTOG + self.expand(command)
        environment = {**os.environ, "PTOG_UNDER_TEST": self.ptog, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                       "PTOG_TARGET": "" if self.names_target() else "--target host"}
        done = subprocess.run(["/bin/sh", "-c", script], cwd=HERE, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
