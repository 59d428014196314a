// ends: timeout
// limits: timeout_ms=500
new URLSearchParams({ get a() { for (;;); } });
