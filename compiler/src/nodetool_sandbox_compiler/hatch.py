"""The build hook for hatchling: the `npm = "..."` modules of a pack are compiled into its wheel and sdist.

    [build-system]
    requires = ["hatchling>=1.26", "nodetool-sandbox-compiler"]

    [tool.hatch.build.hooks.nodetool-sandbox-npm]

Whoever installs the wheel needs no compiler and no node, and neither does who builds from the sdist:
what is there already and fits the lock is taken as it is.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from nodetool_sandbox_compiler.outcomes import ModuleOutcome, ProjectError, Skipped
from nodetool_sandbox_compiler.projects import Project, compile_project, is_current
from nodetool_sandbox_compiler.tools import NODE_REQUIREMENT, find_npm


class PackNotCompiledError(Exception):
    """The pack has a module that cannot be compiled, so there is no wheel; says each reason."""


class NpmBuildHook(BuildHookInterface[Any]):
    """Compiles before the files are collected, for wheels, sdists and editable installs alike."""

    PLUGIN_NAME = "nodetool-sandbox-npm"

    def dependencies(self) -> list[str]:
        """Node from PyPI, where a tool is needed and none is on PATH."""
        try:
            needed = not is_current(self.root)
        except ProjectError:
            return []  # `initialize` says it
        return [NODE_REQUIREMENT] if needed and find_npm() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Refuses the build, with the code and reason of each module that cannot be compiled."""
        outcome = compile_project(self.root, keep=True)
        if outcome.skipped:
            raise PackNotCompiledError("\n".join(map(_told, outcome.modules)))
        for each in outcome.modules:
            self.app.display_info(_told(each))
        # git ignores them as a rule, and hatchling leaves out what git ignores unless it is told.
        paths = (path.relative_to(self.root).as_posix() for path in Project.load(self.root).artefacts())
        build_data["artifacts"].extend(f"/{path}" for path in paths)


def _told(each: ModuleOutcome) -> str:
    outcome = each.outcome
    if isinstance(outcome, Skipped):
        return f"{each.specifier}: {outcome.detail} ({outcome.code})"
    how = "cached" if outcome.cached else "compiled"
    return f"{each.specifier}: {outcome.npm} {outcome.version}, {outcome.size:,} bytes ({how})"


@hookimpl
def hatch_register_build_hook() -> type[NpmBuildHook]:
    """What hatchling asks of the plugin."""
    return NpmBuildHook
