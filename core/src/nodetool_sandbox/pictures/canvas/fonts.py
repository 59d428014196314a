"""Fonts of a canvas: three open families that come with the package, those that the embedder gave, and no others.

A font of a guest is a name that is looked up in this table. It is never a path or an address.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import skia
import tinycss2

MAX_FONT_CHARACTERS: Final = 500
MAX_FONT_PIXELS: Final = 4_096.0

SANS, SERIF, MONO = "Arimo", "Source Serif 4", "Roboto Mono"

_BUNDLED: Final[Mapping[str, tuple[str, str, str]]] = {
    SANS: ("fontpkg_arimo", "Arimo[wght].ttf", "Arimo-Italic[wght].ttf"),
    SERIF: ("fontpkg_source_serif_4", "SourceSerif4[opsz,wght].ttf", "SourceSerif4-Italic[opsz,wght].ttf"),
    MONO: ("fontpkg_roboto_mono", "RobotoMono[wght].ttf", "RobotoMono-Italic[wght].ttf"),
}
"""Package, upright file, slanted file. The packages hold data; none of their Python is imported."""

_GENERIC: Final[Mapping[str, str]] = {
    name: family
    for family, names in {
        SANS: "sans-serif system-ui ui-sans-serif arial helvetica verdana tahoma 'segoe ui' roboto cursive fantasy",
        SERIF: "serif ui-serif times 'times new roman' georgia cambria",
        MONO: "monospace ui-monospace courier 'courier new' consolas menlo monaco",
    }.items()
    for name in re.findall(r"'[^']+'|\S+", names)
}
_FAMILY_OF: Final = {name.strip("'"): family for name, family in _GENERIC.items()}

_UNITS: Final = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
                 "em": 10.0, "rem": 16.0}  # fmt: skip
_SIZES: Final = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
                 "xx-large": 32.0, "xxx-large": 48.0}  # fmt: skip
_WEIGHTS: Final = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 100}
_STRETCHES: Final = frozenset(
    f"{prefix}{word}" for word in ("condensed", "expanded") for prefix in ("", "semi-", "extra-", "ultra-")
)
_DEFAULT_PERCENT: Final = 10.0


@dataclass(frozen=True, slots=True)
class Font:
    """A CSS `font` value."""

    size: float = 10.0
    families: tuple[str, ...] = ("sans-serif",)
    weight: int = 400
    is_slanted: bool = False


DEFAULT_FONT: Final = Font()


@lru_cache(maxsize=512)
def parse_font(text: str) -> Font | None:
    """The font in a CSS shorthand, or None where it is none; then the one before stays."""
    if len(text) > MAX_FONT_CHARACTERS:
        return None
    tokens = list(tinycss2.parse_component_value_list(text, skip_comments=True))
    font = Font()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.type == "whitespace":
            continue
        if (size := _size(token)) is not None:
            families = _families(tokens[at:])
            if not families or not 0 <= size <= MAX_FONT_PIXELS:
                return None
            return replace(font, size=size, families=families)
        changed = _styled(font, token)
        if changed is None:
            return None
        font = changed
    return None


def _styled(font: Font, token: Any) -> Font | None:  # noqa: ANN401 - tinycss2's tokens have a class each
    if token.type == "number" and token.is_integer and 1 <= token.int_value <= 1000:  # noqa: PLR2004 - CSS's range
        return replace(font, weight=token.int_value)
    if token.type == "dimension" and token.lower_unit == "deg":
        return font
    if token.type != "ident":
        return None
    word = token.lower_value
    if word in {"italic", "oblique"}:
        return replace(font, is_slanted=True)
    if word in _WEIGHTS:
        return replace(font, weight=_WEIGHTS[word]) if word != "normal" else font
    return font if word == "small-caps" or word in _STRETCHES else None


def _size(token: Any) -> float | None:  # noqa: ANN401
    if token.type == "dimension" and token.lower_unit in _UNITS:
        return float(token.value) * _UNITS[token.lower_unit]
    if token.type == "percentage":
        return float(token.value) / 100 * _DEFAULT_PERCENT
    if token.type == "ident":
        return _SIZES.get(token.lower_value)
    return None


def _families(tokens: list[Any]) -> tuple[str, ...]:
    # a line height may stand before them and means nothing on a canvas
    rest = [each for each in tokens if each.type != "whitespace"]
    if rest and rest[0].type == "literal" and rest[0].value == "/":
        tokens = tokens[tokens.index(rest[1]) + 1 :] if len(rest) > 1 else []
    found: list[str] = []
    words: list[str] = []
    for token in [*tokens, None]:
        if token is None or (token.type == "literal" and token.value == ","):
            if not words:
                return ()
            found.append(" ".join(words))
            words = []
        elif token.type in {"ident", "string"}:
            words.append(token.value)
        elif token.type != "whitespace":
            return ()
    return tuple(found)


@lru_cache(maxsize=256)
def parse_length(text: str) -> float | None:
    """A CSS length in pixels."""
    tokens: list[Any] = [
        each for each in tinycss2.parse_component_value_list(text[:100]) if each.type != "whitespace"
    ]
    if len(tokens) != 1:
        return None
    if tokens[0].type == "dimension" and tokens[0].lower_unit in _UNITS:
        return float(tokens[0].value) * _UNITS[tokens[0].lower_unit]
    return 0.0 if tokens[0].type == "number" and tokens[0].value == 0 else None


@dataclass(frozen=True, slots=True)
class Face:
    """One font at one weight: the name under which text layout knows it, and what it is."""

    name: str
    typeface: Any


class Fonts:
    """The fonts of one run.

    Args:
        given: names and files that the embedder gave.
        use_system: whether the fonts of the machine may be used for names that nobody else knows.
    """

    def __init__(self, given: Mapping[str, str] | None = None, *, use_system: bool = False) -> None:
        # not the default manager: that one reads the machine's font folders
        self._loader = skia.FontMgr.New_Custom_Empty()
        self._system = skia.FontMgr.RefDefault() if use_system else None
        self._data: dict[tuple[str, bool], Any] = {}
        self._names: dict[str, str] = dict(_FAMILY_OF)
        for family in _BUNDLED:
            self._names[family.lower()] = family
        for name, file in (given or {}).items():
            self._names[name.lower()] = name
            typeface = self._loader.makeFromData(skia.Data.MakeWithCopy(Path(file).read_bytes()))
            if typeface is None:
                raise ValueError(f"{name}: no font file")
            self._data[name, False] = self._data[name, True] = typeface
        # read now: afterwards this process opens no file for a guest
        for key, path in bundled_fonts().items():
            self._data.setdefault(key, self._loader.makeFromData(skia.Data.MakeWithCopy(path.read_bytes())))
        self.provider = skia.textlayout.TypefaceFontProvider()
        self.collection = skia.textlayout.FontCollection()
        self.collection.setDefaultFontManager(self.provider)
        self.unicode = skia.Unicodes.ICU.Make()
        self._faces: dict[tuple[object, ...], Face] = {}

    def faces(self, font: Font) -> list[Face]:
        """The faces for a font, the first that is known first; the sans serif one is always the last."""
        found: list[Face] = []
        for name in (*font.families, "sans-serif"):
            face = self._face(name, font)
            if face is not None and face not in found:
                found.append(face)
        return found

    def _face(self, name: str, font: Font) -> Face | None:
        family = self._names.get(name.strip().lower())
        typeface = (
            self._of_system(name, font.weight, is_slanted=font.is_slanted)
            if family is None
            else self._data[family, font.is_slanted]
        )
        if typeface is None:
            return None
        design = _design(typeface, font)
        key = (family or name, font.is_slanted, *design)
        if key not in self._faces:
            face = Face(f"face-{len(self._faces)}", _cloned(typeface, design))
            self.provider.registerTypeface(face.typeface, face.name)
            self._faces[key] = face
        return self._faces[key]

    def _of_system(self, name: str, weight: int, *, is_slanted: bool) -> Any:  # noqa: ANN401 - Skia has no types
        if self._system is None:
            return None
        slant = skia.FontStyle.kItalic_Slant if is_slanted else skia.FontStyle.kUpright_Slant
        style = skia.FontStyle(weight, skia.FontStyle.kNormal_Width, slant)
        found = self._system.matchFamilyStyle(name, style)
        return found if found is not None and found.getFamilyName().lower() == name.strip().lower() else None


def bundled_fonts() -> dict[tuple[str, bool], Path]:
    """The font files that come with the extra, by family and whether they are slanted."""
    found: dict[tuple[str, bool], Path] = {}
    for family, (package, upright, slanted) in _BUNDLED.items():
        folder = _folder(package)
        if folder is not None:
            found[family, False], found[family, True] = folder / upright, folder / slanted
    return found


def _folder(package: str) -> Path | None:
    spec = find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "files"


_WEIGHT_STEP: Final = 50
"""A weight is rounded to it, so that a program cannot ask for a thousand variants of one font."""

Design = tuple[tuple[int, float], ...]
"""Axes of a variable font, each with the value that is asked for."""


def _design(typeface: Any, font: Font) -> Design:  # noqa: ANN401
    """Weight and optical size, where the font has such axes."""
    wanted = {
        int.from_bytes(b"wght", "big"): float(round(font.weight / _WEIGHT_STEP) * _WEIGHT_STEP),
        int.from_bytes(b"opsz", "big"): float(round(font.size)),
    }
    return tuple(
        (axis.tag, min(max(wanted[axis.tag], axis.min), axis.max))
        for axis in typeface.getVariationDesignParameters() or ()
        if axis.tag in wanted
    )


def _cloned(typeface: Any, design: Design) -> Any:  # noqa: ANN401
    """The typeface as it is designed for these values."""
    if not design:
        return typeface
    kinds = skia.FontArguments.VariationPosition
    # all of them must outlive the call that reads them
    coordinates = kinds.Coordinates([kinds.Coordinate(tag, value) for tag, value in design])
    position = kinds(coordinates)
    arguments = skia.FontArguments()
    arguments.setVariationDesignPosition(position)
    return typeface.makeClone(arguments) or typeface


def em_ascent(typeface: Any, size: float) -> float:  # noqa: ANN401
    """How far above the baseline the em box begins, as browsers reckon it: by the typographic metrics."""
    table = typeface.getTableData(int.from_bytes(b"OS/2", "big"))
    raw = bytes(table) if table is not None else b""
    ascent, descent = struct.unpack_from(">hh", raw, 68) if len(raw) >= 72 else (0, 0)  # noqa: PLR2004 - OS/2's layout
    if ascent <= 0 or ascent - descent <= 0:
        return size * 0.8
    return size * float(ascent) / float(ascent - descent)
