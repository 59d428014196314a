// ends: value "mine"
// limits: timeout_ms=20000
Object.defineProperty(globalThis, 'default', { get() { while (1); } });
Object.defineProperty(Object.prototype, 'default', { get() { return 'evil'; }, configurable: true });
return 'mine';
