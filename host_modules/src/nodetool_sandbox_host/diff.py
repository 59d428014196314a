"""diff: what differs between two texts or values, in the words of jsdiff and diff-match-patch."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, cast

from diff_match_patch import diff_match_patch  # type: ignore[import-untyped]  # it has none
from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED
from rapidfuzz import fuzz, process

from nodetool_sandbox_host._diff_json import build_operations
from nodetool_sandbox_host._diff_patch import (
    Hunk,
    Patch,
    apply_patch,
    build_hunks,
    format_patch,
    parse_patches,
    require_patch,
)
from nodetool_sandbox_host._diff_script import Change, changes
from nodetool_sandbox_host._diff_units import from_units, to_units
from nodetool_sandbox_host._diff_words import Piece, count_words, joined, tidy_white_space, word_tokens
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    js_text,
    js_trim,
    option_bag,
    quoted,
    text_option,
    utf16_length,
    whole_number,
    without_lone_surrogates,
)
from nodetool_sandbox_host.decoding import require_file_text
from nodetool_sandbox_host.limits import (
    DIFF_CLOSEST_LIMIT,
    DIFF_CONTEXT_LINES,
    DIFF_MAX_CANDIDATES,
    DIFF_MAX_CONTEXT_LINES,
    DIFF_MAX_FUZZ,
    DIFF_MAX_HUNKS,
    DIFF_MAX_LINES,
    DIFF_MAX_QUERY_UNITS,
    DIFF_MAX_SEMANTIC_UNITS,
    MAX_RESULT_UNITS,
    MAX_TEXT_UNITS,
)

_PATCH_CONTEXT_LINES: Final = 4
"""What jsdiff's own functions show around a change; `unified` shows DIFF_CONTEXT_LINES."""
_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")
_PATCH_HEAD: Final = re.compile(r"@@ -([0-9]{1,15})(?:,[0-9]{1,15})? \+[0-9]{1,15}(?:,[0-9]{1,15})? @@")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_MAX_NUMBER_UNITS: Final = 100
_STEP: Final = 256


# --- texts


def _texts(args: Sequence[object], where: str, options_at: int = 2, first: int = 0) -> tuple[str, str]:
    encoding = option_bag(argument(args, options_at)).get("encoding", UNDEFINED)
    old = require_file_text(argument(args, first), where, "a", encoding=encoding)
    new = require_file_text(argument(args, first + 1), where, "b", encoding=encoding)
    return old, new


def _compared(tokens: Sequence[str], options: Mapping[str, object]) -> Sequence[Hashable]:
    """What of each token counts."""
    if flag(options, "ignoreWhitespace", default=False):
        tokens = [js_trim(each) for each in tokens]
    if flag(options, "ignoreCase", default=False):
        tokens = [each.lower() for each in tokens]
    return tokens


def _lines(text: str) -> list[str]:
    """The lines with their breaks; a line ends at LF alone."""
    return _LINES.findall(text)


def _pieces(
    script: Sequence[Change], old: Sequence[str], new: Sequence[str], join: Callable[[Sequence[str]], str]
) -> list[Piece]:
    """The stretches as text; what both sides have is shown as the new one has it."""
    pieces: list[Piece] = []
    old_at = new_at = 0
    for change in script:
        if change.kept:
            pieces.append(Piece(join(new[new_at : new_at + change.kept]), change.kept))
        if change.removed:
            removed = join(old[old_at : old_at + change.removed])
            pieces.append(Piece(removed, change.removed, removed=True))
        if change.added:
            pieces.append(Piece(join(new[new_at : new_at + change.added]), change.added, added=True))
        old_at += change.kept + change.removed
        new_at += change.kept + change.added
    return pieces


def diff_lines(args: Sequence[object], deadline: Deadline) -> object:
    """The difference by lines, as a list of what is kept, removed and added.

    Raises:
        HostCallError: the texts are none or too long.
    """
    old_text, new_text = _texts(args, "diff.diffLines")
    options = option_bag(argument(args, 2))
    old, new = _lines(old_text), _lines(new_text)
    script = changes(_compared(old, options), _compared(new, options), deadline)
    return [each.to_guest() for each in _pieces(script, old, new, "".join)]


