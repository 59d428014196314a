// ends: value ["RangeError", "url.parse: host call limit exceeded (max 3 calls per run)"]
// limits: max_host_calls=3
try { for (let i = 0; ; i++) new URL(`http://a/${i}`); } catch (e) { return [e.name, e.message]; }
