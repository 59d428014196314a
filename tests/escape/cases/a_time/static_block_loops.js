// ends: timeout
// limits: timeout_ms=200
class A { static { for (;;); } }
return A;
