// ends: value true | timeout
// limits: timeout_ms=250
return JSON.parse('1' + '0'.repeat(5e6)) > 1;