def diff_words(args: Sequence[object], deadline: Deadline) -> object:
    """The difference by words and marks; white space between them does not count.

    Raises:
        HostCallError: the texts are none or too long.
    """
    old_text, new_text = _texts(args, "diff.diffWords")
    # a token is one character at least: short texts need no count
    if len(old_text) + len(new_text) > DIFF_MAX_LINES:
        counts = [count_words(each, deadline) for each in (old_text, new_text)]
        if old_text == new_text:
            return [Piece(new_text, counts[1]).to_guest()]
        if sum(counts) > DIFF_MAX_LINES:
            # so many words are not even cut apart: the difference is coarse
            whole = Piece(old_text, counts[0], removed=True), Piece(new_text, counts[1], added=True)
            return [each.to_guest() for each in whole if each.value]
    old, new = word_tokens(old_text), word_tokens(new_text)
    deadline.check()
    options = {**option_bag(argument(args, 2)), "ignoreWhitespace": True}
    script = changes(_compared(old, options), _compared(new, options), deadline)
    pieces = _pieces(script, old, new, joined)
    tidy_white_space(pieces)
    return [each.to_guest() for each in pieces]


def diff_chars(args: Sequence[object], deadline: Deadline) -> object:
    """The difference by characters (code points), cleaned up for readers where that is asked.

    Raises:
        HostCallError: the texts are none or too long, or `cleanup` is no known one.
    """
    where = "diff.diffChars"
    old, new = _texts(args, where)
    options = option_bag(argument(args, 2))
    cleanup = text_option(options, "cleanup", default="none", where=where)
    if cleanup not in {"none", "semantic"}:
        raise HostCallError(f'{where}: cleanup must be "none" or "semantic"')
    if cleanup == "semantic" and utf16_length(old) + utf16_length(new) > DIFF_MAX_SEMANTIC_UNITS:
        raise HostCallError(
            f"{where}: semantic cleanup takes at most {DIFF_MAX_SEMANTIC_UNITS} characters of both texts together"
        )
    if flag(options, "ignoreCase", default=False):
        script = changes(list(map(str.lower, old)), list(map(str.lower, new)), deadline)
    else:
        script = changes(old, new, deadline)
    pieces = _pieces(script, old, new, "".join)
    return [each.to_guest() for each in (_semantic(pieces) if cleanup == "semantic" else pieces)]


def _semantic(pieces: Sequence[Piece]) -> list[Piece]:
    """Fewer and longer pieces: short stretches that two changes happen to share are given up."""
    diffs = [((each.added > 0) - (each.removed > 0), each.value) for each in pieces]
    diff_match_patch().diff_cleanupSemantic(diffs)
    return [Piece(text, len(text), added=kind > 0, removed=kind < 0) for kind, text in diffs]


def stats(args: Sequence[object], deadline: Deadline) -> object:
    """How many lines were added, removed and changed, and how alike the texts are, from 0 to 1.

    Raises:
        HostCallError: the texts are none or too long.
    """
    old_text, new_text = _texts(args, "diff.stats")
    old, new = _lines(old_text), _lines(new_text)
    script = changes(old, new, deadline)
    changed = sum(min(each.removed, each.added) for each in script)
    kept = sum(each.kept for each in script)
    lines = len(old) + len(new)
    return {
        "added": sum(each.added for each in script) - changed,
        "removed": sum(each.removed for each in script) - changed,
        "changed": changed,
        "similarity": 2 * kept / lines if lines else 1,
    }


# --- patches


def unified(args: Sequence[object], deadline: Deadline) -> object:
    """The difference as a unified patch.

    Raises:
        HostCallError: the texts are none or too long, or the patch would be too long.
    """
    where = "diff.unified"
    texts = _texts(args, where)
    options = option_bag(argument(args, 2))
    hunks = _hunks(texts, options, DIFF_CONTEXT_LINES, where, deadline)
    names = [
        _name(options.get(key, UNDEFINED), default, where)
        for key, default in (("oldName", "a"), ("newName", "b"))
    ]
    return _patch_text(hunks, names, where=where)


