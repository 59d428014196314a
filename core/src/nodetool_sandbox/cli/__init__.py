"""The command line, `nodetool-sandbox`: see docs/reference/command-line.md.

It uses the package as everybody does, through `from nodetool_sandbox import ...`. What a command needs
is imported when that command runs.
"""

from nodetool_sandbox.cli.command import main

__all__ = ["main"]
