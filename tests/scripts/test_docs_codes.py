"""Every diagnostic code has its page."""

from __future__ import annotations

import generate
import pytest
from docs_codes import PROSE, code_page
from nodetool_sandbox_registry.codes import CODES, Code


def test_every_code_has_its_prose_and_no_other_has() -> None:
    assert set(PROSE) == set(CODES)


@pytest.mark.parametrize("code", CODES, ids=str)
def test_a_page_says_what_it_means_and_what_now(code: Code) -> None:
    page = code_page(code)
    assert f"# {code}\n" in page
    assert CODES[code].sentence in page
    assert page.endswith(f"**What now.** {PROSE[code].now}\n")
    assert f"docs/codes/{code}.md" in [output.path for output in generate.OUTPUTS]
