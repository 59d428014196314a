// ends: value ["undefined", "undefined", "function"]
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-csv
import { parse } from '@nodetool-ai/sandbox-csv';
return [typeof setTimeout, typeof globalThis.setTimeout, typeof parse];
