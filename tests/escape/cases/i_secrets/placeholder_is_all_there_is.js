// ends: value /^secret_[0-9a-f]{40}$/
// powers: fetch secrets
return getSecret("KEY");
