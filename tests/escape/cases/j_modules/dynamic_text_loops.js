// ends: timeout
// limits: timeout_ms=200
return await import({ toString() { while (1); } });
