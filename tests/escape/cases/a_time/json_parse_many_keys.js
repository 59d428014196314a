// ends: value 300001 | timeout
// limits: timeout_ms=250 memory_limit_bytes=268435456
let t = '{';
for (let i = 0; i < 3e5; i++) t += `"k${i}":${i},`;
return Object.keys(JSON.parse(t + '"z":0}')).length;
