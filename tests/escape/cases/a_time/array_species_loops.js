// ends: timeout
// limits: timeout_ms=200
class A extends Array { static get [Symbol.species]() { for (;;); } }
return new A(3).map((x) => x);
