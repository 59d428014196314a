// ends: value 2
// powers: fetch secrets
await getSecret("KEY");
const made = ["secret_" + "0".repeat(40), "secret_" + "f".repeat(40)];
const body = (await fetch("http://api.test/echo", { method: "POST", body: made.join() })).body;
return made.filter(each => body.includes(each)).length;
