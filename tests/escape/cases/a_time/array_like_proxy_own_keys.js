// ends: error TypeError /^proxy: properties must be strings or symbols/
// limits: timeout_ms=20000
return Reflect.ownKeys(new Proxy({}, { ownKeys: () => ({ length: 2 ** 53 - 1 }) })).length;
