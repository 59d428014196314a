// ends: value "TypeError: mine"
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import '@nodetool-ai/sandbox-csv';
return await import({ toString() { throw new TypeError('mine'); } }).then((m) => 'loaded', (e) => `${e.name}: ${e.message}`);
