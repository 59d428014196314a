// ends: error SyntaxError /^await in default expression/
// limits: timeout_ms=20000
return (async (a = await 1) => a)();
