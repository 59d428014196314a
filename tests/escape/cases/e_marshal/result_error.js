// ends: value {"name": "TypeError", "message": "returned"}
// limits: timeout_ms=20000
return new TypeError('returned');
