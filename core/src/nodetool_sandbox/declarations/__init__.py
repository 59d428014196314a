"""TypeScript declarations of what a program finds: one file for what is always there, and one a power.

A test compares them with the names inside a guest, and TypeScript's compiler checks programs against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

from nodetool_sandbox import limits
from nodetool_sandbox.surface import POWERS

_LIMIT: Final = re.compile(r"\{([A-Z_]+)\}")


def declarations_of(powers: Iterable[str] = ()) -> str:
    """The declarations of a run that has these powers, as one `.d.ts` text.

    Raises:
        ValueError: there is no power of that name.
    """
    asked = set(powers)
    if unknown := asked - POWERS.keys():
        raise ValueError(f"no power is called {', '.join(sorted(unknown))}; there are: {', '.join(POWERS)}")
    return "\n".join(_text(name) for name in ("always", *POWERS) if name == "always" or name in asked)


@cache
def _text(name: str) -> str:
    text = files(__name__).joinpath(f"{name}.d.ts").read_text(encoding="utf-8")
    return _LIMIT.sub(lambda found: f"{getattr(limits, found[1]):,}", text)
