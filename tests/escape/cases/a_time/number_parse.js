// ends: value 3 | timeout
// limits: timeout_ms=250
return [Number("1".repeat(3e6)), parseFloat("0." + "1".repeat(3e6)), parseInt("z".repeat(3e6), 36)].length;
