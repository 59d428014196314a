// ends: value 1
// limits: timeout_ms=20000
// logs: []
Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(async () => { for (let i = 0; i < 100; i++) await 0; console.log('late'); });
return 1;
