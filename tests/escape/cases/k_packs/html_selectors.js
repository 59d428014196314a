// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-html
import { select } from "@nodetool-ai/sandbox-html";
const tries = [
  () => select("<ul>" + "<li>x".repeat(1e4), "*".repeat(1e4)),
  () => select("<ul>" + "<li>x".repeat(1e4), ":not(".repeat(500) + "a" + ")".repeat(500)),
  () => select("<ul>" + "<li>x".repeat(1e4), ":has(".repeat(50) + "a" + ")".repeat(50)),
  () => select("<ul>" + "<li>x".repeat(1e4), "a ".repeat(2000) + "a"),
  () => select("<ul>" + "<li>x".repeat(1e4), "a,".repeat(1e5) + "a"),
  () => select("<ul>" + "<li>x".repeat(1e4), ":nth-child(" + "9".repeat(1e5) + "n)"),
  () => select("<ul>" + "<li>x".repeat(1e4), "[a=" + "\\".repeat(1e5)),
  () => select("<ul>" + "<li>x".repeat(1e4), ":-soup-contains('" + "a".repeat(1e6) + "')"),
  () => select("<ul>" + "<li>x".repeat(1e4), "\0"),
  () => select("<ul>" + "<li>x".repeat(1e4), ""),
  () => select("<p>1", "p", { limit: NaN }),
  () => select("<p>1", "p", { limit: -1 }),
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
