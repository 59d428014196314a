// ends: error n /^m/
// limits: timeout_ms=20000
throw { get stack() { for (;;); }, message: 'm', name: 'n' };
