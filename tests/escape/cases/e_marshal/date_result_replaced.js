// ends: value [true]
// limits: timeout_ms=20000
Date.prototype.getTime = Date.prototype.valueOf = Date.prototype.toISOString = () => { while (1); };
return [new Date(NaN) instanceof Date];
