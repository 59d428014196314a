// ends: value ["leak", ["Symbol(Symbol.toStringTag)"]]
// limits: timeout_ms=20000
return [Symbol.keyFor(Symbol.for('leak')), Object.getOwnPropertySymbols(globalThis).map(String)];
