// ends: value 1
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
function deep() { try { return deep(); } catch { return load('a: 1').a; } }
return deep();
