// ends: value "ok"
// limits: timeout_ms=20000
// A getter shrinks the buffer between a look at its length and the reading of its bytes.
for (let k = 0; k < 50; k++) {
  const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
  const view = new Uint8Array(buffer);
  const sly = { length: 64 };
  Object.defineProperty(sly, String(k), { get() { buffer.resize(0); return 1; } });
  if ((await crypto.digest('SHA-1', sly)).length !== 20) return 'digest';
  try { crypto.getRandomValues(view); } catch (e) { return e.name; }
  if ((await crypto.digest('SHA-1', view)).length !== 20) return 'view';
  buffer.resize(16);
  if (crypto.getRandomValues(view) !== view || view.length !== 16) return 'fill';
}
return 'ok';
