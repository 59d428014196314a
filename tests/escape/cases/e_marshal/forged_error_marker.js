// ends: value {"__nodetool_sandbox_error__": true, "name": "X", "message": "y"}
// limits: timeout_ms=20000
return { __nodetool_sandbox_error__: true, name: 'X', message: 'y' };
