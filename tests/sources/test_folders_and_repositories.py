"""Local folders and `git:`: what is listed, which revision it is, and the link to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from errdex.errors import FolderError, GitError
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.git_program import environment
from errdex.sources.hosts import permalink, read_remote, without_secrets

Git = Callable[..., str]


def opened(text: str, tmp_path: Path, repo: str | None = None):
    return open_tree(parse_coordinate(text, repo=repo), cache=tmp_path / "cache")


def test_a_folder_is_read_in_place(tmp_path: Path) -> None:
    """Outside of git: every source, no links, no caches, no environments."""
    folder = tmp_path / "My project"
    for path in ("a.py", "sub/b.py", "__pycache__/c.py", ".git/d.py", "env/e.py", "data.bin"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x = 1\n")
    (folder / "env/pyvenv.cfg").write_text("")
    (folder / "up").symlink_to("..")
    (folder / "link.py").symlink_to("a.py")
    os.mkfifo(folder / "pipe.py")
    tree = opened(str(folder), tmp_path)
    assert [file.path for file in tree.files] == ["a.py", "sub/b.py"]
    assert {row.path: row.reason for row in tree.skipped} == {
        "env": "it is a virtual environment",
        "link.py": "it is a symbolic link",
        "pipe.py": "it is not a plain file",
        "up": "it is a symbolic link",
    }
    assert (tree.root, tree.repo, tree.package, tree.permalink) == (
        folder,
        "local/My-project",
        "My-project",
        None,
    )
    assert not (tmp_path / "cache").exists()


def test_a_checkout_leaves_out_what_git_ignores(checkout: Path, tmp_path: Path, git: Git) -> None:
    """As committed, its revision is the commit; a change makes it the hash of its files."""
    tree = opened(str(checkout), tmp_path)
    assert [file.path for file in tree.files] == [
        ".gitignore",
        "pyproject.toml",
        "src/project/one.py",
        "src/project/two.py",
    ]
    assert tree.revision == git(checkout, "rev-parse", "HEAD")
    assert (tree.repo, tree.package, tree.version, tree.description) == (
        "local/project",
        "my-project",
        "3.1",
        "A project",
    )
    (checkout / "src/project/new.py").write_text("x = 1\n")
    changed = opened(str(checkout), tmp_path)
    assert changed.revision not in {tree.revision, ""}
    assert "src/project/new.py" in {file.path for file in changed.files}


def test_a_known_origin_gives_permalinks(checkout: Path, tmp_path: Path, git: Git) -> None:
    """Paths are the repository's own, also of a folder within it; changed files have no link."""
    git(checkout, "remote", "add", "origin", "git@github.com:owner/project.git")
    sha = git(checkout, "rev-parse", "HEAD")
    link = f"https://github.com/owner/project/blob/{sha}/{{path}}#L{{start}}-L{{end}}"
    tree = opened(str(checkout), tmp_path)
    assert (tree.repo, tree.permalink) == ("owner/project", link)
    inner = opened(str(checkout / "src"), tmp_path)
    assert [file.path for file in inner.files] == ["src/project/one.py", "src/project/two.py"]
    assert (inner.root, inner.repo, inner.permalink) == (checkout, "owner/project", link)
    renamed = opened(str(checkout), tmp_path, repo="fork/other")
    assert (renamed.repo, renamed.permalink) == ("fork/other", link.replace("owner/project", "fork/other"))
    (checkout / "src/project/one.py").write_text("changed\n")
    assert opened(str(checkout), tmp_path).permalink is None


def test_a_path_that_is_no_folder_is_said_to_be_none(tmp_path: Path) -> None:
    """A file and nothing at all are told apart."""
    (tmp_path / "setup.py").write_text("")
    with pytest.raises(FolderError, match="is a file, neither a folder nor an archive"):
        opened(str(tmp_path / "setup.py"), tmp_path)
    with pytest.raises(FolderError, match="does not exist"):
        opened(str(tmp_path / "none"), tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FolderError, match="is no folder"):
        opened(str(tmp_path / "pipe"), tmp_path)


def test_a_revision_is_fetched_and_pinned(checkout: Path, tmp_path: Path, git: Git) -> None:
    """A tag, a branch, HEAD and a commit, full or short, all become the commit."""
    first, last = git(checkout, "rev-parse", "v1"), git(checkout, "rev-parse", "main")
    url = checkout.as_uri()
    for revision, sha in [
        ("@v1", first),
        ("@main", last),
        ("", last),
        (f"@{first}", first),
        (f"@{first[:9]}", first),
    ]:
        tree = opened(f"git:{url}{revision}", tmp_path)
        assert (tree.revision, str(tree.coordinate)) == (sha, f"git:{url}@{sha}")
    assert [file.path for file in tree.files] == [".gitignore", "pyproject.toml", "src/project/one.py"]
    assert (tree.root / "src/project/one.py").read_text() == "raise ValueError('one')\n"
    for file in tree.files:
        assert file.blob == git(checkout, "rev-parse", f"v1:{file.path}")
    assert (tree.repo, tree.package, tree.version) == ("owner/project", "my-project", "3.1")


def test_a_kept_commit_asks_nobody(checkout: Path, tmp_path: Path, git: Git) -> None:
    """A full commit is content; when it is kept, the repository may be gone."""
    sha = git(checkout, "rev-parse", "v1")
    tree = opened(f"git:{checkout.as_uri()}@{sha}", tmp_path)
    checkout.rename(tmp_path / "moved")
    assert opened(f"git:{checkout.as_uri()}@{sha}", tmp_path) == tree


