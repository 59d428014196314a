// ends: value ["YAMLException", "YAMLException", "YAMLException", "YAMLException", "RangeError"]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load, dump } from '@nodetool-ai/sandbox-yaml';
const out = [];
for (const t of ['['.repeat(1e5), '{a: '.repeat(1e5), '- '.repeat(1e5), '? '.repeat(1e4)]) { try { out.push(typeof load(t)); } catch (e) { out.push(/Recursion|Traceback|\.py/.test(e.message) ? e.message : e.name); } }
let d = {};
for (let i = 0; i < 1e5; i++) d = { d };
try { dump(d); } catch (e) { out.push(e.name); }
return out;
