// ends: timeout | error RangeError /host call limit/
// limits: timeout_ms=1500
// rss: 64
for (let i = 0; ; i++) new Intl.NumberFormat('en', { maximumFractionDigits: i % 100 }).format(i + 0.5);
