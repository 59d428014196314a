// ends: error Error /is not sent on after a redirect to another origin/
// powers: fetch secrets
const key = await getSecret("KEY");
return (await fetch("http://api.test/echo/location?" + key)).url;
