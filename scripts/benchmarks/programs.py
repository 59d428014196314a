"""The JavaScript that the bench runs, here and in every peer. Each text is the body of a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROGRAMS: Final[Mapping[str, str]] = {
    "fib": """
        function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        return fib(27);
    """,
    "json": """
        const rows = [];
        for (let i = 0; i < 2000; i++) rows.push({ id: i, name: "name " + i, tags: ["a", "b"], half: i / 2 });
        let length = 0;
        for (let i = 0; i < 10; i++) length += JSON.stringify(JSON.parse(JSON.stringify(rows))).length;
        return length;
    """,
    "sort": """
        let seed = 1;
        const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648);
        const numbers = Array.from({ length: 30000 }, next);
        const texts = Array.from({ length: 5000 }, () => "item " + next());
        numbers.sort((a, b) => a - b);
        texts.sort();
        return numbers[15000] + texts[2500].length;
    """,
    "regex": """
        let text = "";
        for (let i = 0; i < 3000; i++) text += "user" + i + "@example.com, 2024-05-" + (10 + i % 20) + "; ";
        let found = 0;
        for (const match of text.matchAll(/(\\w+)@(\\w+)\\.com/g)) found += match[1].length;
        found += text.replace(/(\\d{4})-(\\d\\d)-(\\d\\d)/g, "$3.$2.$1").length;
        return found + text.split(/[,;] /).length;
    """,
    "alloc": """
        let kept = [];
        let made = 0;
        for (let i = 0; i < 150000; i++) {
          const each = { id: i, pair: [i, i + 1], text: "t" + i };
          made += each.pair.length;
          if (i % 10 === 0) kept.push(each);
          if (kept.length > 1000) kept = [];
        }
        return made + kept.length;
    """,
}
"""Small programs, each some 20 to 100 ms in native QuickJS. They return a number that all engines agree on."""
