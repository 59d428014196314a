// Records what cheerio with turndown and exceljs answer, for host_modules/tests/test_recorded_html_xlsx.py.
//
//   mkdir scratch && cd scratch && npm install cheerio@1.2.0 turndown@7.2.5 exceljs@4.4.0
//   node <repository>/scripts/record_html_xlsx.mjs <repository>/host_modules/tests/recorded
//
// The inputs of xlsx are the parts of a workbook; what they stand for is packed by the reader and by this script alike.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(join(process.cwd(), "here.js"));
const cheerio = require("cheerio");
const Turndown = require("turndown");
const ExcelJS = require("exceljs");
const JSZip = createRequire(require.resolve("exceljs"))("jszip");
const version = (name) => {
  let folder = dirname(require.resolve(name));
  for (;;) {
    try {
      const found = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (found.name === name) return found.version;
    } catch {
      // not this folder
    }
    folder = dirname(folder);
  }
};

const tagged = (value) => {
  if (value === undefined) return { $undefined: 1 };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(tagged);
  return { $object: Object.keys(value).map((key) => [key, tagged(value[key])]) };
};
const attempt = async (action) => {
  try {
    return tagged(await action());
  } catch {
    return { $error: 1 }; // the frame of the message is ours, the reason the library's
  }
};

// --- html: the reference's select and toMarkdown over cheerio and turndown
const select = (html, selector, options = {}) => {
  const $ = cheerio.load(html);
  const found = [];
  for (const element of $(selector).toArray()) {
    if (found.length >= (options.limit ?? 100)) break;
    if (options.attr === undefined) found.push($(element).text().trim());
    else {
      const value = $(element).attr(options.attr);
      if (value !== undefined) found.push(value);
    }
  }
  return found;
};
const toMarkdown = (html, options = {}) =>
  new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", ...options.turndown }).turndown(html);

