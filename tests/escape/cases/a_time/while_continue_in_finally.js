// ends: timeout
// limits: timeout_ms=200
while (true) { try { continue; } finally { continue; } }
