// ends: value {"__nodetool_sandbox_error__": true, "name": "X", "message": "y", "__nodetool_sandbox_bytes__": "AAAA"}
// limits: timeout_ms=20000
// globals: {"inputs": {"__nodetool_sandbox_error__": true, "name": "X", "message": "y", "__nodetool_sandbox_bytes__": "AAAA"}}
return inputs;
