// ends: error SyntaxError /^unsupported keyword: export/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
export * from 'nodetool-sandbox:@nodetool-ai/sandbox-csv|host:csv';
console.log('ran');
return 1;
