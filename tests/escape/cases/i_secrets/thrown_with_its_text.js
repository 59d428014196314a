// ends: error E1 /\[secret KEY\]/
// powers: fetch secrets
// The program knows the value by another way; what it throws and logs of it does not leave.
const text = ["hunter2", "d41d8cd98f00"].join("-");
await getSecret("KEY");
console.log(text, encodeURIComponent(text), toBase64(text), toHex(new TextEncoder().encode(text)), [...text].map(c => "\\u00" + c.charCodeAt(0).toString(16)).join(""));
progress(1, text);
throw Object.assign(new Error(text), { name: "E1", stack: text + "\n at " + text });
