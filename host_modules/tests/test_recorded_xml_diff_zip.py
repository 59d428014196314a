"""xml, diff and zip against what fast-xml-parser, jsdiff and fflate answered; each difference has its reason."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, cast

import pytest
from host_calls import Call
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED

RECORDED = Path(__file__).parent / "recorded"
Case = tuple[Any, dict[str, object], Any]

PARTS = {
    "xml.parse": ("xml", "parse"),
    "zip.unzip": ("zip", "unzip"),
    "zip.gunzip": ("zip", "gunzip"),
    "zip.inflate": ("zip", "inflate"),
    "diff.unified": ("diff", "unified"),
    "diff.createTwoFilesPatch": ("diff", "names"),
    "diff.diffLines": ("diff", "diffLines"),
    "diff.diffWords": ("diff", "diffWords"),
    "diff.diffChars": ("diff", "diffChars"),
    "diff.parsePatch": ("diff", "parsePatch"),
    "diff.applyPatch": ("diff", "applyPatch"),
}

WORDS = "our errors name the call and the entry, and say what is wrong"
BYTES_BEFORE = "an archive may follow a program that unpacks it"
CHECKED = "checksums, sizes and encryption are checked; fflate gives whatever is there"
NO_ARCHIVE = "zip.unzip: not a readable zip archive"
PLACE = "our errors name the place, and what is not well-formed is refused"
OWN_NAMES = "names such as toString and __proto__ are data"
REFERENCES = "references to characters are decoded, as XML says"
ENTITIES = "no document declares entities here"
SIMPLE = {"a": b"aaaa", "b": b"bbbb"}

# (export, number of the case in the recording): our answer, why it differs
DIFFERENCES: dict[tuple[str, int], tuple[object, str]] = {
    ("xml.parse", 23): ({"a": "AB"}, REFERENCES),
    **{
        ("xml.parse", number): (
            {"$error": f"xml.parse: invalid XML ({reason} in line 1, column {column})"},
            PLACE,
        )
        for number, reason, column in (
            (31, "there is no element", 1),
            (32, "text where a tag should stand", 1),
            (33, "XML declaration allowed only at the start of the document", 2),
            (34, 'the closing tag of "b" is expected', 9),
            (35, '"a" is never closed', 4),
            (36, "something after the root element", 5),
            (37, "something after the root element", 9),
            (38, "an attribute is repeated", 10),
            (39, "a character that cannot stand here", 6),
            (40, "a character that cannot stand here", 5),
            (41, "a character that cannot stand here", 7),
            (42, "a character that cannot stand here", 7),
            (43, "a character that cannot stand here", 2),
        )
    },
    ("xml.parse", 46): ({"$error": "xml.parse: entity declarations are not allowed"}, ENTITIES),
    ("xml.parse", 47): (
        {"$error": "xml.parse: entity declarations are not allowed (External entities are not supported)"},
        ENTITIES,
    ),
    ("xml.parse", 48): ({"toString": "1"}, OWN_NAMES),
    ("xml.parse", 49): ({"__proto__": "1"}, OWN_NAMES),
    ("zip.unzip", 24): ({"$error": f"{NO_ARCHIVE} (it is empty)"}, WORDS),
    **{
        ("zip.unzip", number): ({"$error": f"{NO_ARCHIVE} (it has no end record that fits)"}, WORDS)
        for number in range(25, 29)
    },
    ("zip.unzip", 29): (SIMPLE, BYTES_BEFORE),
    ("zip.unzip", 30): ({"$error": 'zip.unzip: entry "a" is damaged (CRC)'}, CHECKED),
    ("zip.unzip", 31): ({"$error": 'zip.unzip: entry "a" declares 2 bytes but holds 4'}, CHECKED),
    ("zip.unzip", 32): ({"$error": 'zip.unzip: entry "a" declares 9 bytes but holds 4'}, CHECKED),
    ("zip.unzip", 33): (
        {"$error": 'zip.unzip: entry "a" is encrypted; only archives without a password can be read'},
        CHECKED,
    ),
    ("zip.unzip", 34): (
        {"$error": 'zip.unzip: entry "a" has another name or method in its own header than in the directory'},
        WORDS,
    ),
    ("diff.parsePatch", 8): ({"$error": 'diff.parsePatch: Missing "+++ ..." file header for "a"'}, WORDS),
    ("diff.parsePatch", 9): (
        {"$error": 'diff.parsePatch: hunk at line 3 contains the invalid line ""'},
        WORDS,
    ),
    ("diff.parsePatch", 11): (
        {"$error": "diff.parsePatch: hunk at line 3 has more lines than its header says"},
        WORDS,
    ),
}


def cases(where: str) -> list[Case]:
    name, part = PARTS[where]
    recording = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return [(each[0], each[1], each[2]) for each in recording[part]]


def from_tagged(value: object) -> object:
    """The value that the recording stands for."""
    if isinstance(value, list):
        return [from_tagged(each) for each in value]
    if isinstance(value, dict):
        tag, content = next(iter(value.items()))
        if tag == "$bytes":
            return base64.b64decode(str(content))
        if tag == "$object":
            return {str(key): from_tagged(each) for key, each in cast("list[list[object]]", content)}
    return value


def plain(value: object) -> object:
    """Our answer in the shape of the recording."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return None if value is UNDEFINED else value


def answer(call: Call, where: str, given: Any, options: dict[str, object]) -> object:  # noqa: ANN401  (as recorded)
    arguments = from_tagged(given)
    if where == "diff.createTwoFilesPatch":
        arguments = [*cast("list[str]", arguments), "x\n", "y\n", UNDEFINED, UNDEFINED]
        options = {"context": 3}
    try:
        got = call(where, *(arguments if isinstance(arguments, list) else [arguments]), options)
    except HostCallError as error:
        return {"$error": error.message}
    if where.startswith("diff.diff"):
        pieces = cast("list[dict[str, object]]", got)
        signs = ["+" if "added" in each else "-" if "removed" in each else "=" for each in pieces]
        return [[sign, each["value"], each["count"]] for sign, each in zip(signs, pieces, strict=True)]
    return plain(got)


@pytest.mark.parametrize(
    ("where", "number", "case"),
    [(where, number, case) for where in PARTS for number, case in enumerate(cases(where))],
    ids=lambda each: json.dumps(each)[:50] if not isinstance(each, str | int) else str(each),
)
def test_the_answer_is_the_recorded_one_or_a_listed_difference(
    call: Call, where: str, number: int, case: Case
) -> None:
    given, options, recorded = case
    expected, _reason = DIFFERENCES.get((where, number), (from_tagged(recorded), ""))
    assert answer(call, where, given, options) == expected


def test_every_listed_difference_is_in_the_recording_and_still_differs() -> None:
    recorded = {
        (where, number): from_tagged(case[2]) for where in PARTS for number, case in enumerate(cases(where))
    }
    assert [key for key, (ours, _reason) in DIFFERENCES.items() if recorded[key] == ours] == []
