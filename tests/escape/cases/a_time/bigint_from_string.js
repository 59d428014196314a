// ends: value true | timeout
// limits: timeout_ms=250
return BigInt('9'.repeat(300000)) > 1n;
