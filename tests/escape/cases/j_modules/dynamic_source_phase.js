// ends: error SyntaxError /^meta expected/
// limits: timeout_ms=20000
return await import.source('fs').catch((e) => e.name);
