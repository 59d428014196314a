// ends: error Error /forged/
// limits: timeout_ms=20000
throw new Error('\u001b[2J\u0000\r\n[error] forged');
