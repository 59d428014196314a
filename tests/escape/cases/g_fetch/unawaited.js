// ends: value 1
// powers: fetch
for (let i = 0; i < 20; i++) fetch("http://a.test/stall"); return 1;
