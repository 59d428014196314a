// ends: value null | error SyntaxError
// limits: timeout_ms=20000
})(); globalThis.out = 1; (async () => {
