// ends: value 1
// limits: timeout_ms=20000
// logs: []
sleep(4000).then(() => console.log('late'));
return 1;
