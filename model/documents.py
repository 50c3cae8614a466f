"""YAML files that know where everything stands, so that every complaint has a line and a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from model.errors import InputError, Span, nearest
from model.yaml_text import MarkedLoader

__all__ = ["Document", "load_document", "load_documents"]

_Model = TypeVar("_Model", bound=BaseModel)
_Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one YAML document, and where each part of it stands.

    Parameters
    ----------
    data
        Plain mappings, lists and scalars.
    places
        (line, column) by path, counted from 1; for a key of a mapping, where the key stands.
    """

    data: Any
    places: Mapping[_Path, tuple[int, int]]
    file: str

    def span(self, path: Sequence[str | int] = ()) -> Span:
        """Where a path stands, or the innermost part of it that the file has."""
        found: _Path = ()
        for part in path:
            if (*found, part) in self.places:
                found = (*found, part)
        line, column = self.places.get(found, (1, 1))
        return Span(self.file, line, column)

    def error(self, message: str, path: Sequence[str | int] = ()) -> InputError:
        """An error about a part of the document."""
        return InputError(message, self.span(path))

    def validate(self, model: type[_Model], data: Any = None, at: _Path = ()) -> _Model:
        """Validate the document, or a part of it, into a model.

        Raises
        ------
        InputError
            With the place of the first thing that is wrong, and what is accepted there.
        """
        try:
            return model.model_validate(self.data if data is None else data)
        except ValidationError as problem:
            first = max(problem.errors(), key=lambda e: (e["type"] == "extra_forbidden", -len(e["loc"])))
            path = (*at, *first["loc"])
            raise self.error(_message(first, model), path) from None


def _message(error: Mapping[str, Any], model: type[BaseModel]) -> str:
    where = error["loc"][-1] if error["loc"] else ""
    if error["type"] == "extra_forbidden":
        known = sorted(_fields_at(model, error["loc"][:-1]))
        accepted = f"; accepted are {', '.join(known)}" if known else ""
        return f"unknown key {str(where)!r}{nearest(str(where), known)}{accepted}"
    if error["type"] == "missing":
        return f"the key {str(where)!r} is missing"
    text = str(error["msg"]).removeprefix("Value error, ")
    found = error.get("input")
    if error["type"] != "value_error" and isinstance(found, (str, int, float, bool)):
        text += f", found {found!r}"
    return f"{where}: {text}" if where != "" else text


def _fields_at(model: type[BaseModel], loc: Iterable[str | int]) -> set[str]:
    """The keys that a model accepts at a location, as far as it can be followed."""
    current: Any = model
    for part in loc:
        field = (
            current.model_fields.get(str(part))
            if isinstance(current, type) and issubclass(current, BaseModel)
            else None
        )
        if field is None:
            found = _inner_model(current)
            current = found if found is not None else current
            continue
        current = _inner_model(field.annotation) or field.annotation
    inner = _inner_model(current)
    if inner is None:
        return set()
    return {field.alias or name for name, field in inner.model_fields.items()}


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        if (found := _inner_model(inner)) is not None:
            return found
    return None


def load_document(path: Path | str, text: str | None = None) -> Document:
    """Read a file that holds one YAML document.

    Raises
    ------
    InputError
        If it cannot be read, is no YAML, or names a key twice.
    """
    documents = load_documents(path, text)
    if len(documents) != 1:
        raise InputError(f"one document is expected, found {len(documents)}", Span(str(path)))
    return documents[0]


def load_documents(path: Path | str, text: str | None = None) -> list[Document]:
    """Read a file that holds any number of YAML documents; see :func:`load_document`."""
    name = str(path)
    if text is None:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as problem:
            raise InputError(f"cannot be read: {problem.strerror}", Span(name)) from None
        except UnicodeDecodeError as problem:
            raise InputError(f"is not UTF-8 text: byte {problem.start}", Span(name)) from None
    loader = MarkedLoader(text)
    try:
        found = []
        while loader.check_node():
            node = loader.get_node()
            assert node is not None
            places: dict[_Path, tuple[int, int]] = {}
            found.append(Document(_construct(loader, node, (), places, name), places, name))
        return found
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        span = Span(name, mark.line + 1, mark.column + 1) if mark else Span(name)
        raise InputError(f"is no YAML: {problem.problem or problem.context}", span) from None
    except yaml.YAMLError as problem:
        raise InputError(f"is no YAML: {str(problem).splitlines()[0]}", Span(name)) from None
    finally:
        loader.dispose()


def _construct(
    loader: MarkedLoader, node: yaml.Node, path: _Path, places: dict[_Path, tuple[int, int]], name: str
) -> Any:
    places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            at = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if not isinstance(key, (str, int)):
                raise InputError(f"a key is a word, found {key!r}", Span(name, *at))
            if key in result:
                raise InputError(f"the key {key!r} stands here twice", Span(name, *at))
            places[(*path, key)] = at
            result[key] = _construct(loader, value_node, (*path, key), places, name)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_construct(loader, item, (*path, i), places, name) for i, item in enumerate(node.value)]
    return loader.construct_object(node, deep=True)
