// ends: value true | timeout
// limits: timeout_ms=250
return /(?:(?:(?:(?=)){65535}){65535}){65535}/.test("");
