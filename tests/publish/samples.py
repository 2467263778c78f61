"""Records and evidence of real errors, written out by hand: what the renderer gets from a catalog."""

from __future__ import annotations

from errdex.catalog import FamilyRow, RepoRow, StoredRecord, Summary
from errdex.model.explanation import CodeBlock, Provenance, Sentence
from errdex.model.record import Evidence, Proof, Record, Related, Run, record_id, record_slug
from errdex.model.site import (
    CallableFacts,
    CallStep,
    Condition,
    EntryPoint,
    Hole,
    MessageTemplate,
    Parameter,
    RaisingTest,
    ThrowSite,
)

SHA = "0132848349585cfe6aae51c4941cbae872505f8a"
PATH = "python/sglang/kernels/ops/attention/dsv4/unified_kv_kernels/paged_decode.py"
MESSAGE = "unified_kv dtype mismatch: kv={unified_kv.dtype}, q={q.dtype}"
SOURCE = """\
            )
        if kv_scales.dtype != torch.float32:
            raise RuntimeError(f"kv_scales must be fp32, got {kv_scales.dtype}")
        D_check = unified_kv.shape[-1]
        if D_check % _FP8_GROUP_SIZE != 0:
            raise RuntimeError(
                f"D={D_check} must be divisible by GROUP_SIZE={_FP8_GROUP_SIZE}"
            )
        expected_g = D_check // _FP8_GROUP_SIZE
        if kv_scales.shape != (unified_kv.shape[0], expected_g):
            raise RuntimeError(
                f"kv_scales shape {tuple(kv_scales.shape)} does not match "
                f"expected ({unified_kv.shape[0]}, {expected_g})"
            )
        if kv_scales.stride(-1) != 1:
            kv_scales = kv_scales.contiguous()
    else:
        if unified_kv.dtype != q.dtype:
            raise RuntimeError(
                f"unified_kv dtype mismatch: kv={unified_kv.dtype}, q={q.dtype}"
            )

    T, H, D = q.shape
    out = torch.empty_like(q)

    if block_h is None:
        block_h = triton.next_power_of_2(min(H, 64))
    else:
        block_h = triton.next_power_of_2(block_h)
    block_h = max(block_h, 16)  # AMD MFMA min tile

    n_head_blocks = (H + block_h - 1) // block_h
    h_padded = n_head_blocks * block_h
    block_d = triton.next_power_of_2(D)

    if kv_splits is None:
        kv_splits = _kv_splits_heuristic(T, H, block_h)"""


def from_source(line: int, end_line: int | None = None) -> Provenance:
    """Provenance of a line of the sample's file."""
    return Provenance(kind="source", path=PATH, line=line, end_line=end_line)


FAMILY = Provenance(kind="family", detail="tensor-dtype-mismatch")


def sample_site(**changes: object) -> ThrowSite:
    """The site of the sample record."""
    values: dict[str, object] = {
        "kind": "raise",
        "path": PATH,
        "line": 684,
        "end_line": 686,
        "column": 12,
        "statement": 'raise RuntimeError(\n    f"unified_kv dtype mismatch: kv={unified_kv.dtype}, q={q.dtype}"\n)',
        "callable": CallableFacts(
            name="_sparse_attn_v4_paged_decode_triton",
            module="sglang.kernels.ops.attention.dsv4.unified_kv_kernels.paged_decode",
            path=PATH,
            line=620,
            end_line=760,
            kind="function",
            is_public=False,
            parameters=(
                Parameter(
                    name="q",
                    kind="positional-or-keyword",
                    annotation="torch.Tensor",
                    doc="Queries, `[T, H, D]`, fp16 or bf16.",
                ),
                Parameter(
                    name="unified_kv",
                    kind="positional-or-keyword",
                    annotation="torch.Tensor",
                    doc="The cache's pages.",
                ),
                Parameter(
                    name="kv_scales",
                    kind="positional-or-keyword",
                    annotation="torch.Tensor | None",
                    default="None",
                ),
            ),
        ),
        "error_class": "RuntimeError",
        "class_written": "RuntimeError",
        "bases": ("Exception", "BaseException"),
        "templates": (
            MessageTemplate(
                parts=(
                    "unified_kv dtype mismatch: kv=",
                    Hole(expression="unified_kv.dtype", written="{unified_kv.dtype}"),
                    ", q=",
                    Hole(expression="q.dtype", written="{q.dtype}"),
                ),
                written=MESSAGE,
                form="fstring",
                origin="inline",
            ),
        ),
        "guard": Condition(
            text="unified_kv.dtype != q.dtype",
            line=683,
            end_line=683,
            kind="if",
            parameters=("q", "unified_kv"),
        ),
        "path_conditions": (
            Condition(text="q.is_cuda", line=640, end_line=640, kind="if", parameters=("q",)),
            Condition(
                text="q.dtype not in (torch.float16, torch.bfloat16)",
                line=644,
                end_line=644,
                kind="if",
                negated=True,
            ),
            Condition(text="kv_scales is not None", line=658, end_line=658, kind="if", negated=True),
        ),
        "parameters": ("q", "unified_kv", "kv_scales"),
        "entry_points": (
            EntryPoint(
                name="sglang.kernels.ops.attention.dsv4.unified_kv_kernels.paged_decode.sparse_attn_v4_paged_decode",
                signature="(q, unified_kv, kv_indices, kv_indptr, attn_sink, softmax_scale, kv_scales=None)",
                path=PATH,
                line=790,
                chain=(
                    CallStep(
                        caller="sparse_attn_v4_paged_decode",
                        path=PATH,
                        line=812,
                        call="_sparse_attn_v4_paged_decode_triton(q, unified_kv, kv_indices, kv_indptr, attn_sink, softmax_scale, kv_scales=kv_scales)",
                    ),
                ),
            ),
        ),
    }
    return ThrowSite(**{**values, **changes})


