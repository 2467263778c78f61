"""The frozen records that stages hand on. Imports nothing of ours.

One file per subject: `source` (code in), `site` (what extraction and linking
found), `explanation` (what is said about it), `record` (the wire contract),
`answer` (what a lookup returns), `facts` (what one file says, before linking).

Conventions, said once: lines count from 1; columns from 0 in UTF-8 bytes, as
`ast` counts them (tree-sitter rows count from 0: its readers add 1); paths are
POSIX, relative to the source's root, never absolute and never with `..`;
`None` means "not there", never "not looked for".
"""
