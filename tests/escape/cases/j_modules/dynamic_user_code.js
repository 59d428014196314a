// ends: value "Error: dynamic import() is not allowed in the sandbox (requested \"user-code\")"
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import '@nodetool-ai/sandbox-csv';
return await import('user-code').then((m) => 'loaded', (e) => `${e.name}: ${e.message}`);
