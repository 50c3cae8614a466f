"""Which scenarios and properties a command line asks for.

Shipped rulings are counted, not built: that is left to the processes that check them, so that the first verdict comes
soon.  A user's own files are read and validated at once, so that a mistake in the last is reported before the first is
searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from model.errors import InputError, Span, UsageError, nearest

__all__ = ["Item", "Selection", "ruling_files", "rulings_folder", "scenario_text", "select"]

_SEPARATOR = "\n---\n"
"""What stands between the head of a ruling's file and its scenarios."""


@dataclass(frozen=True, slots=True)
class Item:
    """A scenario to check.

    Parameters
    ----------
    path
        The file.
    index
        Which of its documents, from 0.
    ruling
        The official ruling that it exercises; None in a user's own file.
    """

    path: str
    index: int
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What to check.

    Parameters
    ----------
    properties
        Ids that narrow what each scenario is checked for; empty for everything in its own list.
    own
        Whether the user named files, to which properties that are not in their lists are put as well.
    """

    items: tuple[Item, ...]
    properties: tuple[str, ...] = ()
    own: bool = False


def select(paths: Sequence[str], rulings: Sequence[str], properties: Sequence[str]) -> Selection:
    """Find what a command line asks for.

    Parameters
    ----------
    paths
        Scenario files, and folders of them.
    rulings
        Ids of rulings; with no paths either, every shipped ruling is meant.
    properties
        Ids of properties.

    Raises
    ------
    UsageError
        If a ruling or property does not exist, or a folder holds no scenario.
    InputError
        If a scenario file is wrong.
    """
    items: list[Item] = []
    for path in paths:
        items.extend(_own_items(path, strict=not properties))
    shipped = ruling_files()
    for ruling in rulings:
        if ruling.upper() not in shipped:
            raise UsageError(f"there is no ruling {ruling!r}{nearest(ruling, shipped)}; they are S1 to S{len(shipped)}")
    wanted = [ruling.upper() for ruling in rulings] if rulings or paths else list(shipped)
    for ruling in dict.fromkeys(wanted):
        file = shipped[ruling]
        number = file.read_text(encoding="utf-8").count(_SEPARATOR)
        items.extend(Item(str(file), index, ruling) for index in range(1, number + 1))
    if properties:
        _require_known(properties, own=bool(paths))
    return Selection(tuple(items), tuple(dict.fromkeys(properties)), own=bool(paths))


def rulings_folder() -> Path:
    """Where the shipped rulings stand."""
    return Path(str(files("properties"))) / "rulings"


def ruling_files() -> dict[str, Path]:
    """The file of each shipped ruling, in the order of their numbers."""
    found = {path.stem.upper().replace("S0", "S"): path for path in rulings_folder().glob("s*.yaml")}
    return dict(sorted(found.items(), key=lambda pair: int(pair[0][1:])))


def _require_known(properties: Sequence[str], *, own: bool) -> None:
    if own:
        return  # the files may give names of their own; what no scenario knows is found when all have been read
    from properties.registry import find_property

    for id_ in properties:
        find_property(id_)


def _own_items(path: str, *, strict: bool) -> Iterator[Item]:
    folder = Path(path)
    if folder.is_dir():
        inside = sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml"))
        if not inside:
            raise UsageError(f"the folder {path} holds no scenario: no file in it ends in .yaml")
        for file in inside:
            yield from _file_items(str(file), strict=strict)
    else:
        yield from _file_items(path, strict=strict)


def _file_items(path: str, *, strict: bool) -> Iterator[Item]:
    from counterexamples.expression_checks import checks_of
    from model.scenario import load_scenarios

    scenarios = load_scenarios(path)
    if not scenarios:
        raise InputError("the file holds no scenario", Span(path))
    for index, scenario in enumerate(scenarios):
        if strict or scenario.data.check:
            checks_of(scenario)
        yield Item(path, index)


def scenario_text(text: str, lines: Sequence[int], index: int) -> str:
    """The text of one document of a YAML file.

    Parameters
    ----------
    text
        The whole file.
    lines
        The line, from 1, on which each document's content starts.
    index
        Which document.
    """
    if len(lines) == 1:
        return text
    rows = text.splitlines(keepends=True)
    end = lines[index + 1] - 1 if index + 1 < len(lines) else len(rows)
    chunk = rows[lines[index] - 1:end]
    cut = next((i for i, row in enumerate(chunk) if i and re.match(r"(---|\.\.\.)(\s|$)", row)), len(chunk))
    return "".join(chunk[:cut])
