// ends: error Error /^"data:text/javascript,export default 1" is not a sandbox pac/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from 'data:text/javascript,export default 1';
console.log('ran');
return 1;
