"""The API's OpenAPI 3.1 description, made from the route table and the model's types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from errdex import __version__
from errdex.catalog import FamilyRow, RepoRow
from errdex.model.answer import Answer
from errdex.model.record import Evidence
from errdex.publish.links import Site
from errdex.publish.schema import ID, record_schema
from errdex.web.paste import MAX_PASTE_BYTES
from errdex.web.routes import Address

_REF = "#/components/schemas/"
_PATH_RULES: dict[str, dict[str, Any]] = {
    "id": {"type": "string", "pattern": ID},
    "owner": {"type": "string", "minLength": 1, "pattern": "^[^/]+$"},
    "name": {"type": "string", "minLength": 1, "pattern": "^[^/]+$"},
}
_STATUS_WORDS = {
    400: "A parameter or the body is not understood.",
    404: "There is none such.",
    405: "This address takes another method.",
    410: "The error was removed; the body says in which version, and holds its last record.",
    413: "The text is too large.",
    415: "The body's media type is not understood.",
    503: "Too busy, or the catalog cannot be read; try again later.",
}


def describe_api(addresses: Sequence[Address], site: Site) -> dict[str, Any]:
    """Return the description of the JSON routes: `/api/…`, `/data/…`, the documents in JSON."""
    paths: dict[str, dict[str, Any]] = {}
    for address in addresses:
        if _is_described(address):
            path = re.sub(r"\{(\w+):\w+\}", r"{\1}", address.path)
            paths.setdefault(path, {})[address.method.lower()] = _operation(address)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": site.name,
            "version": __version__,
            "description": "Errors of libraries, read out of their source. A record's 31 keys are stable; evidence is unstable.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": site.base_url}],
        "paths": paths,
        "components": {"schemas": _schemas()},
    }


def _is_described(address: Address) -> bool:
    return address.kind in {"api", "data"} or address.path in {"/schema.json", "/openapi.json", "/healthz"}


def _operation(address: Address) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": address.summary,
        "operationId": _operation_id(address),
        "responses": _responses(address),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _PATH_RULES.get(name, {"type": "string"})}
        for name in re.findall(r"\{(\w+)", address.path)
    ]
    parameters += (
        {
            "name": one.name,
            "in": "query",
            "required": one.is_required,
            "description": one.description,
            "schema": one.schema,
        }
        for one in address.parameters
    )
    if parameters:
        operation["parameters"] = parameters
    if address.method == "POST":
        operation["requestBody"] = _question()
    return operation


def _operation_id(address: Address) -> str:
    words = re.findall(r"[a-z]+", address.path)
    return "_".join([address.method.lower(), *words])


def _question() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1, "pattern": r"\S", "maxLength": MAX_PASTE_BYTES // 4}
    question = {
        "type": "object",
        "properties": {"text": text},
        "required": ["text"],
        "additionalProperties": False,
    }
    return {
        "required": True,
        "content": {"application/json": {"schema": question}, "text/plain": {"schema": text}},
    }


def _responses(address: Address) -> dict[str, Any]:
    kind = "application/gzip" if address.path.endswith(".gz") else "application/json"
    schema = _ANSWERS.get(address.path, {"type": "object"})
    found = {"200": {"description": "As asked.", "content": {kind: {"schema": schema}}}}
    if address.path == "/api/errors/{id}":
        found["308"] = {"description": "The error lives on under the id in `Location`."}
    refusals = {400, 405, 503, *address.statuses}
    for status in sorted(refusals):
        content = {"application/json": {"schema": {"$ref": f"{_REF}Refusal"}}}
        found[str(status)] = {"description": _STATUS_WORDS[status], "content": content}
    return found


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _array(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": _REF + name}}


_VERSION = {"type": "string", "format": "date-time"}
_ANSWERS: dict[str, dict[str, Any]] = {
    "/api/errors/{id}": _object(
        record={"$ref": f"{_REF}Record"}, datasetVersion=_VERSION, evidence={"$ref": f"{_REF}Evidence"}
    ),
    "/api/search": _object(matches=_array("Found"), datasetVersion=_VERSION),
    "/api/explain": {"$ref": f"{_REF}Answer"},
    "/api/repos": _object(repos=_array("RepoRow"), datasetVersion=_VERSION),
    "/api/families": _object(families=_array("FamilyRow"), datasetVersion=_VERSION),
    "/data/manifest.json": _object(
        schemaVersion={"const": 2},
        datasetVersion=_VERSION,
        counts={"type": "object"},
        files={"type": "object"},
    ),
    "/data/index.json": _object(
        schemaVersion={"const": 2}, datasetVersion=_VERSION, errors=_array("IndexRow")
    ),
    "/data/index.json.gz": {"type": "string", "contentEncoding": "gzip"},
    "/data/repos.json": _array("RepoRow"),
    "/data/repos/{owner}/{name}.json": _array("Record"),
    "/data/evidence/{owner}/{name}.jsonl.gz": {"type": "string", "contentEncoding": "gzip"},
    "/data/lineage/{owner}/{name}.json": _array("Former"),
    "/healthz": _object(ok={"const": True}, datasetVersion=_VERSION),
}


def _schemas() -> dict[str, Any]:
    _, generated = msgspec.json.schema_components(
        [Answer, Evidence, RepoRow, FamilyRow], ref_template=_REF + "{name}"
    )
    text: dict[str, Any] = {"type": "string"}
    optional = {"type": ["string", "null"]}
    refusal = _object(slug=text, problem=text, hint=text)
    return {
        **generated,
        "Record": record_schema(),
        "Found": _object(
            id=text,
            repo=text,
            code=optional,
            message=text,
            score={"type": "number"},
            matchType=text,
            url=text,
        ),
        "IndexRow": _object(
            id=text,
            repo=text,
            slug=text,
            code=optional,
            msg=text,
            pattern=text,
            type=text,
            cls=optional,
            tags={"type": "array", "items": text},
            sev=text,
        ),
        "Former": {
            "type": "object",
            "properties": {
                "id": text,
                "slug": text,
                "successor": _object(id=text, slug=text),
                "lastSeen": text,
                "leftIn": text,
            },
            "required": ["id", "slug"],
        },
        "Refusal": _object(
            ok={"const": False}, status={"type": "integer"}, errors={"type": "array", "items": refusal}
        ),
    }
