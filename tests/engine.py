"""The real s(CASP), asked directly."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile


def run_scasp(text: str, *queries: str) -> list[int]:
    """Run the real engine on a text and return how many answers each query has."""
    with tempfile.NamedTemporaryFile("w", suffix=".pl", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            ["scasp", "-i", "-s1", "--json=-", "--width=0", "--unknown=fail", file.name],
            input="".join(f"{query}.\n" for query in queries).encode(),
            capture_output=True,
            timeout=60,
            check=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    return [len(json.loads(line)["answers"]) for line in done.stdout.decode().split("\n") if line.strip()]
