// ends: value [true,true,"undefined",true]
// limits: timeout_ms=30000
let least = 1e9, before = Date.now(), whole = true;
const until = before + 300;
for (let now = before; now < until; now = Date.now()) {
  whole &&= Number.isInteger(now) && Number.isInteger(new Date().getTime());
  if (now !== before) {
    least = Math.min(least, now - before);
    before = now;
  }
}
return [least >= 1, whole, typeof performance, Number.isInteger(before)];
