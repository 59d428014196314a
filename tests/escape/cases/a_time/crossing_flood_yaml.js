// ends: timeout
// limits: timeout_ms=200
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
for (;;) load('1');
