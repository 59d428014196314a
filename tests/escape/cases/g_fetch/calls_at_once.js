// ends: value [20,["Fetch limit exceeded (max 20 requests per execution)"]]
// powers: fetch
const all = await Promise.allSettled(Array.from({ length: 500 }, () => fetch("http://a.test/")));
const refused = all.filter(each => each.status === "rejected").map(each => each.reason.message);
return [all.length - refused.length, [...new Set(refused)]];
