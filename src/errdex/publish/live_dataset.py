"""The dataset of a catalog that may change: made when first asked for, kept until the version grows."""

from __future__ import annotations

import shutil
import tempfile
import threading
from pathlib import Path

from errdex.catalog import Catalog
from errdex.publish.dataset import data_path, pack, write_index, write_manifest, write_records, write_repos
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

    def repo_file(self, version: str, repo: str) -> Path:
        """Return the file that holds one repository's records."""
        with self._lock:
            root = self._built(version)
            path = root / data_path(repo).removeprefix("/")
            if not path.is_file():
                listed = write_records(self._catalog.bare_records(repo), repo, root, self._site)
                pack(root, listed.path)
            return path

    def close(self) -> None:
        """Remove the scratch folder."""
        with self._lock:
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)
                self._root = None

    def _built(self, version: str) -> Path:
        if self._root is not None and version == self._version:
            return self._root
        root = Path(tempfile.mkdtemp(prefix="errdex-dataset-"))
        rows = self._catalog.repos()
        files, errors = write_index(self._catalog, root, version)
        listed = write_repos(rows, root)
        files["repos"] = {"path": listed.path, "bytes": listed.bytes, "sha256": listed.sha256}
        write_manifest(root, version, files, {"repos": len(rows), "errors": errors})
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
        self._root, self._version = root, version
        return root
