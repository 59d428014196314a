// ends: error Error /^"" is not a sandbox package declared for this run; add it to/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '';
console.log('ran');
return 1;
