// ends: timeout
// limits: timeout_ms=200
Error.prepareStackTrace = () => { while (1); };
null.x;
