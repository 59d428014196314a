// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-html
import { select, toMarkdown } from "@nodetool-ai/sandbox-html";
const tries = [
  () => select("<div>".repeat(1e5), "div"),
  () => toMarkdown("<ul><li>".repeat(5e4)),
  () => toMarkdown("<b>".repeat(1e5)),
  () => toMarkdown("<table>".repeat(2e4)),
  () => toMarkdown("<a href=x>".repeat(1e5)),
  () => select("<svg><math>".repeat(1e4), "math"),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^html\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && ((await select("<p>1", "p"))[0] === "1");
