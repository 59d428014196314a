"""The client in a real browser, against the real route: what is loaded runs, and what was tampered with never does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from browser import Found, NoBrowser, find_browser, serving, wait_for
from delivered import ALONE, FILES, INDEX, SUMS
from nodetool_sandbox.delivery import PackDelivery, client_source, delivery_app
from nodetool_sandbox_registry import Catalog, Delivery, NotDelivered
from nodetool_sandbox_registry.digests import digest_bytes
from registry_fakes import CSV
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Message, Receive, Scope, Send
from wasm_packs import catalog, install

pytestmark = pytest.mark.timeout(300)

SECRET = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
EVIL = b"globalThis.ran = true; export const total = () => 0;\n"
PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>'

Change = Callable[[Delivery], Delivery]


class Changed:
    """Delivers what the packs have, and changes it on the way."""

    def __init__(self, packs: Catalog, change: Change) -> None:
        self._packs = packs
        self._change = change

    async def authorize_delivery(self, module_id: str, request: Request) -> Delivery | NotDelivered:
        found = await PackDelivery(self._packs).authorize_delivery(module_id, request)
        return found if isinstance(found, NotDelivered) else self._change(found)


def evil(found: Delivery) -> Delivery:
    return replace(found, body=EVIL)


def evil_inside(found: Delivery) -> Delivery:
    return evil(found) if found.internal else found


def evil_twice() -> Change:
    seen: list[Delivery] = []

    def change(found: Delivery) -> Delivery:
        seen.append(found)
        return evil(found) if len(seen) <= 2 else found

    return change


CHANGES: dict[str, Change] = {
    "tampered": evil,
    "tampered-deeper": evil_inside,
    "tampered-twice": evil_twice(),
    "bare": lambda found: replace(found, sha256=""),  # type: ignore[arg-type]
    "digests": lambda found: replace(found, digest="x"),  # type: ignore[arg-type]
    "contract": lambda found: replace(found, wasm_contract={"memoryPagesMax": 1 << 20, "exports": []}),
    "climbing": lambda found: replace(found, dependencies=("../../../page.js",)),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    install(root)
    install(root, "acme-sums", SUMS, FILES)
    install(root, "acme-secret", SECRET, {"index.js": "export const secret = 1;"})
    install(root, "nodetool-sandbox-csv", CSV, {})
    return root


@pytest.fixture(scope="module")
def asked() -> list[tuple[str, str, int]]:
    """What the server answered on its main route: path, If-None-Match, status."""
    return []


@pytest.fixture(scope="module")
def found(site: Path, asked: list[tuple[str, str, int]], tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What the page found, in one visit."""
    try:
        browser = find_browser()
    except NoBrowser as reason:
        pytest.skip(str(reason))
    packs = catalog(site)
    allowed = [each.specifier for each in packs.summaries() if each.distribution != "acme-secret"]
    posted: list[bytes] = []

    async def done(request: Request) -> Response:
        posted.append(await request.body())
        return Response(status_code=204)

    async def broken(_: Request) -> Response:
        return Response(status_code=503)

    def text(content: str, media_type: str) -> Callable[[Request], Response]:
        return lambda _: Response(content, media_type=media_type)

    main = delivery_app(PackDelivery(packs, only=allowed))

    async def noted(scope: Scope, receive: Receive, send: Send) -> None:
        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                tag = Request(scope).headers.get("if-none-match", "")
                asked.append((scope["path"], tag, message["status"]))
            await send(message)

        await main(scope, receive, note)

    app = Starlette(
        routes=[
            Route("/", text(PAGE, "text/html")),
            Route("/client.js", text(client_source(), "text/javascript")),
            Route(
                "/page.js", text((Path(__file__).parent / "page.js").read_text("utf-8"), "text/javascript")
            ),
            Route("/done", done, methods=["POST"]),
            Route("/broken/{rest:path}", broken),
            *(Mount(f"/{name}", delivery_app(Changed(packs, change))) for name, change in CHANGES.items()),
            Mount("/", noted),
        ]
    )
    with serving(app) as url, browser.showing(url, tmp_path_factory.mktemp("profile")):
        wait_for(lambda: posted, "the page posts what it found")
    return cast("Found", json.loads(posted[0]))


def test_a_module_comes_with_everything_that_it_reaches(found: Found) -> None:
    assert found["closure"] == {
        "ids": ["acme-sums", "acme-sums::js/inner.js"],
        "pack": "acme-sums",
        "version": "1.0",
        "file": "js/index.js",
        "internal": [False, True],
        "text": INDEX,
    }


def test_what_was_checked_runs(found: Found) -> None:
    assert found["run"] == 6
    assert found["wasm"] == [5, "i32,i32", 512]


def test_a_host_module_comes_as_its_facade_and_says_whose_it_is(found: Found) -> None:
    assert found["host"] == ["csv", 'import { bind } from "nodetool:host-bridge";']


def test_what_was_tampered_with_never_runs_and_both_digests_are_told(found: Found) -> None:
    announced, delivered = digest_bytes(ALONE.encode()), digest_bytes(EVIL)
    assert found["tampered"] == (
        "refused: Sandbox module acme-sums/alone failed its content check: "
        f"{announced} was announced, {delivered} was delivered."
    )
    assert found["ran"] is False
    assert "acme-sums::js/inner.js failed its content check" in str(found["tampered deeper"])


def test_what_failed_its_check_is_not_kept_by_the_client_or_its_browser(found: Found) -> None:
    assert found["mended"] == ["SandboxModuleError", 1]


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("unknown", "refused: Sandbox module acme-nothing is not available on this server."),
        ("forbidden", "refused: Sandbox module acme-secret is not available to this client."),
        ("broken", "refused: Sandbox module acme-sums could not be fetched (HTTP 503)."),
        ("bare", "refused: Sandbox module acme-sums was delivered without its content headers."),
        ("digests", "refused: Sandbox module acme-sums was delivered with digests that are none."),
        ("contract", "refused: Sandbox module acme-numbers was delivered with headers that are malformed."),
        ("climbing", 'refused: "../../../page.js" is no id of a sandbox module.'),
    ],
)
def test_each_refusal_says_which_module_and_why(found: Found, scenario: str, words: str) -> None:
    assert found[scenario] == words


def test_a_second_load_is_told_that_nothing_has_changed(
    found: Found, asked: list[tuple[str, str, int]]
) -> None:
    assert found["again"] == 2
    of_the_root = [
        (tag == f'"{digest_bytes(INDEX.encode())}"', status)
        for path, tag, status in asked
        if path.endswith("/acme-sums")
    ]
    assert of_the_root[:2] == [(False, 200), (True, 304)]
    inner = [status for path, _, status in asked if path.endswith("js/inner.js")]
    assert inner == [200]  # kept, because the module that reaches it has the digest it had


def test_what_is_loaded_is_delivered_to_nobody(found: Found) -> None:
    assert found["never delivered"] == [False, True]
