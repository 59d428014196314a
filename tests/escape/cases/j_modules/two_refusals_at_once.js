// ends: error Error /^"fs" is not a sandbox package declared for this run; this ru/
// limits: timeout_ms=20000
import a from 'fs';
import b from 'os';
return 1;
