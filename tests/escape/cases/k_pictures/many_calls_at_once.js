// ends: value /await earlier calls first|1500/
// powers: image
// limits: timeout_ms=20000
try { return String((await Promise.all(Array.from({ length: 1500 }, () => image.blank(1, 1)))).length); } catch (e) { return e.message; }
