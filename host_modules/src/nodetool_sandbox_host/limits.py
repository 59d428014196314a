"""Every cap of every host module, in one place: each fires before the harm, and its name has the unit."""

from __future__ import annotations

from typing import Final

MIB: Final = 1024 * 1024

# --- arguments and results of any module
MAX_TEXT_UNITS: Final = 5 * MIB
"""The longest text argument, in UTF-16 code units, as JavaScript counts `text.length`."""
MAX_INPUT_BYTES: Final = 10 * MIB
"""The longest byte argument."""
MAX_RESULT_UNITS: Final = 10 * MIB
"""The longest text that a call gives back, over the whole result, in UTF-16 code units."""
MAX_QUOTED_UNITS: Final = 100
"""How much of a guest's own text an error message repeats."""
MAX_TEXT_DEPTH: Final = 100
"""How deep arrays may lie in one another when a value is turned into text."""
MAX_ENCODING_SAMPLE_BYTES: Final = 64 * 1024
"""How many bytes the guess of an encoding looks at."""

# --- csv
CSV_MAX_COLUMNS: Final = 16_384
CSV_MAX_CELLS: Final = 2_000_000
"""Rows times columns of one parsed or written table."""
CSV_MAX_ROWS: Final = 1_000_000
"""Rows of one written table."""
CSV_MAX_KEY_UNITS: Final = 64 * MIB
"""Column names times rows of one parsed table: every record repeats them on its way to the guest."""
CSV_DETECT_UNITS: Final = 64 * 1024
CSV_DETECT_ROWS: Final = 10
CSV_MAX_ERRORS: Final = 1_000
"""Problems that `csv.parseWithErrors` lists; the ones after are not listed."""

# --- html
HTML_SELECT_LIMIT: Final = 100
HTML_MAX_SELECT_LIMIT: Final = 1_000
HTML_MAX_ITEMS: Final = 1_000
HTML_MAX_NODES: Final = 500_000
HTML_MAX_DEPTH: Final = 512
HTML_MAX_NESTING_ESTIMATE: Final = 2_000
"""Levels of open tags counted in the text before it is parsed."""
HTML_MAX_ATTRIBUTES: Final = 1_000
"""Attributes of one element."""
HTML_MAX_SELECTOR_UNITS: Final = 1_000
HTML_MAX_SELECTOR_PARTS: Final = 50
HTML_MAX_HAS_DEPTH: Final = 2
"""`:has` inside of `:has`."""
HTML_MAX_SELECTOR_STEPS: Final = 1_000_000_000
"""Sibling pairs and levels of a page that `:nth-child`, `:has` and their like are let loose on."""
HTML_MAX_TEMPLATE_DEPTH: Final = 8
HTML_MAX_MARKDOWN_NODES: Final = 200_000
"""Elements and texts of one page that becomes Markdown."""
HTML_MAX_STYLE_UNITS: Final = 100
"""One text among the options of Markdown: a rule, a fence, a marker."""
HTML_MAX_SPAN: Final = 1_000
"""What one colspan or rowspan counts at most."""
HTML_MAX_TABLE_CELLS: Final = 250_000
"""Cells of all tables of one call, each as often as its spans repeat it."""
HTML_MAX_RULES: Final = 200
"""Rules of one `html.extract`, over all levels."""
HTML_MAX_RULE_DEPTH: Final = 10
HTML_MAX_EXTRACTED: Final = 100_000
"""Values that one `html.extract` gives."""
HTML_MAX_JSON_LD_UNITS: Final = 1 * MIB
HTML_MAX_JSON_LD_BLOCKS: Final = 20
HTML_MAX_JSON_LD_DEPTH: Final = 100

# --- xml
XML_MAX_DEPTH: Final = 100
"""Levels of elements below the root."""
XML_MAX_NODES: Final = 500_000
"""Elements, processing instructions, comments and CDATA sections that are kept."""
XML_MAX_ATTRIBUTES: Final = 1_000
"""Attributes of one element."""
XML_MAX_KEYS: Final = 100_000
"""Different names among the children of one element."""
XML_MAX_EXPRESSION_UNITS: Final = 1_000
"""One XPath expression."""
XML_MAX_NAMESPACE_UNITS: Final = 2_000
"""The name of one namespace in a text that is queried: every element of it repeats the name."""
XML_MAX_NAMESPACES: Final = 100
"""Prefixes of one query."""
XML_MAX_RESULTS: Final = 10_000
"""Results of one query."""
XML_RESULTS: Final = 1_000
"""Results of one query where `limit` is not set."""
XML_MAX_INDENT: Final = 16
"""Spaces of one level of a written text."""

