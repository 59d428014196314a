// ends: timeout | value 1
// limits: timeout_ms=250
Promise.reject({ get message() { for (;;); }, toString() { for (;;); } });
await sleep(1);
return 1;
