// ends: error Error /^"file:///etc/hostname" is not a sandbox package declared for/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
return 1;
})();
import x from 'file:///etc/hostname';
(async () => {
