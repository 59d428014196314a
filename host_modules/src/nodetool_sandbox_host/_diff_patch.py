"""Unified patches as jsdiff has them: made from a difference, written, read from hostile text, applied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host._diff_script import Change
from nodetool_sandbox_host.arguments import js_trim, quoted, without_lone_surrogates
from nodetool_sandbox_host.limits import DIFF_MAX_HUNK_MOVE, DIFF_MAX_HUNKS

NO_NEWLINE: Final = "\\ No newline at end of file"
_LINE: Final = "=" * 67
_STEP: Final = 256
_QUOTED_NAME: Final = re.compile(r'[^ -~]|["\\]')
_ESCAPES: Final = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_MEANT: Final = {letter: code for code, letter in _ESCAPES.items()}
_HUNK: Final = re.compile(r"@@ -([0-9]{1,15})(?:,([0-9]{1,15}))? \+([0-9]{1,15})(?:,([0-9]{1,15}))? @@")
_FILE_HEADER: Final = re.compile(r"(---|\+\+\+)\s")
_DIFF_HEADER: Final = re.compile(r"(?:Index:|diff(?: -r \w+)+)\s+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"(?:\\[0-7]{3})+|\\(.)")
_MODES: Final = (
    ("new file mode ", "isCreate", "newMode"),
    ("deleted file mode ", "isDelete", "oldMode"),
    ("old mode ", "", "oldMode"),
    ("new mode ", "", "newMode"),
)
_MOVES: Final = (
    ("rename from ", "isRename", "oldFileName", "a/"),
    ("rename to ", "isRename", "newFileName", "b/"),
    ("copy from ", "isCopy", "oldFileName", "a/"),
    ("copy to ", "isCopy", "newFileName", "b/"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One stretch of a patch; an empty side begins at the line after which it stands, plus one."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: list[str]

    def to_guest(self) -> dict[str, object]:
        return {
            "oldStart": self.old_start,
            "oldLines": self.old_lines,
            "newStart": self.new_start,
            "newLines": self.new_lines,
            "lines": self.lines,
        }


@dataclass(slots=True)
class Patch:
    """The hunks of one file and what its headers say, under the names of jsdiff."""

    hunks: list[Hunk]
    headers: dict[str, object] = field(default_factory=dict)

    def to_guest(self) -> dict[str, object]:
        return {**self.headers, "hunks": [each.to_guest() for each in self.hunks]}


# --- making


def build_hunks(
    script: Sequence[Change], old: Sequence[str], new: Sequence[str], context: int, deadline: Deadline
) -> list[Hunk]:
    """The hunks of a difference of lines; lines keep their line breaks until they are put into a hunk."""
    hunks: list[Hunk] = []
    lines: list[str] = []
    old_at = new_at = old_start = new_start = 0
    for index, change in enumerate(script):
        if index % _STEP == 0:
            deadline.check()
        if not change.kept:
            if not lines:
                before = min(context, old_at if index else 0, script[index - 1].kept if index else 0)
                old_start, new_start = old_at - before, new_at - before
                lines = [f" {each}" for each in new[new_at - before : new_at]]
            lines += [f"-{each}" for each in old[old_at : old_at + change.removed]]
            lines += [f"+{each}" for each in new[new_at : new_at + change.added]]
        elif lines:
            is_last = index == len(script) - 1
            joins = change.kept <= 2 * context and not is_last
            after = change.kept if joins else min(change.kept, context)
            lines += [f" {each}" for each in new[new_at : new_at + after]]
            if not joins:
                hunks.append(_hunk(old_start, old_at + after, new_start, new_at + after, lines))
                lines = []
        old_at += change.removed + change.kept
        new_at += change.added + change.kept
    if lines:
        hunks.append(_hunk(old_start, old_at, new_start, new_at, lines))
    return hunks


def _hunk(old_start: int, old_stop: int, new_start: int, new_stop: int, lines: Sequence[str]) -> Hunk:
    shown: list[str] = []
    for line in lines:
        if line.endswith("\n"):
            shown.append(line[:-1])
        else:
            shown += line, NO_NEWLINE
    return Hunk(
        old_start=old_start + 1,
        old_lines=old_stop - old_start,
        new_start=new_start + 1,
        new_lines=new_stop - new_start,
        lines=shown,
    )


def format_patch(
    hunks: Sequence[Hunk], old_name: str, new_name: str, old_header: str = "", new_header: str = ""
) -> str:
    """The text of a patch. Names are quoted as in C where they could be read as something else."""
    lines = [f"Index: {_shown_name(old_name)}"] if old_name == new_name else []
    lines += [
        _LINE,
        f"--- {_shown_name(old_name)}" + (f"\t{old_header}" if old_header else ""),
        f"+++ {_shown_name(new_name)}" + (f"\t{new_header}" if new_header else ""),
    ]
    for hunk in hunks:
        # an empty side names the line before it
        old_start = hunk.old_start - (not hunk.old_lines)
        new_start = hunk.new_start - (not hunk.new_lines)
        lines.append(f"@@ -{old_start},{hunk.old_lines} +{new_start},{hunk.new_lines} @@")
        lines += hunk.lines
    return "\n".join(lines) + "\n"


def _shown_name(name: str) -> str:
    if not _QUOTED_NAME.search(name):
        return name
    shown = [
        f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"  # noqa: PLR2004  (printable ASCII)
        for byte in without_lone_surrogates(name).encode()
    ]
    return f'"{"".join(shown)}"'


# --- reading


class _Reader:
    """The lines of a patch text, one after another."""

    def __init__(self, text: str, where: str, deadline: Deadline) -> None:
        self._lines = text.split("\n")
        self._at = 0
        self._where = where
        self._deadline = deadline
        self._hunks = 0

    def patches(self) -> Iterator[Patch]:
        while self._at < len(self._lines):
            yield self._patch()

    def _refusal(self, problem: str) -> HostCallError:
        return HostCallError(f"{self._where}: {problem}")

    def _peek(self) -> Iterator[str]:
        """The lines from here on; each is taken by moving `_at`."""
        while self._at < len(self._lines):
            if self._at % _STEP == 0:
                self._deadline.check()
            yield self._lines[self._at]

    def _patch(self) -> Patch:
        patch = Patch(hunks=[])
        if not self._preamble(patch.headers):
            return patch
        for _ in range(2):
            self._file_header(patch.headers)
        named = {"oldFileName", "newFileName"} & patch.headers.keys()
        if len(named) == 1:
            missing = '"+++ ..."' if "oldFileName" in named else '"--- ..."'
            name = str(patch.headers[next(iter(named))])
            raise self._refusal(f"Missing {missing} file header for {quoted(name)}")
        for line in self._peek():
            if (
                line.startswith(("diff --git ", _LINE))
                or _DIFF_HEADER.match(line)
                or _FILE_HEADER.match(line)
            ):
                break
            if _is_hunk_header(line):
                patch.hunks.append(self._hunk())
            else:
                self._at += 1
        return patch

    def _preamble(self, headers: dict[str, object]) -> bool:
        """What stands before the file headers; False where the next file begins before any."""
        seen = False
        for line in self._peek():
            if _FILE_HEADER.match(line) or _is_hunk_header(line):
                break
            is_git = line.startswith("diff --git ")
            if is_git or _DIFF_HEADER.match(line):
                if seen:
                    return False
                seen = True
                if is_git:
                    headers["isGit"] = True
                    headers.update(_git_names(line.removeprefix("diff --git ")))
                else:
                    headers["index"] = js_trim(_DIFF_HEADER.sub("", line, count=1))
            elif headers.get("isGit"):
                _read_git_header(line, headers)
            self._at += 1
        return True

    def _file_header(self, headers: dict[str, object]) -> None:
        found = _FILE_HEADER.match(self._lines[self._at]) if self._at < len(self._lines) else None
        if found is None:
            return
        side = "old" if found[1] == "---" else "new"
        name, _, header = self._lines[self._at][found.end() :].partition("\t")
        headers[f"{side}FileName"] = _unquoted(name.removesuffix("\r"))
        headers[f"{side}Header"] = js_trim(header)
        self._at += 1

    def _hunk(self) -> Hunk:
        header_at = self._at + 1
        found = _HUNK.search(self._lines[self._at])
        if found is None:
            raise self._refusal(f"line {header_at} is no hunk header such as @@ -1,2 +1,2 @@")
        self._hunks += 1
        if self._hunks > DIFF_MAX_HUNKS:
            raise self._refusal(f"more than {DIFF_MAX_HUNKS} hunks; apply the patch in parts")
        old_start, new_start = int(found[1]), int(found[3])
        old_lines = 1 if found[2] is None else int(found[2])
        new_lines = 1 if found[4] is None else int(found[4])
        self._at += 1
        lines, removed, added = self._body(header_at, old_lines, new_lines)
        # a count that was left out means 1, also where there is none
        new_start += not new_lines
        old_start += not old_lines
        new_lines = 0 if not added and new_lines == 1 else new_lines
        old_lines = 0 if not removed and old_lines == 1 else old_lines
        if added != new_lines:
            raise self._refusal(f"Added line count did not match for hunk at line {header_at}")
        if removed != old_lines:
            raise self._refusal(f"Removed line count did not match for hunk at line {header_at}")
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        if line[:1] in {"+", " ", "-"} and not _FILE_HEADER.match(line):
            raise self._refusal(f"hunk at line {header_at} has more lines than its header says")
        return Hunk(
            old_start=old_start, old_lines=old_lines, new_start=new_start, new_lines=new_lines, lines=lines
        )

    def _body(self, header_at: int, old_lines: int, new_lines: int) -> tuple[list[str], int, int]:
        lines: list[str] = []
        removed = added = 0
        for line in self._peek():
            if removed >= old_lines and added >= new_lines and not line.startswith("\\"):
                break
            is_last = self._at == len(self._lines) - 1
            # mail programs cut the space of an empty line of context
            kind = " " if not line and not is_last else line[:1]
            if kind not in {"+", "-", " ", "\\"} or not kind:
                raise self._refusal(f"hunk at line {header_at} contains the invalid line {quoted(line)}")
            lines.append(line)
            added += kind in {"+", " "}
            removed += kind in {"-", " "}
            self._at += 1
        return lines, removed, added


def parse_patches(text: str, where: str, deadline: Deadline) -> list[Patch]:
    """The patches of a text, one for each file.

    Raises:
        HostCallError: the text is no patch, its counts are not those of its lines, or it has too many hunks.
    """
    return list(_Reader(text, where, deadline).patches())


def _is_hunk_header(line: str) -> bool:
    return line.startswith("@@") and line[2:3].isspace()


def _unquoted(name: str) -> str:
    found = _QUOTED.fullmatch(name)
    if found is None:
        return name

    def meant(escape: re.Match[str]) -> str:
        if escape[1] is None:
            codes = [int(each, 8) for each in escape[0].split("\\")[1:]]
            return bytes(code & 0xFF for code in codes).decode("utf-8", "replace")
        return chr(_MEANT[escape[1]]) if escape[1] in _MEANT else escape[0]

    return _ESCAPED.sub(meant, found[1])


def _git_names(rest: str) -> dict[str, object]:
    quoted_first = _QUOTED.match(rest)
    if quoted_first is not None:
        old, new = quoted_first[0], rest[quoted_first.end() + 1 :]
    elif '"' in rest:
        at = rest.index('"')
        old, new = rest[: max(at - 1, 0)], rest[at:]
    else:
        # names with spaces are not quoted: of the places where the second may begin, the middle one
        places = [found.start() for found in re.finditer(" b/", rest)] if rest.startswith("a/") else []
        if not places:
            return {}
        middle = places[len(places) // 2]
        old, new = rest[:middle], rest[middle + 1 :]
    return {"oldFileName": _unquoted(old), "newFileName": _unquoted(new)}


def _read_git_header(line: str, headers: dict[str, object]) -> None:
    for begin, flag, name, folder in _MOVES:
        if line.startswith(begin):
            headers[name] = folder + _unquoted(line.removeprefix(begin))
            headers[flag] = True
    for begin, flag, name in _MODES:
        if line.startswith(begin) and (mode := re.match(r"[0-9]+", line.removeprefix(begin))):
            headers[name] = mode[0]
            if flag:
                headers[flag] = True
    if line.startswith("Binary files "):
        headers["isBinary"] = True


def require_patch(value: object, where: str) -> Patch:
    """The patch that a guest made or kept: an object as `structuredPatch` and `parsePatch` give it.

    Raises:
        HostCallError: it is none.
    """
    hunks = value.get("hunks") if isinstance(value, dict) else None
    if not isinstance(hunks, list):
        raise HostCallError(
            f"{where}: patch must be a patch text, or an object with hunks as parsePatch gives it"
        )
    if len(hunks) > DIFF_MAX_HUNKS:
        raise HostCallError(f"{where}: more than {DIFF_MAX_HUNKS} hunks; apply the patch in parts")
    return Patch(hunks=[_require_hunk(each, index, where) for index, each in enumerate(hunks)])


def _require_hunk(value: object, index: int, where: str) -> Hunk:
    hunk = value if isinstance(value, dict) else {}
    numbers = [hunk.get(name, UNDEFINED) for name in ("oldStart", "oldLines", "newStart", "newLines")]
    lines = hunk.get("lines")
    if (
        not isinstance(lines, list)
        or not all(isinstance(each, str) for each in lines)
        or not all(isinstance(each, int) and not isinstance(each, bool) for each in numbers)
    ):
        raise HostCallError(
            f"{where}: hunk {index + 1} of the patch must have the numbers oldStart, oldLines, newStart and "
            "newLines, and an array of strings as lines"
        )
    old_start, old_lines, new_start, new_lines = cast("list[int]", numbers)
    return Hunk(
        old_start=old_start, old_lines=old_lines, new_start=new_start, new_lines=new_lines, lines=lines
    )


# --- applying


def apply_patch(text: str, patch: Patch, fuzz: int, *, convert: bool, deadline: Deadline) -> str | None:
    """The text with the patch applied, or None where a hunk does not fit."""
    if not patch.hunks:
        return text
    hunks = _with_line_ends_of(text, patch.hunks) if convert else patch.hunks
    lines = text.split("\n")
    if not _fit_last_newline(lines, hunks[-1], fuzz):
        return None
    result: list[str] = []
    done = moved = 0
    for hunk in hunks:
        found = _place(lines, hunk, done, moved, fuzz=fuzz, deadline=deadline)
        if found is None:
            return None
        at, patched, stop = found
        result += lines[done:at]
        result += patched
        done = stop
        moved = at + 1 - hunk.old_start
    return "\n".join([*result, *lines[done:]])


def _with_line_ends_of(text: str, hunks: Sequence[Hunk]) -> Sequence[Hunk]:
    """The hunks with the line ends that the whole text has, where the hunks have the other kind throughout."""
    returns = [
        (line.endswith("\r"), index + 1 < len(hunk.lines) and hunk.lines[index + 1].startswith("\\"))
        for hunk in hunks
        for index, line in enumerate(hunk.lines)
        if not line.startswith("\\")
    ]
    breaks, windows_breaks = text.count("\n"), text.count("\r\n")
    if windows_breaks and breaks == windows_breaks and not any(ends for ends, _ in returns):
        return [replace(hunk, lines=_to_windows(hunk.lines)) for hunk in hunks]
    is_windows = any(ends for ends, _ in returns) and all(ends or last for ends, last in returns)
    if breaks and not windows_breaks and is_windows:
        return [replace(hunk, lines=[each.removesuffix("\r") for each in hunk.lines]) for hunk in hunks]
    return hunks


def _to_windows(lines: Sequence[str]) -> list[str]:
    after = [*lines[1:], ""]
    return [
        line if line.startswith("\\") or following.startswith("\\") else f"{line}\r"
        for line, following in zip(lines, after, strict=True)
    ]


def _fit_last_newline(lines: list[str], last: Hunk, fuzz: int) -> bool:
    """Add or remove the line break at the text's end as the last hunk says; False where that cannot be."""
    before = [line for line, after in zip(last.lines, last.lines[1:], strict=False) if after.startswith("\\")]
    removes = any(line.startswith("+") for line in before)
    adds = any(line.startswith("-") for line in before)
    ends_with_newline = not lines[-1]
    if removes and adds:
        return bool(fuzz) or not ends_with_newline
    if removes and ends_with_newline:
        lines.pop()
    elif adds and not ends_with_newline:
        lines.append("")
    elif removes or adds:
        return bool(fuzz)
    return True


