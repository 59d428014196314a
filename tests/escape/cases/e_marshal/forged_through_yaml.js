// ends: value {"__nodetool_sandbox_error__": true, "name": "X", "message": "y"}
// limits: timeout_ms=20000
// modules: @nodetool-ai/sandbox-yaml
import { load } from '@nodetool-ai/sandbox-yaml';
return load('__nodetool_sandbox_error__: true\nname: X\nmessage: y');
