// ends: error Error /^m/
// limits: timeout_ms=20000
throw Object.assign(new Error('m'), { stack: '    at /etc/passwd:1:1\n    at user-code:999999999999:99999999999\n    at sandbox.py:1' });
