// ends: value "ok"
// limits: timeout_ms=20000
for (const v of [-1, NaN, 1e308, '8', null, {}, 65537, -0, 1.5, 2n, Symbol('s'), { valueOf() { throw 1; } }]) { try { progress(v, v); } catch (e) { if (!(e instanceof Error)) return 'bad'; } }
return 'ok';
