// ends: error Error /did not answer in HTTP/
// powers: fetch
await fetch("http://a.test/garbage");
