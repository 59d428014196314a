// ends: value true
// limits: timeout_ms=60000 memory_limit_bytes=268435456
// rss: 512
// modules: @nodetool-ai/sandbox-xml
import { parse } from "@nodetool-ai/sandbox-xml";
const tries = [
  () => parse('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'),
  () => parse('<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>'),
  () => parse('<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]><a/>'),
  () => parse('<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/hostname" parse="text"/></a>'),
  () => parse('<?xml-stylesheet href="file:///etc/hostname"?><a/>'),
  () => parse('<!DOCTYPE a [<!ENTITY a0 "x">' + Array.from({ length: 10 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join("") + ']><a>&a10;</a>'),
  () => parse('<!DOCTYPE a [<!ENTITY a "&b;"><!ENTITY b "&a;">]><a c="&a;"/>'),
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
