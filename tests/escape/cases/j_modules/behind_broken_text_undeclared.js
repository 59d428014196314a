// ends: error Error /^"@nodetool-ai/sandbox-yaml" is not a sandbox package declare/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
return 1;
})();
import x from '@nodetool-ai/sandbox-yaml';
(async () => {
