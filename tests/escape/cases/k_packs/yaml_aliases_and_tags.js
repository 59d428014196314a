// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-yaml
import { load } from "@nodetool-ai/sandbox-yaml";
const tries = [
  () => load("a: &a [x,x,x,x,x,x,x,x,x]\n" + "bcdefghi".split("").map((n, i) => `${n}: &${n} [${`*${"abcdefgh"[i]},`.repeat(9)}]`).join("\n")),
  () => load("&a [*a]"),
  () => load("!!python/object/apply:os.system ['true']"),
  () => load("!!python/name:os.system"),
  () => load("!!js/function 'x'"),
  () => load("a0: &a0 {x: 1}\n" + Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, y${i}: 1}`).join("\n")),
  () => load("? {a: 1}\n: 2"),
  () => load("? [1]\n: 2"),
  () => load("[".repeat(1e4)),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^[a-z]/.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && (load("a: 1").a === 1);
