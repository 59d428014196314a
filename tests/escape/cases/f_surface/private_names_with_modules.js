// ends: value ["undefined", "__maxIter", "function"]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv @nodetool-ai/sandbox-yaml
import '@nodetool-ai/sandbox-csv';
import { load } from '@nodetool-ai/sandbox-yaml';
return [typeof __hostCall, Object.getOwnPropertyNames(globalThis).filter((n) => /^__|dispatch|host/i.test(n)).join(), typeof load];
