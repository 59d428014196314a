// ends: error MyError /^sub/
// limits: timeout_ms=20000
throw new (class MyError extends TypeError { name = 'MyError'; })('sub');
