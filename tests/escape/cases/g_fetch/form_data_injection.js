// ends: value []
// powers: fetch
const told = [];
const form = new FormData();
form.append('a"; filename="x\r\nEvil: 1', "value");
form.append("b", new Uint8Array([1]), 'f"\r\nEvil: 2');
form.append("c", new Blob(["x"], { type: "text/plain\r\nEvil: 3" }));
const body = (await fetch("http://a.test/echo", { method: "POST", body: form })).body;
for (const line of body.split("\r\n")) if (/^Evil/.test(line)) told.push(line);
return told;
