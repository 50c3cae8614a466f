"""Running the command as a user does: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["ROOT", "Finished", "environment", "facedown", "scenario"]

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds the packages, whether or not they are installed."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a process returned and wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def environment() -> dict[str, str]:
    """The environment for a process that finds the packages."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "160"}


def facedown(*arguments: str, cwd: Path, before: str = "") -> Finished:
    """Run the command.

    Parameters
    ----------
    cwd
        Where; traces are saved below.
    before
        Python to run first, to plant a fault.
    """
    program = f"{before}\nimport sys\nfrom counterexamples.cli import main\nsys.argv[0] = 'facedown'\nmain()"
    done = subprocess.run([sys.executable, "-c", program, *arguments], cwd=cwd, env=environment(), text=True,
                          capture_output=True, timeout=120, check=False)
    return Finished(done.returncode, done.stdout, done.stderr)


def scenario(folder: Path, *checks: str, file: str = "bear.yaml", mana: int = 2) -> str:
    """Write a scenario in which a manifested bear can be turned face up.  Returns its file's name."""
    text = "\n".join([
        "name: a bear, manifested", "cites: [S4, 701.40b]", "players:",
        "  alice:", "    battlefield: [{card: Runeclaw Bear, as: bear, face_down: manifest}]",
        f"    mana: {{generic: {mana}}}", "  bob: {}", "check:", *(f"  - {check}" for check in checks), "",
    ])
    (folder / file).write_text(text, encoding="utf-8")
    return file
