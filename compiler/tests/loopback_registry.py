"""A registry on loopback that publishes what a test gives it, hostile packages too; it notes what is asked."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Registry:
    """Packages by name, each in one version."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[str] = []
        self._documents: dict[str, bytes] = {}
        self._archives: dict[str, bytes] = {}

    def publish(self, name: str, files: Mapping[str, str], *, version: str = "1.2.3", **facts: object) -> str:
        """The integrity of the archive that the registry has from now on."""
        package = {"name": name, "version": version, "type": "module", "main": "index.js", **facts}
        archive = _archive({"package.json": json.dumps(package), **files})
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
        place = f"/{name}/-/{version}.tgz"
        dist = {"tarball": f"{self.url}{place}", "integrity": integrity}
        document = {
            "name": name,
            "dist-tags": {"latest": version},
            "versions": {version: {**package, "dist": dist, "hasInstallScript": "scripts" in facts}},
        }
        self._documents[f"/{name}"] = json.dumps(document).encode()
        self._archives[place] = archive
        return integrity

    def answer(self, path: str) -> bytes | None:
        self.asked.append(path)
        return self._documents.get(path) or self._archives.get(path)


@contextmanager
def loopback_registry() -> Iterator[Registry]:
    registry = Registry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = registry.answer(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("content-length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    registry.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _archive(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()
