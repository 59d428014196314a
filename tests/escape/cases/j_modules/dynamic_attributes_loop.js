// ends: timeout
// limits: timeout_ms=200
return await import('x', { with: { get type() { while (1); } } });
