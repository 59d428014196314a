"""Draws the gallery: every program in examples/gallery/ as a picture in docs/gallery/.

`gallery.py` draws all of them. `gallery.py --compare` also has headless Chromium draw the same programs on its own
canvas, and prints how far apart the two are.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from nodetool_sandbox import Canvas, Sandbox
from nodetool_sandbox import Image as ImagePower
from nodetool_sandbox.pictures.canvas.fonts import bundled_fonts
from PIL import Image, ImageChops, ImageStat

ROOT: Final = Path(__file__).resolve().parent.parent
PROGRAMS: Final = ROOT / "examples" / "gallery"
PICTURES: Final = ROOT / "docs" / "gallery"
FOUND: Final = PICTURES / "differences.json"
PAGE: Final = ROOT / "docs" / "reference" / "gallery.md"

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER_FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",  # it draws our own programs, from a file, without a network
    "--disable-gpu",
    "--font-render-hinting=none",  # else glyphs sit on whole pixels, as on a desktop screen of low resolution
    "--force-color-profile=srgb",
    "--virtual-time-budget=20000",
)
BROWSER_S: Final = 120

CLOSE: Final = 3.0
"""Mean difference of a channel, of 255, below which two pictures count as the same drawing."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program of the gallery; its first line says what it shows."""

    path: Path
    code: str

    @property
    def name(self) -> str:
        """As in the names of its files."""
        return self.path.stem

    @property
    def title(self) -> str:
        """What it shows."""
        return self.code.split("\n", 1)[0].removeprefix("// ")

    @property
    def is_canvas_alone(self) -> bool:
        """Whether a browser can run it too."""
        return not self.title.startswith("image:")


def load_programs() -> list[Program]:
    """All of them, by name."""
    return [Program(path, path.read_text(encoding="utf-8")) for path in sorted(PROGRAMS.glob("*.js"))]


def draw(program: Program) -> bytes:
    """The PNG that a program returns in our sandbox.

    Raises:
        ValueError: it failed.
    """
    result = Sandbox(canvas=Canvas(), image=ImagePower()).run_sync(program.code)
    if not result.success:
        raise ValueError(f"{program.name}: {result.error}")
    return cast("bytes", result.value)


def differences(first: bytes, second: bytes) -> tuple[float, ...]:
    """The mean difference of red, green, blue and alpha, of 255; colours count by their alpha."""
    images = [Image.open(io.BytesIO(each)).convert("RGBA").convert("RGBa") for each in (first, second)]
    if images[0].size != images[1].size:
        return (255.0,) * 4
    apart = ImageChops.difference(*(Image.frombytes("RGBA", each.size, each.tobytes()) for each in images))
    return tuple(ImageStat.Stat(apart).mean)


def find_browser() -> str | None:
    """A Chromium of this machine, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def browser_drawings(browser: str, programs: Sequence[Program]) -> Mapping[str, bytes]:
    """What a browser's own canvas draws, by the names of the programs.

    Raises:
        ValueError: it gave no answer, or a program failed in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(_page(programs), encoding="utf-8")
        done = subprocess.run(
            [browser, *BROWSER_FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()],
            capture_output=True,
            text=True,
            timeout=BROWSER_S,
            check=False,
        )
    found = re.search(r'<pre id="drawn">(.*?)</pre>', done.stdout, re.DOTALL)
    if found is None:
        raise ValueError(f"the browser gave no drawings: {done.stderr[-500:]}")
    drawn = json.loads(html.unescape(found[1]))
    failed = {name: text for name, text in drawn.items() if not text.startswith("data:image/png")}
    if failed:
        raise ValueError(f"programs failed in the browser: {failed}")
    return {name: base64.b64decode(text.partition(",")[2]) for name, text in drawn.items()}


_HARNESS: Final = """
const pictures = new Map();
let missing = [];
const fromBase64 = (text) => text;
const decode = async (text) =>
  pictures.set(text, await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])));
const picture = (text) => pictures.get(text) ?? (missing.push(text), null);
const createCanvas = (width, height) => {
  const element = Object.assign(document.createElement("canvas"), { width, height });
  const ctx = element.getContext("2d", { willReadFrequently: true });
  const { drawImage, createPattern } = CanvasRenderingContext2D.prototype;
  ctx.drawImage = (image, ...rest) => picture(image) && drawImage.call(ctx, picture(image), ...rest);
  ctx.createPattern = (image, how) => picture(image) && createPattern.call(ctx, picture(image), how);
  return { getContext: () => ctx, toBytes: async () => element.toDataURL("image/png") };
};
const drawn = {};
(async () => {
  await Promise.all([...document.fonts].map((font) => font.load()));
  for (const [name, program] of programs) {
    try {
      drawn[name] = await program();
      while (missing.length) {
        const wanted = missing;
        missing = [];
        await Promise.all(wanted.map(decode));
        drawn[name] = await program();
      }
    } catch (error) {
      drawn[name] = String(error.stack);
    }
  }
  const out = document.createElement("pre");
  out.id = "drawn";
  out.textContent = JSON.stringify(drawn);
  document.body.append(out);
})();
"""


