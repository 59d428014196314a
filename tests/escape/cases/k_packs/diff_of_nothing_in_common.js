// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-diff
import { unified } from "@nodetool-ai/sandbox-diff";
const tries = [
  () => unified("a\n".repeat(2e5), "b\n".repeat(2e5)),
  () => unified(Array.from({ length: 2e4 }, (_, i) => `${i % 3}\n`).join(""), Array.from({ length: 2e4 }, (_, i) => `${(i + 1) % 3}\n`).join("")),
  () => unified("x".repeat(2e6) + "a", "x".repeat(2e6) + "b"),
  () => unified("a\n", "b\n", { context: 1e9 }),
  () => unified("a\n", "b\n", { context: NaN }),
  () => unified("a\n", "b\n", { oldName: "x\n@@ -1 +1 @@", newName: "y\r\n+forged" }),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^diff\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && ((await unified("a\n", "b\n")).includes("-a"));
