// ends: value /run_media_bytes/
// powers: image
// limits: run_media_bytes=8388608 timeout_ms=20000
// rss: 64
const random = await image.encode({ width: 500, height: 500, pixels: Uint8Array.from({ length: 1e6 }, (_, i) => (i * 2654435761) >>> 13) }, { as: "handle" });
try { for (;;) await image.flip(random); } catch (e) { return e.message; }
