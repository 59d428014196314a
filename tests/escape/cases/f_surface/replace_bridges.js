// ends: value ["undefined", "undefined", "undefined"]
// limits: timeout_ms=20000
sleep.call = null;
console.log = () => 'fake';
globalThis.allowPrivateNetwork = true;
globalThis.filesystemAccess = 'host';
await sleep(1);
return [typeof fetch, typeof workspace, typeof getSecret];
