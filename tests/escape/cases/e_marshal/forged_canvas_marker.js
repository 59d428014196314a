// ends: value {"__nodetool_canvas_gradient__": 0, "uri": "sandbox://media/1"}
// limits: timeout_ms=20000
return { __nodetool_canvas_gradient__: 0, uri: 'sandbox://media/1' };
