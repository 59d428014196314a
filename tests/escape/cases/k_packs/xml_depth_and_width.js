// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-xml
import { parse } from "@nodetool-ai/sandbox-xml";
const tries = [
  () => parse("<a>".repeat(1e5) + "</a>".repeat(1e5)),
  () => parse("<a " + Array.from({ length: 1e5 }, (_, i) => `b${i}="1"`).join(" ") + "/>"),
  () => parse(`<a b="${"x".repeat(5e6)}"/>`),
  () => parse("<a>" + "<b/>".repeat(6e5) + "</a>"),
  () => parse("<a " + Array.from({ length: 5e4 }, (_, i) => `xmlns:n${i}="u"`).join(" ") + "/>"),
  () => parse("<a>" + "<![CDATA[x]]>".repeat(1e5) + "</a>"),
  () => parse("<__proto__><constructor x='1'/></__proto__>"),
  () => parse("<a>]]>\u0000</a>"),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^xml\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && ((await parse("<a>1</a>")).a === "1");