def test_a_named_repository_lives_on_github(checkout: Path, tmp_path: Path, git: Git) -> None:
    """`--repo` with a `file://` URL: the golden trees of the seeds are made so."""
    tree = opened(f"git:{checkout.as_uri()}@main", tmp_path, repo="sgl-project/sglang")
    sha = git(checkout, "rev-parse", "main")
    assert tree.repo == "sgl-project/sglang"
    assert tree.permalink == f"https://github.com/sgl-project/sglang/blob/{sha}/{{path}}#L{{start}}-L{{end}}"
    assert opened(f"git:{checkout.as_uri()}@main", tmp_path).permalink is None


def test_a_repositorys_own_tricks_do_nothing(checkout: Path, tmp_path: Path, git: Git) -> None:
    """Links, submodules, export-ignore and filters: nothing is followed, left out or run."""
    (checkout / ".gitattributes").write_text("two.py export-ignore\n*.py filter=evil text eol=crlf\n")
    git(checkout, "config", "filter.evil.smudge", f"touch {tmp_path}/evil")
    git(checkout, "add", ".gitattributes")
    git(checkout, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendored.py")
    git(checkout, "commit", "--quiet", "--message=tricks")
    hook = checkout / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/evil\n")
    hook.chmod(0o755)
    tree = opened(f"git:{checkout.as_uri()}@main", tmp_path)
    assert (tree.root / "src/project/two.py").read_bytes() == b"raise ValueError('two')\n"
    assert {row.path: row.reason for row in tree.skipped} == {
        "src/project/link.py": "it is a symbolic link",
        "vendored.py": "it is a submodule",
    }
    assert not (tmp_path / "evil").exists()


def test_git_failures_say_why(checkout: Path, tmp_path: Path) -> None:
    """No such revision, no such repository, no network: each its own words, nothing kept."""
    with pytest.raises(GitError, match="it has no such revision"):
        opened(f"git:{checkout.as_uri()}@nope", tmp_path)
    with pytest.raises(GitError, match="it has no such revision"):
        opened(f"git:{checkout.as_uri()}@{'0' * 40}", tmp_path)
    with pytest.raises(GitError, match="it has no such revision"):
        opened(f"git:{checkout.as_uri()}@deadbeef", tmp_path)
    with pytest.raises(GitError, match="does not appear to be a git repository"):
        opened(f"git:file://{tmp_path}/nowhere@main", tmp_path)
    with pytest.raises(GitError, match=r"127\.0\.0\.1") as caught:
        opened("git:https://user:s3cret@127.0.0.1:1/a/b@main", tmp_path)
    assert "s3cret" not in str(caught.value)
    assert list((tmp_path / "cache").glob("t*/*")) == []


def test_git_is_not_led_astray_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, checkout: Path, tmp_path: Path
) -> None:
    """`GIT_DIR` and its kind, set while a hook runs us, do not reach git."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext")
    assert "GIT_DIR" not in environment()
    assert "ext" not in environment()["GIT_ALLOW_PROTOCOL"]
    assert opened(f"git:{checkout.as_uri()}@v1", tmp_path).version == "3.1"


@pytest.mark.parametrize(
    ("url", "repo", "link"),
    [
        ("https://github.com/psf/requests.git", "psf/requests", "https://github.com/psf/requests/blob/SHA/{path}#L{start}-L{end}"),
        ("git@github.com:psf/requests", "psf/requests", "https://github.com/psf/requests/blob/SHA/{path}#L{start}-L{end}"),
        ("ssh://git@gitlab.com:22/group/sub/name/", "group-sub/name", "https://gitlab.com/group/sub/name/-/blob/SHA/{path}#L{start}-{end}"),
        ("https://bitbucket.org/a/b", "a/b", "https://bitbucket.org/a/b/src/SHA/{path}#lines-{start}:{end}"),
        ("https://codeberg.org/a/b", "a/b", "https://codeberg.org/a/b/src/commit/SHA/{path}#L{start}-L{end}"),
        ("https://git.sr.ht/~ada/tool", "ada/tool", "https://git.sr.ht/~ada/tool/tree/SHA/item/{path}#L{start}"),
        ("https://git.example.org/a/b", "a/b", None),
        ("file:///srv/git/a/b.git", "a/b", None),
        ("https://github.com/only", None, None),
        ("https://github.corp.example/a/b", "a/b", "https://github.corp.example/a/b/blob/SHA/{path}#L{start}-L{end}"),
    ],
)  # fmt: skip
def test_a_url_gives_repository_and_permalink(url: str, repo: str | None, link: str | None) -> None:
    """Each known host has its own form of link; an unknown one has none."""
    remote = read_remote(url)
    assert remote.repo == repo
    assert permalink(remote, None, "SHA") == link


def test_credentials_are_taken_out_of_urls() -> None:
    """Tokens in a URL do not reach records."""
    assert without_secrets("https://ada:token@host/a/b") == "https://host/a/b"
    assert without_secrets("https://token@host/a/b") == "https://host/a/b"
    assert without_secrets("ssh://git:pw@host/a/b") == "ssh://git@host/a/b"
    assert without_secrets("git@host:a/b") == "git@host:a/b"
