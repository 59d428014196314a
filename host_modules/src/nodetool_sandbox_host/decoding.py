"""A file's bytes as text: byte order mark, declared encoding, the caller's option, UTF-8, then a guess."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host.arguments import check_text_length, quoted, require_bytes, require_text
from nodetool_sandbox_host.limits import MAX_ENCODING_SAMPLE_BYTES

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# What the web's files are in, likeliest first: among guesses that read equally well, the first is taken.
_GUESSES: Final = (
    "cp1252",
    "cp1250",
    "cp1251",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
    "euc_jp",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp874",
    "iso8859_2",
    "iso8859_5",
    "iso8859_7",
)
_FIRST_HIGH_BYTE: Final = 0x80
_FIRST_LEAD_BYTE: Final = 0xC2
_FEWEST_TELLING_BYTES: Final = 4
"""With fewer bytes beyond ASCII a guess is a coin toss, and windows-1252 the safest side."""
_WIDE_HEAD_BYTES: Final = 256
_FEW_BROKEN: Final = 10
"""UTF-8 with one broken sequence in this many good ones is still UTF-8."""


def require_file_text(
    value: object, where: str, label: str = "text", *, declared: str | None = None, encoding: object = None
) -> str:
    """The text argument, a string or a file's bytes, which `decode_text` reads.

    Raises:
        HostCallError: it is neither, too long, or `encoding` is no known label.
    """
    if not isinstance(value, bytes):
        return require_text(value, where, label)
    option = None if encoding is UNDEFINED else encoding
    text = decode_text(require_bytes(value, where), where=where, declared=declared, encoding=option)
    check_text_length(text, where)
    return text


def decode_text(data: bytes, *, where: str, declared: str | None = None, encoding: object = None) -> str:
    """The text of a file, without its byte order mark; bytes that the encoding lacks become U+FFFD.

    `declared` is what the file says about itself (an XML declaration, a meta element): an unknown
    label there is passed over. `encoding` is the guest's option: a WHATWG label such as
    `windows-1252`, `iso-8859-1` (which means windows-1252) or `utf-16le`.

    Raises:
        HostCallError: the option is no label that is known.
    """
    chosen = None if encoding is None else option_codec(encoding, where)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    told = _codec(declared) if declared else None
    named = told or chosen
    if named is not None:
        return data.decode(named, "replace").removeprefix("\ufeff")
    wide = _wide(data)
    if wide is not None:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)


def option_codec(encoding: object, where: str) -> str:
    """Python's name for the guest's option `encoding`.

    Raises:
        HostCallError: it is no label that is known.
    """
    name = _codec(encoding) if isinstance(encoding, str) else None
    if name is None:
        shown = quoted(encoding) if isinstance(encoding, str) else "that value"
        labels = "a label such as utf-8, utf-16le, windows-1252 or shift_jis"
        raise HostCallError(f"{where}: {shown} is no encoding that is known; pass {labels}")
    return name


def _codec(label: str) -> str | None:
    import webencodings  # noqa: PLC0415  (an extra of the ids that read text)

    found = webencodings.lookup(label)
    return None if found is None else str(found.codec_info.name)


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: nearly every other byte of the first characters is NUL."""
    head = data[:_WIDE_HEAD_BYTES]
    if len(data) % 2 or not head:
        return None
    even, odd = head[0::2], head[1::2]
    even_nuls, odd_nuls = even.count(0), odd.count(0)
    if odd_nuls * 4 >= len(odd) * 3 and not even_nuls:
        return "utf-16-le"
    if even_nuls * 4 >= len(even) * 3 and not odd_nuls:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    # each well formed sequence of two bytes or more is one character that is not ASCII
    good = sum(1 for byte in data if byte >= _FIRST_LEAD_BYTE) - broken
    if broken * _FEW_BROKEN <= good:
        return text
    name = _likeliest(_sample(data))
    return data.decode(name, "replace")


def _sample(data: bytes) -> bytes:
    """The lines with bytes beyond ASCII, which alone tell encodings apart."""
    if len(data) <= MAX_ENCODING_SAMPLE_BYTES:
        return data
    kept = bytearray()
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            kept += line[:MAX_ENCODING_SAMPLE_BYTES]
            if len(kept) >= MAX_ENCODING_SAMPLE_BYTES:
                break
    return bytes(kept[:MAX_ENCODING_SAMPLE_BYTES])


def _likeliest(sample: bytes) -> str:
    if sum(map(_FIRST_HIGH_BYTE.__le__, sample)) < _FEWEST_TELLING_BYTES:
        return _GUESSES[0]
    # nothing reads well: windows-1252 has a character for nearly every byte, and is the web's own fallback
    return likeliest(sample, _GUESSES) or _GUESSES[0]


def likeliest(sample: bytes, names: Sequence[str]) -> str | None:
    """The one of these codecs in which the sample reads best, None where it reads in none.

    Of two that read equally well the first is taken.
    """
    import charset_normalizer  # noqa: PLC0415  (an extra of the ids that read text)

    matches = charset_normalizer.from_bytes(sample, cp_isolation=list(names), enable_fallback=False)
    ranked = [
        (match.chaos, -match.coherence, names.index(name))
        for match in matches
        for name in {match.encoding, *match.could_be_from_charset}
        if name in names
    ]
    return names[min(ranked)[2]] if ranked else None
