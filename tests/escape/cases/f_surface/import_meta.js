// ends: value "[[],null,null,null]"
// limits: timeout_ms=20000
return JSON.stringify([Object.keys(import.meta), import.meta.url, import.meta.main, import.meta.dirname]);
