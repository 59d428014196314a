// ends: value {"constructor": "x"}
// limits: timeout_ms=20000
return { get constructor() { return 'x'; } };
