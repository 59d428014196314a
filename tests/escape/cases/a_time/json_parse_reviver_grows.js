// ends: value
// limits: timeout_ms=20000
return JSON.parse('[0]', function (k, v) { if (Array.isArray(this)) this.push(0); return [v]; });
