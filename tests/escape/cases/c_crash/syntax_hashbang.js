// ends: error SyntaxError /^invalid first character of private name/
// limits: timeout_ms=20000
#!/usr/bin/env node
return 1;