def create_two_files_patch(args: Sequence[object], deadline: Deadline) -> object:
    """The patch of jsdiff's `createTwoFilesPatch(oldName, newName, a, b, oldHeader, newHeader, options)`.

    Raises:
        HostCallError: as for `unified`.
    """
    return _created(args, "diff.createTwoFilesPatch", 2, deadline)


def create_patch(args: Sequence[object], deadline: Deadline) -> object:
    """The patch of jsdiff's `createPatch(name, a, b, oldHeader, newHeader, options)`.

    Raises:
        HostCallError: as for `unified`.
    """
    return _created(args, "diff.createPatch", 1, deadline)


def _created(args: Sequence[object], where: str, names: int, deadline: Deadline) -> str:
    texts = _texts(args, where, names + 4, names)
    options = option_bag(argument(args, names + 4))
    shown = [_name(argument(args, index), "", where) for index in range(names)]
    headers = [_header(argument(args, names + 2 + index), where) for index in range(2)]
    hunks = _hunks(texts, options, _PATCH_CONTEXT_LINES, where, deadline)
    return _patch_text(hunks, shown, headers, where=where)


def structured_patch(args: Sequence[object], deadline: Deadline) -> object:
    """The object of jsdiff's `structuredPatch(oldName, newName, a, b, oldHeader, newHeader, options)`.

    Raises:
        HostCallError: as for `unified`.
    """
    where = "diff.structuredPatch"
    texts = _texts(args, where, 6, 2)
    names = [_name(argument(args, index), "", where) for index in range(2)]
    headers: dict[str, object] = {
        "oldFileName": names[0],
        "newFileName": names[1],
        "oldHeader": argument(args, 4),
        "newHeader": argument(args, 5),
    }
    hunks = _hunks(texts, option_bag(argument(args, 6)), _PATCH_CONTEXT_LINES, where, deadline)
    return Patch(hunks=hunks, headers=headers).to_guest()


def _hunks(
    texts: tuple[str, str], options: Mapping[str, object], default: int, where: str, deadline: Deadline
) -> list[Hunk]:
    context = _context(options.get("context", UNDEFINED), default)
    old, new = map(_lines, texts)
    script = changes(_compared(old, options), _compared(new, options), deadline)
    size = old_at = new_at = 0
    for change in script:
        # one more for the sign in front of each line
        size += sum(map(len, old[old_at : old_at + change.removed])) + change.removed
        old_at += change.removed
        size += sum(map(len, new[new_at : new_at + change.added])) + change.added
        new_at += change.added
        if size > MAX_RESULT_UNITS:
            raise _past_result(where)
        old_at += change.kept
        new_at += change.kept
    return build_hunks(script, old, new, context, deadline)


def _past_result(where: str) -> HostCallError:
    return HostCallError(f"{where}: result exceeds the {MAX_RESULT_UNITS} character limit")


def _patch_text(
    hunks: Sequence[Hunk], names: Sequence[str], headers: Sequence[str] = ("", ""), *, where: str
) -> str:
    text = format_patch(hunks, names[0], names[-1], *headers)
    if utf16_length(text) > MAX_RESULT_UNITS:
        raise _past_result(where)
    return text


def _name(value: object, default: str, where: str) -> str:
    return default if value is UNDEFINED else js_text(value, where)


def _header(value: object, where: str) -> str:
    text = "" if value is UNDEFINED or value is None else js_text(value, where)
    if "\n" in text or "\r" in text:
        raise HostCallError(f"{where}: a header must be one line")
    return text


def _context(value: object, default: int) -> int:
    """`Number(value)`, cut to a whole one from 0 to DIFF_MAX_CONTEXT_LINES; what is no number is the default."""
    number = _js_number(value)
    if not math.isfinite(number):
        return default
    return int(max(0, min(DIFF_MAX_CONTEXT_LINES, math.floor(number))))


def _js_number(value: object) -> float:
    if value is None:
        return 0
    if isinstance(value, str):
        text = js_trim(value)
        if not text:
            return 0
        return float(text) if len(text) <= _MAX_NUMBER_UNITS and _NUMBER.fullmatch(text) else math.nan
    if isinstance(value, int):
        return max(min(value, MAX_TEXT_UNITS), -MAX_TEXT_UNITS)
    if isinstance(value, float):
        return value
    return math.nan


