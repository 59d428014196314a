// ends: value 3
// limits: timeout_ms=20000
Array.from = () => ['evil'];
Array.prototype.push = () => { throw 1; };
Math.floor = () => NaN;
return (await parallelMap([1, 2, 3], (x) => x * 2)).length;
