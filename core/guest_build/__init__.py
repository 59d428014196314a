"""Makes `quickjs.wasm`: the engine's C sources from the package index, our shim, our prelude, one image.

Nothing of this is in the wheel; its output is. `chain.require_image` is the way in, `flags` says what is
built and how. Three callers: the build hook (`hatch_build.py`), `scripts/build_guest.py` and the tests.
"""
