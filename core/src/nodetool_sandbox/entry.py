"""The user's program as the text of the entry module, and engine positions back in the user's program.

Static imports may stand at the top of a module alone, and the program becomes the body of a function,
so that `return` is its result and `await` works anywhere. So imports are lifted out:

    import yaml from "@nodetool-ai/sandbox-yaml";
    <what runs right before the program; nothing by default>
    export default await (async () => {
    <the program, spaces where the import stood>
    })();

A program that does not parse keeps what can be told for sure: the imports in front of the first
mistake are lifted, and the engine, which has the last word on syntax, names the mistake with the
user's own line. With no such import its text is wrapped as it is.

The reference deletes the timers on the second line, because its engine's wrapper puts them back for
each program. The baked guest never had them, and deleting what is not there cost a tenth of a fresh run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from nodetool_sandbox.errors import LimitExceeded
from nodetool_sandbox.limits import Limits

if TYPE_CHECKING:  # the parser loads with the first program that may have an import
    from nodetool_sandbox.import_sites import ImportSite

_OPENING: Final = "export default await (async () => {"
_CLOSING: Final = "})();"
_MAX_CACHED_CHARACTERS: Final = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The entry module of a program.

    `line_offset` is how many lines of `source` stand above the program's first line.
    """

    source: str
    code: str
    imports: tuple[ImportSite, ...]
    line_offset: int

    def user_position(self, line: int, column: int) -> tuple[int, int] | None:
        """Where a position of the engine lies in the program as it was written, both counted from 1.

        The engine is told to count the program's first line as 1, so our lines above it end at 0. It
        counts columns in bytes of UTF-8, this counts characters. A position behind the program is its
        end, because that is where the engine misses a closing bracket; our own lines above it give None.
        """
        line += self.line_offset
        if line == 1 and self.imports:
            return self._import_position(column)
        if line <= self.line_offset:
            return None
        lines = _lines(self.source)
        last = len(lines) - 1
        if line > last:
            return last - self.line_offset, len(lines[last - 1]) + 1
        return line - self.line_offset, _character_column(lines[line - 1], column)

    def _import_position(self, column: int) -> tuple[int, int]:
        index = _character_column(self.source.partition("\n")[0], column) - 1
        begin = 0
        for site in self.imports:
            # The space after an import belongs to it.
            if index <= begin + len(site.text) or site is self.imports[-1]:
                break
            begin += len(site.text) + 1
        before = self.code[: min(site.start + index - begin, site.end)]
        return before.count("\n") + 1, len(before) - before.rfind("\n")


@lru_cache(maxsize=4)
def _lines(source: str) -> list[str]:
    """Asked for each host call of a run, so a long program is not split at each."""
    return source.split("\n")


def build_entry(code: str, *, prelude: str = "", max_source_bytes: int = Limits().max_source_bytes) -> Entry:
    """The entry module of `code`; `prelude` is one line of ours that runs right before it.

    Import attributes stay on the import, so that the engine or the loader refuses what it does not know.

    Raises:
        TypeError: `code` is no text.
        LimitExceeded: `code` is longer than `max_source_bytes` in UTF-8.
        ValueError: `prelude` has more than one line.
    """
    if not isinstance(code, str):
        raise TypeError(f"code must be a str, not {type(code).__name__}")
    if "\n" in prelude:
        raise ValueError("prelude must be one line, because the lines above the program are counted")
    # A character takes at most four bytes, so most programs are not encoded to learn their size.
    if len(code) * 4 > max_source_bytes:
        size = len(code.encode("utf-8", "surrogatepass"))
        if size > max_source_bytes:
            raise LimitExceeded(
                limit="max_source_bytes", allowed=max_source_bytes, seen=size, what="the program"
            )
    build = _build_cached if len(code) <= _MAX_CACHED_CHARACTERS else _build
    return build(code, prelude)


def wrap_code(code: str, prelude: str = "") -> str:
    """The module text of a program that has no imports."""
    return f"{prelude}\n{_OPENING}\n{code}\n{_CLOSING}"


def _build(code: str, prelude: str) -> Entry:
    sites = _import_sites(code) if "import" in code else ()
    if not sites:
        return Entry(source=wrap_code(code, prelude), code=code, imports=(), line_offset=2)
    lifted = " ".join(site.text for site in sites)
    rest = wrap_code(_blanked(code, sites), prelude)
    return Entry(source=f"{lifted}\n{rest}", code=code, imports=sites, line_offset=3)


def _import_sites(code: str) -> tuple[ImportSite, ...]:
    from nodetool_sandbox.import_sites import import_sites  # noqa: PLC0415 - see above

    return tuple(import_sites(code))


_build_cached = lru_cache(maxsize=128)(_build)


def _blanked(code: str, sites: tuple[ImportSite, ...]) -> str:
    """The program with spaces for its imports, so that every other character keeps its line and column."""
    parts: list[str] = []
    end = 0
    for site in sites:
        parts += code[end : site.start], _INSIDE_OF_LINES.sub(" ", code[site.start : site.end])
        end = site.end
    return "".join([*parts, code[end:]])


_INSIDE_OF_LINES: Final = re.compile("[^\n\r\u2028\u2029]")


def _character_column(line: str, column: int) -> int:
    before = max(column - 1, 0)
    if not line.isascii():
        before = len(line.encode("utf-8", "surrogatepass")[:before].translate(None, _CONTINUATION_BYTES))
    return min(before, len(line)) + 1


_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
