// ends: deadlock
// limits: timeout_ms=20000
for await (const x of { [Symbol.asyncIterator]() { return { next() { return new Promise(() => {}); } }; } });
