// ends: value [0, true, "object"]
// limits: timeout_ms=20000
return [new Date(0).getTimezoneOffset(), new Date(0).toString().includes('1970'), typeof Intl];
