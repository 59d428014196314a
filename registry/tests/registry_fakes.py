"""A site-packages that a test fills with wheels, and a scanner that reads imports well enough."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from nodetool_sandbox_registry import Catalog, Code, DiscoveryCache, ImportScan, discover

INDEX = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
SKILL = "---\nname: example\ndescription: An example.\n---\n# Example\n"
TYPES = "export const one: number;\n"
CSV = '[[modules]]\nname = "."\nkind = "host"\nhost = "csv"\n'

_IMPORT = re.compile(r'(?:from|import) "([^"]*)"')


def imports_of(source: str) -> ImportScan:
    """What the real scanner finds, for sources as the tests write them."""
    return ImportScan(
        static=tuple(_IMPORT.findall(source)),
        dynamic="import(" in source,
        require="require(" in source,
        error="unexpected token" if "!!" in source else None,
    )


def npm(name: str, bundle: str | None = None) -> str:
    place = "" if bundle is None else f'bundle = "{bundle}"\n'
    return f'[[modules]]\nname = "."\nkind = "js"\nnpm = "{name}"\n{place}'


def chain(count: int) -> tuple[str, dict[str, str]]:
    """A manifest and files of `count` modules, each importing the next."""
    internal = [f"m{index}.js" for index in range(1, count)]
    files = {f"m{index}.js": f'import "./m{index + 1}.js";' for index in range(1, count - 1)}
    files |= {"index.js": 'import "./m1.js";', f"m{count - 1}.js": ""}
    return f"internal = {json.dumps(internal)}\n{INDEX}", files


class Site:
    """A folder on the path."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def install(
        self,
        distribution: str = "example-pack",
        manifest: str | bytes = INDEX,
        files: Mapping[str, str | bytes] | None = None,
        *,
        version: str = "1.0",
        package: str | None = None,
        value: str | None = None,
        metadata: str | None = None,
        record: Sequence[str] | None = None,
        info: str | None = None,
        direct_url: object = None,
        package_root: Path | None = None,
    ) -> Path:
        """Write a wheel as an installer would, but for what the test says; the package's folder."""
        name = package or distribution.replace("-", "_")
        folder = (package_root or self.root) / name
        self.write(folder, {"pack.toml": manifest, "SKILL.md": SKILL, "index.d.ts": TYPES, "__init__.py": ""})
        self.write(folder, files if files is not None else {"index.js": "export const one = 1;"})
        info_name = info or f"{distribution.replace('-', '_')}-{version}.dist-info"
        paths = [f"{name}/pack.toml", f"{info_name}/METADATA"] if record is None else record
        self.write(
            self.root / info_name,
            {
                "METADATA": metadata or f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n",
                "entry_points.txt": f"[nodetool_sandbox.packs]\npack = {value or name}\n",
                "RECORD": "".join(f"{path},,\n" for path in paths),
                **({} if direct_url is None else {"direct_url.json": json.dumps(direct_url)}),
            },
        )
        return folder

    @staticmethod
    def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def discover(self, *, cache: DiscoveryCache | None = None) -> Catalog:
        return discover([str(self.root)], imports_of=imports_of, cache=cache)

    def refusal(self) -> str:
        """The text of the one thing that discovery refused."""
        refused = [each for each in self.discover().diagnostics() if each.code is Code.DISCOVERY_FAILED]
        assert len(refused) == 1
        assert str(self.root) not in refused[0].message
        return refused[0].message


def codes(catalog: Catalog) -> list[str]:
    return [str(each.code) for each in catalog.diagnostics()]


def specifiers(catalog: Catalog) -> list[str]:
    return [str(each.specifier) for each in catalog.summaries()]
