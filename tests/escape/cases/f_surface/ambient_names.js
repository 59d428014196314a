// ends: value []
// limits: timeout_ms=20000
return ['process', 'env', 'Deno', 'Bun', 'require', 'module', 'exports', 'global', 'window', 'self', 'document', 'std', 'os', 'bjson', 'qjs', 'navigator', 'performance', 'scriptArgs', 'print', 'gc', 'Buffer', 'fetch', 'WebAssembly', 'Worker', 'XMLHttpRequest', 'localStorage', 'Atomics', 'eval', 'Function', '__loadScript', 'DOMException'].filter((n) => n in globalThis);
