// ends: value 0
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { dump } from '@nodetool-ai/sandbox-yaml';
const found = [];
Error.prepareStackTrace = (e, frames) => { for (const f of frames) { const g = f.getFunction?.(); if (typeof g === 'function') found.push(f.getFileName()); } return ''; };
dump({ get a() { void new Error('x').stack; return 1; } });
return found.length;
