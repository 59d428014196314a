// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-csv
import { parse, stringify } from "@nodetool-ai/sandbox-csv";
const tries = [
  () => parse('"' + "a".repeat(4e6)),
  () => parse('"'.repeat(4e6)),
  () => parse(",".repeat(4e6)),
  () => parse("a\n".repeat(1e6)),
  () => parse("a,".repeat(1e5) + "\n1"),
  () => parse("__proto__,constructor,toString\n1,2,3"),
  () => parse("a\0b,c\r\ud83d,1\u2028"),
  () => parse("x".repeat(4e6), { delimiter: "" }),
  () => parse("a,b", { delimiter: "\ud83d\ude00" }),
  () => stringify({ length: 1e9 }),
  () => stringify([{ a: "=1+1" }, { a: new Uint8Array(2), b: 1n, c: new Map([[1, 2]]) }]),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^csv\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && ((await parse("a\n1"))[0].a === "1");
