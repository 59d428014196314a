// ends: value "object"
// limits: timeout_ms=20000
Date.prototype.getTime = Date.prototype.valueOf = () => { while (1); };
return typeof new Date(0);
