// ends: timeout
// limits: timeout_ms=200
for await (const x of (async function* () { for (;;) yield 1; })());
