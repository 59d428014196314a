// ends: value ["RangeError", 10000]
// limits: timeout_ms=20000
// A signal whose wait cannot be asked for aborts at once, with the reason why.
const signals = [];
for (let i = 0; i < 20000; i++) signals.push(AbortSignal.timeout(5000));
await null;
await null;
const aborted = signals.filter((s) => s.aborted);
return [aborted[0].reason.name, aborted.length];
