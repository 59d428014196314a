// ends: value {}
// limits: timeout_ms=20000
return { toString() { while (1); }, valueOf() { while (1); }, [Symbol.toPrimitive]() { while (1); } };
