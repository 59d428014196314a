// ends: value 1
// limits: timeout_ms=20000
﻿return 1;
