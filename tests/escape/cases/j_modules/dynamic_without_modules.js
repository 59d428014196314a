// ends: value "Error: dynamic import() is not allowed in the sandbox (requested \"@nodetool-ai/sandbox-csv\")"
// limits: timeout_ms=20000
return await import('@nodetool-ai/sandbox-csv').then((m) => 'loaded', (e) => `${e.name}: ${e.message}`);
