// ends: error SyntaxError /^unsupported keyword: export/
// limits: timeout_ms=20000
export default 1;
