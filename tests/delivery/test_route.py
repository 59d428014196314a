"""The route by itself: what it answers, and that it asks its catalog once and the file system never."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from delivered import FILES, INDEX, SUMS
from nodetool_sandbox.delivery import PackDelivery, delivery_app
from nodetool_sandbox_registry import Catalog, Delivery, NotDelivered
from nodetool_sandbox_registry.digests import digest_bytes
from registry_fakes import CSV, npm
from starlette.requests import Request
from wasm_packs import catalog, install, numbers

PATH = "/api/sandbox-modules/"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def detail(self) -> str:
        return str(json.loads(self.body)["detail"])


def ask(app: Any, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None) -> Answer:  # noqa: ANN401 - an ASGI app
    """What an ASGI app answers to one request."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    begun = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], begun, b"".join(each.get("body", b"") for each in sent[1:]))


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    root = tmp_path_factory.mktemp("site")
    install(root)
    install(root, "acme-sums", SUMS, FILES)
    install(root, "nodetool-sandbox-csv", CSV, {})
    install(root, "acme-dates", npm("date-fns"), {})
    return catalog(root)


def test_a_module_comes_with_its_headers(packs: Catalog) -> None:
    answer = ask(delivery_app(packs), PATH + "acme-sums")
    (resolved,) = packs.resolve(["acme-sums"]).modules
    sha256 = digest_bytes(INDEX.encode())
    assert (answer.status, answer.body.decode()) == (200, INDEX)
    assert {name: value for name, value in answer.headers.items() if name != "content-length"} == {
        "content-type": "text/javascript; charset=utf-8",
        "x-content-digest": resolved.digest,
        "x-content-sha256": sha256,
        "x-sandbox-module-dependencies": '["acme-sums::js/inner.js"]',
        "x-sandbox-pack": "acme-sums",
        "x-sandbox-pack-version": "1.0",
        "x-sandbox-file-id": "js/index.js",
        "x-sandbox-internal": "0",
        "etag": f'"{sha256}"',
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
    }


def test_an_internal_file_has_the_digest_of_the_module_that_reaches_it(packs: Catalog) -> None:
    answer = ask(delivery_app(packs), PATH + "acme-sums::js/inner.js")
    assert (answer.status, answer.headers["x-sandbox-internal"]) == (200, "1")
    assert answer.headers["x-content-digest"] == packs.resolve(["acme-sums"]).modules[0].digest
    assert answer.headers["etag"] != ask(delivery_app(packs), PATH + "acme-sums").headers["etag"]


def test_webassembly_comes_with_its_contract(packs: Catalog) -> None:
    answer = ask(delivery_app(packs), PATH + "acme-numbers")
    assert (answer.headers["content-type"], answer.body) == ("application/wasm", numbers())
    contract = json.loads(answer.headers["x-sandbox-wasm-contract"])
    assert contract["memoryPagesMax"] == 512
    assert {"wasm": "with_a_long_name", "as": "seven", "params": [], "result": "i32"} in contract["exports"]


def test_a_host_module_comes_as_its_facade(packs: Catalog) -> None:
    answer = ask(delivery_app(packs), PATH + "@nodetool-ai/sandbox-csv")
    assert answer.headers["x-sandbox-host-module"] == "csv"
    assert answer.body.startswith(b"import { bind }")


@pytest.mark.parametrize(
    "tag",
    ['"{}"', 'W/"{}"', '"other", "{}"', "*"],
    ids=["equal", "weak", "among others", "anything"],
)
def test_what_the_client_has_is_not_sent_again(packs: Catalog, tag: str) -> None:
    etag = tag.format(digest_bytes(INDEX.encode()))
    answer = ask(delivery_app(packs), PATH + "acme-sums", headers={"If-None-Match": etag})
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["x-content-digest"]  # a new version of an equal file is told of


def test_another_body_is_sent(packs: Catalog) -> None:
    assert ask(delivery_app(packs), PATH + "acme-sums", headers={"If-None-Match": '"x"'}).status == 200


