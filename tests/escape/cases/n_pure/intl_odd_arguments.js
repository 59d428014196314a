// ends: value []
// limits: timeout_ms=30000
// Whatever comes as an argument, what is thrown is an Error of the guest, or the thrower's own 1.
const odd = [
  undefined, null, NaN, -1, 2 ** 53, 1e308, 7n, '', 'x', '\ud800', Symbol(), {}, [], [[]], () => 1, new Proxy({}, { get() { throw 1; }, has() { throw 1; } }), Object.create(null), { toString() { throw 1; } },
  { [Symbol.toPrimitive]: () => ({}) }, { length: 2 ** 53 - 1 }, { get length() { throw 1; } }, { style: 'currency', currency: '\0' }, { timeZone: '../..' }, { numberingSystem: 'latn' }, { minimumFractionDigits: 1e9 }, { locale: {} }, { useGrouping: Symbol() },
  new Date(NaN), new Map(), new Intl.NumberFormat(), { [Symbol.iterator]: () => 1 }, { length: 1, get 0() { throw 1; } }, { hour12: {} , month: 'long' }, { dateStyle: 'long', hour: 'numeric' }, 'en-u-nu-' + 'x'.repeat(8), 10n ** 20000n,
];
const kinds = [Intl.NumberFormat, Intl.DateTimeFormat, Intl.ListFormat, Intl.RelativeTimeFormat, Intl.PluralRules, Intl.Collator];
const functions = [
  format.number, format.date, format.relativeTime, format.list, Intl.getCanonicalLocales, Intl.NumberFormat.supportedLocalesOf, ...kinds.map((K) => (a, b) => new K(a, b)), (a, b) => (1.5).toLocaleString(a, b), (a, b) => new Date(0).toLocaleString(a, b), (a, b) => (1n).toLocaleString(a, b),
  (a, b) => 'a'.localeCompare(a, b), (a, b) => new Intl.NumberFormat().format(a, b), (a, b) => new Intl.DateTimeFormat().format(a, b), (a, b) => new Intl.ListFormat().format(a, b), (a, b) => new Intl.RelativeTimeFormat().formatToParts(a, b), (a, b) => new Intl.PluralRules().select(a, b), (a, b) => new Intl.Collator().compare(a, b),
];
const bad = [];
for (const f of functions)
  for (const a of odd)
    for (const b of [odd[odd.length - 1 - odd.indexOf(a)], a, undefined])
      try {
        await f.call(undefined, a, b);
      } catch (e) {
        if (e === 1) continue;
        if (!(e instanceof Error)) bad.push([f.name, typeof e]);
        else if (/failed inside|python|traceback|\.py|NoneType|babel|decimal/i.test(e.message)) bad.push([f.name, e.message]);
      }
return bad;
