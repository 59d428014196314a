// ends: value true | error InternalError /out of memory/ | timeout
// limits: timeout_ms=250
return "ab".repeat(2e6).split(/(?:)/).length > 0;