@pytest.mark.parametrize(
    "module_id",
    [
        "",
        "acme-nothing",
        "acme-dates",
        "acme-sums::js/none.js",
        "acme-nothing::js/index.js",
        "acme-sums::../../secret",
        "acme-sums::/etc/hostname",
        "../acme-sums",
        "acme-sums/",
        "%61cme-sums",
        "::",
        "acme-sums::",
        "x" * 100_000,
        "acme-sums\0",
        "acmé",
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_there_is_not_is_404_whatever_it_looks_like(packs: Catalog, module_id: str) -> None:
    answer = ask(delivery_app(packs), PATH + module_id)
    assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
    assert "is not available on this server." in answer.detail
    assert len(answer.detail) < 400


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 404), ("/api/sandbox-modules", "GET", 404), (PATH + "acme-sums", "POST", 405)],
)
def test_there_is_nothing_else(packs: Catalog, path: str, method: str, status: int) -> None:
    answer = ask(delivery_app(packs), path, method=method)
    assert answer.status == status
    assert answer.detail == "This server has sandbox modules alone, and they are only read."


def test_head_is_answered_too(packs: Catalog) -> None:
    answer = ask(delivery_app(packs), PATH + "acme-sums", method="HEAD")
    assert answer.status == 200  # the server leaves the body out
    assert answer.headers["content-length"] == str(len(INDEX.encode()))


def test_without_a_catalog_nothing_is_there() -> None:
    assert ask(delivery_app(None), PATH + "acme-sums").status == 404


@pytest.mark.parametrize(
    ("module_id", "status"),
    [("acme-numbers", 200), ("acme-sums/alone", 200), ("acme-sums", 403), ("acme-sums::js/inner.js", 403)],
)
def test_only_what_the_embedder_names_is_delivered(packs: Catalog, module_id: str, status: int) -> None:
    app = delivery_app(PackDelivery(packs, only=["acme-numbers", "acme-sums/alone"]))
    answer = ask(app, PATH + module_id)
    assert answer.status == status
    assert status == 200 or answer.detail == f'Sandbox module "{module_id}" is not available to this client.'


@dataclass
class Counting:
    """A catalog of one file, which notes each question."""

    answer: Delivery | NotDelivered
    asked: list[str] = field(default_factory=list)

    async def authorize_delivery(self, module_id: str, request: Request) -> Delivery | NotDelivered:
        self.asked.append(f"{module_id} {request.method}")
        return self.answer


def a_delivery(packs: Catalog) -> Delivery:
    found = packs.deliver("acme-sums")
    assert isinstance(found, Delivery)
    return found


_opened: list[str] | None = None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event.startswith(
        ("open", "os.listdir", "os.scandir", "import", "socket.connect")
    ):
        _opened.append(f"{event} {arguments!r:.200}")


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """What this process opens or imports during a test; an audit hook stays for the life of a process."""
    global _opened  # noqa: PLW0603
    if _watch not in _installed:
        sys.addaudithook(_watch)
        _installed.append(_watch)
    _opened = []
    yield _opened
    _opened = None


_installed: list[object] = []


@pytest.mark.parametrize("why", [None, *NotDelivered])
def test_a_request_is_one_question_to_the_catalog(packs: Catalog, why: NotDelivered | None) -> None:
    source = Counting(why or a_delivery(packs))
    answer = ask(delivery_app(source), PATH + "acme-sums")
    assert source.asked == ["acme-sums GET"]
    assert answer.status == {None: 200, NotDelivered.FORBIDDEN: 403}.get(why, 404)


def test_a_request_reads_no_file_though_the_pack_is_gone(tmp_path: Path, opened: list[str]) -> None:
    install(tmp_path, "acme-sums", SUMS, FILES)
    app = delivery_app(catalog(tmp_path))
    ask(app, PATH + "acme-sums")  # what Python loads once
    for path in sorted(tmp_path.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    opened.clear()
    for module_id in ("acme-sums", "acme-sums::js/inner.js", "acme-nothing"):
        ask(app, PATH + module_id)
    assert opened == []


@pytest.mark.parametrize("text", ["1.0\r\nSet-Cookie: a=b", "é漢", "100%", "\0"])
def test_what_a_pack_says_of_itself_cannot_make_a_header(packs: Catalog, text: str) -> None:
    found = replace(a_delivery(packs), version=text, file_id=text)  # type: ignore[arg-type]
    answer = ask(delivery_app(Counting(found)), PATH + "acme-sums")
    assert "set-cookie" not in answer.headers
    assert answer.headers["x-sandbox-pack-version"].isascii()
    assert answer.headers["x-sandbox-file-id"].isprintable()
