"""A server of ours in a process of its own, as people start it: for trials that ask it or kill it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Self


class Server:
    """`unless serve ...` or `unless studio ...`, started on a free port of this machine."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "unless", *words, "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.port = self._heard()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def _heard(self) -> int:
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                return int(found[1])
        raise AssertionError(said)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Send one request, JSON or bytes; return the status and the answer."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"content-type": "application/json", "origin": origin} if data is not None else {}
        self.connection.request(method, path, data, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def memory(self) -> int:
        """Return the bytes that the process holds in memory, in this moment."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def open_files(self) -> int:
        """Return how many files and connections the process holds open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
