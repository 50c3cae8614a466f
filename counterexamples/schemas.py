"""The JSON Schemas of what goes in and comes out, generated from the models that validate it.

They are shipped as files, so that an editor can point at one; a test keeps them as they are generated, and
``python -m counterexamples.schemas`` writes them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

__all__ = ["KINDS", "generate", "shipped"]

KINDS = ("scenario", "trace", "result")


def shipped(kind: str) -> str:
    """The text of a schema that is shipped."""
    return (files("counterexamples") / "schema" / f"{kind}.json").read_text(encoding="utf-8")


def generate(kind: str) -> str:
    """The text of a schema, from the model."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"facedown.{kind}/1",
              **_model(kind).model_json_schema(schema_generator=_Generator, mode="validation")}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _model(kind: str) -> type[BaseModel]:
    match kind:
        case "scenario":
            from model.scenario import ScenarioData

            return ScenarioData
        case "trace":
            from counterexamples.trace_file import TraceFile

            return TraceFile
        case "result":
            from counterexamples.document import ResultDocument

            return ResultDocument
    raise ValueError(f"kind must be one of {', '.join(KINDS)} (got {kind!r})")


class _Generator(GenerateJsonSchema):
    """Writes a card in a zone as what users may write: its name, or a mapping."""

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        if _is_entry(schema):
            return {"anyOf": [{"type": "string"}, super().generate_inner(schema["schema"])]}
        return super().generate_inner(schema)


def _is_entry(schema: Mapping[str, Any]) -> bool:
    """Whether this is an entry that is validated before, which is where a bare name is taken."""
    inner = schema.get("schema")
    if schema.get("type") != "function-before" or not isinstance(inner, dict):
        return False
    named = inner.get("cls") or inner.get("schema_ref") or ""
    return "EntryData" in str(named)


def _write() -> None:
    for kind in KINDS:
        Path(__file__).with_name("schema").joinpath(f"{kind}.json").write_text(generate(kind), encoding="utf-8")


if __name__ == "__main__":
    _write()
