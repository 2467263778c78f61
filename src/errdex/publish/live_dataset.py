"""The dataset of a catalog that may change: made when first asked for, kept until the version grows."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from errdex.catalog import Catalog
from errdex.publish.dataset import (
    PER_REPO,
    Listed,
    data_path,
    evidence_path,
    lineage_path,
    pack,
    write_evidence,
    write_index,
    write_lineage,
    write_manifest,
    write_records,
    write_repos,
)
from errdex.publish.lineage import Lineage
from errdex.publish.links import Site


class LiveDataset:
    """Files of the dataset in a scratch folder of their own. Safe to ask from several threads."""

    def __init__(self, catalog: Catalog, site: Site) -> None:
        self._catalog, self._site = catalog, site
        self._lock = threading.Lock()
        self._root: Path | None = None
        self._version = ""

    def folder(self, version: str) -> Path:
        """Return the folder that holds manifest, index and repository rows of `version`."""
        with self._lock:
            return self._built(version)

    def records_file(self, version: str, repo: str) -> Path:
        """Return the file that holds one repository's records; its packed twin stands beside it."""

        def make(root: Path) -> None:
            pack(root, write_records(self._catalog.bare_records(repo), repo, root, self._site).path)

        return self._made(version, data_path(repo), make)

    def evidence_file(self, version: str, repo: str) -> Path:
        """Return the file that holds the evidence of one repository's records."""
        return self._made(
            version,
            evidence_path(repo),
            lambda root: write_evidence(self._catalog.records(repo), repo, root),
        )

    def lineage_file(self, version: str, repo: str) -> Path:
        """Return the file that says what became of one repository's former records."""
        return self._made(
            version,
            lineage_path(repo),
            lambda root: write_lineage(Lineage(self._catalog, repo), repo, root),
        )

    def close(self) -> None:
        """Remove the scratch folder."""
        with self._lock:
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)
                self._root = None

    def _made(self, version: str, path: str, make: Callable[[Path], object]) -> Path:
        """Return a file of `version`, made if it is asked for the first time."""
        with self._lock:
            root = self._built(version)
            file = root / path.removeprefix("/")
            if not file.is_file():
                make(root)
            return file

    def _built(self, version: str) -> Path:
        if self._root is not None and version == self._version:
            return self._root
        root = Path(tempfile.mkdtemp(prefix="errdex-dataset-"))
        rows = self._catalog.repos()
        files, errors = write_index(self._catalog, root, version)
        listed = write_repos(rows, root)
        files["repos"] = {"path": listed.path, "bytes": listed.bytes, "sha256": listed.sha256}
        unmade: dict[str, Listed | None] = dict.fromkeys(row.repo for row in rows)
        write_manifest(
            root, version, files, {"repos": len(rows), "errors": errors}, dict.fromkeys(PER_REPO, unmade)
        )
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
        self._root, self._version = root, version
        return root
