// ends: value "TypeError: cannot convert symbol to string"
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import '@nodetool-ai/sandbox-csv';
return await import(Symbol('x')).then((m) => 'loaded', (e) => `${e.name}: ${e.message}`);
