// ends: value "unharmed"
// limits: timeout_ms=20000
let a;
for (let i = 0; i < 50; i++) {
  a = [5, 4, 3, 2, 1];
  try {
    (function (x, y) { arguments.length = 0; delete arguments[0]; x = 9; Array.prototype.shift.call(arguments); return arguments[0]; })(1, 2);
  } catch (e) {
    if (!(e instanceof Error)) throw e;
  }
}
return 'unharmed';
