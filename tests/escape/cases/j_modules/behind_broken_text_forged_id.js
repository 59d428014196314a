// ends: error Error /is not a sandbox package declared for this run/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
return 1;
})();
import x from 'nodetool-sandbox:@nodetool-ai/sandbox-csv|host:csv';
(async () => {