def sample(**changes: object) -> StoredRecord:
    """The `unified_kv dtype mismatch` error of SGLang, as the pipeline describes it."""
    repo = "sgl-project/sglang"
    values: dict[str, object] = {
        "id": record_id(repo, MESSAGE, PATH),
        "repo": repo,
        "slug": record_slug(MESSAGE),
        "error_code": None,
        "error_message": MESSAGE,
        "message_pattern": "unified_kv dtype mismatch: kv=(.+?), q=(.+?)",
        "error_type": "validation",
        "error_class": "RuntimeError",
        "http_status": None,
        "severity": "error",
        "file_path": PATH,
        "line_number": 684,
        "source_code": SOURCE,
        "source_code_start": 666,
        "source_code_end": 702,
        "github_url": f"https://github.com/{repo}/blob/{SHA}/{PATH}#L666-L702",
        "documentation": "`sparse_attn_v4_paged_decode` requires `unified_kv` to have the dtype of `q` when no `kv_scales` are given.",
        "trigger_scenarios": "`kv_scales` is None and `unified_kv.dtype` is not `q.dtype`.",
        "common_situations": "The cache pool was allocated in another precision than the model runs in.",
        "solutions": [
            "Give `unified_kv` the dtype of `q`: `unified_kv.to(q.dtype)`.",
            "Pass `kv_scales` if the cache holds fp8 values.",
        ],
        "example_fix": "# before\nout = sparse_attn_v4_paged_decode(\n    q, unified_kv, kv_indices, kv_indptr, attn_sink, softmax_scale\n)\n# after\nunified_kv = unified_kv.to(q.dtype)\nout = sparse_attn_v4_paged_decode(\n    q, unified_kv, kv_indices, kv_indptr, attn_sink, softmax_scale\n)",
        "handling_strategy": "validation",
        "validation_code": "if kv_scales is None and unified_kv.dtype != q.dtype:\n    unified_kv = unified_kv.to(q.dtype)",
        "type_guard": "def has_dtype_of(tensor: torch.Tensor, other: torch.Tensor) -> bool:\n    return tensor.dtype == other.dtype",
        "try_catch_pattern": None,
        "prevention_tips": [
            "Take the dtype from the model's configuration in the one place that allocates the cache."
        ],
        "tags": ["attention", "dtype", "kv-cache", "triton"],
        "background_tag": "tensor-dtype-mismatch",
        "analyzed_sha": SHA,
        "analyzed_at": "2026-11-30T22:00:00.000Z",
    }
    record = Record(**{**values, **changes})
    return StoredRecord(record=record, evidence=sample_evidence(record))


