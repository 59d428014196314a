// ends: value "Error: import attributes are not allowed in the sandbox"
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import '@nodetool-ai/sandbox-csv';
return await import('@nodetool-ai/sandbox-csv', { with: { type: 'json' } }).then((m) => 'loaded', (e) => `${e.name}: ${e.message}`);
