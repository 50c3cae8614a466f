"""Long work on the command line: a progress bar on standard error, and the options that such commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = ["check_folders", "jobs_option", "json_option", "progress_option", "shown_progress"]

_T = TypeVar("_T")
_Command = Callable[..., Any]


def json_option(what: str) -> Callable[[_Command], _Command]:
    """``--json FILE``."""
    return click.option("--json", "json_path", metavar="FILE", help=f"Write {what} as JSON; - is standard output.")


def jobs_option(command: _Command) -> _Command:
    """``--jobs N``."""
    return click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True,
                        help="How many processes work.")(command)


def progress_option(command: _Command) -> _Command:
    """``--progress`` and ``--no-progress``."""
    return click.option("--progress/--no-progress", default=None,
                        help="Show a progress bar.  [default: on a terminal]")(command)


def check_folders(**paths: str | None) -> None:
    """See before the work begins that what comes of it can be written.

    Raises
    ------
    click.UsageError
        If a file would lie in a folder that does not exist.
    """
    for option, path in paths.items():
        if path not in (None, "-") and not Path(str(path)).absolute().parent.is_dir():
            raise click.UsageError(f"--{option} {path}: there is no such folder")


def shown_progress(work: Iterable[_T], what: str, total: int, progress: bool | None) -> Iterator[_T]:
    """The same, with a progress bar if it is asked for, or by default on a terminal."""
    from rich.console import Console
    from rich.progress import track

    shown = sys.stderr.isatty() if progress is None else progress
    yield from track(work, what, total=total, console=Console(file=sys.stderr), transient=True, disable=not shown)
