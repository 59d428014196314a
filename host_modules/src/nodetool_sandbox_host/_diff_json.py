"""The difference of two JSON values as the steps of RFC 6902."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import count
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt

from nodetool_sandbox_host._diff_script import changes
from nodetool_sandbox_host.limits import DIFF_MAX_JSON_DEPTH, DIFF_MAX_JSON_NODES

_STEP: Final = 256
Operation = dict[str, object]


def build_operations(old: object, new: object, where: str, deadline: Deadline) -> list[Operation]:
    """The steps in the order in which they apply.

    Raises:
        HostCallError: a value is none of JSON, or the values are too large or too deep.
    """
    return list(_Comparison(where, deadline).steps(old, new))


class _Comparison:
    """One comparison: equal values get equal numbers, so that each is looked into once."""

    def __init__(self, where: str, deadline: Deadline) -> None:
        self._where = where
        self._deadline = deadline
        self._numbers: dict[Hashable, int] = {}
        self._by_id: dict[int, int] = {}
        self._nodes = count(1)

    def steps(self, old: object, new: object) -> Iterator[Operation]:
        for value in (old, new):
            self._number(value, 0)
        return self._between(old, new, "")

    def _number(self, value: object, depth: int) -> int:
        """The number of all values that are equal to this one."""
        node = next(self._nodes)
        if node % _STEP == 0:
            self._deadline.check()
        if node > DIFF_MAX_JSON_NODES:
            raise HostCallError(f"{self._where}: the values hold more than {DIFF_MAX_JSON_NODES} values")
        if depth > DIFF_MAX_JSON_DEPTH:
            raise HostCallError(
                f"{self._where}: the values are nested deeper than {DIFF_MAX_JSON_DEPTH} levels"
            )
        key: Hashable
        if isinstance(value, dict):
            kept = [
                (name, self._number(each, depth + 1)) for name, each in value.items() if each is not UNDEFINED
            ]
            key = ("object", frozenset(kept))
        elif isinstance(value, list):
            key = ("array", tuple([self._number(each, depth + 1) for each in value]))
        elif value is None or isinstance(value, str | bool):
            key = (type(value).__name__, value)
        elif isinstance(value, int | float) and not isinstance(value, BigInt):
            # NaN is unlike itself, and JSON has none
            key = ("number", value if value == value else "NaN")  # noqa: PLR0124
        else:
            raise HostCallError(
                f"{self._where}: the values must be JSON: objects, arrays, text, numbers, booleans, null"
            )
        number = self._numbers.setdefault(key, len(self._numbers))
        if isinstance(value, dict | list):
            self._by_id[id(value)] = number
        return number

    def _known(self, value: object) -> int:
        return self._by_id[id(value)] if isinstance(value, dict | list) else self._number(value, 0)

    def _between(self, old: object, new: object, path: str) -> Iterator[Operation]:
        self._deadline.check()
        if self._known(old) == self._known(new):
            return
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self._between_objects(old, new, path)
        elif isinstance(old, list) and isinstance(new, list):
            yield from self._between_arrays(old, new, path)
        else:
            yield {"op": "replace", "path": path, "value": new, "old": old}

    def _between_objects(
        self, old: dict[str, object], new: dict[str, object], path: str
    ) -> Iterator[Operation]:
        for name, value in old.items():
            if value is not UNDEFINED and new.get(name, UNDEFINED) is UNDEFINED:
                yield {"op": "remove", "path": f"{path}/{_escaped(name)}", "old": value}
        for name, value in new.items():
            if value is UNDEFINED:
                continue
            before = old.get(name, UNDEFINED)
            if before is UNDEFINED:
                yield {"op": "add", "path": f"{path}/{_escaped(name)}", "value": value}
            else:
                yield from self._between(before, value, f"{path}/{_escaped(name)}")

    def _between_arrays(self, old: list[object], new: list[object], path: str) -> Iterator[Operation]:
        script = changes(
            [self._known(each) for each in old], [self._known(each) for each in new], self._deadline
        )
        at = old_at = 0
        for change in script:
            paired = min(change.removed, change.added)
            for step in range(paired):
                yield from self._between(old[old_at + step], new[at + step], f"{path}/{at + step}")
            at += paired
            for step in range(paired, change.removed):
                # those behind it move up
                yield {"op": "remove", "path": f"{path}/{at}", "old": old[old_at + step]}
            for _ in range(paired, change.added):
                yield {"op": "add", "path": f"{path}/{at}", "value": new[at]}
                at += 1
            at += change.kept
            old_at += change.removed + change.kept


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