const list = "<ul id=u><li class='a x'>one<li class=b>two<li class=a>three<li>four</ul><ol><li>five<li>six</ol>";
const selects = [
  ["<ul><li>a<li>b</ul>", "li"], ["<input disabled>", "input", { attr: "disabled" }],
  ["<input data-x=1>", "input", { attr: "DATA-X" }], ["<input DATA-X=1 value=''>", "input", { attr: "data-x" }],
  ["<input value=''>", "input", { attr: "value" }], ["<div><p>a</p><p>b</p></div>", "p:eq(1)"],
  [list, "li:first"], [list, "li:last"], [list, "li:eq(0)"], [list, "li:eq(-1)"], [list, "li:eq(9)"], [list, "li:gt(2)"],
  [list, "li:lt(2)"], [list, "li:even"], [list, "li:odd"], [list, "ul li:first, ol li:first"], [list, "ul:first li:last"],
  [list, "li:contains('o')"], [list, "li:contains(\"four\")"], [list, "li:contains(six)"], [list, "li:icontains(F)"],
  [list, "ul:has(.b) > .a"], [list, "li:not(.a)"], [list, "li:not(.a, .b)"], [list, "li:is(.b, :last-child)"],
  [list, "li.a:eq(1)"], [list, ".a + li"], [list, ".a ~ li"], [list, "ul > li:nth-child(2n)"], [list, "[class~=x]"],
  [list, "[class='A' i]"], [list, "[class^=a]"], [list, "li, ol, .a"], [list, "*:contains(three)"],
  [list, "li:not(:contains(o))"], ["<h1>a</h1><h3>b</h3><p>c", ":header"], ["<h1>a</h1><h3>b</h3><p>c", ":header:not(h1)"],
  ["<p>a<script>var s</script><style>p{}</style><!--c--></p>", "p"], ["<p>\u00a0 a  b \ufeff</p>", "p"],
  ["<template><p>t</p></template><p>u", "p"], ["<noscript><b>n</b></noscript>", "noscript"], ["<noscript><b>n</b></noscript>", "b"],
  ["<table><tr><td>x</table>", "table > tbody > tr > td"], ["<p>a<p>b", "p"], ["<b><p>a</b>c</p>", "b"],
  ["<table><p>moved</p><tr><td>x</table>", "p + table td"], ["&#x80;&eacute;&notit;", "body"], ["<p id=1>a", "#1"],
  ["<a href='/x'>1</a><a>2</a><a href='y'>3</a>", "a", { attr: "href" }], ["<a href='/x'>1</a><a>2</a><a href='y'>3</a>", "a", { attr: "href", limit: 1 }],
  [list, "li", { limit: 2 }], [list, "li", { limit: 0 }], [list, "nothing"], ["", "p"], ["text", "body"],
  ["<p>a", "p:bogus"], ["<p>a", "p::before"], ["<p>a", "p["], ["<p>a", "p >"], ["<p>a", "a,,b"], ["<p>a", "p:eq(x)"], ["<p>a", ")"],
  ["<svg viewBox='0'><linearGradient id=g><title>t</title></svg>", "svg", { attr: "viewbox" }],
  ["<p class=a class=b>x", "p", { attr: "class" }], ["<div><div>i</div></div>", "div"], ["<p>x</p>", "P"],
  ["<p>a</p><p>b</p><p>c</p>", "p:first + p"], ["<p>a</p><div><p>b</p><p>c</p></div>", "div p:first"],
  ["<p lang=en>a</p><p lang=de>b</p>", "p[lang!=en]"], [list, "li:eq(1)", { attr: "class" }], [list, "#u li:gt(-3)"],
  [list, "li:lt(-1)"], [list, "li:nth-of-type(2)"], [list, "ul li:not(:first-child):first"],
];
const long = "word ".repeat(30);
const markdowns = [
  ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"], ["<ul><li>a<li>b<ul><li>c"], ["<p>1. a * b _c_ [d] # e</p>"],
  ["<ol><li>a<li>b</ol>"], ["<ol start=9><li>nine<li>ten</ol>"], ["<ul><li><p>a</p><p>b</p></li></ul>"], ["<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
  ["<em>a</em> <strong>b</strong> <i>c</i><b>d</b>"], ["<em> a </em>b<strong>c </strong>d"], ["<em></em>x<strong> </strong>y"],
  ["<a href='/x' title='t'>y</a>"], ["<a href=''>y</a> <a>z</a>"], ["<a href='/a(b)c'>p [q]\nr</a>"], ["<a href='/a b'>x</a>"],
  ["<a href='x'><b>bold</b> <img src=i.png alt='a*b' title='t\"u'></a>"], ["<img src='a b.png' alt=x>"], ["<img alt=x>"], ["<img src=i>"],
  ["<code>a`b</code>"], ["<code>`</code>"], ["<code> a </code>"], ["<code>a\nb</code>"], ["<code></code>x"], ["<code>*x*</code>"],
  ["<pre><code class='language-js'>let a = 1;\n</code></pre>"], ["<pre><code>```\nx\n```</code></pre>"], ["<pre>plain\n  text *x*</pre>"],
  ["<pre><code>a</code> b</pre>"], ["<pre><code>a\n\n  b</code></pre>p"],
  ["<h1>A</h1><h2>B</h2><h6>F</h6>"], ["<h1>a <em>b</em></h1>"], ["<h1></h1>x"], ["<hr>"], ["a<hr>b"], ["a<br>b"], ["<p>a<br></p><p>b</p>"], ["<p>a<br><br>b</p>"],
  ["<blockquote><p>a</p><p>b</p></blockquote>"], ["<blockquote>a<blockquote>b</blockquote></blockquote>"], ["<blockquote><ul><li>a</ul></blockquote>"],
  ["<p>a</p><p>b</p>"], ["<div>a</div>b<div>c</div>"], ["a   b\n\n c"], ["<p>  a  </p>"], ["<p>a <em>b</em> c</p>"], ["<p>a<em> b </em>c</p>"],
  ["<span>a </span><span> b</span>"], ["<b>a</b> <b>b</b>"], ["\u00a0a\u00a0b\u00a0"], ["<b>\u00a0a\u00a0</b>b"], ["a\u00a0<b> b</b>"],
  ["<dl><dt>a<dd>b</dl>"], ["<p>H<sub>2</sub>O <kbd>k</kbd> <mark>m</mark></p>"], ["<del>a</del> <s>b</s>"],
  ["<table><tr><th>a<th>b<tr><td>1<td>2</table>"], ["<script>var a</script><style>b</style>x"], ["<title>T</title>x"],
  ["<p>- a</p><p>+ a</p><p>+a</p><p>= a</p><p># a</p><p>#a</p><p>~~~</p><p>&gt; q</p><p>12. a</p><p>12.a</p>"],
  ["<p>a - b = # > ~ + | ! &lt;b&gt; &amp;</p>"], ["\\ ` * _ [ ]"], ["<p>a</p>\n\n\n<p>b</p>"], ["<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
  ["<ul><li>a<br>b</li></ul>"], ["<ul><li>a<pre><code>x\ny</code></pre></li></ul>"], ["<ol><li>a<ol><li>b</ol><li>c</ol>"],
  ["<ul><li></li><li>a</li></ul>"], ["<p></p><p>a</p><div></div>"], ["<a name=x></a>t"], ["<p><a href=x></a>t</p>"], ["<video src=v>fallback</video>x"],
  ["<iframe src=x></iframe>a"], ["<button>b</button><select><option>o</select><textarea>t</textarea>"], ["<svg><text>s</text></svg>a"],
  [""], ["   "], ["<!-- c -->"], ["<p>&lt;</p>"], [long], ["<p>a</p> tail"], ["x<ul><li>a</ul>y"], ["<li>loose"], ["<ul><ul><li>a</ul></ul>"],
  ["<h1>A</h1><h2>B</h2>", { turndown: { headingStyle: "setext" } }], ["<ul><li>a</ul>", { turndown: { bulletListMarker: "*" } }],
  ["<em>a</em><strong>b</strong><hr>", { turndown: { emDelimiter: "*", strongDelimiter: "__", hr: "---" } }],
  ["a<br>b", { turndown: { br: "\\" } }], ["<pre><code>a\nb</code></pre>", { turndown: { codeBlockStyle: "indented" } }],
  ["<pre><code>a\nb</code></pre>", { turndown: { fence: "~~~" } }], ["<a href=/a>x</a> <a href=/b title=t>y</a>", { turndown: { linkStyle: "referenced" } }],
  ["<a href=/a>x</a> <a href=/b>y</a>", { turndown: { linkStyle: "referenced", linkReferenceStyle: "collapsed" } }],
  ["<a href=/a>x</a>", { turndown: { linkStyle: "referenced", linkReferenceStyle: "shortcut" } }],
  ["<p>a <code> b  c </code> d</p>", { turndown: { preformattedCode: true } }],
];

// --- xlsx: the reference's parse over exceljs
const xlsxParts = (given) => {
  const sheets = given.sheets ?? [["S", given.rows ?? ""]];
  const formats = given.formats ?? [0, 14, 20, 164, 22];
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const xf = formats.map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"/>`).join("");
  const parts = {
    "[Content_Types].xml": `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${sheets.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join("")}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
    "_rels/.rels": `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${relations}">${given.workbookProperties ?? ""}<sheets>${sheets.map(([name, , state], at) => `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${packages}/relationships">${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}<Relationship Id="rId1001" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId1002" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/styles.xml": `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="${given.format ?? "[h]:mm"}"/></numFmts><fonts count="1"><font/></fonts><fills count="1">${given.fill ?? '<fill><patternFill patternType="none"/></fill>'}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${xf}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${head}<sst xmlns="${main}">${given.shared ?? ""}</sst>`,
  };
  sheets.forEach(([, rows], at) => {
    const tail = given.tail ?? "";
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `${head}<worksheet xmlns="${main}" xmlns:r="${relations}">${given.dimension ?? ""}<sheetData>${rows}</sheetData>${tail}</worksheet>`;
  });
  return parts;
};
const cellValue = (value) => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") {
    if ("result" in value) return value.result ?? null;
    if ("richText" in value) return value.richText.map((run) => run.text).join("");
    if ("text" in value) return cellValue(value.text);
    return String(value);
  }
  return value;
};
const parseBook = async (parts, options = {}) => {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(parts)) zip.file(name, text);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await zip.generateAsync({ type: "nodebuffer" }));
  const answer = {};
  for (const sheet of book.worksheets) {
    const rows = [];
    sheet.eachRow((row) => {
      const cells = [];
      for (let at = 1; at <= row.cellCount; at++) cells.push(cellValue(row.getCell(at).value));
      rows.push(cells);
    });
    if (options.header === false) answer[sheet.name] = rows;
    else {
      const names = (rows.shift() ?? []).map((name, at) => (name === null ? `col_${at + 1}` : String(name)));
      answer[sheet.name] = rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])));
    }
  }
  return JSON.parse(JSON.stringify(answer));
};
const row = (number, cells) => `<row r="${number}">${cells}</row>`;
const text = (reference, value) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const serials = (style, ...values) => ({ rows: values.map((value, at) => row(at + 1, `<c r="A${at + 1}" s="${style}"><v>${value}</v></c>`)).join("") });
const flat = { header: false };
const books = [
  [{}, flat], [{}, {}], [{ rows: row(1, text("A1", "a") + text("B1", "b")) + row(2, '<c r="A2"><v>1</v></c><c r="B2"><v>2.5</v></c>') }, {}],
  [{ rows: row(1, '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'), shared: '<si><t>x</t></si><si><r><t xml:space="preserve">a </t></r><r><rPr><b/></rPr><t>b</t></r></si>' }, flat],
  [{ rows: row(1, '<c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"x"</f><v>x</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1"><f>SUM(A1:A9)</f></c><c r="B1"><v>1</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1" t="e"><v>#N/A</v></c><c r="B1"><v>1</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1"><v>1</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>4</v></c>') + row(2, '<c r="A2"><f t="shared" si="0"/><v>6</v></c>') }, flat],
  [serials(1, 43831, 43832.12737268518), flat], [serials(4, 43831.5, 43831.999999), flat], [serials(2, 0.5, 43831.5), flat], [serials(3, 1.25, 0.5), flat],
  [serials(1, 1, 59, 60, 61), flat], [serials(1, 0), flat], [serials(1, 2958465), flat], [serials(1, 2958466), flat], [serials(1, -1), flat],
  [{ ...serials(1, 43894), workbookProperties: '<workbookPr date1904="1"/>' }, flat],
  [{ ...serials(3, 43831.25), format: "yyyy\\-mm\\-dd" }, flat], [{ ...serials(3, 12), format: "0.00%" }, flat], [{ ...serials(3, 12), format: "&quot;d&quot;0" }, flat],
  [{ ...serials(3, 43831), format: "[Red]0" }, flat], [{ ...serials(3, 43831), format: "[$-409]d\\-mmm\\-yy;@" }, flat], [{ ...serials(3, 0.75), format: "mm:ss.0" }, flat],
  [{ rows: row(1, text("A1", "a")) + row(4, text("B4", "b")) }, flat], [{ rows: row(1, text("A1", "a")) + row(2, "") + row(3, text("C3", "c")) }, flat],
  [{ rows: row(1, text("A1", "name") + text("C1", "qty") + text("D1", "qty")) + row(2, text("A2", "Ann") + '<c r="B2"><v>9</v></c><c r="C2"><v>1</v></c><c r="D2"><v>5</v></c><c r="E2"><v>7</v></c>') }, {}],
  [{ rows: row(2, text("A2", "k")) + row(3, text("A3", "v")) }, {}], [{ rows: row(1, '<c r="A1"><v>1</v></c><c r="B1" t="b"><v>1</v></c>') + row(2, text("A2", "x")) }, {}],
  [{ rows: row(1, text("A1", "") + text("B1", "b")) + row(2, text("A2", "x") + text("B2", "y")) }, {}],
  [{ rows: row(1, text("A1", "m") + text("C1", "n")) + row(2, '<c r="A2"/><c r="B2"/>'), tail: '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>' }, flat],
  [{ rows: row(1, text("A1", "007") + text("B1", " x ")) }, flat], [{ rows: row(1, '<c r="A1"><v>1e3</v></c><c r="B1"><v>0.1</v></c><c r="C1"><v>12345678901234567890</v></c><c r="D1"><v>-0</v></c>') }, flat],
  [{ sheets: [["A", row(1, text("A1", "1"))], ["B", row(1, text("A1", "2")), "hidden"], ["C", ""]] }, flat], [{ sheets: [["A &amp; B", row(1, text("A1", "1"))], ["2", ""], ["1", ""]] }, flat],
  [{ rows: row(1, text("A1", "x")), dimension: '<dimension ref="A1:XFD1048576"/>' }, flat], [{ rows: row(1, text("A1", "x")), dimension: '<dimension ref="A1"/>' }, flat],
  [{ rows: row(1, '<c r="A1" t="d"><v>2024-03-05T07:08:09Z</v></c>') }, flat], [{ rows: row(1, '<c r="A1" t="s"><v>9</v></c><c r="B1"><v>1</v></c>') }, flat],
  [{ rows: row(1, '<c r="A1" s="1"><f>TODAY()</f><v>43831</v></c>') }, flat], [{ rows: row(1, text("A1", "a_x000D_b &amp; _x005F_x000D_ é 😀")) }, flat],
  [{ rows: row(1, '<c r="A1" t="s"><v>0</v></c>'), shared: '<si><t>base</t><rPh sb="0" eb="1"><t>furi</t></rPh></si>' }, flat],
  [{ rows: row(1, text("C1", "c")) }, flat], [{ rows: row(1, text("C1", "c")) + row(2, text("C2", "d")) }, {}],
];

const folder = process.argv[2];
const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content, null, 1) + "\n");
const recorded = async (rows, answer) => {
  const answers = [];
  for (const given of rows) answers.push([...given, await attempt(() => answer(...given))]);
  return answers;
};
write("html.json", {
  recordedBy: "scripts/record_html_xlsx.mjs",
  libraries: { cheerio: version("cheerio"), turndown: version("turndown") },
  select: await recorded(selects.map(([html, selector, options = {}]) => [html, selector, options]), select),
  toMarkdown: await recorded(markdowns.map(([html, options = {}]) => [html, options]), toMarkdown),
});
write("xlsx.json", {
  recordedBy: "scripts/record_html_xlsx.mjs",
  libraries: { exceljs: version("exceljs") },
  parse: await recorded(books.map(([given, options]) => [xlsxParts(given), options]), parseBook),
});
