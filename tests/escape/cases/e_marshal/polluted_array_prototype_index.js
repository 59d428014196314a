// ends: repr [1, [UNDEFINED, 2]]
// limits: timeout_ms=20000
Object.defineProperty(Array.prototype, 0, { get() { return 'evil'; }, set() { throw new Error('evil'); }, configurable: true });
return [structuredClone([1])[0], [, 2]];
