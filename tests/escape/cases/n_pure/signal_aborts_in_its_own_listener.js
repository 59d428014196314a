// ends: value [1, "why"]
const control = new AbortController();
let times = 0;
control.signal.addEventListener('abort', () => { times++; control.abort('again'); control.signal.addEventListener('abort', () => times++); });
control.abort('why');
return [times, control.signal.reason];
