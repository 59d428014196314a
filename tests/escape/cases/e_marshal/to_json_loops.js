// ends: timeout
// limits: timeout_ms=200
return { toJSON() { while (1); } };
