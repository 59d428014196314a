"""How Sphinx builds these pages: `scripts/check.py docs` runs it with every warning an error."""

from __future__ import annotations

project = "nodetool-sandbox"
author = "nodetool-sandbox contributors"
project_copyright = "nodetool-sandbox contributors, MIT licence"
version = release = "0.1.0"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["colon_fence", "deflist"]
# Every heading down to the third level can be linked to as `page.md#heading`.
myst_heading_anchors = 3

autodoc_typehints = "description"
autodoc_member_order = "bysource"
# Types that have no page here: the standard library's, and those behind the public names.
nitpick_ignore_regex = [
    ("py:class", r"(collections|concurrent|datetime|httpcore|os|ssl|starlette)\..*"),
    ("py:class", r"nodetool_sandbox(_registry)?\..*"),
    ("py:exc", r"LockError"),
    (
        "py:class",
        r"Catalog|DeliveryCatalog|Diagnostic|HostModule|HostTableEntry|LogSink|Loop|OnDrift|Plan|Power|ProgressSink|Provider",
    ),
    ("py:class", r"Executor|Runner|WorkerProcess"),
]

html_theme = "furo"
html_title = "nodetool-sandbox"
