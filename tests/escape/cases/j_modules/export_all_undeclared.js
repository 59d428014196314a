// ends: error SyntaxError /^unsupported keyword: export/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
export * from '@nodetool-ai/sandbox-yaml';
console.log('ran');
return 1;
