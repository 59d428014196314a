"""Popular npm libraries, how each ends in the compiler, and for those that are admitted a program that uses it.

`package.json` and `package-lock.json` beside this file say in which versions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """One library: the code that it is skipped with, or the program that it runs and what that gives."""

    name: str
    skipped: str | None = None
    program: str = ""
    gives: object = None


def _skips(name: str, why: str) -> Library:
    return Library(name=name, skipped=f"npm-module-{why}")


def _runs(name: str, program: str, gives: object) -> Library:
    return Library(name=name, program=program, gives=gives)


LIBRARIES = (
    _skips("ajv", "forbidden-global"),
    _runs("big.js", "return new lib.Big('0.1').plus('0.2').toString()", "0.3"),
    _skips("cheerio", "builtin-import"),
    _skips("chrono-node", "forbidden-global"),
    _runs(
        "d3-array",
        "return [lib.median([3, 1, 2]), [...lib.rollup(['a', 'b', 'a'], (v) => v.length, (d) => d)]]",
        [2, [["a", 2], ["b", 1]]],
    ),
    _skips("d3-scale", "forbidden-global"),
    _runs("date-fns", "return lib.format(lib.addMonths(new Date(0), 1), 'yyyy-MM-dd')", "1970-02-01"),
    _runs("dayjs", "return lib.default('2024-01-31').add(1, 'month').format('YYYY-MM-DD')", "2024-02-29"),
    _runs("decimal.js", "return lib.Decimal.sqrt(2).toFixed(20)", "1.41421356237309504880"),
    _skips("diff", "forbidden-global"),
    _skips("fast-xml-parser", "forbidden-global"),
    _skips("fflate", "forbidden-global"),
    _skips("handlebars", "builtin-import"),
    _skips("immer", "forbidden-global"),
    _runs("jmespath", "return lib.default.search({ a: [{ b: 1 }, { b: 2 }] }, 'a[*].b')", [1, 2]),
    _runs("js-yaml", "return lib.load('a: [1, 2]\\nb: yes')", {"a": [1, 2], "b": "yes"}),
    _runs("jsonata", "return await lib.default('$sum(a.b)').evaluate({ a: [{ b: 1 }, { b: 2 }] })", 3),
    _skips("lodash-es", "forbidden-global"),
    _runs("luxon", "return lib.FixedOffsetZone.parseSpecifier('UTC+2:30').offset(0)", 150),
    _runs("marked", "return lib.marked('# Hi *there*')", "<h1>Hi <em>there</em></h1>\n"),
    _skips("mathjs", "too-large"),
    _runs(
        "mustache", "return lib.default.render('{{#a}}<{{b}}>{{/a}}', { a: [{ b: 1 }, { b: 2 }] })", "<1><2>"
    ),
    _skips("nanoid", "builtin-import"),
    _skips("papaparse", "builtin-import"),
    _runs(
        "ramda",
        "return lib.groupBy((n) => (n % 2 ? 'odd' : 'even'), [1, 2, 3])",
        {"even": [2], "odd": [1, 3]},
    ),
    _runs(
        "rrule",
        "return lib.RRule.fromString('DTSTART:20240101T000000Z\\nRRULE:FREQ=WEEKLY;COUNT=2').all()"
        ".map((each) => each.toISOString().slice(0, 10))",
        ["2024-01-01", "2024-01-08"],
    ),
    _runs("simple-statistics", "return lib.linearRegression([[0, 1], [1, 3]])", {"m": 2, "b": 1}),
    _skips("turndown", "forbidden-global"),
    _runs("uuid", "return lib.validate(lib.NIL) && lib.version('0190163d-8694-739b-aea5-966c26f8ad91')", 7),
    _skips("zod", "forbidden-global"),
)