def _page(programs: Sequence[Program]) -> str:
    """A page that runs programs as our guest does, with the same fonts."""
    faces = "".join(
        f"@font-face {{ font-family: '{family}'; font-style: {'italic' if is_slanted else 'normal'}; "
        f"font-weight: 100 900; src: url(data:font/ttf;base64,{base64.b64encode(path.read_bytes()).decode()}) }}\n"
        for (family, is_slanted), path in bundled_fonts().items()
    )
    bodies = ",\n".join(f"[{json.dumps(each.name)}, async () => {{\n{each.code}\n}}]" for each in programs)
    return (
        f'<!doctype html><meta charset="utf-8"><style>{faces}</style><body><script>'
        f"{_HARNESS.replace('const drawn', f'const programs = [{bodies}];' + chr(10) + 'const drawn', 1)}</script>"
    )


def write_pictures(programs: Sequence[Program]) -> None:
    """Draw each, and write those that are not what they were: an encoder of another release changes no drawing."""
    PICTURES.mkdir(exist_ok=True)
    for program in programs:
        path = PICTURES / f"{program.name}.png"
        data = draw(program)
        is_same = path.is_file() and max(differences(path.read_bytes(), data)) == 0
        if not is_same:
            path.write_bytes(data)
        print(f"{'same ' if is_same else 'wrote'} docs/gallery/{path.name}")


def compare(browser: str, programs: Sequence[Program]) -> Mapping[str, tuple[float, ...]]:
    """Print how far ours are from the browser's, the furthest last."""
    theirs = browser_drawings(browser, programs)
    apart = {each.name: differences(draw(each), theirs[each.name]) for each in programs}
    print(f"{'program':40} {'red':>7} {'green':>7} {'blue':>7} {'alpha':>7}")
    for name, channels in sorted(apart.items(), key=lambda row: max(row[1])):
        print(f"{name:40} " + " ".join(f"{each:7.3f}" for each in channels))
    close = sum(max(channels) < CLOSE for channels in apart.values())
    print(f"{close} of {len(apart)} below {CLOSE} of 255")
    return apart


def write_page(programs: Sequence[Program]) -> None:
    """The page of the gallery, with what the last comparison found."""
    apart = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}
    parts = [_HEAD]
    for program in programs:
        parts.append(
            f"## {program.name.replace('_', ' ').capitalize()}\n\n{program.title.removeprefix('image: ')}."
        )
        found = apart.get(program.name)
        if found is not None:
            channels = ", ".join(f"{each:.2f}" for each in found)
            parts.append(f"From the browser's: {channels}.")
        parts.append(f"![{program.title}](../gallery/{program.name}.png)")
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD: Final = """# Gallery

<!-- written by scripts/gallery.py from examples/gallery/ -->

Each picture is drawn by a guest program, `examples/gallery/<name>.js`, and `make gallery` draws them anew. The
tests compare them with what is drawn, and with what headless Chromium draws when it runs the same program on its own
canvas with the same fonts. The numbers below a title are the mean differences of red, green, blue and alpha, of 255;
{doc}`/limitations` says
where they come from."""


def main() -> int:
    """0 when everything was drawn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", action="store_true", help="with what headless Chromium draws")
    parser.add_argument("--keep", type=Path, help="a folder for the browser's drawings, to look at")
    given = parser.parse_args()
    programs = load_programs()
    write_pictures(programs)
    if given.compare:
        browser = find_browser()
        if browser is None:
            print(f"gallery: none of {', '.join(BROWSERS)} is installed", file=sys.stderr)
            return 1
        both = [each for each in programs if each.is_canvas_alone]
        apart = compare(browser, both)
        rounded = {name: [round(each, 2) for each in channels] for name, channels in sorted(apart.items())}
        FOUND.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        if given.keep is not None:
            given.keep.mkdir(exist_ok=True)
            for name, data in browser_drawings(browser, both).items():
                (given.keep / f"{name}.png").write_bytes(data)
    write_page(programs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
