// ends: value "RangeError"
// limits: timeout_ms=20000
try { new Intl.NumberFormat({ length: 2 ** 53 - 1, 0: 'en', get 1() { return 'de'; } }); (1.5).toLocaleString(new Proxy(['en'], { get: (t, k) => k === 'length' ? 1e9 : 'en', has: () => true })); } catch (e) { return e.name; }
