"""diff: scripts that are shortest and never quadratic, patches that fit, and laws over both."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any, cast

import pytest
from host_calls import Call, Over, Unhurried, call_export
from hypothesis import given, settings
from hypothesis import strategies as st
from nodetool_sandbox_host import diff
from nodetool_sandbox_host._diff_script import Change, changes
from nodetool_sandbox_host.limits import (
    DIFF_CLOSEST_LIMIT,
    DIFF_MAX_CANDIDATES,
    DIFF_MAX_CONTEXT_LINES,
    DIFF_MAX_EDIT_DISTANCE,
    DIFF_MAX_FUZZ,
    DIFF_MAX_GREEDY_DISTANCE,
    DIFF_MAX_HUNK_MOVE,
    DIFF_MAX_HUNKS,
    DIFF_MAX_JSON_DEPTH,
    DIFF_MAX_JSON_NODES,
    DIFF_MAX_LINES,
    DIFF_MAX_QUERY_UNITS,
    DIFF_MAX_SEMANTIC_UNITS,
    MAX_RESULT_UNITS,
    MAX_TEXT_UNITS,
)
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt

HUNK_SHAPE = (
    "hunk 1 of the patch must have the numbers oldStart, oldLines, newStart and newLines, "
    "and an array of strings as lines"
)
HEAD = "=" * 67 + "\n--- a\n+++ b\n"
TEXTS = st.text(alphabet="ab \n\r\t-+\\@é😀\ud83d\ude00\u2028", max_size=60)


def refusal(call: Call, where: str, *args: object) -> str:
    with pytest.raises(HostCallError) as refused:
        call(where, *args)
    return refused.value.message


def pieces(where: str, old: str, new: str, options: object = None) -> list[tuple[int, str]]:
    found = cast("list[dict[str, Any]]", call_export(where, old, new, options))
    assert all(each.get("added", True) is True and each.get("removed", True) is True for each in found)
    return [(("added" in each) - ("removed" in each), each["value"]) for each in found]


def sides(found: Sequence[tuple[int, str]]) -> tuple[str, str]:
    return (
        "".join(text for kind, text in found if kind <= 0),
        "".join(text for kind, text in found if kind >= 0),
    )


def edits(old: Any, new: Any) -> int:  # noqa: ANN401  (text or list)
    """How many edits the script has, after it was seen to be right."""
    script = changes(old, new, Unhurried())
    old_at = new_at = 0
    for before, after in zip([None, *script], script, strict=False):
        assert bool(after.kept) != bool(after.removed + after.added)
        assert before is None or bool(before.kept) != bool(after.kept)
        assert old[old_at : old_at + after.kept] == new[new_at : new_at + after.kept]
        old_at += after.kept + after.removed
        new_at += after.kept + after.added
    assert (old_at, new_at) == (len(old), len(new))
    return sum(each.removed + each.added for each in script)


# --- scripts


def shortest(old: str, new: str) -> int:
    """The length of the shortest script, by the table."""
    row = list(range(len(new) + 1))
    for index, letter in enumerate(old, 1):
        diagonal, row[0] = row[0], index
        for place, other in enumerate(new, 1):
            diagonal, row[place] = (
                row[place],
                (diagonal if letter == other else 1 + min(row[place], row[place - 1])),
            )
    return row[-1]


@given(st.text("abc", max_size=25), st.text("abc", max_size=25))
def test_a_script_is_right_and_shortest(old: str, new: str) -> None:
    assert edits(old, new) == shortest(old, new)


@pytest.mark.parametrize("seed", range(4))
def test_a_script_past_the_greedy_walk_is_right_and_shortest(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  (the same texts at every run)
    old = "".join(chance.choice("abcdefgh\ud800") for _ in range(900))
    new = "".join(chance.choice("abcdefgh\ud800") for _ in range(700))
    assert edits(old, new) == shortest(old, new) > DIFF_MAX_GREEDY_DISTANCE


def crossing(distance: int) -> tuple[list[int], list[int]]:
    """Two lists of equal elements, the shortest script of which has that many edits."""
    half = distance // 2
    front = list(range(half))
    rest = [-1] * (2 * half + 2)
    # the front moves behind the rest: it is shorter, so it is what moves
    return [*front, *rest], [*rest, *front, *rest[: distance % 2]]


@pytest.mark.parametrize("limit", [DIFF_MAX_GREEDY_DISTANCE, DIFF_MAX_EDIT_DISTANCE])
def test_up_to_a_number_of_edits_the_script_is_shortest_and_past_it_still_right(limit: int) -> None:
    assert edits(*crossing(limit)) == limit
    assert edits(*crossing(limit + 1)) >= limit + 1
    if limit == DIFF_MAX_EDIT_DISTANCE:
        assert edits(*crossing(limit + 2)) > limit + 2


def test_a_coarse_script_keeps_what_stands_once_on_each_side() -> None:
    block = list(range(DIFF_MAX_EDIT_DISTANCE))
    old = [-1, *block, -2, -2, -3]
    new = [-1, *reversed(block), -2, -2, -3]
    script = changes(old, new, Unhurried())
    assert edits(old, new) == 2 * (len(block) - 1)
    assert script[-1] == Change(0, 0, 3)


def test_a_coarse_script_of_texts_in_which_nothing_stands_once_keeps_both_ends() -> None:
    chance = random.Random(2)  # noqa: S311  (the same texts at every run)
    old, new = ("".join(chance.choice("ab") for _ in range(14_000)) for _ in range(2))
    script = changes(f"cc{old}cc", f"cc{new}cc", Unhurried())
    assert sum(each.removed + each.added for each in script) > DIFF_MAX_EDIT_DISTANCE
    assert script[0].kept >= 2
    assert script[-1].kept >= 2


def test_past_a_number_of_words_the_text_is_replaced_as_a_whole() -> None:
    half = DIFF_MAX_LINES // 2
    assert [kind for kind, _ in pieces("diff.diffWords", "a " * half, "a " * (half - 1) + "b")] == [0, -1, 1]
    assert [kind for kind, _ in pieces("diff.diffWords", "a " * half, "a " * half + "b")] == [-1, 1]
    assert pieces("diff.diffWords", "a " * half + "b", "a " * half + "b") == [(0, "a " * half + "b")]


def test_past_a_number_of_lines_the_middle_is_replaced_as_a_whole() -> None:
    half = DIFF_MAX_LINES // 2
    old, new = (
        "".join(f"{index}\n" for index in range(half)),
        "".join(f"{index + 1}\n" for index in range(half)),
    )
    assert [kind for kind, _ in pieces("diff.diffLines", old, new)] == [-1, 0, 1]
    assert [kind for kind, _ in pieces("diff.diffLines", old + "y\nx\n", new + "z\nx\n")] == [-1, 1, 0]
    assert sides(pieces("diff.diffWords", old + "x\n", new + "y\n")) == (old + "x\n", new + "y\n")
    assert pieces("diff.diffWords", old + "x\n", old + "x\n") == [(0, old + "x\n")]


@pytest.mark.parametrize(
    ("old", "new", "hunks"),
    [
        ("a\n" * 200_000, "b\n" * 200_000, 1),
        ("".join(f"a{n}\n" for n in range(20_000)), "".join(f"b{n}\n" for n in range(20_000)), 1),
        ("".join(f"{n % 3}\n" for n in range(20_000)), "".join(f"{(n + 1) % 3}\n" for n in range(20_000)), 2),
        ("x" * 1_000_000, "x" * 499_999 + "y" + "x" * 500_000, 1),
        ("x" * 5_000_000 + "a", "x" * 5_000_000 + "b", 1),
    ],
    ids=["repeated", "nothing in common", "shifted", "one line", "long line"],
)  # fmt: skip
def test_large_texts_are_compared(call: Call, old: str, new: str, hunks: int) -> None:
    patch = cast("str", call("diff.unified", old, new, {"context": 0}))
    assert patch.count("\n@@ ") == hunks


def test_time_grows_with_the_texts_and_not_with_their_square() -> None:
    def seconds(lines: int) -> float:
        old, new = ("".join(f"{side}{n}\n" for n in range(lines)) for side in "ab")
        begin = time.process_time()
        call_export("diff.unified", old, new)
        return time.process_time() - begin

    # eight times, for four times the lines, is what a quadratic difference is far beyond
    assert min(seconds(20_000) for _ in range(3)) < 8 * max(seconds(5_000) for _ in range(3))


def test_a_permutation_of_many_lines_is_coarse_and_right(call: Call) -> None:
    lines = [f"{n}\n" for n in range(20_000)]
    mixed = lines[:]
    random.Random(3).shuffle(mixed)  # noqa: S311  (the same order at every run)
    old, new = "".join(lines), "".join(mixed)
    patch = call("diff.unified", old, new)
    assert call("diff.applyPatch", old, patch) == new


def test_a_long_call_asks_for_the_time() -> None:
    chance = random.Random(5)  # noqa: S311  (the same texts at every run)
    old, new = ("".join(chance.choice("abc\n") for _ in range(20_000)) for _ in range(2))
    for function in (
        diff.unified,
        diff.diff_lines,
        diff.diff_words,
        diff.diff_chars,
        diff.stats,
        diff.patch_make,
    ):
        for at in (1, 20, 400):
            with pytest.raises(HostCallError, match="deadline"):
                function([old, new], Over(at))


# --- texts


@given(TEXTS, TEXTS)
def test_pieces_are_the_texts(old: str, new: str) -> None:
    for where in ("diff.diffLines", "diff.diffChars"):
        assert sides(pieces(where, old, new)) == (old, new)
    semantic = pieces("diff.diffChars", old, new, {"cleanup": "semantic"})
    assert sides(semantic) == (old, new)
    # white space that only the old text has may be lost where it is doubled, the new text never is
    assert (
        sides(pieces("diff.diffWords", old, new))[1] == new or "\r" in old + new or old.split() == new.split()
    )


def test_a_character_is_never_cut() -> None:
    assert pieces("diff.diffChars", "a😀b", "a😃b") == [(0, "a"), (-1, "😀"), (1, "😃"), (0, "b")]


def test_removed_comes_before_added_and_what_is_kept_has_no_flag(call: Call) -> None:
    assert call("diff.diffLines", "a\nb\n", "a\nc\n") == [
        {"value": "a\n", "count": 1},
        {"value": "b\n", "count": 1, "removed": True},
        {"value": "c\n", "count": 1, "added": True},
    ]


def test_words_are_not_split_at_accents_and_white_space_counts_for_nothing() -> None:
    assert pieces("diff.diffWords", "The quick-brown fox.", "The slow-brown fox!") == [
        (0, "The "), (-1, "quick"), (1, "slow"), (0, "-brown fox"), (-1, "."), (1, "!"),
    ]  # fmt: skip
    assert pieces("diff.diffWords", "naïve café", "naïve cafés") == [
        (0, "naïve "),
        (-1, "café"),
        (1, "cafés"),
    ]
    assert pieces("diff.diffWords", "a  b\n", "a b") == [(0, "a b")]


def test_the_options_of_comparing_are_kept(call: Call) -> None:
    assert pieces("diff.diffLines", " A\nb\n", "a \nb\n", {"ignoreWhitespace": True, "ignoreCase": True}) == [
        (0, "a \nb\n")
    ]
    assert pieces("diff.diffChars", "ABc", "abd", {"ignoreCase": True}) == [(0, "ab"), (-1, "c"), (1, "d")]
    assert pieces("diff.diffWords", "A b", "a b", {"ignoreCase": True}) == [(0, "a b")]
    assert pieces("diff.diffChars", "mouse", "sofas", {"cleanup": "semantic"}) == [
        (-1, "mouse"),
        (1, "sofas"),
    ]
    assert (
        refusal(call, "diff.diffChars", "a", "b", {"cleanup": "x"})
        == 'diff.diffChars: cleanup must be "none" or "semantic"'
    )


def test_semantic_cleanup_is_for_texts_that_are_not_too_long(call: Call) -> None:
    half = "a" * (DIFF_MAX_SEMANTIC_UNITS // 2)
    assert pieces("diff.diffChars", half, half, {"cleanup": "semantic"}) == [(0, half)]
    message = refusal(call, "diff.diffChars", half, half + "b", {"cleanup": "semantic"})
    assert message.startswith(
        f"diff.diffChars: semantic cleanup takes at most {DIFF_MAX_SEMANTIC_UNITS} characters"
    )


def test_files_are_compared_as_text(call: Call) -> None:
    assert call("diff.stats", "é\n".encode(), "é\n".encode("cp1252"), {"encoding": "windows-1252"}) == {
        "added": 0, "removed": 0, "changed": 1, "similarity": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", (0, 0, 0, 1)), ("a\n", "", (0, 1, 0, 0)), ("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n", (1, 0, 1, 6 / 9)),
        ("a\n", "a\n", (0, 0, 0, 1)),
    ],
)  # fmt: skip
def test_stats_count_lines(call: Call, old: str, new: str, expected: tuple[float, ...]) -> None:
    assert call("diff.stats", old, new) == dict(
        zip(("added", "removed", "changed", "similarity"), expected, strict=True)
    )


@pytest.mark.parametrize(
    "where",
    ["diff.unified", "diff.diffLines", "diff.diffWords", "diff.diffChars", "diff.stats", "diff.patchMake"],
)
def test_texts_are_checked_first(call: Call, where: str) -> None:
    assert refusal(call, where, 1, "") == f"{where}: a must be a string"
    assert refusal(call, where, "", None) == f"{where}: b must be a string"
    full = "x" * MAX_TEXT_UNITS
    assert call(where, full, full) is not None
    for args in ((full + "x", ""), ("", full + "x")):
        assert refusal(call, where, *args) == f"{where}: input exceeds the {MAX_TEXT_UNITS} character limit"


# --- patches


def test_equal_texts_have_the_head_alone(call: Call) -> None:
    assert call("diff.unified", "same\n", "same\n") == HEAD
    assert (
        call("diff.unified", "", "", {"oldName": "x", "newName": "x"})
        == f"Index: x\n{'=' * 67}\n--- x\n+++ x\n"
    )


def test_a_name_cannot_forge_a_hunk(call: Call) -> None:
    evil = "a\n@@ -1,1 +1,1 @@\r\n-x"
    shown = '"a\\n@@ -1,1 +1,1 @@\\r\\n-x"'
    patch = cast("str", call("diff.unified", "", "", {"oldName": evil, "newName": evil}))
    assert patch.splitlines() == [f"Index: {shown}", "=" * 67, f"--- {shown}", f"+++ {shown}"]
    assert call("diff.parsePatch", patch) == [
        {
            "index": shown,
            "oldFileName": evil,
            "oldHeader": "",
            "newFileName": evil,
            "newHeader": "",
            "hunks": [],
        }
    ]
    assert (
        refusal(call, "diff.createPatch", "n", "", "", "t\n") == "diff.createPatch: a header must be one line"
    )
    assert "--- 3\n" in cast("str", call("diff.unified", "", "", {"oldName": 3}))


@pytest.mark.parametrize(
    ("context", "shown"),
    [
        (0, 0), (-1, 0), (1.5, 1), ("3", 3), ("x", 3), (None, 0), (float("nan"), 3), (float("inf"), 3), (True, 1),
        ("", 0),
        ({}, 3), (UNDEFINED, 3), (10**9, DIFF_MAX_CONTEXT_LINES), (DIFF_MAX_CONTEXT_LINES + 1, DIFF_MAX_CONTEXT_LINES),
        (DIFF_MAX_CONTEXT_LINES, DIFF_MAX_CONTEXT_LINES), (BigInt(10**400), DIFF_MAX_CONTEXT_LINES),
    ],
)  # fmt: skip
def test_context_is_read_as_a_number_and_clamped(call: Call, context: object, shown: int) -> None:
    lines = [f"{n}\n" for n in range(500)]
    patch = cast(
        "str",
        call("diff.unified", "".join(lines), "".join([*lines[:250], *lines[251:]]), {"context": context}),
    )
    assert f"@@ -{251 - shown},{2 * shown + 1} +" in patch or shown == 0


def test_a_patch_too_long_to_give_back_is_refused(call: Call) -> None:
    line = "x" * 999 + "\n"
    old = line.replace("x", "a") * (MAX_RESULT_UNITS // 2 // 1000)
    new = line.replace("x", "b") * (MAX_RESULT_UNITS // 2 // 1000)
    message = f"result exceeds the {MAX_RESULT_UNITS} character limit"
    for where, args in (
        ("diff.unified", (old, new)), ("diff.createPatch", ("n", old, new)),
        ("diff.structuredPatch", ("a", "b", old, new)),
        ("diff.createTwoFilesPatch", ("a", "b", old, new)),
    ):  # fmt: skip
        assert refusal(call, where, *args) == f"{where}: {message}"
    assert call("diff.unified", old[: -20 * 1000], new[: -20 * 1000])


@settings(max_examples=300)
@given(TEXTS, TEXTS, st.integers(0, 4))
def test_a_patch_applied_to_the_old_text_gives_the_new_one(old: str, new: str, context: int) -> None:
    options = {"context": context}
    patch = call_export("diff.unified", old, new, options)
    assert call_export("diff.applyPatch", old, patch, {"autoConvertLineEndings": False}) == new
    structured = cast(
        "dict[str, object]",
        call_export("diff.structuredPatch", "a", "b", old, new, UNDEFINED, UNDEFINED, options),
    )
    assert call_export("diff.applyPatch", old, structured, {"autoConvertLineEndings": False}) == new
    parsed = cast("list[dict[str, object]]", call_export("diff.parsePatch", patch))
    assert parsed[0]["hunks"] == structured["hunks"]


@given(TEXTS, TEXTS)
def test_line_ends_are_kept_by_a_patch_that_was_made_for_the_text(old: str, new: str) -> None:
    patch = call_export("diff.unified", old, new)
    assert call_export("diff.applyPatch", old, patch) == new


@given(st.text("@-+ \\\n,123ab", max_size=80), TEXTS)
def test_a_patch_of_any_kind_is_refused_or_applied_or_does_not_fit(patch: str, text: str) -> None:
    for where, args in (
        ("diff.applyPatch", (text, patch)),
        ("diff.parsePatch", (patch,)),
        ("diff.patchApply", (text, patch)),
    ):
        try:
            call_export(where, *args)
        except HostCallError as refused:
            message = refused.message
        else:
            message = f"{where}: "
        assert message.startswith(f"{where}: ")


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("a\r\nb\r\n", "a\r\nc\r\n", ["-b\r", "+c\r"]),
        ("a\r\nb\r\n", "a\nb\n", ["-a\r", "-b\r", "+a", "+b"]),
        ("a\fb\nc\n", "a\fd\nc\n", ["-a\fb", "+a\fd"]),
        ("a\u2028b\n", "a\u2028c\n", ["-a\u2028b", "+a\u2028c"]),
        ("a\x85b\n", "a\x85c\n", ["-a\x85b", "+a\x85c"]),
        ("l1\nl2\n", "l1\nl2\nl3\r", ["+l3\r"]),
    ],
)
def test_lines_end_at_line_feed_alone(call: Call, old: str, new: str, changed: list[str]) -> None:
    patch = cast("str", call("diff.unified", old, new))
    assert [line for line in patch.split("\n")[3:] if line[:1] in {"+", "-"}] == changed
    assert call("diff.applyPatch", old, patch) == new


def hunk(*lines: str, start: int = 1) -> str:
    old = sum(line[0] != "+" for line in lines)
    new = sum(line[0] != "-" for line in lines)
    return "\n".join([f"@@ -{start},{old} +{start},{new} @@", *lines, ""])


def test_a_hunk_is_looked_for_nearby_and_no_further(call: Call) -> None:
    filler = "f\n" * DIFF_MAX_HUNK_MOVE
    patch = hunk("-old", "+new")
    assert call("diff.applyPatch", f"{filler}old\n", patch) == f"{filler}new\n"
    assert call("diff.applyPatch", f"f\n{filler}old\n", patch) is False
    assert (
        call("diff.applyPatch", "old\nx\n", hunk("-old", "+new", start=DIFF_MAX_HUNK_MOVE + 1)) == "new\nx\n"
    )


def test_context_may_differ_as_far_as_the_fuzz_factor_says(call: Call) -> None:
    context = [f" c{n}" for n in range(DIFF_MAX_FUZZ + 2)]
    patch = hunk(*context, "-old", "+new")
    lines = [f"c{n}" for n in range(DIFF_MAX_FUZZ + 2)]
    text = "\n".join([*["x"] * DIFF_MAX_FUZZ, *lines[DIFF_MAX_FUZZ:], "old", ""])
    assert call("diff.applyPatch", text, patch) is False
    patched = text.replace("old", "new")
    assert call("diff.applyPatch", text, patch, {"fuzzFactor": DIFF_MAX_FUZZ}) == patched
    assert call("diff.applyPatch", text, patch, {"fuzzFactor": DIFF_MAX_FUZZ - 1}) is False
    for factor in (DIFF_MAX_FUZZ + 1, -1, 1.5, "2"):
        message = refusal(call, "diff.applyPatch", text, patch, {"fuzzFactor": factor})
        assert message == f"diff.applyPatch: fuzzFactor must be a whole number from 0 to {DIFF_MAX_FUZZ}"


def test_a_hunk_that_fits_nowhere_is_not_tried_in_all_ways(call: Call) -> None:
    # every place, and at each every way to spend the ten errors, would take hours
    patch = hunk(*[f" c{n}" for n in range(60)], "-old", "+new")
    assert call("diff.applyPatch", "x\n" * 500, patch, {"fuzzFactor": DIFF_MAX_FUZZ}) is False


def test_the_number_of_hunks_is_capped(call: Call) -> None:
    def text(hunks: int) -> str:
        return "".join(f"@@ -{n} +{n} @@\n-a\n+b\n" for n in range(1, hunks + 1))

    assert call("diff.applyPatch", "a\n" * DIFF_MAX_HUNKS, text(DIFF_MAX_HUNKS)) == "b\n" * DIFF_MAX_HUNKS
    message = f"more than {DIFF_MAX_HUNKS} hunks; apply the patch in parts"
    assert refusal(call, "diff.applyPatch", "a", text(DIFF_MAX_HUNKS + 1)) == f"diff.applyPatch: {message}"
    assert refusal(call, "diff.parsePatch", text(DIFF_MAX_HUNKS + 1)) == f"diff.parsePatch: {message}"
    assert (
        refusal(call, "diff.applyPatch", "a", {"hunks": [{}] * (DIFF_MAX_HUNKS + 1)})
        == f"diff.applyPatch: {message}"
    )
    marks = "@@ -1,1 +1,1 @@\n a\n"
    assert call("diff.patchApply", "a", marks * DIFF_MAX_HUNKS)
    assert (
        refusal(call, "diff.patchApply", "a", marks * (DIFF_MAX_HUNKS + 1)) == f"diff.patchApply: {message}"
    )


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("@@ -1,99999999999999 +1,1 @@\n-a\n+b\n", 'hunk at line 1 contains the invalid line ""'),
        ("@@ -1,2 +1,1 @@\n-a\n+b", "Removed line count did not match for hunk at line 1"),
        ("@@ -1,1 +1,2 @@\n-a\n+b", "Added line count did not match for hunk at line 1"),
        ("@@ -" + "9" * 5000 + " +1 @@\n", "line 1 is no hunk header such as @@ -1,2 +1,2 @@"),
        ("@@ nonsense", "line 1 is no hunk header such as @@ -1,2 +1,2 @@"),
        ("--- a\n", 'Missing "+++ ..." file header for "a"'),
        ("+++ a\n", 'Missing "--- ..." file header for "a"'),
        ("--- a\n+++ b\n--- c\n+++ d\n", "the patch is for 2 files; pass one of parsePatch's patches"),
        (3, "patch must be a patch text, or an object with hunks as parsePatch gives it"),
        ([], "the patch is for 0 files; pass one of parsePatch's patches"),
        ({"hunks": [{"oldStart": 1}]}, HUNK_SHAPE),
    ],
)  # fmt: skip
def test_a_patch_that_is_none_is_refused(call: Call, patch: object, message: str) -> None:
    assert refusal(call, "diff.applyPatch", "a\n", patch) == f"diff.applyPatch: {message}"


def test_a_hunk_of_a_guest_with_wild_numbers_does_not_fit(call: Call) -> None:
    wild = {
        "oldStart": 2**53 - 1,
        "oldLines": -(2**53),
        "newStart": -5,
        "newLines": 0,
        "lines": [" a", "-b", ""],
    }
    assert call("diff.applyPatch", "a\nb\n", {"hunks": [wild]}) is False


# --- patches of diff-match-patch


@given(TEXTS, TEXTS)
def test_a_loose_patch_applied_to_the_old_text_gives_the_new_one(old: str, new: str) -> None:
    try:
        patch = call_export("diff.patchMake", old, new)
    except HostCallError as refused:
        message = refused.message
        patch = None
    if patch is None:
        assert message.endswith("holds half a surrogate pair, which such a patch cannot name")
    else:
        patched, applied = cast("tuple[str, list[bool]]", call_export("diff.patchApply", old, patch))
        assert (patched, all(applied)) == (new, True)


def test_a_loose_patch_counts_utf_16_units(call: Call) -> None:
    patch = call("diff.patchMake", "😀😀😀😀 old end", "😀😀😀😀 new end")
    # the npm library's own text
    assert patch == "@@ -3,14 +3,14 @@\n %F0%9F%98%80%F0%9F%98%80%F0%9F%98%80 \n-old\n+new\n  end\n"
    assert call("diff.patchApply", "😀😀😀😀 old end", patch) == ["😀😀😀😀 new end", [True]]


def test_a_loose_patch_finds_a_text_that_has_changed(call: Call) -> None:
    patch = call("diff.patchMake", "The quick brown fox jumps.", "The quick red fox jumps.")
    moved = "Once upon a time: The quack brown fox jumps."
    assert call("diff.patchApply", moved, patch) == [moved.replace("brown", "red"), [True]]
    assert call("diff.patchApply", "nothing alike at all here", patch) == [
        "nothing alike at all here",
        [False],
    ]
    assert (
        refusal(call, "diff.patchApply", "a", "@@ nonsense")
        == 'diff.patchApply: not a patch of patchMake (near "@@ nonsense")'
    )


# --- values and lists


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, width=16)
    | st.text("ab/~", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=4)
    ),
    max_leaves=20,
)


def applied(value: object, operations: object) -> object:
    """RFC 6902 for the three operations that are used."""
    root = {"": value}
    for step in cast("list[dict[str, Any]]", operations):
        names = [each.replace("~1", "/").replace("~0", "~") for each in step["path"].split("/")]
        target: Any = root
        for name in names[:-1]:
            target = target[int(name) if isinstance(target, list) else name]
        key: Any = int(names[-1]) if isinstance(target, list) else names[-1]
        if step["op"] == "add" and isinstance(target, list):
            target.insert(key, step["value"])
        elif step["op"] == "remove":
            assert target.pop(key) == step["old"]
        else:
            assert step["op"] == "add" or target[key] == step["old"]
            target[key] = step["value"]
    return root[""]


def copied(value: Any) -> Any:  # noqa: ANN401  (any JSON value)
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


@given(JSON, JSON)
def test_the_steps_between_two_values_lead_from_one_to_the_other(old: object, new: object) -> None:
    steps = copied(call_export("diff.json", old, new))
    assert applied(copied(old), steps) == new
    assert call_export("diff.json", new, copied(new)) == []


def test_steps_name_small_changes_deep_inside(call: Call) -> None:
    old = {"a": [1, 2, {"b": 1}], "c/~": 1, "u": UNDEFINED}
    assert call("diff.json", old, {"a": [2, {"b": 2}, 3], "d": None}) == [
        {"op": "remove", "path": "/c~1~0", "old": 1},
        {"op": "remove", "path": "/a/0", "old": 1},
        {"op": "replace", "path": "/a/1/b", "value": 2, "old": 1},
        {"op": "add", "path": "/a/2", "value": 3},
        {"op": "add", "path": "/d", "value": None},
    ]
    assert call("diff.json", True, 1) == [{"op": "replace", "path": "", "value": 1, "old": True}]
    assert call("diff.json", 1, 1.0) == []


def test_values_that_are_no_json_or_too_large_are_refused(call: Call) -> None:
    for value in (b"x", BigInt(3), [UNDEFINED]):
        assert refusal(call, "diff.json", value, 1).startswith("diff.json: the values must be JSON")

    def deep(levels: int) -> object:
        value: object = 1
        for _ in range(levels):
            value = [value]
        return value

    assert call("diff.json", deep(DIFF_MAX_JSON_DEPTH), deep(DIFF_MAX_JSON_DEPTH)) == []
    assert refusal(call, "diff.json", deep(DIFF_MAX_JSON_DEPTH + 1), 1).endswith("100 levels")
    # two lists and what is in them
    wide = [1] * (DIFF_MAX_JSON_NODES // 2 - 1)
    assert call("diff.json", wide, list(wide)) == []
    assert refusal(call, "diff.json", [*wide, 1], wide).endswith(f"more than {DIFF_MAX_JSON_NODES} values")
    with pytest.raises(HostCallError, match="deadline"):
        diff.json([wide, wide], Over(3))


def test_the_closest_candidates_come_best_first(call: Call) -> None:
    assert call("diff.closest", "yamll", ["xml", "yaml", "toml", "yaml"], {"cutoff": 0.6}) == [
        {"value": "yaml", "score": 0.8889}, {"value": "yaml", "score": 0.8889},
    ]  # fmt: skip
    assert len(cast("list[object]", call("diff.closest", "a", ["a"] * 9))) == DIFF_CLOSEST_LIMIT
    assert call("diff.closest", "a", ["b", "a"], {"limit": 1}) == [{"value": "a", "score": 1}]
    assert call("diff.closest", "a", []) == []


def test_candidates_are_checked_and_capped(call: Call) -> None:
    many = [str(n) for n in range(DIFF_MAX_CANDIDATES)]
    query = "q" * DIFF_MAX_QUERY_UNITS
    half = "c" * (MAX_TEXT_UNITS // 2)
    assert call("diff.closest", query, many)
    assert call("diff.closest", "q", [half, half])
    for args, message in (
        ((1, []), "query must be a string"), (("a", "b"), "candidates must be an array of strings"),
        (("a", [1]), "candidates must be an array of strings"),
        ((query + "q", []), f"query exceeds the {DIFF_MAX_QUERY_UNITS} character limit"),
        (("a", [*many, "x"]), f"more than {DIFF_MAX_CANDIDATES} candidates"),
        (("a", [half, half, "x"]), f"candidates exceed the {MAX_TEXT_UNITS} character limit together"),
        (("a", [], {"cutoff": 2}), "cutoff must be a number from 0 to 1"),
    ):  # fmt: skip
        assert refusal(call, "diff.closest", *args) == f"diff.closest: {message}"
    with pytest.raises(HostCallError, match="deadline"):
        diff.closest(["a", many], Over(5))
