"""assetToSandbox, sandboxToAsset: files that outlive a workspace, in a store of the embedder's.

The guest's half carries the bytes between this and the workspace, so a program needs both powers and can do
nothing with the two together that it could not do with each.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, Protocol, runtime_checkable

from nodetool_sandbox.bridges.functions import is_async
from nodetool_sandbox.bridges.power import Bridge, BridgeError, RunView
from nodetool_sandbox.bridges.waiting import on_thread
from nodetool_sandbox.files.beneath import IS_SUPPORTED, best_beneath
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.folder import Folder
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.paths import shown
from nodetool_sandbox.files.refusals import BudgetExceededError, RefusedError

MAX_ASSET_ID_CHARACTERS: Final = 256

_ENDING: Final = re.compile(r"\.[a-z0-9]{1,10}")
_UNBOUNDED: Final = 2**63


@runtime_checkable
class AssetStore(Protocol):
    """Where assets are. Each method is a coroutine function, or one that may block."""

    def load(self, asset_id: str, max_bytes: int) -> bytes | Awaitable[bytes]:
        """The bytes of an asset.

        Raises:
            LookupError: there is none of that id. What the program hears names the id, and nothing of yours.
            OverflowError: it has more bytes than that.
        """

    def save(self, name: str, data: bytes) -> Mapping[str, object] | Awaitable[Mapping[str, object]]:
        """Keep a new asset; what comes back is a plain value for the program, with the `asset_id` to load it by.

        Args:
            name: the last part of the path that the program gave: a hint, and not to be trusted.
            data: its bytes.
        """


@dataclass(frozen=True, slots=True)
class FileAssets:
    """Assets as the files of one folder: an asset's id is the name of its file.

    Files that you put there can be loaded; what programs save gets a name that nobody can guess, with the
    ending of the name that it had.

    Raises:
        ValueError: there is no such folder, or this system cannot open files relative to a folder's handle.
    """

    folder: str | os.PathLike[str]

    def __post_init__(self) -> None:
        """Refuse what is wrong before any run."""
        folder = os.fspath(self.folder)
        if not IS_SUPPORTED:
            raise ValueError("FileAssets needs a system that opens files relative to a folder's handle")
        if not os.path.isdir(folder):  # noqa: PTH112 - the text is what was given
            raise ValueError(f"FileAssets({folder!r}): there is no such folder")
        object.__setattr__(self, "folder", os.path.abspath(folder))  # noqa: PTH100 - a link stays a link

    def load(self, asset_id: str, max_bytes: int) -> bytes:
        """See AssetStore."""
        if "/" in asset_id or "\0" in asset_id or asset_id.startswith("."):
            raise LookupError(asset_id)
        lease = Lease(os.fspath(self.folder), lambda: False)
        try:
            return self._files(lease, max_bytes).read((asset_id,))
        except BudgetExceededError:
            raise OverflowError(asset_id) from None
        except (OSError, RefusedError, UnicodeEncodeError):
            raise LookupError(asset_id) from None
        finally:
            lease.end()

    def save(self, name: str, data: bytes) -> dict[str, object]:
        """See AssetStore."""
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122 - of a text, not of a path of ours
        asset_id = secrets.token_hex(16) + (ending if _ENDING.fullmatch(ending) else "")
        lease = Lease(os.fspath(self.folder), lambda: False)
        try:
            self._files(lease, len(data)).write((asset_id,), data)
        finally:
            lease.end()
        return {
            "type": "asset",
            "asset_id": asset_id,
            "uri": f"asset://{asset_id}",
            "name": name,
            "size": len(data),
        }

    def _files(self, lease: Lease, file_bytes: int) -> Folder:
        budget = Budget(
            file_bytes=file_bytes, run_bytes=_UNBOUNDED, entries=_UNBOUNDED, quota_bytes=_UNBOUNDED
        )
        return Folder(lease, best_beneath(), budget)


@dataclass(frozen=True, slots=True)
class Assets:
    """Lets programs copy assets into their workspace and out of it, with `assetToSandbox` and `sandboxToAsset`.

    They need a workspace beside it. Bytes and new assets count against the limits of the workspace, and apart
    from what it counts itself.

    Args:
        store: where they are, such as `FileAssets(folder)`.

    Raises:
        TypeError: that is no store.
    """

    name: ClassVar[str] = "assets"

    store: AssetStore

    def __post_init__(self) -> None:
        """Refuse what is no store."""
        if not isinstance(self.store, AssetStore):
            raise TypeError(
                f"Assets(store) needs load and save, which {type(self.store).__name__} has not; "
                "for a folder pass FileAssets(folder)"
            )

    def open(self, run: RunView) -> Bridge:
        """See Power."""
        return _AssetsBridge(self.store, run)


class _AssetsBridge(Bridge):
    """The assets of one run."""

    def __init__(self, store: AssetStore, run: RunView) -> None:
        self._store = store
        self._run = run
        limits = run.limits
        self._budget = Budget(
            file_bytes=limits.max_workspace_file_bytes,
            run_bytes=limits.max_workspace_bytes,
            entries=limits.max_workspace_entries,
            quota_bytes=limits.max_workspace_bytes,
        )

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        """See Bridge."""
        return {"load": self._load, "save": self._save}

    async def _load(self, asset_id: object) -> object:
        if not isinstance(asset_id, str) or not asset_id:
            raise BridgeError("assetToSandbox: assetId must be a non-empty string")
        if len(asset_id) > MAX_ASSET_ID_CHARACTERS:
            raise BridgeError(f"assetToSandbox: assetId is longer than {MAX_ASSET_ID_CHARACTERS} characters")
        try:
            data = await self._ask(self._store.load, asset_id, self._budget.file_bytes)
            if not isinstance(data, bytes):
                raise TypeError(f"the store gave {type(data).__name__} for an asset, not bytes")
            self._budget.check_file(len(data))
            self._budget.move(len(data))
        except LookupError:
            raise BridgeError(f"assetToSandbox: there is no asset {shown(asset_id)!r}") from None
        except OverflowError:
            raise _too_much("assetToSandbox", self._budget.too_long) from None
        except BudgetExceededError as refusal:
            raise _too_much("assetToSandbox", str(refusal)) from None
        return data

    async def _save(self, path: object, data: object) -> object:
        if not isinstance(path, str) or not isinstance(data, bytes):
            raise BridgeError("sandboxToAsset: path must be a string")
        try:
            self._budget.check_file(len(data))
            self._budget.move(len(data))
            self._budget.make()
        except BudgetExceededError as refusal:
            raise _too_much("sandboxToAsset", str(refusal)) from None
        return await self._ask(self._store.save, path.rpartition("/")[2], data)

    async def _ask(self, method: Callable[..., object], *arguments: object) -> object:
        if is_async(method):
            answer: Awaitable[object] = method(*arguments)  # type: ignore[assignment]  # a coroutine function
            return await answer
        return await on_thread(self._run.loop, partial(method, *arguments))


def _too_much(function: str, words: str) -> BridgeError:
    return BridgeError(f"{function}: {words}", name="RangeError")
