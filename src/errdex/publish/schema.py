"""The JSON Schema of a record: the types from the model, the contract's rules beside them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from errdex.model.record import SCHEMA_VERSION, Record

KEBAB = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
ID = r"^[0-9a-f]{16}$"
REPO = r"^[^/]+/[^/]+$"

_RULES: dict[str, dict[str, Any]] = {
    "id": {
        "pattern": ID,
        "description": "First 16 hex digits of sha256 over repo, \\x01, errorCode else errorMessage, \\x01, filePath.",
    },
    "repo": {
        "pattern": REPO,
        "description": "owner/name; `pypi/NAME` for an artifact without a known commit.",
    },
    "slug": {"pattern": r"^[a-z0-9]+(-[a-z0-9]+)*$"},
    "errorMessage": {"minLength": 1, "description": "As the source writes it, holes kept."},
    "messagePattern": {"maxLength": 500, "description": "Not anchored; valid for RE2 and JavaScript."},
    "httpStatus": {"description": "The status an HTTP error answers with."},
    "lineNumber": {"minimum": 1, "description": "First line of the raising statement."},
    "sourceCodeStart": {"minimum": 1},
    "sourceCodeEnd": {"minimum": 1},
    "githubUrl": {"format": "uri", "description": "Permalink of the source at analyzedSha."},
    "documentation": {"minLength": 1},
    "triggerScenarios": {"minLength": 1},
    "commonSituations": {"minLength": 1},
    "analyzedSha": {"pattern": r"^[0-9a-f]{40}$"},
    "analyzedAt": {"format": "date-time"},
}


@cache
def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the contract's record: 31 keys, all required, no others."""
    generated = msgspec.json.schema(Record)["$defs"]["Record"]
    properties = {name: dict(rules) for name, rules in generated["properties"].items()}
    for name, rules in _RULES.items():
        properties[name].update(rules)
    for name in ("solutions", "preventionTips"):
        properties[name]["items"] = {"type": "string", "minLength": 1}
    properties["tags"]["items"] = {"type": "string", "pattern": KEBAB}
    properties["backgroundTag"] = {"type": ["string", "null"], "pattern": KEBAB}
    properties["schemaVersion"] = {"const": SCHEMA_VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "errdex record",
        "description": "One error of one library at one revision.",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
