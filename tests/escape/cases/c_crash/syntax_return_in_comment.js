// ends: value null
// limits: timeout_ms=20000
// return 1
/* return 2 */
