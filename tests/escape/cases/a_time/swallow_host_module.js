// ends: timeout
// limits: timeout_ms=200
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
for (;;) { try { await parse('a\n1'); while (1); } catch { } }
