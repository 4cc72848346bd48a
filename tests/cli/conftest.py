"""Runs the command as a user would. MICROSLIP_COMMAND names the binary under test."""
import json
import os
import subprocess

import pytest


class Command:
    def __init__(self, folder):
        self.folder = folder
        self.binary = os.environ["MICROSLIP_COMMAND"]

    def __call__(self, *arguments, status=0):
        """The finished process; its exit status must be the one expected, and bad input costs one line."""
        environment = dict(os.environ)
        # LeakSanitizer of GCC 12 takes garbage for the bounds of the thread-local memory of MPI's plug-ins, and crashes.
        if arguments[:1] == ("reduce",):
            environment["ASAN_OPTIONS"] = "detect_leaks=0"
        done = subprocess.run([self.binary, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env=environment, timeout=600)  # also under sanitizers
        assert done.returncode == status, f"status {done.returncode}: {done.stderr}"
        if status == 2:
            assert done.stdout == ""
            assert done.stderr.count("\n") == 1, done.stderr
        return done

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json").stdout)

    def refused(self, *arguments):
        """The one line with which a wrong call is refused."""
        return self(*arguments, status=2).stderr.strip()


@pytest.fixture
def microslip(tmp_path):
    return Command(tmp_path)
