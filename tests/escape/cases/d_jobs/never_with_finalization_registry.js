// ends: deadlock
// limits: timeout_ms=20000
const r = new FinalizationRegistry(() => console.log('late'));
r.register({}, 1);
await new Promise(() => {});