# --- xlsx
XLSX_MAX_PARTS: Final = 2_000
XLSX_MAX_INFLATED_BYTES: Final = 50 * MIB
XLSX_MAX_CELLS_READ: Final = 2_000_000
XLSX_MAX_ROWS_WALKED: Final = 1_000_000
XLSX_MAX_SHEETS_WRITTEN: Final = 64
XLSX_MAX_CELLS_WRITTEN: Final = 250_000
XLSX_MAX_CELL_UNITS: Final = 32_767
"""Text of one written cell: Excel's own limit."""
XLSX_LAST_ROW: Final = 1_048_576
XLSX_LAST_COLUMN: Final = 16_384
"""The last cell of a sheet, XFD1048576: Excel's own limit."""
XLSX_MAX_SHEETS_READ: Final = 1_000
XLSX_MAX_SHARED_TEXTS: Final = 1_000_000
XLSX_MAX_XML_DEPTH: Final = 256
XLSX_MAX_TAG_BYTES: Final = 1 * MIB
"""One tag of a part with its attributes, counted in steps of 64 KiB."""
XLSX_MAX_XML_ATTRIBUTES: Final = 1_000
"""Attributes of one element."""
XLSX_MAX_FORMAT_UNITS: Final = 255
"""One number format: Excel's own limit."""
XLSX_MAX_KEY_UNITS: Final = 64 * MIB
"""Column names times rows of one parsed workbook: every record repeats them on its way to the guest."""
XLSX_MAX_NAME_UNITS: Final = 31
"""The name of one written sheet: Excel's own limit."""
XLSX_MAX_STYLES: Final = 10_000
"""Styles, merges and widths of one written sheet, each."""
XLSX_MAX_LINKS: Final = 10_000
"""Links of one written workbook; Excel takes 65,530 a sheet."""
XLSX_MAX_LINK_UNITS: Final = 2_079
"""One written link: Excel's own limit."""
XLSX_MAX_FORMULA_UNITS: Final = 8_192
"""One written formula: Excel's own limit."""
XLSX_MIN_COLUMN_WIDTH: Final = 8
XLSX_MAX_COLUMN_WIDTH: Final = 80

# --- diff
DIFF_CONTEXT_LINES: Final = 3
DIFF_MAX_CONTEXT_LINES: Final = 100
DIFF_MAX_LINES: Final = 1_000_000
"""Lines, words or characters of both texts together; past it the difference is coarse."""
DIFF_MAX_EDIT_DISTANCE: Final = 4_000
"""Past it the difference is coarse."""
DIFF_MAX_GREEDY_DISTANCE: Final = 500
"""Up to it, of several shortest differences the one that jsdiff gives is found."""
DIFF_MAX_HUNKS: Final = 10_000
"""Hunks of one patch that is read or applied."""
DIFF_MAX_FUZZ: Final = 10
"""Lines of context that may differ where a hunk is applied."""
DIFF_MAX_HUNK_MOVE: Final = 1_000
"""How many lines from its stated place a hunk is looked for."""
DIFF_MAX_SEMANTIC_UNITS: Final = 100_000
"""Characters of both texts together whose difference is cleaned up for readers."""
DIFF_MAX_JSON_NODES: Final = 1_000_000
"""Values inside of the two values that are compared."""
DIFF_MAX_JSON_DEPTH: Final = 100
DIFF_MAX_CANDIDATES: Final = 10_000
DIFF_MAX_QUERY_UNITS: Final = 1_000
DIFF_CLOSEST_LIMIT: Final = 5
"""How many candidates `diff.closest` gives where `limit` is not set."""

# --- zip
ZIP_MAX_INFLATED_BYTES: Final = 50 * MIB
"""Bytes that one archive inflates to, or that are put into one archive."""
ZIP_MAX_ENTRIES: Final = 10_000
ZIP_MAX_NAME_UNITS: Final = 1_024
ZIP_MAX_COMMENT_BYTES: Final = 65_535
"""The comment of a written archive: what its length field holds."""
ZIP_MAX_PATTERNS: Final = 100
"""Patterns in `only` or `store`; plain names are not counted."""
ZIP_MAX_PATTERN_UNITS: Final = 256

# --- yaml
YAML_MAX_DEPTH: Final = 100
"""The default of `maxDepth` and its ceiling."""
YAML_MAX_MERGE_KEYS: Final = 10_000
"""The default of `maxTotalMergeKeys` and its ceiling, counted over a document."""
YAML_MAX_DOCUMENTS: Final = 10_000
YAML_MAX_EXPANDED_NODES: Final = 1_000_000
"""Nodes of a document written out with every alias expanded, where it has to be."""
YAML_MAX_MERGE_SOURCES: Final = 100
"""Mappings in the list behind one `<<`."""
YAML_MAX_DIRECTIVES: Final = 1_000
"""Lines such as %TAG in one text."""
YAML_MAX_WARNINGS: Final = 100
"""Warnings of one text; the ones after are not told."""
YAML_MAX_ANCHORS_RENAMED: Final = 50
"""Different anchor names in one text that are not letters, digits, `-` and `_` alone."""
YAML_MAX_DUMP_DEPTH: Final = 200
"""Collections in one another in a value that is dumped; reading stops at YAML_MAX_DEPTH."""
YAML_MAX_INDENT: Final = 64
"""Spaces of one level of a dumped text."""
YAML_MAX_INTEGER_DIGITS: Final = 1_000
"""Digits of one number; the double that it becomes is infinite from 310 digits on."""

# --- dates
DATES_MAX_TEXT_UNITS: Final = 200
DATES_MAX_OCCURRENCES: Final = 10_000
DATES_MAX_WINDOW_YEARS: Final = 200
DATES_MAX_BY_VALUES: Final = 400
"""Values over all BY lists of one rule."""
DATES_MAX_RULES: Final = 10
"""RRULE lines of one recurrence."""
DATES_MAX_RULE_DATES: Final = 10_000
"""Dates in the RDATE and EXDATE lines of one recurrence."""
DATES_MAX_RULE_UNITS: Final = 262_144
"""Characters of one recurrence."""
DATES_MAX_RULE_STEPS: Final = 200_000
"""Times that one call of `occurrences` looks at: 200 years of days are 73,050."""
DATES_OCCURRENCES: Final = 100
"""How many dates `occurrences` gives where `limit` is not set."""
DATES_MAX_COLUMN_VALUES: Final = 250_000
DATES_MAX_FORMATS: Final = 20
"""Formats that one call tries."""
