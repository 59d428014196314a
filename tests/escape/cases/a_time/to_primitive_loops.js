// ends: timeout
// limits: timeout_ms=200
return `${{ [Symbol.toPrimitive]: () => { for (;;); } }}`;
