// ends: error Error /^"node:fs" is not a sandbox package declared for this run; ad/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
return 1;
})();
import x from 'node:fs';
(async () => {
