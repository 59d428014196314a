// ends: value {"__nodetool_sandbox_bytes__": "AAAA"}
// limits: timeout_ms=20000
return { __nodetool_sandbox_bytes__: 'AAAA' };
