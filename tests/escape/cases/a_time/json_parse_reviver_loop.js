// ends: timeout
// limits: timeout_ms=200
return JSON.parse('[1]', function () { for (;;); });
