// ends: error Error /^"/etc/hostname" is not a sandbox package declared for this r/
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import x from '/etc/hostname';
console.log('ran');
return 1;
