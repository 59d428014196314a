"""WebAssembly modules of packs: what a run may call, on what budget, and the workers that do it."""