def parse_patch(args: Sequence[object], deadline: Deadline) -> object:
    """The patches of a text as objects, one for each file.

    Raises:
        HostCallError: the text is no patch, or has too many hunks.
    """
    where = "diff.parsePatch"
    text = require_file_text(argument(args, 0), where, "patch")
    return [each.to_guest() for each in parse_patches(text, where, deadline)]


def apply(args: Sequence[object], deadline: Deadline) -> object:
    """The text with a patch applied, or False where a hunk does not fit.

    Raises:
        HostCallError: the patch is none, is for several files, or an option is wrong.
    """
    where = "diff.applyPatch"
    text = require_file_text(argument(args, 0), where)
    given = argument(args, 1)
    options = option_bag(argument(args, 2))
    if isinstance(given, str | bytes):
        patches = parse_patches(require_file_text(given, where, "patch"), where, deadline)
    else:
        patches = [require_patch(each, where) for each in (given if isinstance(given, list) else [given])]
    if len(patches) != 1:
        raise HostCallError(
            f"{where}: the patch is for {len(patches)} files; pass one of parsePatch's patches"
        )
    fuzz_factor = options.get("fuzzFactor", UNDEFINED)
    if fuzz_factor is UNDEFINED or fuzz_factor is None:
        fuzz_factor = 0
    if not isinstance(fuzz_factor, int) or not 0 <= fuzz_factor <= DIFF_MAX_FUZZ:
        raise HostCallError(f"{where}: fuzzFactor must be a whole number from 0 to {DIFF_MAX_FUZZ}")
    convert = flag(options, "autoConvertLineEndings", default=True)
    patched = apply_patch(text, patches[0], int(fuzz_factor), convert=convert, deadline=deadline)
    if patched is None:
        return False
    if utf16_length(patched) > MAX_RESULT_UNITS:
        raise _past_result(where)
    return patched


# --- diff-match-patch's own patches


