// ends: timeout
// limits: timeout_ms=200
const r = /a/g;
r.exec = () => ({ 0: '', index: 0, length: 1 });
return 'a'.replace(r, 'b');
