// ends: value true
// powers: fetch secrets
const guesses = [];
for (let i = 1; i < 19; i++) guesses.push("hunter2-d41d8cd98f00".slice(0, i), "hunter2-d41d8cd98f00".slice(i + 1));
await getSecret("KEY");
const sent = guesses.filter(g => g.length < 19).join(" ");
const r = await fetch("http://api.test/body?" + encodeURIComponent(sent));
return r.body === sent;
