"""The gallery: what its programs draw is what was looked at, and what a browser draws of the same programs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from gallery import CLOSE, PICTURES, Program, browser_drawings, differences, draw, find_browser, load_programs

PROGRAMS = load_programs()
BOTH = [program for program in PROGRAMS if program.is_canvas_alone]

SAME = 1.0
"""Mean difference of a channel, of 255, that another release of a library may make."""


def ids(program: Program) -> str:
    return program.name


@pytest.fixture(scope="module")
def theirs() -> Mapping[str, bytes]:
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium on this machine: nothing to compare with")
    return browser_drawings(browser, BOTH)


@pytest.mark.parametrize("program", PROGRAMS, ids=ids)
def test_a_program_of_the_gallery_draws_what_it_drew(program: Program) -> None:
    reference = PICTURES / f"{program.name}.png"

    assert reference.is_file(), "draw it: make gallery"
    assert max(differences(reference.read_bytes(), draw(program))) < SAME, "look at it, then: make gallery"


def test_every_picture_of_the_gallery_has_its_program() -> None:
    assert {path.stem for path in PICTURES.glob("*.png")} == {program.name for program in PROGRAMS}


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_browser_draws_the_same(theirs: Mapping[str, bytes]) -> None:
    apart = {program.name: max(differences(draw(program), theirs[program.name])) for program in BOTH}

    assert len(BOTH) >= 30
    assert not {name: each for name, each in apart.items() if each >= CLOSE}
