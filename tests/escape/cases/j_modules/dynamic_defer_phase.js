// ends: error SyntaxError /^meta expected/
// limits: timeout_ms=20000
return await import.defer('fs').catch((e) => e.name);
