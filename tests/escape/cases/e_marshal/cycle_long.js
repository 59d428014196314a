// ends: value {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": {"next": "[Circular]"}}}}}}}}}}}}}}}}}}}}}
// limits: timeout_ms=20000
const first = {};
let o = first;
for (let i = 0; i < 20; i++) o = o.next = {};
o.next = first;
return first;
