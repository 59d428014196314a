// ends: error AggregateError /^b/
// limits: timeout_ms=20000
throw new AggregateError([new Error('a')], 'b');
