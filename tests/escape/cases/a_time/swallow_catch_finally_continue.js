// ends: timeout
// limits: timeout_ms=200
// logs: []
for (;;) { try { while (1); } catch (e) { console.log('caught'); } finally { console.log('finally'); continue; } }
