"""The app over the sample catalog, in process and on a real port."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests import serving

sys.path.insert(0, str(Path(__file__).parents[1] / "publish"))

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_FLAGS = (
    "--no-sandbox --headless --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def catalog(tmp_path_factory):
    """The sample catalog, read by all tests and written by none."""
    from sample_catalog import sample_catalog

    with sample_catalog(tmp_path_factory.mktemp("sample")) as opened:
        yield opened


@pytest.fixture(scope="session")
def app(catalog):
    """The app as `errdex serve` makes it."""
    from errdex.web import create_app

    return create_app(catalog, base_url="http://errdex.test")


@pytest.fixture(scope="session")
def client(app):
    """A client that calls the app in process and keeps our failures as responses."""
    from starlette.testclient import TestClient

    with TestClient(
        app, base_url="http://errdex.test", raise_server_exceptions=False, follow_redirects=False
    ) as made:
        yield made


@pytest.fixture(scope="session")
def server(catalog):
    """The address of the app, served by uvicorn on a free port of loopback."""
    with serving.served(catalog) as url:
        yield url


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium, driven by Playwright, whose event loop runs in this thread until it is closed."""
    if not CHROMIUM.exists():
        pytest.skip("no /usr/bin/chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def npm_tools(tmp_path_factory):
    """A folder with axe-core and html-validate, from npm."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("npm")
    names = ["axe-core@4", "html-validate@9"]
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
    done = subprocess.run(["npm", "install", *options, *names], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot install {names}: {done.stderr[-200:]}")
    return folder / "node_modules"
