"""A pack of two modules and a file between them, for what is delivered to a browser."""

from __future__ import annotations

SUMS = """
internal = ["js/inner.js"]

[[modules]]
name = "."
kind = "js"
file = "js/index.js"

[[modules]]
name = "alone"
kind = "js"
file = "js/alone.js"
"""
INDEX = 'import { add } from "./inner.js";\nexport const sum = (all) => all.reduce(add, 0); // é\n'
ALONE = "export const total = (all) => all.reduce((left, right) => left + right, 0);\n"
FILES = {"js/index.js": INDEX, "js/inner.js": "export const add = (a, b) => a + b;\n", "js/alone.js": ALONE}
