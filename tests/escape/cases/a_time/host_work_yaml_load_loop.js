// ends: timeout
// limits: timeout_ms=200
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
const big = '- 1\n'.repeat(5e4);
for (;;) load(big);
