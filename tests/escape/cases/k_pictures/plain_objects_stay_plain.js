// ends: value {"__nodetool_canvas_gradient__": 0, "uri": "sandbox://media/1", "byteLength": 7}
// powers: image
await image.blank(1, 1);
return { __nodetool_canvas_gradient__: 0, uri: "sandbox://media/1", byteLength: 7 };
