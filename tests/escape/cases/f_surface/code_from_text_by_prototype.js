// ends: value ["TypeError", "TypeError", "TypeError", "TypeError"]
// limits: timeout_ms=20000
const out = [];
for (const p of [Object.getPrototypeOf(() => { }), Object.getPrototypeOf(async () => { }), Object.getPrototypeOf(function* () { }), Object.getPrototypeOf(async function* () { })]) { for (const k of Reflect.ownKeys(p)) { const d = Object.getOwnPropertyDescriptor(p, k); if (typeof d.value === 'function' && k === 'constructor') { try { out.push(typeof Reflect.construct(d.value, ['return this'])()); } catch (e) { out.push(e.name); } } } }
return out;
