// ends: value true
// limits: timeout_ms=20000
return Math.abs(Date.now() - new Date().getTime()) < 1000 && new Date().getFullYear() > 2024;
