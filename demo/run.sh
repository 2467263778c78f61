#!/bin/sh
# `make demo`: two packages from the index, a real traceback, pages. Needs what `make` set up in $BIN.
set -eu
catalog=$(mktemp -d)/catalog.db
export ERRDEX_CATALOG="$catalog"
trap 'rm -rf "$(dirname "$catalog")"' EXIT INT TERM

echo "1. Reading requests and click, as the package index has them, and keeping a record of each error:"
"$BIN/errdex" analyze pypi:requests==2.34.2 pypi:click

echo
echo "2. A program calls requests.get(\"example.com\"); what it prints goes to errdex:"
"$BIN/python" demo/wrong_url.py 2>"$catalog.trace" || true
sed 's/^/   | /' "$catalog.trace"
echo
"$BIN/errdex" explain - <"$catalog.trace"

[ "${SERVE:-1}" = 0 ] && exit 0
echo
echo "3. The same records as pages: http://127.0.0.1:$PORT/  (Ctrl-C ends the demo)"
"$BIN/errdex" serve --port "$PORT"
