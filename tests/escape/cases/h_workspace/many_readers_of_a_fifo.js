// ends: value /a FIFO/
// limits: timeout_ms=5000
// powers: workspace
const all = await Promise.allSettled(Array.from({ length: 500 }, () => workspace.read("fifo")));
return all.every((each) => each.status === "rejected") ? all[0].reason.message : "one was read";
