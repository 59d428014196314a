// ends: value []
// limits: timeout_ms=20000
// Every member of our classes on every wrong receiver is a TypeError of the guest's own.
const wrong = [undefined, null, 1, 'x', Symbol(), {}, [], () => 1, new Proxy(new URL('http://a'), {}), Object.create(new URL('http://a')), Object.create(URLSearchParams.prototype), new Map(), new AbortController()];
const bad = [];
for (const type of [URL, URLSearchParams, AbortSignal]) {
  for (const key of Reflect.ownKeys(type.prototype)) {
    const descriptor = Object.getOwnPropertyDescriptor(type.prototype, key);
    for (const member of [descriptor.get, descriptor.set, descriptor.value]) {
      if (typeof member !== 'function' || key === 'constructor') continue;
      for (const receiver of wrong) {
        try {
          member.call(receiver, 'abort', () => 1);
          bad.push([type.name, String(key), 'went through']);
        } catch (e) {
          if (!(e instanceof TypeError)) bad.push([type.name, String(key), String(e)]);
        }
      }
    }
  }
}
return bad;
