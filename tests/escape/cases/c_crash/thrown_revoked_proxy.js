// ends: error - /^a value that cannot be read was thrown/
// limits: timeout_ms=20000
throw (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })();