def _place(
    lines: Sequence[str], hunk: Hunk, lowest: int, moved: int, *, fuzz: int, deadline: Deadline
) -> tuple[int, list[str], int] | None:
    """Where the hunk fits best: first with all context, at its place, then ever further away."""
    highest = len(lines) - hunk.old_lines + fuzz
    stated = hunk.old_start + moved - 1
    fitting = _Fitting(lines, hunk.lines, deadline)
    for errors in range(fuzz + 1):
        for index, at in enumerate(_outward(stated, lowest, highest)):
            if index % _STEP == 0:
                deadline.check()
            fitted = fitting.fit(at, errors)
            if fitted is not None:
                return at, *fitted
    return None


def _outward(stated: int, lowest: int, highest: int) -> Iterator[int]:
    if lowest <= stated:
        yield stated
    for distance in range(1, DIFF_MAX_HUNK_MOVE + 1):
        if lowest <= stated + distance <= highest:
            yield stated + distance
        if lowest <= stated - distance <= highest:
            yield stated - distance


class _Fitting:
    """One hunk tried at one place after another; what was tried in vain is not tried again.

    Removed lines, and the context right beside added ones, must be there as they are; of the other
    context so many lines may be different, missing or too many.
    """

    def __init__(self, lines: Sequence[str], hunk_lines: Sequence[str], deadline: Deadline) -> None:
        self._lines = lines
        self._hunk = hunk_lines
        self._deadline = deadline
        self._in_vain: set[tuple[int, int, int]] = set()

    def fit(
        self, at: int, errors: int, start: int = 0, *, matched: bool = True, before: Sequence[str] = ()
    ) -> tuple[list[str], int] | None:
        """The lines that take the place of `lines[at:stop]`, and `stop`; None where the hunk does not fit."""
        patched = list(before)
        trailing = 0
        must_match = False
        for index in range(start, len(self._hunk)):
            hunk_line = self._hunk[index]
            kind, content = hunk_line[:1] or " ", hunk_line[1:]
            line = self._lines[at] if 0 <= at < len(self._lines) else None
            if kind == "+":
                if not matched:
                    return None
                patched.append(content)
                trailing = 0
                must_match = True
            elif kind == "-":
                if line != content:
                    if not errors or line is None:
                        return None
                    return self._again(at + 1, errors, index, [*patched, line])
                at += 1
                trailing = 0
            elif kind == " ":
                trailing += 1
                if line != content or line is None:
                    if must_match or not errors:
                        return None
                    return self._with_error(at, errors, index, patched, line)
                patched.append(line)
                matched = True
                must_match = False
                at += 1
        # later hunks may begin in the context after this one
        return patched[: len(patched) - trailing], at - trailing

    def _with_error(
        self, at: int, errors: int, index: int, patched: list[str], line: str | None
    ) -> tuple[list[str], int] | None:
        """The context is different here, or has a line more, or a line less."""
        if line is not None:
            for follow in (index + 1, index):
                fitted = self._again(at + 1, errors, follow, [*patched, line])
                if fitted is not None:
                    return fitted
        return self._again(at, errors, index + 1, patched)

    def _again(self, at: int, errors: int, start: int, before: Sequence[str]) -> tuple[list[str], int] | None:
        state = (at, start, errors)
        if state in self._in_vain:
            return None
        self._deadline.check()
        fitted = self.fit(at, errors - 1, start, matched=False, before=before)
        if fitted is None:
            self._in_vain.add(state)
        return fitted
