// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-zip
import { unzip, zip, list } from "@nodetool-ai/sandbox-zip";
const tries = [
  () => unzip(new Uint8Array(0)),
  () => unzip(new Uint8Array(1e7)),
  () => list(new Uint8Array([80, 75, 5, 6])),
  () => zip({ a: "x" }).then((made) => unzip(made.slice(0, made.length - 7))),
  () => zip({ "../x": "1", "/etc/x": "2", __proto__x: "3" }).then(unzip),
  () => zip({ a: new Uint8Array(4e7) }).then((small) => Promise.all([unzip(small), unzip(small)])).then((all) => all.length),
  () => zip({ a: new Uint8Array(52428801) }),
];
const ends = [];
for (const work of tries) {
  try {
    const made = await work();
    ends.push(made !== undefined);
  } catch (error) {
    // in the pack's own words, without a path, a Python class or an address
    ends.push(error instanceof Error && /^zip\.\w+: /.test(error.message) && !/Traceback|\.py|0x[0-9a-f]{6}|(Recursion|Overflow|Index|Key|Unicode)\w*Error/.test(error.message));
  }
}
return ends.every(Boolean) && ({}).x === undefined && ((await unzip(await zip({ a: "x" }))).a[0] === 120);
