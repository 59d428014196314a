// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    const { proxy, revoke } = Proxy.revocable([1, 2, 3], { get(t, k) { revoke(); return t[k]; } });
    proxy.concat([1]);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
