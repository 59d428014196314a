// ends: value "RangeError" | value "Error"
// powers: fetch secrets
// limits: timeout_ms=20000 max_host_calls=2000
try { for (let i = 0; ; i++) await getSecret("NAME" + i) } catch (e) { return e.name }
