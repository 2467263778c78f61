"""Writes docs/seeds.md: our record beside each seed, statement by statement, with the lines that bear ours out.

`python bench/seeds.py docs/seeds.md` analyses the golden tree in tests/fixtures/seeds; the seeds' own statements and
what was measured of them (../shared/seeds/FACTS.md) stand below as data.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from errdex.model.explanation import Provenance
from errdex.model.record import Evidence, Record
from errdex.pipeline import analyze
from errdex.pipeline.describe import describe
from errdex.pipeline.lines import LineReader
from errdex.sources import open_tree, parse_coordinate

TREE = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "seeds" / "sglang"
FAMILY = "src/errdex/explain/families/tensor_dtype_mismatch.py"
INTRO = """# The two seeds, statement by statement

Our records of the two seeds' errors come out of the pipeline run on the golden tree (`tests/fixtures/seeds/sglang`,
the seeds' source at their lines; the rest of those files is ours). Nothing below was written by a model. Each of our
statements is followed by the lines that bear it out; statements marked `family` are general knowledge kept in
`{family}`, with this site's names in its slots. What the seeds say is set against what was measured
on the real code (`../shared/seeds/FACTS.md`). `python bench/seeds.py docs/seeds.md` writes this page.
"""
SEEDS: dict[str, list[tuple[str, str, str]]] = {
    "pool dtypes must match q/k/v dtype": [
        (
            "documentation",
            "requires the k_pool and v_pool tensors to have the exact same dtype as q/k/v",
            "True, but the guard reads `q` alone; that `k` and `v` agree with it is an earlier guard. Ours says which.",
        ),
        (
            "documentation",
            "writes RoPE-rotated and pooled values with a single compiled element type",
            "Half wrong: nothing is pooled, the pool is the memory that keys and values are written to. Ours quotes the docstring.",
        ),
        (
            "solutions",
            "Allocate k_pool/v_pool with torch.empty(..., dtype=q.dtype)",
            "Wrong library: these are mlx arrays.",
        ),
        (
            "solutions",
            "Cast pools to q.dtype before the call: k_pool=k_pool.to(q.dtype)",
            "Raises AttributeError: an mlx array has no `to`. Ours casts with `astype`, read from the annotation `mx.array`.",
        ),
        (
            "solutions",
            "If float32 pooling is required, use a kernel variant that supports it",
            "No such variant is in the source; not said by ours.",
        ),
        (
            "exampleFix",
            "rope_pool_fused(q, k, v, k_pool, v_pool, ...)",
            "TypeError: `positions` and `slots` come before the pools. Ours passes every required argument.",
        ),
        (
            "validationCode",
            "assert k_pool.dtype == v_pool.dtype == q.dtype",
            "True. Ours is the guard itself, as a function.",
        ),
        (
            "tryCatchPattern",
            "except ValueError: k_pool = k_pool.to(q.dtype); …; retry",
            "Has no `to`, and hides which of eleven checks failed. Ours is null: a wrong dtype is mended, not caught.",
        ),
        (
            "triggerScenarios",
            "Calling rope_pool_fused where k_pool.dtype or v_pool.dtype differs from q.dtype",
            "True; ours adds the ten checks before it.",
        ),
        (
            "commonSituations",
            "Pre-allocated KV pools in float32 … partial casts",
            "Plausible, without a source. Ours says it as family knowledge.",
        ),
    ],
    "unified_kv dtype mismatch: kv={unified_kv.dtype}, q={q.dtype}": [
        (
            "documentation",
            "In the non-quantized path (kv_scales=None) … requires unified_kv to have the same dtype as q (both fp16 or both bf16)",
            "True. Ours says both conditions; that `q` is fp16 or bf16 is the last of the earlier checks, told under the trigger.",
        ),
        (
            "documentation",
            "Mixed dtypes would either break the Triton kernel or silently corrupt the attention math",
            "No line says so; not said by ours.",
        ),
        (
            "solutions",
            "Cast unified_kv to q.dtype (or reallocate the cache pool with the model dtype)",
            "True (measured). Ours says the same.",
        ),
        (
            "solutions",
            "Verify server/model dtype settings are consistent end to end",
            "General; ours keeps it among the family's prevention.",
        ),
        (
            "exampleFix",
            "sparse_attn_v4_paged_decode(q_bf16, kv_fp16.to(torch.bfloat16))",
            "TypeError: four required arguments are missing. Ours passes all six.",
        ),
        (
            "validationCode",
            "if kv_scales is None: unified_kv = unified_kv.to(q.dtype)",
            "Not a validation but a silent cast. Ours refuses before the call.",
        ),
        (
            "typeGuard",
            "return kv.dtype == q.dtype or (kv.dtype == torch.float8_e4m3fn)",
            "Wrong: true for fp8 without `kv_scales`, which raises this very error. Ours reads `kv_scales` too.",
        ),
        ("tryCatchPattern", "null", "Null in ours as well."),
        (
            "triggerScenarios",
            "Calling sparse_attn_v4_paged_decode with, e.g., q in bf16 and unified_kv in fp16, and no kv_scales",
            "True. Ours names the call that leads to the private function.",
        ),
    ],
}
TEXTS = ("documentation", "triggerScenarios", "commonSituations", "solutions", "preventionTips")
CODE = ("exampleFix", "validationCode", "typeGuard", "tryCatchPattern")


def main(target: Path) -> None:
    """Write the page."""
    tree = open_tree(parse_coordinate(str(TREE), repo="sgl-project/sglang"))
    lines = LineReader(tree.root)
    records = list(describe(tree, analyze(tree).sites, lines, analyzed_at=datetime(2026, 11, 30, tzinfo=UTC)))
    pages = [INTRO.format(family=FAMILY)]
    for message, statements in SEEDS.items():
        record, evidence = next(pair for pair in records if pair[0].error_message == message)
        pages.append(_page(record, evidence, statements, lines))
    target.write_text("\n".join(pages), "utf-8")


def _page(record: Record, evidence: Evidence, statements: list[tuple[str, str, str]], lines) -> str:
    shown = [
        f"## `{record.error_message}`",
        "",
        f"`{record.id}` · `{record.file_path}:{record.line_number}`",
        "",
    ]
    shown += [
        f"{record.error_type} · {record.severity} · {record.handling_strategy} · {record.background_tag}",
        "",
        "### Ours",
        "",
    ]
    for key in TEXTS:
        for sentence in evidence.sentences[key]:
            shown += [
                f"- **{key}**: {sentence.text}",
                f"  {_borne_out(sentence.provenance, record.file_path, lines)}",
            ]
    for key in CODE:
        block = evidence.code.get(key)
        shown += ["", f"**{key}**:" + ("" if block else " null")]
        if block:
            shown += [
                "",
                "```python",
                block.code,
                "```",
                "",
                _borne_out(block.provenance, record.file_path, lines),
            ]
    shown += [
        "",
        "### The seed's",
        "",
        "| key | the seed says | held against the code |",
        "| --- | --- | --- |",
    ]
    shown += [
        f"| {key} | {said.replace('|', chr(92) + '|')} | {judged} |" for key, said, judged in statements
    ]
    return "\n".join([*shown, ""])


def _borne_out(where: Provenance, path: str, lines) -> str:
    if where.kind == "family":
        return f"(family: `{FAMILY}`)"
    if where.line is None:
        return "(derived: the signature and the guard's parameters)"
    text = " ".join(
        line.strip() for line in lines(where.path or path)[where.line - 1 : where.end_line or where.line]
    )
    span = f"{where.line}" if not where.end_line else f"{where.line}-{where.end_line}"
    return f"({where.kind}: line {span}: `` {text[:150]} ``)"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
