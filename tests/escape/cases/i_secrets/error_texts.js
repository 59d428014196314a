// ends: value []
// powers: fetch secrets
// limits: timeout_ms=20000 max_fetch_calls=100
const key = await getSecret("KEY"), told = [];
for (const url of [`http://${key}/`, `http://${key}.test:25/`, `http://api.test:99999/${key}`, `${key}:x`, `http://api.test/${key}`])
  for (const options of [{ method: key + " x" }, { headers: { [key + " "]: "x" } }, { redirect: key }, { headers: { x: key + "\n\nx" } }, {}])
    await fetch(url, options).catch(e => told.push(e.message + e.stack));
console.log(told.join("\n"));
return told.filter(each => !each.includes("fetch"));
