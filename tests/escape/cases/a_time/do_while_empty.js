// ends: timeout
// limits: timeout_ms=200
do; while (true)