class _Fuzzy(diff_match_patch):  # type: ignore[misc]  # it has no types
    """diff-match-patch with our differences, asking for the time at each place that it looks for."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def diff_main(
        self, text1: str, text2: str, _checklines: object = None, _deadline: object = None
    ) -> list[tuple[int, str]]:
        pieces = _pieces(changes(text1, text2, self._deadline), text1, text2, "".join)
        return [((each.added > 0) - (each.removed > 0), each.value) for each in pieces]

    def match_main(self, text: str, pattern: str, loc: int) -> int:
        self._deadline.check()
        found: int = super().match_main(text, pattern, loc)
        return found


def patch_make(args: Sequence[object], deadline: Deadline) -> object:
    """The difference as diff-match-patch's patch text, places counted in UTF-16 units.

    Raises:
        HostCallError: the texts are none or too long, or hold half a surrogate pair.
    """
    where = "diff.patchMake"
    old, new = _texts(args, where)
    for label, text in (("a", old), ("b", new)):
        if without_lone_surrogates(text) != text:
            raise HostCallError(
                f"{where}: {label} holds half a surrogate pair, which such a patch cannot name"
            )
    fuzzy = _Fuzzy(deadline)
    diffs = fuzzy.diff_main(old, new)
    deadline.check()
    if len(old) + len(new) <= DIFF_MAX_SEMANTIC_UNITS:
        fuzzy.diff_cleanupSemantic(diffs)
    # it copies the text once for each change
    if sum(1 for kind, _ in diffs if kind) > DIFF_MAX_HUNKS:
        diffs = [(-1, old), (1, new)]
    text = to_units(fuzzy.patch_make(old, diffs), old, new)
    if utf16_length(text) > MAX_RESULT_UNITS:
        raise _past_result(where)
    return text


def patch_apply(args: Sequence[object], deadline: Deadline) -> object:
    """`[text, applied]`: the text with such a patch applied as well as it fits, and which parts of it did.

    Raises:
        HostCallError: the text is none or too long, or the patch cannot be read.
    """
    where = "diff.patchApply"
    text = require_file_text(argument(args, 0), where)
    patch = require_file_text(argument(args, 1), where, "patch")
    count = sum(1 for line in patch.split("\n") if line.startswith("@@"))
    if count > DIFF_MAX_HUNKS:
        raise HostCallError(f"{where}: more than {DIFF_MAX_HUNKS} hunks; apply the patch in parts")
    fuzzy = _Fuzzy(deadline)
    try:
        patches = fuzzy.patch_fromText(patch)
    except ValueError:
        line = next((each for each in patch.split("\n") if each), "")
        raise HostCallError(f"{where}: not a patch of patchMake (near {quoted(line)})") from None
    from_units(patches, text)
    deadline.check()
    patched, applied = fuzzy.patch_apply(patches, text)
    if utf16_length(patched) > MAX_RESULT_UNITS:
        raise _past_result(where)
    return [patched, applied]


# --- values and lists


def json(args: Sequence[object], deadline: Deadline) -> object:
    """The steps that make the second value out of the first, in the shape of RFC 6902, with the old values.

    Raises:
        HostCallError: the values hold something that JSON has not, are too large or too deep.
    """
    return build_operations(argument(args, 0), argument(args, 1), "diff.json", deadline)


def closest(args: Sequence[object], deadline: Deadline) -> object:
    """The candidates that are most like a text, with how alike they are, from 0 to 1, best first.

    Raises:
        HostCallError: the arguments are none, too many or too long.
    """
    where = "diff.closest"
    query = argument(args, 0)
    candidates = argument(args, 1)
    if not isinstance(query, str):
        raise HostCallError(f"{where}: query must be a string")
    if not isinstance(candidates, list) or not all(isinstance(each, str) for each in candidates):
        raise HostCallError(f"{where}: candidates must be an array of strings")
    if utf16_length(query) > DIFF_MAX_QUERY_UNITS:
        raise HostCallError(f"{where}: query exceeds the {DIFF_MAX_QUERY_UNITS} character limit")
    if len(candidates) > DIFF_MAX_CANDIDATES:
        raise HostCallError(f"{where}: more than {DIFF_MAX_CANDIDATES} candidates")
    texts = cast("list[str]", candidates)
    if sum(map(utf16_length, texts)) > MAX_TEXT_UNITS:
        raise HostCallError(f"{where}: candidates exceed the {MAX_TEXT_UNITS} character limit together")
    options = option_bag(argument(args, 2))
    limit = whole_number(
        options, "limit", default=DIFF_CLOSEST_LIMIT, low=0, high=DIFF_MAX_CANDIDATES, where=where
    )
    cutoff = options.get("cutoff", UNDEFINED)
    if cutoff is UNDEFINED or cutoff is None:
        cutoff = 0
    if isinstance(cutoff, bool) or not isinstance(cutoff, int | float) or not 0 <= cutoff <= 1:
        raise HostCallError(f"{where}: cutoff must be a number from 0 to 1")
    scored: list[tuple[float, int]] = []
    for start in range(0, len(texts), _STEP):
        deadline.check()
        part = texts[start : start + _STEP]
        found = process.extract(query, part, scorer=fuzz.ratio, limit=None, score_cutoff=100 * cutoff)
        scored += [(-score, start + index) for _, score, index in found]
    scored.sort()
    return [{"value": texts[index], "score": round(-score / 100, 4)} for score, index in scored[:limit]]


MODULE: Final = HostModule(
    host_id=HostId("diff"),
    exports=(
        HostExport(name="unified", function=unified),
        HostExport(name="diffLines", function=diff_lines),
        HostExport(name="diffWords", function=diff_words),
        HostExport(name="diffChars", function=diff_chars),
        HostExport(name="createTwoFilesPatch", function=create_two_files_patch),
        HostExport(name="createPatch", function=create_patch),
        HostExport(name="structuredPatch", function=structured_patch),
        HostExport(name="parsePatch", function=parse_patch),
        HostExport(name="applyPatch", function=apply),
        HostExport(name="patchMake", function=patch_make),
        HostExport(name="patchApply", function=patch_apply),
        HostExport(name="json", function=json),
        HostExport(name="stats", function=stats),
        HostExport(name="closest", function=closest),
    ),
)
