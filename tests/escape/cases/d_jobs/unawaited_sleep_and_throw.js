// ends: error Error /^thrown/
// limits: timeout_ms=20000
// logs: []
sleep(4000).then(() => console.log('late'));
throw new Error('thrown');
