// ends: value []
// limits: timeout_ms=20000
const wrong = [undefined, null, 1, 'x', Symbol(), {}, [], () => 1, new Proxy(new Intl.NumberFormat(), {}), Object.create(new Intl.NumberFormat()), Object.create(Intl.ListFormat.prototype), new URL('http://a')];
const bad = [];
for (const name of ['NumberFormat', 'DateTimeFormat', 'ListFormat', 'RelativeTimeFormat', 'PluralRules', 'Collator']) {
  for (const key of Reflect.ownKeys(Intl[name].prototype)) {
    if (key === 'constructor') continue;
    const descriptor = Object.getOwnPropertyDescriptor(Intl[name].prototype, key);
    for (const member of [descriptor.get, descriptor.value]) {
      if (typeof member !== 'function') continue;
      for (const receiver of wrong) {
        try {
          member.call(receiver, ['a'], 'day');
          bad.push([name, String(key), 'went through']);
        } catch (e) {
          if (!(e instanceof TypeError)) bad.push([name, String(key), String(e)]);
        }
      }
    }
  }
}
return bad;