def sample_evidence(record: Record, **changes: object) -> Evidence:
    """Evidence of a record that reads like the sample's."""
    values: dict[str, object] = {
        "coordinate": "pypi:sglang==0.5.23",
        "package": "sglang",
        "version": "0.5.23",
        "level": "derived",
        "template": MESSAGE,
        "sites": (sample_site(),),
        "sentences": {
            "documentation": (
                Sentence(
                    text="`sparse_attn_v4_paged_decode` runs one decode step of sparse attention over a paged cache.",
                    provenance=Provenance(kind="docs", path=PATH, line=795, end_line=796),
                ),
                Sentence(
                    text="Without `kv_scales` it requires `unified_kv` to have the dtype of `q`; you see this error when `unified_kv.dtype != q.dtype`.",
                    provenance=from_source(683),
                ),
                Sentence(
                    text="The kernel reads both with one element type, so it refuses rather than computes with wrong values.",
                    provenance=Provenance(kind="inferred"),
                ),
            ),
            "solutions": (
                Sentence(text=record.solutions[0], provenance=from_source(683)),
                *(Sentence(text=text, provenance=FAMILY) for text in record.solutions[1:]),
            ),
            "triggerScenarios": (Sentence(text=record.trigger_scenarios, provenance=from_source(683)),),
            "commonSituations": (Sentence(text=record.common_situations, provenance=FAMILY),),
            "preventionTips": tuple(
                Sentence(text=text, provenance=FAMILY) for text in record.prevention_tips
            ),
        },
        "code": {
            key: CodeBlock(code=code, provenance=Provenance(kind="inferred"))
            for key, code in (
                ("exampleFix", record.example_fix),
                ("validationCode", record.validation_code),
                ("typeGuard", record.type_guard),
            )
            if code
        },
        "related": (
            Related(
                id="a" * 16,
                slug="kv-scales-must-be-fp32-got-kv-scales-dtype",
                message="kv_scales must be fp32, got {kv_scales.dtype}",
                why="same function",
            ),
            Related(
                id="b" * 16,
                slug="d-d-check-must-be-divisible-by-group-size",
                message="D={D_check} must be divisible by GROUP_SIZE={_FP8_GROUP_SIZE}",
                why="same function",
            ),
            Related(
                id="c" * 16,
                slug="pool-dtypes-must-match-q-k-v-dtype",
                message="pool dtypes must match q/k/v dtype",
                why="same family",
            ),
        ),
    }
    return Evidence(**{**values, **changes})


def proved() -> StoredRecord:
    """The sample with a proof and a test, as `prove` leaves it."""
    stored = sample()
    witness = "import torch\nfrom kernels import sparse_attn_v4_paged_decode\n\nq = torch.zeros(4, 8, 64, dtype=torch.bfloat16)\nunified_kv = torch.zeros(16, 64, dtype=torch.float16)\nsparse_attn_v4_paged_decode(q, unified_kv, indices, indptr, sink, 0.125)"
    fix = witness.replace("dtype=torch.float16", "dtype=q.dtype")
    proof = Proof(
        grade="A",
        witness=Run(
            code=witness,
            output='Traceback (most recent call last):\n  File "program.py", line 6, in <module>\n    sparse_attn_v4_paged_decode(q)\nRuntimeError: unified_kv dtype mismatch: kv=torch.float16, q=torch.bfloat16',
            outcome="raised",
        ),
        fix=Run(code=fix, output="returned a Tensor of shape [4, 8, 64]", outcome="returned"),
        ran_at="2026-11-30T22:05:00.000Z",
        interpreter="CPython 3.11.7",
        environment="torch==2.11.0 sglang==0.5.23",
        function_hash="9f" * 32,
    )
    test = RaisingTest(
        path="tests/test_paged_decode.py",
        line=41,
        name="test_refuses_mixed_dtypes",
        call="sparse_attn_v4_paged_decode(q.bfloat16(), kv.half(), *rest)",
        match="unified_kv dtype mismatch",
        error_class="RuntimeError",
    )
    evidence = sample_evidence(
        stored.record,
        level="proved",
        proof=proof,
        sites=(sample_site(tests=(test,)), sample_site(line=1020, end_line=1022)),
    )
    return StoredRecord(record=stored.record, evidence=evidence)


def summary_of(stored: StoredRecord) -> Summary:
    """The list row of a record."""
    record = stored.record
    return Summary(
        **{name: getattr(record, name) for name in Summary.__struct_fields__ if hasattr(record, name)},
        level=stored.evidence.level,
        function=stored.evidence.sites[0].callable.name,
    )


REPO_ROW = RepoRow(
    repo="sgl-project/sglang",
    description="A fast serving framework for large language models.",
    language="Python",
    stars=0,
    source_files=3015,
    default_branch="",
    analyzed_sha=SHA,
    analyzed_at="2026-11-30T22:00:00.000Z",
    error_count=12_345,
)
FAMILY_ROW = FamilyRow(slug="tensor-dtype-mismatch", error_count=321, repo_count=12)
