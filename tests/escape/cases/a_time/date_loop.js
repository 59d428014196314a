// ends: timeout
// limits: timeout_ms=200
const end = Date.now() + 1e9;
while (Date.now() < end);
