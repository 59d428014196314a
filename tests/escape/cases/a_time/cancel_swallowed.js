// ends: cancelled
// limits: timeout_ms=20000
// cancel: 100
for (;;) { try { while (true); } catch { } finally { continue; } }
