"""The pictures that a run keeps under handles: in one worker, counted, and gone with it.

A picture that an operation made stays as pixels until somebody wants its bytes or room is short, so that a
chain of operations encodes nothing in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from PIL import Image

from nodetool_sandbox.limits import MIB
from nodetool_sandbox.pictures.encoding import Output, encode
from nodetool_sandbox.pictures.formats import Format
from nodetool_sandbox.pictures.opening import open_image

PREFIX: Final = "sandbox://media/"

CACHED_BYTES: Final = 128 * MIB
"""Decoded pixels of a picture that is kept as bytes, for the next operation on it."""

_MAX_URI_CHARACTERS: Final = 100


@dataclass(slots=True)
class Picture:
    """One picture: as pixels, as bytes, or both."""

    width: int
    height: int
    output: Output
    image: Image.Image | None
    data: bytes | None = None

    @property
    def held_bytes(self) -> int:
        """What it counts against the run's budget."""
        pixels = self.width * self.height * len(self.image.mode) if self.image is not None else 0
        return pixels + (len(self.data) if self.data is not None else 0)


class Store:
    """The pictures of one run.

    Args:
        max_bytes: the run's `run_media_bytes`.
        number: the worker's number in its run: a handle of an earlier worker is none of this one's.
    """

    def __init__(self, max_bytes: int, number: int = 0) -> None:
        self._max_bytes = max_bytes
        self._prefix = f"{PREFIX}{number}-" if number else PREFIX
        self._pictures: dict[str, Picture] = {}
        self._made = 0
        self._held = 0
        self._cached: tuple[str, Image.Image] | None = None

    def put(self, op: str, picture: Picture) -> dict[str, object]:
        """What a handle of it says.

        Raises:
            HostCallError: the run's budget is used up.
        """
        self._make_room(op, picture)
        self._made += 1
        uri = f"{self._prefix}{self._made}"
        self._pictures[uri] = picture
        self._held += picture.held_bytes
        return {
            "uri": uri,
            "mimeType": picture.output.mime_type,
            "width": picture.width,
            "height": picture.height,
        }

    def image(self, op: str, uri: str) -> Image.Image:
        """The pixels of a picture; nobody may change them."""
        picture = self._find(op, uri)
        if picture.image is not None:
            return picture.image
        if self._cached is not None and self._cached[0] == uri:
            return self._cached[1]
        assert picture.data is not None  # noqa: S101 - it has one of the two
        image, _ = open_image(op, picture.data)
        if image.width * image.height * len(image.mode) <= CACHED_BYTES:
            self._cached = (uri, image)
        return image

    def picture(self, op: str, uri: str) -> Picture:
        """A picture.

        Raises:
            HostCallError: there is none of that uri in this run.
        """
        return self._find(op, uri)

    def data(self, op: str, uri: str) -> bytes:
        """The bytes of a picture, which are made when they are asked for."""
        picture = self._find(op, uri)
        if picture.data is None:
            assert picture.image is not None  # noqa: S101 - it has one of the two
            data = encode(op, picture.image, picture.output)
            self._replace_pixels(uri, picture, data)
            return data
        return picture.data

    def release(self, op: str, uri: str) -> None:
        """Forget a picture."""
        self._held -= self._find(op, uri).held_bytes
        del self._pictures[uri]
        if self._cached is not None and self._cached[0] == uri:
            self._cached = None

    def _find(self, op: str, uri: str) -> Picture:
        picture = self._pictures.get(uri)
        if picture is None:
            raise HostCallError(f"{op}: there is no picture {uri[:_MAX_URI_CHARACTERS]!r} in this run")
        return picture

    def _make_room(self, op: str, picture: Picture) -> None:
        """Keep older pictures as bytes where pixels of all are too much."""
        wanted = picture.held_bytes
        for uri, each in self._pictures.items():
            if self._held + wanted <= self._max_bytes:
                return
            if each.data is None and each.image is not None:
                self._replace_pixels(uri, each, encode(op, each.image, each.output))
        if self._held + picture.held_bytes > self._max_bytes and picture.image is not None:
            picture.data = picture.data or encode(op, picture.image, picture.output)
            picture.image = None
        if self._held + picture.held_bytes > self._max_bytes:
            raise HostCallError(
                f"{op}: the pictures of this run exceed {self._max_bytes} bytes (run_media_bytes); "
                "image.release(handle) gives back what is not needed any more"
            )

    def _replace_pixels(self, uri: str, picture: Picture, data: bytes) -> None:
        self._held -= picture.held_bytes
        if picture.output.format == "png":  # the same pixels again: the next operation need not decode
            assert picture.image is not None  # noqa: S101 - the caller encoded it
            self._cached = (uri, picture.image)
        picture.data, picture.image = data, None
        self._held += picture.held_bytes


def as_output(kind: Format) -> Output:
    """What a picture that came as bytes is."""
    return Output(format=kind.value)
