// ends: value
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load, dump } from '@nodetool-ai/sandbox-yaml';
const out = [];
for (const f of [() => load('['), () => dump(() => { }), () => null.x, () => toBase64(Symbol())]) { try { f(); } catch (e) { out.push(e.stack); } }
return out;
