// ends: error TypeError /^Error\.prototype\.stack setter expects a string/
// limits: timeout_ms=20000
throw Object.assign(new Error('m'), { stack: 5 });
