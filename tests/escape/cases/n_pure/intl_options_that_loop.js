// ends: timeout
// limits: timeout_ms=500
new Intl.DateTimeFormat('en', { get hour() { for (;;); } });
