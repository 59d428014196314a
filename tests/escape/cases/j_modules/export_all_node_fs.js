// ends: error SyntaxError /^unsupported keyword: export/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
export * from 'node:fs';
console.log('ran');
return 1;
