// ends: error TypeError /^revoked proxy/
// limits: timeout_ms=20000
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
return proxy;
