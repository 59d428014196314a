// ends: value false | timeout | error SyntaxError
// limits: timeout_ms=250
return new RegExp('(?:' + 'a{1000}'.repeat(1000) + '){1000}').test('a');
