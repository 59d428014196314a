// ends: value true | timeout
// limits: timeout_ms=250
return ("a" + "\u0315\u0300\u05ae".repeat(2e5)).normalize("NFC").length > 0;
